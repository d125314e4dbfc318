"""Trains small SentencePiece models on the example corpora, and compares Lydian's pieces with the library's.

Usage: python scripts/metrics-sentencepiece.py               writes the models and expected pieces of the tests
       python scripts/metrics-sentencepiece.py --fuzz N PATH/TO/list-pieces
                                                             compares N random texts under models of all kinds
Build the program with `cargo build --example list-pieces -p lydian-metrics`. Needs `sentencepiece` 0.2.3 and sacreBLEU
2.6.0 on Python 3.12 or later.
"""

import argparse
import importlib.util
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import sentencepiece

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "crates" / "lydian-metrics" / "tests" / "data"
EXAMPLES = ["por-glg", "fra-cat", "bre-fra", "mkd-bul", "rus-ukr"]

# What the tests use: one model of each type, one with the usual replacements and one without.
SHIPPED = {
    "unigram": {"model_type": "unigram", "vocab_size": 900, "normalization_rule_name": "nmt_nfkc"},
    "bpe": {"model_type": "bpe", "vocab_size": 900, "normalization_rule_name": "identity", "byte_fallback": True,
            "user_defined_symbols": ["<x>", "Estado"]},
}
# What the comparison uses besides.
OTHERS = {
    "unigram-bytes": {"model_type": "unigram", "vocab_size": 1200, "byte_fallback": True},
    "unigram-own": {"model_type": "unigram", "vocab_size": 700, "user_defined_symbols": ["<x>", "the", "▁of", "。"]},
    "unigram-suffix": {"model_type": "unigram", "vocab_size": 700, "treat_whitespace_as_suffix": True},
    "unigram-spaces": {"model_type": "unigram", "vocab_size": 700, "remove_extra_whitespaces": False,
                       "normalization_rule_name": "nfkc_cf"},
    "unigram-bare": {"model_type": "unigram", "vocab_size": 700, "add_dummy_prefix": False, "split_by_whitespace": False},
    "bpe-nfkc": {"model_type": "bpe", "vocab_size": 1500, "normalization_rule_name": "nmt_nfkc_cf"},
    "bpe-own": {"model_type": "bpe", "vocab_size": 700, "user_defined_symbols": ["<x>", "the", "▁of", "。"]},
    "bpe-suffix": {"model_type": "bpe", "vocab_size": 700, "treat_whitespace_as_suffix": True},
}

TEXTS = [
    "", " ", "Tous les êtres humains", "  deux   mots \t", "Artigo 1º: O Estado <x> non.", "ﬁn Ⅳ ｆｕｌｌ ½ ²", "日本語 と 中文",
    "e\u0301 \u00e9", "\u200b\u200d\ufeff", "a\u00a0b\u2028c\u3000d", "▁▁x▁", "😀👩‍👩‍👧 😀😀 zzz", "12345 67,8", "\u0000x\u0001", "مرحبا بالعالم",
    "İSTANBUL ΣΑΣ", "<unk> <s> </s>", "한국어", "क्षि ನ್", "ᏣᎳᎩ Кириллица ўқ",
]


def sentences():
    """The texts of the example corpora, all of them from the Universal Declaration of Human Rights."""
    lines = []
    for name in EXAMPLES:
        corpus = json.loads((ROOT / "examples" / name / "corpus.json").read_text(encoding="utf-8"))
        for entry in corpus["entries"]:
            lines += [entry["source"], entry["reference"]]
    return lines


def train(options):
    """Returns the bytes of a model."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences()), model_writer=model, num_threads=1, character_coverage=0.999,
        minloglevel=2, **options)
    return model.getvalue()


def varint(number):
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data + bytes([number]))


def with_unused_pieces(model):
    """Marks every seventh piece behind the first 300 as unused, which training never does."""
    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = model[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    at, pieces, changed = 0, 0, b""
    while at < len(model):
        key = number()
        length = number()
        field = model[at:at + length]
        at += length
        if key == 0x0A:
            pieces += 1
            if pieces > 300 and pieces % 7 == 0:
                # A field that comes twice has its last value: the type, number 3, becomes 5.
                field += b"\x18\x05"
        changed += varint(key) + varint(len(field)) + field
    return changed


def write_expected():
    document = {"tool": f"sentencepiece {sentencepiece.__version__}, sacrebleu 2.6.0", "models": {}}
    lines = sentences()
    texts = TEXTS + lines[::17]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SACREBLEU"] = folder
        from sacrebleu.metrics import BLEU
        (pathlib.Path(folder) / "models").mkdir()
        for name, options in SHIPPED.items():
            path = DATA / f"{name}.model"
            path.write_bytes(train(options))
            library = sentencepiece.SentencePieceProcessor(model_file=str(path))
            # sacreBLEU takes a file of this name in this folder for its model.
            model = pathlib.Path(folder) / "models" / "sacrebleu_tokenizer_spm.model"
            model.write_bytes(path.read_bytes())
            bleu, sentence = BLEU(tokenize="flores101"), BLEU(tokenize="flores101", effective_order=True)
            pairs = list(zip(lines[0::2], lines[1::2]))[:60]
            corpus = bleu.corpus_score([h for h, _ in pairs], [[r for _, r in pairs]])
            document["models"][name] = {
                "pieces": [[text, library.encode(text, out_type=str)] for text in texts],
                "pairs": pairs,
                "sentences": [sentence.sentence_score(h, [r]).score for h, r in pairs],
                "corpus": corpus.score,
                "signature": str(bleu.get_signature()),
            }
    text = json.dumps(document, ensure_ascii=True, indent=1)
    (DATA / "sentencepiece.json").write_text(text + "\n", encoding="ascii")


def fuzz(count, program):
    module = importlib.util.spec_from_file_location("fuzz", ROOT / "scripts" / "metrics-fuzz.py")
    generator = importlib.util.module_from_spec(module)
    module.loader.exec_module(generator)
    rng = random.Random(20261130)
    lines = sentences()
    texts = list(TEXTS)
    while len(texts) < count:
        kind = rng.random()
        if kind < 0.4:
            texts.append(generator.random_text(rng))
        elif kind < 0.8:
            texts.append(generator.edited(rng, rng.choice(lines)))
        else:
            # Any character at all, surrogates aside.
            texts.append("".join(chr(rng.choice([rng.randrange(0xD800), rng.randrange(0xE000, 0x110000),
                                                 rng.randrange(0x3000)])) for _ in range(rng.randint(0, 12))))
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, options in {**SHIPPED, **OTHERS}.items():
            path = pathlib.Path(folder) / name
            path.write_bytes(train(options))
            for variant in ("as trained", "some pieces unused"):
                if variant != "as trained":
                    path.write_bytes(with_unused_pieces(path.read_bytes()))
                library = sentencepiece.SentencePieceProcessor(model_file=str(path))
                data = "".join(json.dumps(text) + "\n" for text in texts)
                done = subprocess.run([program, str(path)], input=data.encode(), capture_output=True, check=True)
                wrong = 0
                for text, line in zip(texts, done.stdout.decode().split("\n")[:-1], strict=True):
                    theirs, ours = library.encode(text, out_type=str), json.loads(line)
                    if theirs != ours:
                        wrong += 1
                        if wrong <= 3:
                            print("DIFFERENT:", name, repr(text), theirs, ours)
                print(f"{name}, {variant}: {len(texts)} texts, {wrong} different")
                different += wrong
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--fuzz", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.fuzz:
        return fuzz(arguments.fuzz, arguments.program)
    write_expected()
    return 0


sys.exit(main())
