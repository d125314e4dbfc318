"""Compares the metrics with sacreBLEU on random and adversarial pairs, bit by bit, under all variants.

Usage: python scripts/metrics-fuzz.py [--pairs N] [--long-pairs N] [--seed S] [--jobs J] PATH/TO/score-lines
Build the program with `cargo build --example score-lines -p lydian-metrics`. Needs sacreBLEU 2.6.0. Before Python 3.12
`sum` did not compensate for rounding; BLEU is given the newer one then, whose last bits are compared. Exits with 1 if any number differs. Characters whose lower-case form, category or white space differs between
the Unicode versions of Python and Rust are left out: both follow their own tables there, and neither is wrong.
"""

import argparse
import json
import logging
import multiprocessing
import random
import struct
import subprocess
import sys
import unicodedata

import sacrebleu.metrics.bleu
from sacrebleu.metrics import BLEU, CHRF, TER


def compensated_sum(values):
    """What `sum` does with floats since Python 3.12 (Neumaier)."""
    total = compensation = 0.0
    for value in values:
        new = total + value
        compensation += (total - new) + value if abs(total) >= abs(value) else (value - new) + total
        total = new
    return total + compensation


if sys.version_info < (3, 12):
    def sum_of_any(values):
        values = list(values)
        return compensated_sum(values) if any(isinstance(value, float) for value in values) else sum(values)

    sacrebleu.metrics.bleu.sum = sum_of_any

METRICS = [
    CHRF(), CHRF(word_order=2), CHRF(word_order=2, whitespace=True), CHRF(word_order=2, lowercase=True),
    CHRF(word_order=2, eps_smoothing=True),
    BLEU(effective_order=True), BLEU(effective_order=True, tokenize="intl"),
    BLEU(effective_order=True, tokenize="char"), BLEU(effective_order=True, tokenize="zh"),
    BLEU(effective_order=True, tokenize="none"), BLEU(effective_order=True, lowercase=True), BLEU(),
    BLEU(effective_order=True, smooth_method="floor"), BLEU(effective_order=True, smooth_method="add-k"),
    BLEU(effective_order=True, smooth_method="none"),
    TER(), TER(normalized=True), TER(no_punct=True), TER(normalized=True, asian_support=True),
    TER(no_punct=True, asian_support=True), TER(normalized=True, no_punct=True, asian_support=True),
    TER(case_sensitive=True),
]
NAMES = (
    "chrf2 chrf2pp chrf2pp_ws chrf2pp_lc chrf2pp_eps bleu_13a bleu_intl bleu_char bleu_zh bleu_none bleu_13a_lc "
    "bleu_13a_noeff bleu_13a_floor bleu_13a_addk bleu_13a_nosmooth ter ter_norm ter_nopunct ter_norm_asian "
    "ter_asian_nopunct ter_all ter_cs"
).split()

BATCH = 500
LONG_BATCH = 20

PIECES = (
    "a b c Ab ß İ Σ ΑΣ . , - 1 23 ' 's & &amp; &quot; &lt; &gt; <skipped> ( ) “ ” … — 。 、 中 国 あ ア 한 % $ € { } ~ ` _ ^ / "
    "\\ \" ! ? : ; é ก ה · ー々〆 𠀀 😀 👩‍👩‍👧 ٣ Ⅳ ½ ² ﬁ ŉ ǅ क्षि ನ್ ᏣᎳᎩ ᐁᐱ"
).split(" ") + [" ", " ", " ", "  ", "\t", "\n", "-\n", "\n-", "\r", "\u00a0", "\u2028", "\u0085", "\x1c", "\x1f", "\x00",
                "\u200b", "\u200d", "\ufeff", "\u3000", "\u0301", "\ufe0f", "\u2001", "\u2a6d", "\u2f81", "\u3201", "\u3f22"]

WORDS = (
    "the a of and to in is that it was for on are as with his they at be this have from or had by but what all were when "
    "we there can an your which their said if do will each about how up out them then she many some so these would other"
).split()


def stable_letters():
    """Characters assigned long ago: their properties are the same in every Unicode version in use."""
    old = unicodedata.ucd_3_2_0
    return [chr(c) for c in range(0x20, 0x30000)
            if old.category(chr(c)) not in ("Cn", "Cs", "Co") and old.category(chr(c)) == unicodedata.category(chr(c))
            # Two changed case or category after Unicode 3.2, or belong to rules that changed.
            and chr(c).lower() == chr(c).casefold().lower() or 0x20 < c < 0x7F]


LETTERS = stable_letters()


def random_text(rng):
    kind = rng.random()
    if kind < 0.3:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 30)))
    if kind < 0.4:
        start = rng.choice(LETTERS)
        near = [chr(min(0x2FFFF, max(0x20, ord(start) + rng.randint(-40, 40)))) for _ in range(8)]
        near = [c for c in near if c in LETTER_SET] + [" ", ".", ","]
        return "".join(rng.choice(near) for _ in range(rng.randint(0, 40)))
    if kind < 0.5:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, 25)))
    if kind < 0.85:
        words = [rng.choice(WORDS) for _ in range(rng.randint(0, 25))]
        for i in range(len(words)):
            if rng.random() < 0.15:
                words[i] += rng.choice(".,!?;:)\"'")
            elif rng.random() < 0.05:
                words[i] = rng.choice("(\"'$") + words[i]
            elif rng.random() < 0.05:
                words[i] = str(rng.randint(0, 9999) / 100)
        return " ".join(words)
    # Long texts of few words are where shifts get many candidates; they are slow for sacreBLEU, so most are short.
    longest = 60 if rng.random() < 0.03 else 14
    return " ".join(rng.choice("abcde") for _ in range(rng.randint(0, longest)))


LETTER_SET = set(LETTERS)


def edited(rng, text):
    units = text.split(" ") if rng.random() < 0.7 else list(text)
    joiner = " " if " " in text and len(units) < len(text) else ""
    for _ in range(rng.randint(0, 6)):
        kind = rng.random()
        if not units or kind < 0.15:
            units.insert(rng.randint(0, len(units)), rng.choice(PIECES))
        elif kind < 0.3:
            del units[rng.randrange(len(units))]
        elif kind < 0.45:
            units[rng.randrange(len(units))] = rng.choice(WORDS)
        elif kind < 0.85:
            start, length = rng.randrange(len(units)), rng.randint(1, 12)
            block = units[start:start + length]
            del units[start:start + length]
            at = rng.randint(0, len(units))
            units[at:at] = block
        else:
            at = rng.randrange(len(units))
            units[at] = units[at].upper() if all(c in LETTER_SET for c in units[at].upper()) else units[at]
    return joiner.join(units)


def pair(rng):
    reference = random_text(rng)
    hypothesis = edited(rng, reference) if rng.random() < 0.8 else random_text(rng)
    count = rng.choice([1, 1, 1, 1, 2, 3])
    references = [reference] + [edited(rng, reference) if rng.random() < 0.7 else random_text(rng)
                                for _ in range(count - 1)]
    rng.shuffle(references)
    return hypothesis, references


def long_pair(rng):
    """A pair of long texts in which words moved: where TER's band, its shifts and their limits matter."""
    vocabulary = [f"w{n}" for n in range(rng.choice([3, 20, 100, 2000]))]
    reference = [rng.choice(vocabulary) for _ in range(rng.choice([0, 1, 30, 80, 150, 400]))]
    hypothesis = list(reference)
    for _ in range(rng.choice([0, 1, 3, 10, 40])):
        start, length = rng.randint(0, len(hypothesis)), rng.randint(1, 12)
        block = hypothesis[start:start + length]
        del hypothesis[start:start + length]
        # Most blocks stay near; some go where no shift can follow.
        at = rng.randint(max(0, start - 60), start + 60) if rng.random() < 0.8 else rng.randint(0, len(hypothesis))
        kind = rng.random()
        if kind < 0.7:
            hypothesis[at:at] = block
        elif kind < 0.85:
            hypothesis[at:at] = [rng.choice(vocabulary) for _ in range(rng.randint(0, 30))]
    if rng.random() < 0.2:
        hypothesis = hypothesis[:rng.randint(0, len(hypothesis))] * rng.randint(1, 3)
    return " ".join(hypothesis), [" ".join(reference)]


def check_long(job):
    """Returns a list of differences of TER for one batch of long pairs."""
    program, seed, size = job
    rng = random.Random(seed)
    pairs = [long_pair(rng) for _ in range(size)]
    data = "".join(json.dumps({"hyp": h, "refs": r}) + "\n" for h, r in pairs)
    done = subprocess.run([program], input=data.encode(), capture_output=True, check=True)
    metric, column = TER(), NAMES.index("ter")
    differences = []
    for (hypothesis, references), line in zip(pairs, done.stdout.decode().splitlines()):
        score, ours = metric.sentence_score(hypothesis, references).score, line.split(" ")[column]
        if bits(score) != ours:
            differences.append(("ter", score, struct.unpack(">d", bytes.fromhex(ours))[0], hypothesis, references))
    return differences


def bits(score):
    return struct.pack(">d", score).hex()


def check_batch(job):
    """Returns a list of differences for one batch of pairs."""
    program, seed, size = job
    rng = random.Random(seed)
    pairs = [pair(rng) for _ in range(size)]
    data = "".join(json.dumps({"hyp": h, "refs": r}) + "\n" for h, r in pairs)
    done = subprocess.run([program], input=data.encode(), capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    differences = []
    for (hypothesis, references), line in zip(pairs, lines):
        for name, metric, ours in zip(NAMES, METRICS, line.split(" ")):
            score = metric.sentence_score(hypothesis, references).score
            if bits(score) != ours:
                differences.append((name, score, struct.unpack(">d", bytes.fromhex(ours))[0], hypothesis, references))
    streams = max(len(references) for _, references in pairs)
    columns = [[r[i] if i < len(r) else None for _, r in pairs] for i in range(streams)]
    for name, metric, ours in zip(NAMES, METRICS, lines[-1].split()):
        score = metric.corpus_score([h for h, _ in pairs], columns).score
        if bits(score) != ours:
            differences.append((name + " corpus", score, ours, f"batch {seed}", []))
    return differences


def run(check, jobs, workers):
    """Returns how many differences the jobs find."""
    total = 0
    with multiprocessing.Pool(workers) as pool:
        for number, differences in enumerate(pool.imap_unordered(check, jobs), 1):
            for name, theirs, ours, hypothesis, references in differences[:5]:
                print(f"{name}: sacreBLEU {theirs!r}, ours {ours!r}\n  {ascii(hypothesis)}\n  {ascii(references)}")
            total += len(differences)
            if number % 20 == 0:
                print(f"{number} of {len(jobs)} batches, {total} differences", flush=True)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--long-pairs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)

    def jobs(pairs, size):
        return [(arguments.program, arguments.seed + number, size) for number in range(-(-pairs // size))]

    total = run(check_batch, jobs(arguments.pairs, BATCH), arguments.jobs)
    print(f"{arguments.pairs} pairs, {len(METRICS)} variants, {total} differences", flush=True)
    long = run(check_long, jobs(arguments.long_pairs, LONG_BATCH), arguments.jobs)
    print(f"{arguments.long_pairs} pairs of long texts, TER, {long} differences")
    return 1 if total + long else 0


if __name__ == "__main__":
    sys.exit(main())
