"""Hallucinations: captions that people searched for what is not in the picture, in two benchmarks.

HAT has machines' captions of COCO images with each hallucinated word marked; DiscoSG has long
captions before and after a person corrected a hallucination. Images fall into two halves: a
threshold or a form is chosen by what agrees best with judgements of the half `choose`, and its
figure is reported on the half `report`, which nothing was chosen by.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, describe, parse_json_cell
from captious.meta.benchmarks.benchmark import PREFERENCES, RATINGS, Benchmark, Files
from captious.meta.benchmarks.coco import image_number
from captious.meta.benchmarks.columns import texts, texts_of_lists
from captious.meta.judgements import Preferences, Ratings
from captious.meta.protocol import ACCURACY
from captious.stats.correlation import AREA

CHOOSE, REPORT = HALVES = ("choose", "report")


def half_of(image: str) -> str:
    """The half that an image is in, by the SHA-256 of its id: even is `choose`, odd `report`.

    >>> [half_of(image) for image in ("9", "25", "30")]
    ['report', 'report', 'choose']
    """
    return HALVES[sha256(image.encode(errors="surrogatepass")).digest()[-1] % 2]


HAT_FILE = "hat_trainval.json"
DISCOURSE_FILE = "discourse_foil.json"


@dataclass(frozen=True)
class MarkedWord:
    """A word of a caption as it is written, and whether it speaks of what is not there."""

    text: str
    is_hallucinated: bool


@dataclass(frozen=True, eq=False)
class MarkedCaptions:
    """Ratings of captions (1 where nothing is hallucinated, else 0), and their words' marks."""

    ratings: Ratings
    words: list[list[MarkedWord]]


def read_hat(files: Files) -> Ratings:
    """The 400 captions that are distributed with marks: 1 for one without hallucination, else 0."""
    return read_marked(files).ratings


def read_marked(files: Files) -> MarkedCaptions:
    """The same, with the marks of every word."""
    table = read_table(files.find(HAT_FILE))
    images = [
        image_number(name, table.place(row)) for row, name in enumerate(texts(table, "image_path"))
    ]
    marks = table.columns[table.require("grounding")]
    words = [_marked_words(table, row, value) for row, value in enumerate(marks)]
    hallucinated = [any(word.is_hallucinated for word in caption) for caption in words]
    ratings = Ratings(
        texts(table, "caption"),
        texts_of_lists(table, "references"),
        list(images),
        1.0 - np.array(hallucinated, dtype=np.float64)[:, None],
        list(map(half_of, images)),
    )
    return MarkedCaptions(ratings, words)


def read_discourse_foil(files: Files) -> Preferences:
    """The 202 captions that a correction changed: the corrected one first, beside one reference."""
    table = read_table(files.find(DISCOURSE_FILE))
    corrected = texts(table, "human_corrected_hall_caption")
    hallucinated = texts(table, "hall_caption")
    references = texts(table, "caption")
    images = texts(table, "image_id")
    pairs = list(zip(corrected, hallucinated, strict=True))
    rows = [row for row, (right, wrong) in enumerate(pairs) if right != wrong]
    return Preferences(
        [pairs[row] for row in rows],
        [[references[row]] for row in rows],
        [images[row] for row in rows],
        np.zeros(len(rows), dtype=np.int64),
        [half_of(images[row]) for row in rows],
    )


def _marked_words(table: InputTable, row: int, value: object) -> list[MarkedWord]:
    """The words of one caption, from a list of words with true or false."""
    given = parse_json_cell(value)
    if not isinstance(given, list):
        raise InputError(_type_error(table, row, value))
    words = []
    for each in given:
        match each:
            case [str(text), bool(is_hallucinated)]:
                words.append(MarkedWord(text, is_hallucinated))
            case _:
                raise InputError(_type_error(table, row, each))
    return words


def _type_error(table: InputTable, row: int, value: object) -> str:
    return (
        f"{table.place(row)}: 'grounding' must be a list of a word and true or false each, "
        f"not {describe(value)}"
    )


HAT = Benchmark(
    "hat",
    "HAT: machines' captions of COCO images, hallucinated words marked",
    RATINGS,
    (HAT_FILE,),
    ("hat",),
    "Petryk et al. 2024, ALOHa (https://davidmchan.github.io/aloha): rows of caption, grounding, "
    "image_path and references",
    read_hat,
    common_choices={"statistic": AREA},
)
DISCOURSE_FOIL = Benchmark(
    "discourse-foil",
    "DiscoSG: a long caption against the same before a person corrected it",
    PREFERENCES,
    (DISCOURSE_FILE,),
    ("discourse_foil",),
    "Lin et al. 2025, DiscoSG (https://github.com/ShaoqLin/DiscoSG): rows of caption, image_id, "
    "hall_caption and human_corrected_hall_caption",
    read_discourse_foil,
    common_choices={"statistic": ACCURACY},
)
