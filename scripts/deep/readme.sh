#!/usr/bin/env bash
# The first command of the README does what it says, in an optimised build of a clean clone.
set -euo pipefail
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/lydian"
cd "$clone/lydian"
cargo run --release --quiet -- run examples/por-glg --out "$clone/run"
cargo run --release --quiet -- card verify "$clone/run/run-card.json"
