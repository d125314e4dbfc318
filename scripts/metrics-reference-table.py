"""Writes the project's own table of metric values, computed with sacreBLEU.

Texts: the authored strings of crates/lydian-metrics/tests/data/authored.jsonl, and the shipped examples (Universal
Declaration of Human Rights, outputs of Apertium).

Usage: python scripts/metrics-reference-table.py
Writes crates/lydian-metrics/tests/data/reference.json. Needs sacreBLEU 2.6.0, NumPy 2, Python 3.12 or later.
"""

import json
import logging
import os
import pathlib
import sys

import numpy
import regex
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "crates/lydian-metrics/tests/data"
EXAMPLES = ["bre-fra", "fra-cat", "mkd-bul", "por-glg", "rus-ukr"]

SENTENCE = {
    "chrf2": CHRF(),
    "chrf2pp": CHRF(word_order=2),
    "chrf2pp_ws": CHRF(word_order=2, whitespace=True),
    "chrf2pp_lc": CHRF(word_order=2, lowercase=True),
    "chrf2pp_eps": CHRF(word_order=2, eps_smoothing=True),
    "bleu_13a": BLEU(effective_order=True),
    "bleu_intl": BLEU(effective_order=True, tokenize="intl"),
    "bleu_char": BLEU(effective_order=True, tokenize="char"),
    "bleu_zh": BLEU(effective_order=True, tokenize="zh"),
    "bleu_none": BLEU(effective_order=True, tokenize="none"),
    "bleu_13a_lc": BLEU(effective_order=True, lowercase=True),
    "bleu_13a_noeff": BLEU(),
    "bleu_13a_floor": BLEU(effective_order=True, smooth_method="floor"),
    "bleu_13a_addk": BLEU(effective_order=True, smooth_method="add-k"),
    "bleu_13a_nosmooth": BLEU(effective_order=True, smooth_method="none"),
    "ter": TER(),
    "ter_norm": TER(normalized=True),
    "ter_nopunct": TER(no_punct=True),
    "ter_norm_asian": TER(normalized=True, asian_support=True),
    "ter_asian_nopunct": TER(no_punct=True, asian_support=True),
    "ter_all": TER(normalized=True, no_punct=True, asian_support=True),
    "ter_cs": TER(case_sensitive=True),
}

CORPUS = {"chrF2++": lambda: CHRF(word_order=2), "BLEU-13a": BLEU, "TER": TER}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def signature(metric):
    metric.sentence_score("a", ["a"])  # the number of references belongs to the signature
    return str(metric.get_signature())


def sentence_row(row):
    refs = [ref for ref in row["refs"] if ref is not None]
    # One list in the order of `variants`, to keep the file small.
    row["scores"] = [metric.sentence_score(row["hyp"], refs).score for metric in SENTENCE.values()]
    return row


def corpus_row(name, systems, references):
    """Returns scores, intervals and p-values of several systems on one corpus."""
    result = {"name": name, "metrics": {}}
    for key, make in CORPUS.items():
        rows = []
        for hyps in systems:
            metric = make()
            row = {"score": metric.corpus_score(hyps, references).score}
            try:
                score = metric.corpus_score(hyps, references, n_bootstrap=1000)
                row |= {"mean": float(score._mean), "ci": float(score._ci)}
            except TypeError:
                # With NumPy 2 sacreBLEU cannot average resamples when one of them scores exactly 0.
                row |= {"mean": None, "ci": None}
            rows.append(row)
        result["metrics"][key] = {"systems": rows}
        for kind, samples in [("bs", 1000), ("ar", 2000)]:
            named = [(f"s{i}", hyps) for i, hyps in enumerate(systems)]
            test = PairedTest(named, {"m": make()}, references, test_type=kind, n_samples=samples)
            _, scores = test()
            (results,) = [value for key_, value in scores.items() if key_ != "System"]
            result["metrics"][key][kind] = [result_.p_value for result_ in results[1:]]
    return result


def main():
    assert sacrebleu.__version__ == "2.6.0" and sys.version_info >= (3, 12) and numpy.__version__ >= "2"
    os.environ.pop("SACREBLEU_SEED", None)
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    rows = lines(DATA / "authored.jsonl")
    corpora = []
    for name in EXAMPLES:
        entries = json.loads((ROOT / "examples" / name / "corpus.json").read_text(encoding="utf-8"))["entries"]
        outputs = {str(o["id"]): o["output"] for o in lines(ROOT / "examples" / name / "apertium-output.jsonl")}
        hyps = [outputs[str(entry["id"])] for entry in entries]
        refs = [entry["reference"] for entry in entries]
        sources = [entry["source"] for entry in entries]
        corpora.append((name, [hyps, sources, [hyp.upper() for hyp in hyps]], [refs]))
        rows += [{"id": f"{name}-{i}", "hyp": hyps[i], "refs": [refs[i]]} for i in range(0, len(hyps), 5)]
    single = [row for row in rows if len(row["refs"]) == 1]
    first = [row["hyp"] for row in single]
    corpora.append(("authored", [first, first[1:] + first[:1]], [[row["refs"][0] for row in single]]))
    document = {
        "tools": {
            "sacrebleu": sacrebleu.__version__, "python": sys.version.split()[0], "numpy": numpy.__version__,
            "regex": regex.__version__,
        },
        "rows": [sentence_row(row) for row in rows],
        "variants": {name: signature(metric) for name, metric in SENTENCE.items()},
        "corpora": [corpus_row(*corpus) for corpus in corpora],
    }
    with open(DATA / "reference.json", "w", encoding="utf-8") as file:
        file.write("{\n")
        for key in ["tools", "variants", "corpora"]:
            file.write(f"{json.dumps(key)}: {json.dumps(document[key])},\n")
        file.write('"rows": [\n' + ",\n".join(json.dumps(row) for row in document["rows"]) + "\n]}\n")
    print(len(document["rows"]), "rows", file=sys.stderr)


main()
