#!/usr/bin/env bash
# `lydian score` prints what sacreBLEU prints, byte by byte, under 582 combinations of options.
set -euo pipefail
python3 -c 'import sys, sacrebleu; assert sys.version_info >= (3, 12)' 2>/dev/null ||
  { echo "metrics-cli: needs sacreBLEU 2.6.0 on Python 3.12 or later" >&2; exit 77; }
cargo build --quiet -p lydian-cli
exec python3 scripts/metrics-compare-cli.py target/debug/lydian
