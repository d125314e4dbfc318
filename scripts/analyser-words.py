#!/usr/bin/env python3
"""Writes words for a comparison of readers: random paths of a transducer, damaged ones, foreign ones.

usage: analyser-words.py FILE.att COUNT > words

Flags are ignored on the way, so that some words break a long-distance rule. The same input gives the same words.
"""
import random
import sys

FOREIGN = "qxßжäあ😀'-’ŋ1 0.,+<[@é"


def load(path):
    arcs, final = {}, set()
    for line in open(path, encoding="utf-8", newline="\n"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) >= 4:
            arcs.setdefault(int(fields[0]), []).append((int(fields[1]), fields[2]))
        elif fields[0]:
            final.add(int(fields[0]))
    return arcs, final


def shown(symbol):
    if symbol == "@_SPACE_@":
        return " "
    if symbol in ("ε", "@0@") or (symbol.startswith("@") and symbol.endswith("@") and len(symbol) > 1):
        return ""
    return symbol


def walk(arcs, final, rng):
    for _ in range(50):
        state, word = 0, []
        for _ in range(60):
            if state in final and rng.random() < 0.5:
                break
            if state not in arcs:
                break
            state, symbol = rng.choice(arcs[state])
            word.append(shown(symbol))
        if state in final and word:
            return "".join(word)
    return "x"


def damage(word, letters, rng):
    at = rng.randrange(len(word) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + rng.choice(letters) + word[at:]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + rng.choice(FOREIGN) + word[at:]
    return word[at:] + word[:at]


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(20261130)
    arcs, final = load(path)
    letters = sorted({shown(s) for out in arcs.values() for _, s in out} - {""})
    words = []
    while len(words) < count:
        word = walk(arcs, final, rng)
        kind = rng.random()
        if kind < 0.25:
            word = damage(word, letters, rng)
        elif kind < 0.32:
            word = word[:1].upper() + word[1:]
        elif kind < 0.36:
            word = word.upper()
        elif kind < 0.40:
            word = "".join(rng.choice(FOREIGN) for _ in range(rng.randrange(1, 6)))
        word = word.strip().replace("\n", "").replace("\t", "")
        if word:
            words.append(word)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print("\n".join(words))


main()
