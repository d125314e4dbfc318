#!/usr/bin/env bash
# Real analysers answer more than 100,000 words as hfst-lookup does.
set -euo pipefail
for needed in hfst-lookup hfst-txt2fst python3; do
  command -v "$needed" >/dev/null || { echo "analysers: $needed is not installed" >&2; exit 77; }
done
for language in hin urd; do
  [ -r "/usr/share/apertium/apertium-$language/$language.automorf.att.gz" ] ||
    { echo "analysers: the package apertium-$language is not installed" >&2; exit 77; }
done
[ -s target/analysers/fin-voikko.words ] || scripts/make-analysers target/analysers
cargo test -p lydian-hfstol --test it -- --ignored --nocapture
