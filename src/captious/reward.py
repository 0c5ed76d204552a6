"""Rewards for training: captions as token ids, scored against references prepared once.

Self-critical training (Rennie et al., 2017) samples captions, scores them by a metric, and makes
those more probable that score above a baseline. This module computes scores and baselines for any
captioner and framework; `captious.training.captioners.tuning` is such a training.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.array_arguments import as_floats, as_integers
from captious._internal.checks.bounds import Bounds, check_number
from captious.corpus import ReferenceColumns, ReferenceSets, as_list
from captious.errors import InputError, short_repr
from captious.metrics.base import Metric
from captious.metrics.function import ScoreFunction
from captious.registry import Selection, select_and_warn
from captious.scorer import Scorer
from captious.signature import parse_weighted_addresses

Rewards = npt.NDArray[np.float32]
# One metric by address or as it is, several as `cider_d=1,captious=.5`, or weights of each.
RewardNames = str | Metric | ScoreFunction | Mapping[Any, float]

__all__ = ["Reward", "advantages"]

WEIGHT = Bounds(-1e9, 1e9, with_most=True)
END_WORD = "endofcaption"  # a single word to the tokenizer, and in no real caption


class Reward:
    """The reward of captions given as token ids: a metric, or a weighted sum of several.

    `vocabulary` has the word of each id, and `end` is the id that ends a caption; ids after it do
    not count, nor do the `skipped` ones (padding, a beginning), wherever they stand.

    With `end_word`, the end is a word of candidates and references. An n-gram metric then rewards
    captions that end as people's do; without it, one that stops in "with a" loses nothing. A
    caption without an end, because it was cut off, does not have that word.
    """

    @check_arguments
    def __init__(
        self,
        references: ReferenceSets | ReferenceColumns,
        metrics: RewardNames = "cider_d",
        *,
        vocabulary: Iterable[str],
        end: int,
        skipped: Iterable[int] = (),
        end_word: bool = False,
        tokenizer: str = "ptb",
        cache: bool = True,
    ) -> None:
        self.weights, selection = _parse_weights(metrics)
        self._words = np.array(_check_words(vocabulary), dtype=object)
        self._end = self._check_id(end, "end")
        self._skipped = [self._check_id(each, "skipped") for each in as_list(skipped, "skipped")]
        self._end_word = end_word
        if end_word:
            references = _add_end_word(references)
        self._scorer = Scorer(references, selection, tokenizer=tokenizer, cache=cache)
        self.signature = "+".join(  # what rewards depend on, beside references and tokenizer
            str(metric.signature()) for metric in selection.metrics
        )

    def __call__(self, ids: Any, images: Iterable[Hashable]) -> Any:
        """The reward of each caption: ids in an array (captions, length), or (images, samples,
        length), and the image of each of its first rows, by the references' id or place.

        Rewards are an array, or, of ids in a tensor of PyTorch, a tensor on its device.
        """
        array = as_integers(ids, "ids")
        if array.ndim not in (2, 3):
            raise InputError(
                f"ids: expected an array (captions, length) or (images, samples, length), found "
                f"shape {array.shape}"
            )
        named = as_list(images.tolist() if hasattr(images, "tolist") else images, "images")
        if len(named) != len(array):
            raise InputError(f"{len(array)} rows of ids but {len(named)} images; give one for each")
        if array.ndim == 3:
            named = [image for image in named for _ in range(array.shape[1])]
        captions, has_end = self._decode(
            array.reshape(math.prod(array.shape[:-1]), array.shape[-1])
        )
        if self._end_word:
            captions = [
                f"{caption} {END_WORD}" if is_whole else caption
                for caption, is_whole in zip(captions, has_end, strict=True)
            ]
        return _match_array_type(self._compute(captions, named).reshape(array.shape[:-1]), ids)

    def of_captions(self, captions: Iterable[str], images: Iterable[Hashable]) -> Rewards:
        """The reward of captions that are texts already, whole ones, each with its image."""
        texts = as_list(captions, "captions")
        if self._end_word:
            texts = [f"{text} {END_WORD}" if isinstance(text, str) else text for text in texts]
        return self._compute(texts, as_list(images, "images"))

    def captions(self, ids: Any) -> list[str]:
        """The captions that an array of ids (captions, length) stands for."""
        array = as_integers(ids, "ids")
        if array.ndim != 2:
            raise InputError(f"ids: expected an array (captions, length), found {array.shape}")
        return self._decode(array)[0]

    def _compute(self, captions: list[str], images: list[Hashable]) -> Rewards:
        if not captions:
            return np.zeros(0, np.float32)
        scores = self._scorer.score(captions, ids=images).samples
        total = sum(weight * scores[column] for column, weight in self.weights.items())
        return np.asarray(total, np.float32)

    def _decode(self, ids: IntArray) -> tuple[list[str], list[bool]]:
        """Return captions, and whether each has an end."""
        out_of_range = ids[(ids < 0) | (ids >= len(self._words))]
        if len(out_of_range):
            raise InputError(
                f"ids: {out_of_range[0]} is the id of no word; the vocabulary has "
                f"{len(self._words)}"
            )
        is_end = ids == self._end
        counts = np.cumsum(is_end, 1) == 0
        counts &= ~np.isin(ids, self._skipped)
        captions = [
            " ".join(words[kept]) for words, kept in zip(self._words[ids], counts, strict=True)
        ]
        return captions, is_end.any(1).tolist()

    def _check_id(self, value: Any, what: str) -> int:
        check_number(what, value, Bounds(0, len(self._words), whole=True))
        return int(value)


@check_arguments
def advantages(rewards: Any, greedy: Any = None) -> Any:
    """How much better each sample is than a baseline: rewards in an array (images, samples).

    The baseline is the reward of each image's `greedy` caption (self-critical training); without
    it, the mean of the image's other samples. Of a tensor of PyTorch, the result is a tensor.
    """
    array = as_floats(rewards, "rewards")
    if array.ndim != 2:
        raise InputError(f"rewards: expected an array (images, samples), found {array.shape}")
    images, samples = array.shape
    if greedy is not None:
        baseline = as_floats(greedy, "greedy")
        if baseline.shape != (images,):
            raise InputError(f"greedy: expected {images} rewards, found shape {baseline.shape}")
        baseline = baseline[:, None]
    elif samples < 2:
        raise InputError("rewards: one sample per image has no others; sample two or more")
    else:
        baseline = (array.sum(1, keepdims=True) - array) / (samples - 1)
    return _match_array_type(np.asarray(array - baseline, np.float32), rewards)


def _match_array_type(values: Rewards, given: Any) -> Any:
    """Return the array, or a tensor on the same device if a tensor of PyTorch was given."""
    torch = sys.modules.get("torch")  # not imported here: a caller with a tensor has imported it
    if torch is None or not isinstance(given, torch.Tensor):
        return values
    return torch.as_tensor(values, device=given.device)


def _parse_weights(metrics: RewardNames) -> tuple[dict[str, float], Selection]:
    """Return the weight of each column, and the metrics that have them, each created once."""
    if isinstance(metrics, str):
        terms: list[tuple[Any, float]] = [
            (str(address), weight) for address, weight in parse_weighted_addresses(metrics)
        ]
    elif isinstance(metrics, Mapping):
        terms = list(metrics.items())
    else:
        terms = [(metrics, 1.0)]
    weights: dict[str, float] = {}
    metrics_by_name: dict[str, Metric] = {}
    for name, weight in terms:
        chosen = select_and_warn(name)
        column = _column(name, chosen)
        check_number(f"weight of {column}", weight, WEIGHT)
        metric = metrics_by_name.setdefault(chosen.metrics[0].name, chosen.metrics[0])
        if column in weights or metric.signature() != chosen.metrics[0].signature():
            raise InputError(f"{column}: rewarded twice; give each metric one weight")
        weights[column] = float(weight)
    if not weights:
        raise InputError("no reward: name a metric, such as cider_d")
    return weights, Selection(tuple(metrics_by_name.values()), tuple(weights))


def _column(name: object, chosen: Selection) -> str:
    """Return the single column that an address means; of several, the one named like its metric."""
    metric = chosen.metrics[0]
    if len(chosen.metrics) > 1:
        raise InputError(f"{short_repr(name)}: a group is no reward; name its metrics with weights")
    if len(chosen.columns) == 1:
        return chosen.columns[0]
    if metric.name in chosen.columns:
        return metric.name
    columns = ", ".join(chosen.columns)
    raise InputError(f"{metric.name}: a reward is one column; name one of {columns}")


def _add_end_word(references: ReferenceSets | ReferenceColumns) -> ReferenceColumns:
    columns = (
        references if isinstance(references, ReferenceColumns) else ReferenceColumns.of(references)
    )
    captions = [f"{caption} {END_WORD}" for caption in columns.captions]
    return ReferenceColumns(columns.ids, captions, columns.offsets, columns.images)


def _check_words(vocabulary: Iterable[str]) -> Sequence[str]:
    words = as_list(vocabulary, "vocabulary")
    other = next((number for number, word in enumerate(words) if not isinstance(word, str)), None)
    if other is not None:
        raise InputError(f"vocabulary: word {other} is {short_repr(words[other])}, not a text")
    if not words:
        raise InputError("vocabulary: no words")
    return words
