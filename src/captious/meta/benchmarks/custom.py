"""Custom: a user's own judgements, from any file that Captious reads."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr, warn
from captious.io.formats import read_table
from captious.io.input_tables import MISSING, InputTable, describe, parse_json_cell
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import (
    number_or_stop,
    numbers,
    pairs_of_numbers,
    pairs_of_texts,
    texts,
    texts_of_lists,
)
from captious.meta.judgements import Judgements, Preferences, Ratings, Unnamed

RATING = "rating"
TIE_TOLERANCE = 1e-9  # means closer together differ by rounding
MAX_RATERS = 1000  # of a caption: every caption gets as many columns as the one with the most


def read(files: Files, own_scores: Sequence[str] = (), rating: str = RATING) -> Judgements:
    """Read the judgements of a file, which is named in place of a folder."""
    return read_judgements(files.folder, own_scores, rating)


def read_judgements(
    path: str | Path, own_scores: Sequence[str] = (), rating: str = RATING
) -> Judgements:
    """Read rows of `candidate`, `references` and `rating`, or of `candidates` and `preferred`.

    `rating` is a number or one number a rater, null where a rater said nothing; `preferred` is 0
    or 1, or one such vote a rater, 0.5 for neither; pairs with as many votes on either side are
    left out. `image` and `group` may be given; without `image`, rows with the same references are
    of one image, which has no name. `own_scores` are columns that hold scores of a metric of one's
    own, a number a row, or a list of two for a pair. `rating` names another column of ratings.
    """
    table = read_table(path)
    if table.require("candidate", "candidates") == "candidate":
        return next(iter(_read_ratings(table, own_scores, (rating,)).values()))
    references = texts_of_lists(table, "references")
    images, groups = _image_column(table, references), _group_column(table)
    pairs = pairs_of_texts(table, "candidates")
    scores = {name: pairs_of_numbers(table, name) for name in own_scores}
    votes = _read_votes(table, "preferred", {0.0, 0.5, 1.0})
    _require_votes(table, votes, "nobody voted on it; give a vote or drop the row")
    balance = np.nanmean(votes, axis=1) - 0.5
    preferred = (balance > 0).astype(np.int64)
    several = votes if votes.shape[1] > 1 else None
    everything = Preferences(
        pairs, references, images, preferred, groups, scores=scores, votes=several
    )
    decided = np.flatnonzero(np.abs(balance) > TIE_TOLERANCE)
    if not len(decided):
        raise InputError(f"{table.path}: every pair has as many votes on either side")
    if tied := len(votes) - len(decided):
        warn(
            f"{tied:,} of {len(votes):,} pairs have as many votes on either side, and are left out",
            "pairs with as many votes on either side",
        )
        return everything.take(decided)
    return everything


def read_aspects(
    path: str | Path, aspects: Sequence[str], own_scores: Sequence[str] = ()
) -> dict[str, Ratings]:
    """Read ratings of several aspects of the same captions, one column each.

    A caption may lack ratings of some aspects (null, or an empty cell), but not of all.
    """
    table = read_table(path)
    table.require("candidate")
    return _read_ratings(table, own_scores, tuple(dict.fromkeys(aspects)))


def _read_ratings(
    table: InputTable, own_scores: Sequence[str], names: Sequence[str]
) -> dict[str, Ratings]:
    """Return the ratings by column, with the same captions and references."""
    references = texts_of_lists(table, "references")
    images, groups = _image_column(table, references), _group_column(table)
    candidates = texts(table, "candidate")
    scores = {name: numbers(table, name) for name in own_scores}
    ratings = {name: _read_votes(table, name, may_be_missing=len(names) > 1) for name in names}
    everything = np.concatenate(list(ratings.values()), axis=1)
    _require_votes(table, everything, "nobody rated it; give a rating or drop the row")
    for name, column in ratings.items():
        if not np.isfinite(column).any():
            raise InputError(
                f"{table.path}: nobody rated any caption in the column {short_repr(name)}"
            )
    return {
        name: Ratings(candidates, references, images, column, groups, scores=scores)
        for name, column in ratings.items()
    }


def _read_votes(
    table: InputTable,
    name: str,
    allowed: set[float] | None = None,
    *,
    may_be_missing: bool = False,
) -> FloatArray:
    """Read one row a judgement, one column a rater; shorter rows are filled with NaN."""
    rows: list[list[float]] = []
    for row, value in enumerate(table.columns[table.require(name)]):
        given = parse_json_cell(value)
        if may_be_missing and (given is None or given == "" or value is MISSING):
            given = [None]
        several = given if isinstance(given, list) else [given]
        if len(several) > MAX_RATERS:
            raise InputError(
                f"{table.place(row)}: {len(several):,} in {name!r}; at most {MAX_RATERS:,}"
            )
        rows.append(
            [
                math.nan
                if each is None and isinstance(given, list)
                else number_or_stop(table, row, name, each)
                for each in several
            ]
        )
        wrong = [each for each in rows[-1] if allowed and each not in allowed and each == each]
        if wrong:
            raise InputError(
                f"{table.place(row)}: {name!r} must be 0 for the first caption or 1 for the "
                f"second, or a list of such votes, 0.5 for neither, not {describe(wrong[0])}"
            )
    votes = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for row, several in enumerate(rows):
        votes[row, : len(several)] = several
    return votes


def _require_votes(table: InputTable, votes: FloatArray, message: str) -> None:
    """Raise an error that names the first row without any rating or vote."""
    without = np.flatnonzero(~np.isfinite(votes).any(axis=1))
    if len(without):
        raise InputError(f"{table.place(int(without[0]))}: {message}")


def _image_column(table: InputTable, references: list[list[str]]) -> list[Hashable]:
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


def _group_column(table: InputTable) -> list[str]:
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


CUSTOM = Benchmark(
    "custom",
    "Your own judgements: ratings, or preferences between two captions",
    RATINGS,
    (),
    (),
    "a file of your own",
    read,
    ("own_scores", "rating"),
)
