"""Files of several systems' captions, as the repository mtanti/where-image2 publishes them."""

from __future__ import annotations

import re
from pathlib import Path

from captious.errors import InputError
from captious.io.input_tables import describe
from captious.io.inputs import read_text
from captious.io.json import decode_json

_WORD_SEPARATORS, _REMOVED_MARKS = re.compile(r"[-/,]"), re.compile(r"[.;'\"!?]")
HUMAN = "human"  # a person's captions, for comparison, are among the systems'


def read_systems(path: str | Path) -> dict[str, dict[str, str]]:
    """Each system's captions by image, from an object of `images` and `captions`.

    `captions` has one list a system, in the order of the images. A person's captions, named
    `human` or `human_1`, are no system's and are left out.
    """
    document = decode_json(read_text(path), str(path))
    images = _get_texts(document, "images", str(path))
    lists = document.get("captions")
    if not isinstance(lists, dict):
        raise InputError(f"{path}: 'captions' must be an object of lists, found {describe(lists)}")
    systems: dict[str, dict[str, str]] = {}
    for name in lists:
        captions = _get_texts(lists, name, f"{path}: captions")
        if len(captions) != len(images):
            raise InputError(f"{path}: {name}: {len(captions)} captions for {len(images)} images")
        if name.partition("_")[0] != HUMAN:
            systems[name] = dict(zip(images, captions, strict=True))
    if not systems:
        raise InputError(f"{path}: no system's captions")
    return systems


def karpathy_words(caption: str) -> str:
    """A reference as Karpathy's data sets have it, on which these systems learnt and were scored.

    Lower case; hyphens, slashes and commas part words, other marks vanish, brackets stay. All 7,000
    people's captions in the published files come out so; scores of them are to be computed with
    the tokenizer `whitespace`.
    """
    return " ".join(_REMOVED_MARKS.sub("", _WORD_SEPARATORS.sub(" ", caption.lower())).split())


def _get_texts(document: object, name: str, where: str) -> list[str]:
    """The list of texts under a name of an object."""
    value = document.get(name) if isinstance(document, dict) else None
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{where}: {name!r} must be a list of texts")
    return value
