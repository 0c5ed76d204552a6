# ruff: noqa: N999 - the name by which it is imported
"""CIDEr-D as pyciderevalcap's class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import LIST, check_arguments
from captious.errors import InputError, short_repr
from captious.metrics.cider.cider import Cider as CiderMetric
from captious.metrics.cider.document_frequencies import FrequencySource
from captious.pyciderevalcap.ciderD.ciderD_scorer import CiderScorer
from captious.pyciderevalcap.frequencies import CORPUS
from captious.pycocoevalcap.tokenized import TokenizedCaptions
from captious.scorer import score

Results = Sequence[Mapping[str, Any]]  # image_id, and a list of one tokenized caption


class CiderD:
    """CIDEr-D of results given as a list, in which an image may occur several times.

    `df` is `corpus`, for the references' own document frequencies, or names others. As in
    pyciderevalcap, `sigma` is taken and not used: the penalty is that of 6.
    """

    @check_arguments
    def __init__(self, n: int = 4, sigma: float = 6.0, df: FrequencySource = CORPUS) -> None:
        self.cider_scorer = CiderScorer(n=n, df_mode=df)

    @check_arguments
    def compute_score(self, gts: TokenizedCaptions, res: Results) -> tuple[np.float64, FloatArray]:
        """The mean over all results, and the score of each.

        With `corpus`, document frequencies are counted over results: an image that has two counts
        twice.
        """
        candidates, references = [], []
        for place, result in enumerate(res, 1):
            image, caption = _image_and_caption(place, result)
            if image not in gts:
                raise InputError(f"result {place}: no references of image_id {short_repr(image)}")
            candidates.append(caption)
            references.append(gts[image])
        metric = self._metric()
        scored = score(candidates, references, [metric], tokenizer="whitespace")
        scores = scored.samples[metric.name]
        return np.float64(scores.mean()), scores

    def _metric(self) -> CiderMetric:
        scorer = self.cider_scorer
        return scorer._metric(None if scorer.df_mode == CORPUS else scorer.frequencies())

    @check_arguments
    def my_compute_score(
        self, gts: Sequence[Sequence[str]], res: Sequence[Sequence[str]], avg_refs: bool = True
    ) -> tuple[np.float64, FloatArray]:
        """The mean, and the score of each of several candidates of each image (a row)."""
        scores = np.array(
            [
                self.cider_scorer.my_get_cider(references, candidates).mean(axis=1)
                for references, candidates in zip(gts, res, strict=True)
            ]
        )
        return np.float64(scores.mean()), scores

    @check_arguments
    def my_self_cider(self, res: Sequence[Sequence[str]]) -> list[FloatArray]:
        """How alike each image's captions are: one table an image, of each beside each."""
        for captions in res:
            if not LIST.allows(captions):
                raise InputError(f"lists of captions, one an image, not {short_repr(captions)}")
        sizes = [len(captions) for captions in res]
        candidates = [first for captions in res for first in captions for _ in captions]
        others = [[second] for captions in res for _ in captions for second in captions]
        scores = self.cider_scorer.scores_of(candidates, others)
        ends = np.cumsum(np.square(sizes))
        return [
            scores[end - size * size : end].reshape(size, size)
            for end, size in zip(ends.tolist(), sizes, strict=True)
        ]

    def method(self) -> str:
        """The metric's name."""
        return "CIDEr-D"


def _image_and_caption(place: int, result: Mapping[str, Any]) -> tuple[Hashable, str]:
    given: Mapping[str, Any] = result if isinstance(result, Mapping) else {}
    image, captions = given.get("image_id"), given.get("caption", ())
    if not _is_id(image) or not LIST.allows(captions) or len(captions) != 1:
        raise InputError(
            f"result {place}: a dict with an 'image_id' and a 'caption' that is a list of one "
            f"tokenized caption, not {short_repr(result)}"
        )
    return image, captions[0]


def _is_id(image: object) -> bool:
    try:
        hash(image)
    except TypeError:
        return False
    return image is not None
