"""Strata: a test set cut by CIDEr, so that one model gives many rows, good ones and bad ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray
from captious.checks.arguments import checked
from captious.errors import InputError
from captious.pregen.names import ALL, Names
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import pregen_scores
from captious.scorer import score

PARTS = (1, 2, 3, 4, 5)
POST_GEN = ("meteor", "cider_d", "spice", "wmd")
STRATIFIER = "cider_d"

PostGen = Callable[[IntArray], Mapping[str, float]]  # the scores of these images alone


class Stratum(NamedTuple):
    """One of so many equal parts: its number, from the worst on, and its images' numbers."""

    num_strata: int
    stratum: int
    images: IntArray


def strata_of(scores: FloatArray, parts: Sequence[int] = PARTS) -> Iterator[Stratum]:
    """Images in ascending order of their scores, in equal parts; what remains over is dropped."""
    order = np.argsort(scores, kind="stable")
    for count in parts:
        size = len(order) // count if count > 0 else 0
        if size == 0:
            raise InputError(f"{len(order)} images cannot be cut into {count} parts")
        for stratum in range(count):
            yield Stratum(count, stratum, order[stratum * size : (stratum + 1) * size])


@checked
def stratified_rows(
    keys: Mapping[str, Any],
    words: WordProbabilities,
    cider: FloatArray,
    post_gen: PostGen,
    *,
    metrics: Names = ALL,
    parts: Sequence[int] = PARTS,
    variant: str = "paper",
) -> list[dict[str, Any]]:
    """A model's rows of the search table: in every stratum, post-gen and pre-gen scores anew.

    `keys` say which model it is (dataset, architecture, run, perhaps checkpoint); `cider` is the
    score of the caption generated for each image of `words`.
    """
    cider = np.asarray(cider, dtype=np.float64)
    if cider.shape != (words.n_images,):
        raise InputError(f"scores of shape {cider.shape} for {words.n_images} images")
    rows = []
    for num_strata, stratum, images in strata_of(cider, parts):
        chosen = words.take_images(images)
        rows.append(
            {
                **keys,
                "num_strata": num_strata,
                "stratum": stratum,
                **post_gen(images),
                **pregen_scores(chosen, metrics, variant=variant),
            }
        )
    return rows


class GeneratedCaptions:
    """One generated caption for each image, scored against references in any stratum."""

    @checked
    def __init__(
        self,
        captions: Sequence[str],
        references: Sequence[Sequence[str]],
        metrics: Sequence[str] = POST_GEN,
    ) -> None:
        if len(captions) != len(references):
            raise InputError(f"{len(captions)} captions but {len(references)} sets of references")
        self.captions, self.references, self.metrics = captions, references, tuple(metrics)

    def cider(self) -> FloatArray:
        """The score of each caption, by which images are put into strata."""
        result = score(list(self.captions), list(self.references), [STRATIFIER])
        return result.samples[STRATIFIER]

    def __call__(self, images: IntArray) -> dict[str, float]:
        """The post-gen scores of these images alone, with document frequencies of their own."""
        rows = images.tolist()
        result = score(
            [self.captions[row] for row in rows],
            [self.references[row] for row in rows],
            self.metrics,
        )
        return {name: float(value) for name, value in result.corpus.items()}
