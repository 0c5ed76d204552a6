"""Strata: a test set split by CIDEr, so that one model gives many rows, good and bad."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.pregen.names import ALL, Names
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import pregen_scores

PARTS = (1, 2, 3, 4, 5)
STRATUM_KEYS = ("num_strata", "stratum")  # columns: number of strata, and which of them

PostGen = Callable[[IntArray], Mapping[str, float]]  # the scores of these images alone
Progress = Callable[[int, int], None]  # strata done, strata in all


class Stratum(NamedTuple):
    """One of so many equal parts: its number, from the worst on, and its images' numbers."""

    num_strata: int
    stratum: int
    images: IntArray


def split_into_strata(scores: FloatArray, parts: Sequence[int] = PARTS) -> Iterator[Stratum]:
    """Split images, in ascending order of scores, into equal parts; the remainder is dropped."""
    order = np.argsort(scores, kind="stable")
    for count in parts:
        size = len(order) // count if count > 0 else 0
        if size == 0:
            raise InputError(f"{len(order)} images cannot be split into {count} parts")
        for stratum in range(count):
            yield Stratum(count, stratum, order[stratum * size : (stratum + 1) * size])


@check_arguments
def stratified_rows(
    keys: Mapping[str, Any],
    words: WordProbabilities,
    cider: FloatArray,
    post_gen: PostGen,
    *,
    metrics: Names = ALL,
    parts: Sequence[int] = PARTS,
    variant: str = "paper",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """A model's rows of the search table: in every stratum, post-gen and pre-gen scores anew.

    `keys` say which model it is (dataset, architecture, run, perhaps checkpoint); `cider` is the
    score of the caption generated for each image of `words`.
    """
    cider = np.asarray(cider, dtype=np.float64)
    if cider.shape != (words.n_images,):
        raise InputError(f"scores of shape {cider.shape} for {words.n_images} images")
    rows = []
    strata = list(split_into_strata(cider, parts))
    for num_strata, stratum, images in strata:
        place = dict(zip(STRATUM_KEYS, (num_strata, stratum), strict=True))
        pre_gen = pregen_scores(words.take_images(images), metrics, variant=variant)
        rows.append({**keys, **place, **post_gen(images), **pre_gen})
        if progress is not None:
            progress(len(rows), len(strata))
    return rows
