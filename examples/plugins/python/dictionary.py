"""A word-for-word method: every word that stands in words.tsv is replaced, every other is kept."""

import pathlib
import re
import time

from lydian_plugin import serve

WORDS = {}


def setup(run):
    path = pathlib.Path(__file__).with_name(run["params"].get("words", "words.tsv"))
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, translation = line.split("\t")
            WORDS[word.lower()] = translation


def translate(entry, run):
    start, unknown = time.monotonic(), []

    def word(match):
        found = WORDS.get(match[0].lower())
        if found is None:
            unknown.append(match[0])
        return found or match[0]

    output = re.sub(r"\w+", word, entry["source"])
    milliseconds = (time.monotonic() - start) * 1000
    step = {"name": "dictionary", "ok": not unknown, "ms": milliseconds, "detail": ", ".join(unknown) or None}
    return {"output": output, "usage": {"cost_usd": 0}, "steps": [step]}


serve("word-for-word", translate, version="1.0", max_batch=64, deterministic=True, setup=setup)
