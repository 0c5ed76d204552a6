"""Files for scores computed elsewhere: judged captions out, one row a caption; scores back in."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.comparison.score_files import read_scores
from captious.errors import InputError, short_repr
from captious.io.formats import write_columns
from captious.meta.judgements import Judgements, Preferences, image_names


def write_judged(path: str | Path, judgements: Judgements) -> None:
    """Rows of id, candidate, references, and image where images have names.

    The two captions of pair 7 are 7-0 and 7-1.
    """
    captions = list(chain.from_iterable(judgements.captions))
    by_row = {"references": judgements.references, "image": image_names(judgements.images)}
    columns = {
        name: [value for value in column for _ in range(judgements.each)]
        for name, column in by_row.items()
        if column is not None
    }
    write_columns(path, {"id": _ids(judgements), "candidate": captions, **columns})


def read_judged_scores(path: str | Path, judgements: Judgements) -> dict[str, FloatArray]:
    """The columns of a file of scores, in the order of the judgements."""
    result = read_scores(path)
    place = {str(name): row for row, name in enumerate(result.ids)}
    wanted = _ids(judgements)
    absent = [name for name in wanted if name not in place]
    if absent:
        raise InputError(
            f"{path}: no scores for id {short_repr(absent[0])} ({len(absent)} of {len(wanted)} are "
            "missing); score the rows that --samples writes under the same protocol"
        )
    rows = np.array([place[name] for name in wanted])
    samples = result.samples.items()
    return {name: scores[rows].reshape(judgements.score_shape) for name, scores in samples}


def _ids(judgements: Judgements) -> list[str]:
    if isinstance(judgements, Preferences):
        return [f"{row}-{side}" for row in range(len(judgements)) for side in (0, 1)]
    return [str(row) for row in range(len(judgements))]
