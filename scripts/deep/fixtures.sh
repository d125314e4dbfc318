#!/usr/bin/env bash
# The hostile documents are what their script makes.
exec scripts/make-hostile-fixtures --check
