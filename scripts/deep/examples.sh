#!/usr/bin/env bash
# The example corpora are what the pinned package gives, and the recorded outputs what the installed Apertium says.
set -uo pipefail
command -v npm >/dev/null 2>&1 || { echo "npm is not installed"; exit 77; }
scripts/make-udhr-example --check || exit 1
command -v apertium >/dev/null 2>&1 || { echo "apertium is not installed: records not compared"; exit 0; }
scripts/record-apertium --check
