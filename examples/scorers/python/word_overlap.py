"""A scorer as a program: the share of words that output and reference have in common.

It compares words, not meanings, and will fail the calibration for most languages; it shows the protocol. A learned metric
fits in the same way: load the model in `setup`, return its number scaled to 0..1 from `score`. For COMET that is

    def setup(run):
        global MODEL
        MODEL = comet.load_from_checkpoint(run["params"]["checkpoint"])

    def score(pair, run):
        data = [{"src": pair["source"], "mt": pair["output"], "ref": pair["reference"]}]
        return min(1.0, max(0.0, MODEL.predict(data, gpus=0).scores[0]))
"""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "plugins" / "python"))

from lydian_plugin import serve_scorer  # noqa: E402


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def score(pair, run):
    output, reference = words(pair["output"]), words(pair["reference"])
    common = sum((output & reference).values())
    total = sum(output.values()) + sum(reference.values())
    return 2 * common / total if total else 0.0


serve_scorer("example-word-overlap", score, version="1.0", max_batch=256)
