"""Composite: captions of people and of two systems, rated from 1 to 5."""

from __future__ import annotations

import numpy as np

from captious.errors import InputError
from captious.io.formats import read_table
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import numbers, texts, texts_of_lists
from captious.meta.judgements import HUMAN, SEEN, Ratings

FILE = "composite.jsonl"

# Each image has three rows: a person's caption, a neural system's, and one made from a graph of
# the scene. The file does not say which is which, but the order never changes.
SYSTEMS = (HUMAN, "machine/neural", "machine/graph")
# NNEval's paper leaves out 771 captions that it validated on, and does not name them. Its figures
# fit people's captions of Flickr8k that have the best rating, of which there are 812.
SEEN_CAPTIONS, SEEN_SUBSET, BEST_RATING = 771, "8k", 5


def read(files: Files, *, mark_seen: bool = False) -> Ratings:
    """Read all 11,985 rated captions, each beside all five references of its image.

    One rating a caption: correctness, not thoroughness. A person's caption is one of its own
    references, in lower case and without hyphens or apostrophes. With `mark_seen`, the first 771
    of people's captions of Flickr8k that have the best rating are a part of their own.
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
    if mark_seen:
        of_people = (np.array(texts(table, "subset")) == SEEN_SUBSET) & (np.array(groups) == HUMAN)
        for row in np.flatnonzero(of_people & (ratings == BEST_RATING))[:SEEN_CAPTIONS]:
            groups[row] += SEEN
    return Ratings(captions, references, list(images), ratings[:, None], groups)


COMPOSITE = Benchmark(
    "composite",
    "Composite: one rating from 1 to 5 for captions of people and of two systems",
    RATINGS,
    (FILE,),
    ("composite",),
    "Aditya et al. 2015, From Images to Sentences through Scene Description Graphs "
    "(https://arxiv.org/abs/1511.03292): one row a caption of subset, row, image_id, caption, "
    "human_rating and refs",
    read,
    ("mark_seen",),
    common_choices={"raters": "mean", "own": "drop_reference", "equality": "words"},
    standard_choices={"references": 4},
)
