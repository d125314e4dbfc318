#!/usr/bin/env bash
# The pieces of 20,000 texts under 20 SentencePiece models are those of the library.
set -euo pipefail
python3 -c 'import sentencepiece, sacrebleu' 2>/dev/null || { echo "sentencepiece: not installed (scripts/setup)" >&2; exit 77; }
cargo build --quiet -p lydian-metrics --example list-pieces
exec python3 scripts/metrics-sentencepiece.py --fuzz 20000 target/debug/examples/list-pieces
