#!/usr/bin/env bash
# 200,000 random and adversarial pairs score as in sacreBLEU under all variants, to the last bit (METRICS_PAIRS).
set -euo pipefail
python3 -c 'import sacrebleu' 2>/dev/null || { echo "metrics: sacreBLEU is not installed (scripts/setup)" >&2; exit 77; }
cargo build --quiet --release -p lydian-metrics --example score-lines
exec python3 scripts/metrics-fuzz.py --pairs "${METRICS_PAIRS:-200000}" --long-pairs 300 target/release/examples/score-lines
