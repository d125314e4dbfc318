#!/usr/bin/env bash
# Kills a run 20 times at random points, over a program and over the fake provider; the resumed card must be that of an uninterrupted run.
set -euo pipefail
cargo build --quiet -p lydian-cli
exec python3 scripts/deep/kill_and_resume.py target/debug/lydian
