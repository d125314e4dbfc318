"""Writes the table of punctuation, number and symbol characters that the `intl` tokenizer needs.

The ranges come from the Python module `regex`, which sacreBLEU uses, so that both cut texts at the same places.
Usage: python scripts/metrics-unicode-tables.py > crates/lydian-metrics/src/bleu/unicode_tables.rs
"""

import regex

TABLES = [
    ("PUNCTUATION", r"\p{P}", "punctuation"),
    ("NUMBERS", r"\p{N}", "numbers"),
    ("SYMBOLS", r"\p{S}", "symbols"),
]


def ranges(pattern):
    """Returns the (first, last) code points of every run that matches."""
    test = regex.compile(pattern)
    runs = []
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000 or not test.match(chr(code)):
            continue
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return runs


print("//! Unicode general categories as the Python module `regex` %s knows them; generated." % regex.__version__)
for name, pattern, what in TABLES:
    runs = ranges(pattern)
    bounds = ["0x%x" % bound for first, last in runs for bound in (first, last + 1)]
    print()
    print("/// Where runs of %s begin and, in turn, end." % what)
    print("pub(super) const %s: [u32; %d] = [" % (name, len(bounds)))
    line = "   "
    for bound in bounds:
        if len(line) + len(bound) + 2 > 110:
            print(line)
            line = "   "
        line += " %s," % bound
    print(line)
    print("];")
