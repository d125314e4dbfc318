#!/usr/bin/env bash
# A program that shares no code with Lydian finds the same fingerprints and hashes in the worked run cards.
command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
exec node scripts/verify-card.mjs fixtures/vectors/*.json
