#!/usr/bin/env bash
# Fuzzes the readers of foreign bytes, FUZZ_SECONDS (60) each, from the shared hostile fixtures. cargo-fuzz needs a nightly
# compiler for its instrumentation; with a stable one the targets run without it, on mutated fixtures.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${FUZZ_SECONDS:-60}
seeds() {
  case $1 in
    corpus) echo fixtures/hostile/corpus ;;
    dialect) echo fixtures/dialect/fuzz ;;
    predictions) echo fixtures/hostile/predictions ;;
    run_card) echo fixtures/vectors ;;
    transducer) echo crates/lydian-hfstol/tests/fixtures ;;
    sentence_piece) echo target/fuzz/models ;;
  esac
}
# With a target named, the flags do not reach build scripts, which have no fuzzer to link with.
host=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p target/fuzz/models
cp crates/lydian-metrics/tests/data/*.model target/fuzz/models/
for target in corpus dialect predictions run_card transducer sentence_piece; do
  mkdir -p "target/fuzz/$target"
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Ccodegen-units=1" \
    cargo build --quiet --release --manifest-path fuzz/Cargo.toml --target "$host" --target-dir target/fuzz/build --bin "$target"
  "target/fuzz/build/$host/release/$target" "target/fuzz/$target" "$(seeds "$target")" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -artifact_prefix="target/fuzz/$target-"
done
