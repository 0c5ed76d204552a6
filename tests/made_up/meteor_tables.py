"""METEOR's tables of a few made-up words, built by the tool that builds the real ones."""

from __future__ import annotations

import importlib.util
import io
import json
import zipfile
from pathlib import Path

from captious.text.english.stemmer import stem
from captious.text.english.synonyms import Synonyms
from captious.text.meteor.tables import FORMAT, fingerprint
from tests.places import ROOT

TOOL = ROOT / "tools" / "build_meteor_tables.py"

CAPTIONS = [
    "a man rides a big wave next to the red boat",
    "the men ride in front of a large wave and surf",
    "two dogs run , a dog's t-shirt ... wolves zqxv in front of",
    "a couple of big dogs runs next to the u.s. boat over and over",
    "",
]
_SYNSETS = {
    "big": [3, 9],
    "large": [9],
    "man": [1],
    "dog": [2, 4],
    "wolf": [4],
    "ride": [5, 6],
    "surf": [6],
    "boat": [7],
    "wave": [8],
    "run": [10],
}
_EXCEPTIONS = {"wolf": "wolves", "man": "men", "run": "ran"}
_PARAPHRASES = {
    "next to": ["beside", "in front of", "near the"],
    "in front of": ["before", "next to", "beside", "beside the"],
    "a couple of": ["two", "some", "a few"],
    "two": ["a couple of", "some"],
    "big": ["large", "very large"],
    "a": ["the", "one"],
    "over and over again and again and": ["often", "again and again and again and again"],
}


def build(folder: Path) -> Path:
    """Write the tables into a folder."""
    spec = importlib.util.spec_from_file_location("build_meteor_tables", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    paraphrases = {
        tuple(source.split()): [tuple(target.split()) for target in targets]
        for source, targets in _PARAPHRASES.items()
    }
    place = tool.TableFolder(folder)
    with zipfile.ZipFile(_jar()) as jar:
        tool.write_wordnet(place, jar)
    words, one_byte = tool.order_words_by_frequency(
        paraphrases, set(" ".join(CAPTIONS).split()) - {"zqxv"}
    )
    one_byte = min(one_byte, 8)  # so that words of two bytes occur
    tool.write_words(place, words, {"a", "the", "of", "in", "to"})
    tool.write_paraphrases(place, paraphrases, words, one_byte)
    about = {
        "fingerprint": fingerprint(folder),
        "format": FORMAT,
        "paraphrases": "few",
        "stems": len({stem(word) for word in words}),
        "synsets": len(Synonyms(folder).numbers),
        "words": len(words),
        "one_byte_words": one_byte,
    }
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


def _jar() -> io.BytesIO:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as jar:
        jar.writestr("synonym/COPYING.WORDNET", "a licence")
        synsets = (f"{word}\n{' '.join(map(str, row))}\n" for word, row in _SYNSETS.items())
        jar.writestr("synonym/english.synsets", "".join(synsets))
        forms = (f"{base}\n{form}\n" for base, form in _EXCEPTIONS.items())
        jar.writestr("synonym/english.exceptions", "".join(forms))
    return content
