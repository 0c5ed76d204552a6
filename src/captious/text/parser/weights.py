"""The parser's weights: its arrays and lists of words, as they lie in one `.npz`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captious.io.array_files import DECIMALS, LINES, ArrayFile, Member

ROOT_LABEL = "root"
DIRECTIONS = ("forward", "backward")
LISTS = ("words", "tags", "labels", "lemmas")


def _lstm(layer: str, inputs: str) -> list[Member]:
    """A bidirectional layer, whose four gates stand side by side."""
    state, gates = f"{layer} state", f"{layer} gates"
    shapes = {"input": (inputs, gates), "state": (state, gates), "bias": (gates,)}
    return [
        Member(f"{layer}_{way}_{part}", DECIMALS, dims)
        for way in DIRECTIONS
        for part, dims in shapes.items()
    ]


FILE = ArrayFile(
    "a file of the parser's weights",
    "install captious again",
    (
        *(Member(name, LINES, (name,)) for name in LISTS),
        Member("word", DECIMALS, ("words and unknown", "word")),
        Member("subword", DECIMALS, ("subwords", "subword")),
        *_lstm("lower", "lower inputs"),
        *_lstm("upper", "upper inputs"),
        Member("lower_tag", DECIMALS, ("lower", "tags")),
        Member("lower_tag_bias", DECIMALS, ("tags",)),
        Member("upper_projection", DECIMALS, ("lower and tags", "upper inputs")),
        Member("tag", DECIMALS, ("lower and upper", "tags")),
        Member("tag_bias", DECIMALS, ("tags",)),
        Member("arc_dependent", DECIMALS, ("upper", "arc")),
        Member("arc_dependent_bias", DECIMALS, ("arc",)),
        Member("arc_head", DECIMALS, ("upper", "arc")),
        Member("arc_head_bias", DECIMALS, ("arc",)),
        Member("arc", DECIMALS, ("arc", "arc")),
        Member("arc_prior", DECIMALS, ("arc", 1)),
        Member("arc_root", DECIMALS, ("arc",)),
        Member("label_dependent", DECIMALS, ("upper", "label")),
        Member("label_dependent_bias", DECIMALS, ("label",)),
        Member("label_head", DECIMALS, ("upper", "label")),
        Member("label_root", DECIMALS, ("label",)),
        Member("label", DECIMALS, ("label", "labels")),
        Member("label_bias", DECIMALS, ("labels",)),
    ),
    packed=True,
)


@dataclass(frozen=True, eq=False)
class ParserWeights:
    """Arrays by name, the words that are known, tags and labels, and lemmas that no rule gives."""

    arrays: Mapping[str, NDArray[np.float32]]
    words: list[str]
    tags: list[str]
    labels: list[str]
    lemmas: Mapping[tuple[str, str], str]  # by word and kind

    @classmethod
    def read(cls, path: Path) -> ParserWeights:
        """From a file that `tools/train_parser.py` wrote."""
        with FILE.opened(path) as file:
            members = file.read(*FILE.members)
            sizes = file.sizes
        fits = {
            "words and unknown": sizes["words"] + 1,
            "lower gates": 4 * sizes["lower state"],
            "upper gates": 4 * sizes["upper state"],
            "lower inputs": sizes["word"] + sizes["subword"],
            "lower": 2 * sizes["lower state"],
            "upper": 2 * sizes["upper state"],
            "lower and tags": sizes["lower"] + sizes["tags"],
            "lower and upper": sizes["lower"] + sizes["upper"],
        }
        for name, size in fits.items():
            if sizes[name] != size:
                raise FILE.unsound(path, f"{name}: {sizes[name]} where {size} are expected")
        words, tags, labels, lemmas = (members.pop(name) for name in LISTS)
        rows = [line.split("\t") for line in lemmas]
        if ROOT_LABEL not in labels or not sizes["subwords"] or any(len(row) != 3 for row in rows):
            raise FILE.unsound(path, "no label for the root, no subwords, or a lemma of no word")
        arrays = {name: array.astype(np.float32) for name, array in members.items()}
        by_word = {(word, kind): lemma for word, kind, lemma in rows}
        return cls(arrays, words, tags, labels, by_word)
