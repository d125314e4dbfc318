#!/usr/bin/env python3
"""Measures Lydian's metrics beside sacreBLEU's in one run and writes the ratios.

    benches/compare.py [--sizes 2000 20000 100000] [--skip-large | --only-large] [--out FILE]
    benches/compare.py --quick          a quick look: 2,000 segments, no end-to-end runs

Builds optimised programs first. Needs sacreBLEU 2.6.0; sacrebleu-mojo and bleuscore are measured when installed, for information only
(their values are not sacreBLEU's). Processor time is that of one thread (Lydian's pool set to one thread), wall time that of two threads.
Lydian's operations are repeated until they take a third of a second, the best of three such runs counts. Reading files is not counted, nor the
statistics that intervals only resample; paired tests start from the texts on both sides. Prints a Markdown table and writes it with --out.
"""
import argparse
import importlib.metadata
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ["por-glg", "fra-cat", "bre-fra", "mkd-bul", "rus-ukr"]
# sacreBLEU makes an array of every resample: 1,000 of 100,000 segments take 11 GB.
LARGEST_BOOTSTRAP = 20_000
# sacreBLEU's TER needs minutes above this.
LARGEST_TER = 2_000
# sacreBLEU's paired tests take minutes above this.
LARGEST_PAIRED = 2_000


def outputs():
    """Real outputs of about 36 characters (recorded runs, or clauses of the examples) and paragraphs of about 100."""
    short, long = [], []
    for name in EXAMPLES:
        folder = ROOT / "examples" / name
        corpus = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
        texts = {}
        for line in (folder / "apertium-output.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            texts[str(record["id"])] = record.get("prediction", record.get("output", ""))
        for entry in corpus["entries"]:
            hypothesis, reference = texts.get(str(entry["id"]), ""), entry["reference"]
            if 60 <= len(reference) <= 150 and hypothesis:
                long.append((hypothesis, reference))
            clauses = re.split(r"(?<=[,;.]) ", hypothesis), re.split(r"(?<=[,;.]) ", reference)
            if len(clauses[0]) == len(clauses[1]):
                short += [(a, b) for a, b in zip(*clauses) if 15 <= len(b) <= 60]
    kind = "clauses of the examples"
    runs = sorted((ROOT.parent / "shared" / "data" / "runs").glob("*.json"))
    if runs:
        kind = "recorded outputs of models"
        entries = itertools.chain.from_iterable(json.loads(path.read_text(encoding="utf-8"))["entries"] for path in runs)
        fields = ("predicted", "prediction", "output", "hypothesis"), ("reference", "expected", "target")
        pairs = [tuple(next((str(e[f]) for f in names if e.get(f)), "") for names in fields) for e in entries]
        short = [(a.replace("\n", " "), b.replace("\n", " ")) for a, b in pairs if a and 24 <= len(b) <= 60]
    return kind, short, long


def write_corpus(pairs, count, folder, seed):
    """Writes references and the outputs of two systems; every copy of a pair has a word more, so that caches do not help."""
    rng = random.Random(seed)
    words = [word for _, reference in pairs for word in reference.split()]
    files = {name: [] for name in ("ref", "one", "two")}
    for number in range(count):
        hypothesis, reference = pairs[number % len(pairs)]
        if number >= len(pairs):
            hypothesis, reference = f"{hypothesis} {rng.choice(words)}", f"{reference} {rng.choice(words)} {number // len(pairs)}"
        tokens = hypothesis.split()
        if len(tokens) > 2 and rng.random() < 0.5:
            tokens.insert(rng.randrange(len(tokens)), tokens.pop())
        files["ref"].append(reference)
        files["one"].append(hypothesis)
        files["two"].append(" ".join(tokens))
    paths = []
    for name, lines in files.items():
        path = folder / f"{seed}-{count}.{name}"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        paths.append(str(path))
    return paths


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def peer(tool, operation, name, reference, *hypotheses):
    """Runs one operation of another tool in this process and prints processor time, wall time and the number."""
    references, systems = read(reference), [read(path) for path in hypotheses]
    if tool == "sacrebleu":
        import logging
        logging.disable(logging.WARNING)
        from sacrebleu.metrics import BLEU, CHRF, TER
        metric = {"chrf++": lambda: CHRF(word_order=2), "bleu": BLEU, "ter": TER}[name]()
        if operation == "corpus":
            work = lambda: metric.corpus_score(systems[0], [references]).score
        elif operation == "bootstrap":
            from sacrebleu.significance import _bootstrap_resample, estimate_ci
            statistics = metric._extract_corpus_statistics(systems[0], [references])
            work = lambda: estimate_ci([score.score for score in _bootstrap_resample(statistics, metric, 1000)[1]])[0]
        else:
            from sacrebleu.significance import PairedTest
            named = [("one", systems[0]), ("two", systems[1])]
            kind = operation.split("-")[1]
            work = lambda: PairedTest(named, {name: metric}, [references], test_type=kind)() and 0.0
    elif tool == "mojo":
        import sacrebleu_mojo
        work = ((lambda: sacrebleu_mojo.corpus_chrf(systems[0], [references], word_order=2).score) if name == "chrf++"
                else (lambda: sacrebleu_mojo.corpus_bleu(systems[0], [references]).score))
    else:
        import bleuscore
        work = lambda: 100 * bleuscore.compute([[r] for r in references], systems[0])["bleu"]
    processor, wall = time.process_time(), time.perf_counter()
    value = work()
    print(time.process_time() - processor, time.perf_counter() - wall, value)


def run_peer(*arguments):
    done = subprocess.run([sys.executable, __file__, "--peer", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("failed:", arguments, done.stderr.strip().splitlines()[-1:], file=sys.stderr)
        return None
    return [float(number) for number in done.stdout.split()[-3:]]


def run_lydian(threads, operation, name, *files):
    """Returns processor and wall time of one run of an operation: that of many runs minus that of few, divided.

    The whole process is measured from outside, so reading the files cancels out.
    """
    program = str(ROOT / "target" / "release" / "examples" / "time-metrics")

    def used(repeats):
        command = [program, operation, name, str(threads), str(repeats), *files]
        best = [whole_command(command, ROOT) for _ in range(3)]
        return min(used[0] for used in best), min(used[1] for used in best)

    once = used(1)
    repeats = 8
    while True:
        many = used(1 + repeats)
        if many[0] - once[0] > 0.3 or repeats > 5000:
            return [max(1e-9, (more - less) / repeats) for more, less in zip(many, once)]
        repeats *= 4


def row(what, size, theirs, files, operation, name):
    ours = run_lydian(1, operation, name, *files)
    both = run_lydian(2, operation, name, *files)
    cells = [what, f"{size:,}"]
    if theirs:
        cells += [f"{theirs[0]:.3g} s", f"{ours[0]:.3g} s", f"{theirs[0] / ours[0]:.0f}×", f"{theirs[1]:.3g} s",
                  f"{both[1]:.3g} s", f"{theirs[1] / both[1]:.0f}×"]
    else:
        cells += ["not run", f"{ours[0]:.3g} s", "–", "not run", f"{both[1]:.3g} s", "–"]
    print("| " + " | ".join(cells) + " |", flush=True)
    return "| " + " | ".join(cells) + " |"


def installed(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


# A child starts with the peak memory of the process that made it: a small one of its own starts what is measured.
LAUNCHER = """import os, subprocess, sys, time
started = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(status, usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024)"""


def whole_command(arguments, cwd):
    """Returns processor time, wall time and peak memory in MiB of a command."""
    done = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    status, *used = (float(number) for number in done.stdout.split())
    if status != 0:
        raise SystemExit(f"failed: {arguments}")
    return used


def end_to_end(texts, folder):
    program = str(ROOT / "target" / "release" / "lydian")
    lines = ["", "| whole command | processor time | wall time | peak memory |", "|---|---|---|---|"]
    everything = ["-m", "chrf", "bleu", "ter", "--chrf-word-order", "2"]
    for kind, pairs in texts.items():
        reference, hypothesis, _ = write_corpus(pairs, 10_000, folder, kind)
        used = min((whole_command([program, "score", reference, "-i", hypothesis, *everything, "-ci"], folder)
                    for _ in range(3)), key=lambda used: used[1])
        lines.append(f"| 10,000 {kind} segments: chrF++, BLEU, TER, all intervals | {used[0]:.2f} s | {used[1]:.2f} s | {used[2]:.0f} MiB |")
        print(lines[-1], flush=True)
    for kind, pairs in texts.items():
        reference, hypothesis, _ = write_corpus(pairs, 1_000_000, folder, kind)
        used = whole_command([program, "score", reference, "-i", hypothesis, *everything], folder)
        lines.append(f"| 1,000,000 {kind} segments: chrF++, BLEU, TER | {used[0]:.1f} s | {used[1]:.1f} s | {used[2]:.0f} MiB |")
        print(lines[-1], flush=True)
    return lines


def main():
    if sys.argv[1:2] == ["--peer"]:
        peer(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 20_000, 100_000])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--skip-large", action="store_true", help="leave the whole commands out")
    parser.add_argument("--only-large", action="store_true", help="measure the whole commands only")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    sizes = [2000] if arguments.quick else [] if arguments.only_large else arguments.sizes
    build = ["cargo", "build", "--quiet", "--release"]
    subprocess.run([*build, "-p", "lydian-metrics", "--example", "time-metrics"], cwd=ROOT, check=True)
    whole = not (arguments.quick or arguments.skip_large)
    if whole:
        subprocess.run([*build, "-p", "lydian-cli"], cwd=ROOT, check=True)
    source, short, long = outputs()
    texts = {"short": short, "long": long}
    mean = {kind: sum(len(r) for _, r in pairs) / len(pairs) for kind, pairs in texts.items()}
    lines = [
        f"sacreBLEU {installed('sacrebleu')}, Python {sys.version.split()[0]}, NumPy {installed('numpy')}; load {os.getloadavg()[0]:.1f} on "
        f"{os.cpu_count()} cores at the start. Short segments: {source}, {mean['short']:.0f} characters on average; long ones: outputs of "
        f"Apertium for the examples, {mean['long']:.0f} characters.",
        "",
        "| operation | segments | sacreBLEU, processor | Lydian, 1 thread | ratio | sacreBLEU, wall | Lydian, wall on 2 | ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        information = ["", "| for information | segments | processor time | value | sacreBLEU's value |", "|---|---|---|---|---|"]
        for size, (kind, pairs) in itertools.product(sizes, texts.items()):
            reference, one, two = write_corpus(pairs, size, folder, kind)
            files = (reference, one)
            for metric in ("chrf++", "bleu", "ter"):
                skip = metric == "ter" and size > LARGEST_TER * (10 if kind == "short" else 1)
                theirs = None if skip else run_peer("sacrebleu", "corpus", metric, *files)
                lines.append(row(f"{metric}, {kind}", size, theirs, files, "corpus", metric))
                for tool, package in (("mojo", "sacrebleu-mojo"), ("bleuscore", "bleuscore")):
                    if theirs and installed(package) and (metric == "bleu" or (metric, tool) == ("chrf++", "mojo")):
                        found = run_peer(tool, "corpus", metric, *files)
                        if found:
                            information.append(f"| {metric}, {kind}, {package} {installed(package)} | {size:,} | {found[0]:.3g} s | "
                                               f"{found[2]:.4f} | {theirs[2]:.4f} |")
            if kind == "long" and size > 2000:
                continue
            for metric in ("chrf++", "bleu", "ter"):
                theirs = run_peer("sacrebleu", "bootstrap", metric, *files) if size <= LARGEST_BOOTSTRAP else None
                lines.append(row(f"1,000 resamples, {metric}, {kind}", size, theirs, files, "bootstrap", metric))
            for test, metric in itertools.product(("paired-ar", "paired-bs"), ("chrf++", "bleu")):
                theirs = run_peer("sacrebleu", test, metric, *files, two) if size <= LARGEST_PAIRED else None
                lines.append(row(f"{test}, {metric}, {kind}, from texts", size, theirs, (*files, two), test, metric))
        if len(information) > 3:
            lines += information
        if whole:
            lines += end_to_end(texts, folder)
    if arguments.out:
        path = pathlib.Path(arguments.out)
        partial = path.with_name(path.name + ".part")
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
        os.replace(partial, path)


if __name__ == "__main__":
    main()
