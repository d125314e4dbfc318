#!/usr/bin/env bash
# Every change that cargo-mutants makes to the metrics is noticed by a test (MUTANTS_FILES: glob of files, default all).
set -euo pipefail
command -v cargo-mutants >/dev/null 2>&1 || { echo "mutants: cargo install cargo-mutants" >&2; exit 77; }
exec cargo mutants --package lydian-metrics --file "${MUTANTS_FILES:-crates/lydian-metrics/src/**}" --output target \
  --jobs 1 -- --lib --test it --doc
