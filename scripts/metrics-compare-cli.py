"""Runs `sacrebleu` and `lydian score` side by side over many option combinations and compares standard output.

Usage: python scripts/metrics-compare-cli.py PATH/TO/lydian [--quick]
Needs sacrebleu 2.6.0 on the Python (3.12 or later) that runs it. Exits with 1 if any output differs.
"""

import concurrent.futures
import gzip
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile

LYDIAN = pathlib.Path(sys.argv[1]).resolve()
QUICK = "--quick" in sys.argv

WORDS = (
    "the cat sat on mat, “dogs” run-fast 3.5% O'Brien's x-ray 1,000 naïve Straße ÑANDÚ ܐܢܐ עברית हिन्दी "
    "ไทย 東京 ミラノ 한국어 ... (brackets) [x] {y} &amp; &lt;b&gt; e-mail@host.org 5-6 -7 km/h a.b.c U.S. tânisi "
    "niwâpamâw « » — don't can't ١٢٣ Ⅳ £5 €10 ++ #tag _u_ ~ ^ | \\ / $"
).split()

ADVERSARIAL = [
    "", " ", "a", ".", "..", "(hi)", "a\u00a0b", "x\u200by", "a\u2028b", "tab\tinside", "\u001cfs\u001f", "İSTANBUL",
    "ΣΑΣ ΟΔΟΣ", "ﬁn", "e\u0301", "\u00e9", "<skipped> text", "end-", "1.", ".1", "1.2", "1-2", "a-1", "&quot;q&amp;lt;",
    "…", "\U00020000", "中文测试。", "你好,world!", "「日本語」テスト", "'s", "it's", "cat's ", "a.,b", "-", "--", "#", "100%",
    "very " * 30, "b a d c f e h g", "z y x w v u t s r q p o n m l k j i h g f e d c b a",
]


def sentence(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 18)))


def perturb(rng, line):
    words = line.split()
    for _ in range(rng.randint(0, 4)):
        kind = rng.random()
        if not words:
            break
        at = rng.randrange(len(words))
        if kind < 0.3:
            words[at] = rng.choice(WORDS)
        elif kind < 0.5:
            del words[at]
        elif kind < 0.7:
            words.insert(at, rng.choice(WORDS))
        elif kind < 0.85:
            words.insert(rng.randrange(len(words)), words.pop(at))
        else:
            words[at] = words[at].upper()
    return " ".join(words)


def write(path, lines, end="\n"):
    path.write_bytes("".join(line + end for line in lines).encode("utf-8"))


def make_files(folder):
    rng = random.Random(7)
    references = [sentence(rng) for _ in range(60)]
    write(folder / "ref", references)
    write(folder / "ref2", [perturb(rng, line) for line in references])
    write(folder / "sys one", [perturb(rng, line) for line in references])
    write(folder / "sys_2.txt", [perturb(rng, perturb(rng, line)) for line in references])
    write(folder / "sys&3", [perturb(rng, line) for line in references])
    write(folder / "same", references)
    write(folder / "12", [perturb(rng, line) for line in references])
    write(folder / "adv.ref", ADVERSARIAL)
    write(folder / "adv.hyp", ADVERSARIAL[3:] + ADVERSARIAL[:3])
    write(folder / "crlf.ref", references, "\r\n")
    write(folder / "empty.hyp", [""] * 60)
    write(folder / "one.ref", ["the cat sat on the mat"])
    write(folder / "one.hyp", ["the cat sat on a mat"])
    (folder / "noeol").write_text("\n".join(references), encoding="utf-8")
    (folder / "latin1").write_bytes("\n".join(["señor está aquí", "übung"] * 30).encode("latin-1"))
    with gzip.open(folder / "ref.gz", "wt", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in references)
    tab = [f"{a}\t{b}" for a, b in zip(references, reversed(references))]
    write(folder / "tab.ref", tab)
    write(folder / "tab.hyp", [f"{perturb(rng, a)} \t {b}" for a, b in zip(references, reversed(references))])


def combinations():
    """Yields (arguments, file for standard input or None, environment)."""
    metric_sets = [[], ["-m", "bleu"], ["-m", "chrf"], ["-m", "ter"], ["-m", "chrf", "bleu", "ter"]]
    formats = [[], ["-f", "text"], ["-f", "latex"], ["-f", "json", "-w", "4"], ["-b"], ["-b", "-f", "text", "-w", "3"],
               ["-f", "text", "-sh"], ["-sh"], ["-f", "text", "-w", "0"], ["-w", "12"]]
    inputs = [["ref", "-i", "sys one"], ["ref", "ref2", "-i", "sys one"], ["adv.ref", "-i", "adv.hyp"]]
    for files, metrics, form in itertools.product(inputs, metric_sets, formats):
        yield files + metrics + form, None, {}
    tokenizers = [["-tok", name] for name in ("13a", "intl", "zh", "char", "none")]
    smoothings = [["-s", "exp"], ["-s", "floor"], ["-s", "floor", "-sv", "0.25"], ["-s", "add-k"],
                  ["-s", "add-k", "-sv", "0.5"], ["-s", "none"], ["-lc"], ["-l", "en-zh"], ["-l", "en-de", "--force"]]
    for files, option in itertools.product(inputs, tokenizers + smoothings):
        yield files + option + ["-f", "text", "-w", "10"], None, {}
        yield files + option + ["-sl"], None, {}
    for tokenizer, smoothing in itertools.product(tokenizers, smoothings[2:6]):
        yield ["adv.ref", "-i", "adv.hyp", "-sl", "-w", "17"] + tokenizer + smoothing, None, {}
    chrf = [["-cw", "1"], ["-cw", "2"], ["-cc", "3"], ["-cc", "0", "-cw", "3"], ["--chrf-beta", "1"],
            ["--chrf-whitespace"], ["--chrf-lowercase"], ["--chrf-eps-smoothing"],
            ["--chrf-word-order", "2", "--chrf-eps-smoothing", "--chrf-whitespace"], ["-cc", "9", "-cw", "4"]]
    for files, option in itertools.product(inputs, chrf):
        yield files + ["-m", "chrf"] + option + ["-w", "9"], None, {}
        yield files + ["-m", "chrf"] + option + ["-w", "17", "-sl"], None, {}
    flags = ["--ter-normalized", "--ter-no-punct", "--ter-asian-support", "--ter-case-sensitive"]
    for count in range(5):
        for option in itertools.combinations(flags, count):
            for files in inputs:
                yield files + ["-m", "ter", *option, "-w", "9"], None, {}
                yield files + ["-m", "ter", *option, "-w", "17", "-sl"], None, {}
    for metrics, form in itertools.product(metric_sets, formats):
        yield ["ref", "-i", "sys one", "-ci"] + metrics + form, None, {}
    yield ["ref", "-i", "sys one", "-ci", "-cin", "77", "-w", "9", "-m", "bleu", "ter"], None, {}
    yield ["ref", "-i", "sys one", "-ci", "-cin", "1"], None, {}
    for seed in ("1", "999", "007"):
        yield ["ref", "-i", "sys one", "-ci", "-m", "bleu", "chrf"], None, {"SACREBLEU_SEED": seed}
    many = ["ref", "-i", "sys one", "sys_2.txt", "sys&3"]
    for metrics, form in itertools.product(metric_sets, formats):
        yield many + metrics + form, None, {}
    yield ["ref", "-i", "12", "same"], None, {}
    yield ["ref", "-i", "12", "same", "-f", "text", "-m", "chrf"], None, {}
    for metrics, form in itertools.product(metric_sets, [["-f", "text"], ["-f", "latex"], ["-f", "text", "-w", "4"]]):
        yield many + ["--paired-bs"] + metrics + form, None, {}
        yield many + ["-par", "-parn", "500"] + metrics + form, None, {}
        yield ["ref", "ref2", "-i", "same", "sys one", "--paired-bs", "-pbsn", "123"] + metrics + form, None, {}
    yield many + ["--paired-ar", "-f", "json", "-m", "bleu", "chrf", "ter"], None, {}
    yield many + ["--paired-bs", "-f", "json", "-m", "bleu"], None, {}
    yield many + ["--paired-ar", "-sh", "-f", "text", "-s", "add-k", "-sv", "0.5"], None, {}
    yield ["ref", "-i", "sys one", "sys_2.txt", "sys one", "--paired-bs", "-f", "text"], None, {}
    yield ["one.ref", "-i", "one.hyp", "one.ref", "--paired-ar", "-f", "text"], None, {}
    yield ["one.ref", "-i", "one.hyp", "-ci", "-m", "bleu", "chrf", "ter"], None, {}
    for name in ("ref", "ref.gz", "crlf.ref", "noeol"):
        yield [name, "-i", "sys one", "-m", "bleu", "chrf", "ter"], None, {}
    yield ["latin1", "-i", "latin1", "-e", "latin-1", "-m", "bleu", "chrf"], None, {}
    yield ["tab.ref", "-nr", "2", "-i", "sys one", "-m", "bleu", "ter", "chrf"], None, {}
    yield ["ref"], "sys one", {}
    yield ["ref", "-sl", "-b"], "sys one", {}
    yield ["ref", "-m", "chrf", "ter", "--chrf-whitespace", "-w", "9"], "tab.hyp", {}
    yield ["ref", "-m", "chrf", "bleu", "--paired-bs", "-f", "text"], "tab.hyp", {}
    yield ["ref", "-i", "empty.hyp", "-m", "bleu", "chrf", "ter"], None, {}
    yield ["ref", "-i", "sys one", "-d"], None, {}
    yield ["ref", "-i", "sys one"], None, {"SACREBLEU_FORMAT": "text"}
    yield ["ref", "-i", "sys one", "-m", "ter", "ter", "chrf"], None, {}


def run(command, stdin, environment, folder):
    variables = {**os.environ, **environment, "PYTHONIOENCODING": "utf-8"}
    data = (folder / stdin).read_bytes() if stdin else b""
    done = subprocess.run(command, input=data, capture_output=True, cwd=folder, env=variables, check=False)
    return done.returncode, done.stdout, done.stderr


def compare(case, folder):
    arguments, stdin, environment = case
    theirs = run([sys.executable, "-m", "sacrebleu", *arguments], stdin, environment, folder)
    ours = run([str(LYDIAN), "score", *arguments], stdin, environment, folder)
    return case, theirs, ours


def main():
    cases = list(combinations())
    if QUICK:
        cases = cases[:: max(1, len(cases) // 60)]
    different = crashed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_files(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for case, theirs, ours in pool.map(lambda case: compare(case, folder), cases):
                if theirs[0] != 0:
                    crashed += 1
                    print("sacrebleu failed:", case, theirs[2].decode().strip().splitlines()[-1:], "ours:", ours[0])
                elif ours[0] != 0 or theirs[1] != ours[1]:
                    different += 1
                    print("DIFFERENT:", case)
                    print(" theirs:", theirs[1].decode()[:600])
                    print(" ours  :", ours[0], ours[1].decode()[:600], ours[2].decode()[:300])
    print(f"{len(cases)} combinations, {different} different, {crashed} on which sacrebleu itself failed")
    return 1 if different else 0


sys.exit(main())
