"""Custom: a user's own judgements, from any file that Captious reads."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.table import MISSING, Table, describe, unpacked
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import (
    number_or_stop,
    numbers,
    pairs_of_numbers,
    pairs_of_texts,
    preferences,
    texts,
    texts_of_lists,
)
from captious.meta.judgements import Judgements, Preferences, Ratings, Unnamed

MOST_RATERS = 1000  # of a caption: every caption gets as many columns as the one with the most


def read(files: Files, own_scores: Sequence[str] = ()) -> Judgements:
    """The judgements of a file, where a folder would be named for other benchmarks."""
    return read_judgements(files.folder, own_scores)


def read_judgements(path: str | Path, own_scores: Sequence[str] = ()) -> Judgements:
    """Rows of `candidate`, `references` and `rating`, or of `candidates` and `preferred`.

    `rating` is a number or one number a rater, null where a rater said nothing; `preferred` is 0
    or 1. `image` and `group` may be given; without `image`, rows with the same references are of
    one image, which has no name. `own_scores` are columns that hold scores of a metric of one's
    own, a number a row, or a list of two for a pair.
    """
    table = read_table(path)
    references = texts_of_lists(table, "references")
    images = _images(table, references)
    groups = _groups(table)
    if table.require("candidate", "candidates") == "candidate":
        candidates = texts(table, "candidate")
        scores = {name: numbers(table, name) for name in own_scores}
        return Ratings(candidates, references, images, _ratings(table), groups, scores=scores)
    pairs = pairs_of_texts(table, "candidates")
    scores = {name: pairs_of_numbers(table, name) for name in own_scores}
    return Preferences(pairs, references, images, preferences(table), groups, scores=scores)


def _ratings(table: Table) -> FloatArray:
    """One row a caption, one column a rater; shorter rows are filled with NaN."""
    rows: list[list[float]] = []
    for row, value in enumerate(table.columns[table.require("rating")]):
        given = unpacked(value)
        several = given if isinstance(given, list) else [given]
        if len(several) > MOST_RATERS:
            raise InputError(
                f"{table.place(row)}: {len(several):,} ratings of one caption; "
                f"at most {MOST_RATERS:,}"
            )
        rows.append(
            [
                math.nan
                if rating is None and isinstance(given, list)
                else number_or_stop(table, row, "rating", rating)
                for rating in several
            ]
        )
        if all(map(math.isnan, rows[-1])):
            raise InputError(f"{table.place(row)}: nobody rated it; give a rating or drop the row")
    ratings = np.full((len(rows), max(map(len, rows))), np.nan)
    for row, several in enumerate(rows):
        ratings[row, : len(several)] = several
    return ratings


def _images(table: Table, references: list[list[str]]) -> list[Hashable]:
    if table.find("image") is None:
        first: dict[tuple[str, ...], Unnamed] = {}
        return [
            first.setdefault(tuple(several), Unnamed(row))
            for row, several in enumerate(references, 1)
        ]
    for row, value in enumerate(table.columns["image"]):
        if value is MISSING or not isinstance(value, str | int):
            raise InputError(f"{table.place(row)}: 'image' must be text or a whole number")
    return list(table.columns["image"])


def _groups(table: Table) -> list[str]:
    if table.find("group") is None:
        return ["all"] * len(table)
    groups: list[str] = []
    for row, value in enumerate(table.columns["group"]):
        if value is not MISSING and not isinstance(value, str | int | float | None):
            raise InputError(
                f"{table.place(row)}: 'group' must be text or a number, found {describe(value)}"
            )
        groups.append("all" if value is MISSING or value is None else str(value))
    return groups


BENCHMARK = Benchmark(
    "custom",
    "Your own judgements: ratings, or preferences between two captions",
    RATINGS,
    (),
    (),
    "a file of your own",
    read,
    ("own_scores",),
)
