"""Composite: captions of people and of two systems, rated from 1 to 5."""

from __future__ import annotations

from captious.errors import InputError
from captious.io.formats import read_table
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import numbers, texts, texts_of_lists
from captious.meta.judgements import Ratings

FILE = "composite.jsonl"

# Each image has three rows: a person's caption, a neural system's, and one made from a graph of
# the scene. The file does not say which is which, but the order never changes.
SYSTEMS = ("human", "machine/neural", "machine/graph")


def read(files: Files) -> Ratings:
    """All 11,985 rated captions, each beside all five references of its image.

    One rating a caption: correctness, not thoroughness. A person's caption is one of its own
    references, in lower case and without hyphens or apostrophes.
    """
    table = read_table(files.find(FILE))
    images = texts(table, "image_id")
    ratings = numbers(table, "human_rating")
    captions = texts(table, "caption")
    references = texts_of_lists(table, "refs")
    groups: list[str] = []
    for row, image in enumerate(images):
        place = row % len(SYSTEMS)
        if place and image != images[row - place]:
            raise InputError(
                f"{table.place(row)}: image {image!r} where {images[row - place]!r} belongs; "
                "each image has three rows: a person's caption and two systems'"
            )
        groups.append(SYSTEMS[place])
    return Ratings(captions, references, list(images), ratings[:, None], groups)


BENCHMARK = Benchmark(
    "composite",
    "Composite: one rating from 1 to 5 for captions of people and of two systems",
    RATINGS,
    (FILE,),
    ("composite",),
    "Aditya et al. 2015, From Images to Sentences through Scene Description Graphs "
    "(https://arxiv.org/abs/1511.03292): one row a caption of subset, row, image_id, caption, "
    "human_rating and refs",
    read,
)
