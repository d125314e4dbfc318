"""Portuguese to Galician by spelling rules and a short word list, both switched by parameters.

The rules are those any comparison of the two orthographies names (ção and ción, nh and ñ, lh and ll, ss and s, j and x).
They were written without looking at the corpus of this example.
"""

import pathlib
import re
import sys

# The SDK lies beside the plugin examples; a method of your own keeps a copy in its folder.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "plugins" / "python"))

from lydian_plugin import serve  # noqa: E402

ARTICLES = {
    "um": "un", "uma": "unha", "uns": "uns", "umas": "unhas",
    "ao": "ao", "aos": "aos", "à": "á", "às": "ás",
    "do": "do", "da": "da", "dos": "dos", "das": "das",
    "no": "no", "na": "na", "nos": "nos", "nas": "nas",
    "num": "nun", "numa": "nunha", "pelo": "polo", "pela": "pola", "pelos": "polos", "pelas": "polas",
    "com": "con", "em": "en", "sem": "sen",
}

COMMON = {
    "e": "e", "é": "é", "são": "son", "não": "non", "mais": "máis", "muito": "moito", "muitos": "moitos",
    "todo": "todo", "todos": "todos", "toda": "toda", "todas": "todas", "seu": "seu", "sua": "súa",
    "seus": "seus", "suas": "súas", "esta": "esta", "este": "este", "ninguém": "ninguén", "pessoa": "persoa",
    "pessoas": "persoas", "direito": "dereito", "direitos": "dereitos", "lei": "lei", "tem": "ten",
    "têm": "teñen", "ser": "ser", "fim": "fin", "quem": "quen", "outro": "outro", "dois": "dous", "ou": "ou",
}

RULES = [
    (r"ções\b", "cións"), (r"ção\b", "ción"), (r"sões\b", "sións"), (r"são\b", "sión"),
    (r"ões\b", "óns"), (r"ão\b", "ón"), (r"ães\b", "áns"), (r"ã\b", "á"),
    (r"nh", "ñ"), (r"lh", "ll"), (r"ss", "s"), (r"ç", "z"), (r"j", "x"), (r"g(?=[eiéí])", "x"),
    (r"dade\b", "dade"), (r"agem\b", "axe"), (r"vel\b", "ble"), (r"veis\b", "bles"), (r"m\b", "n"),
]


def words_of(name):
    return {"none": {}, "articles": ARTICLES, "common": {**ARTICLES, **COMMON}}[name]


def like(pattern, word):
    """Gives `word` the capital letter of `pattern`."""
    return word.capitalize() if pattern[0].isupper() else word


def translate(entry, run):
    words = words_of(run["params"]["words"])
    rules = RULES if run["params"]["spelling"] else []

    def word(match):
        known = words.get(match[0].lower())
        if known is not None:
            return like(match[0], known)
        spelt = match[0].lower()
        for pattern, replacement in rules:
            spelt = re.sub(pattern, replacement, spelt)
        return like(match[0], spelt) if rules else match[0]

    return {"output": re.sub(r"\w+", word, entry["source"]), "usage": {"cost_usd": 0}}


serve("example-respelling", translate, version="1.0", max_batch=64, deterministic=True)
