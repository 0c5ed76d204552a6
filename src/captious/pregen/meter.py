"""PregenMeter: collects word probabilities batch by batch, then computes metrics."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.pregen.inputs import FlatCaptions, flatten_captions, logits_to_probabilities
from captious.pregen.names import BEST, MetricNames, check_variant, select
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import pregen_scores


class PregenMeter:
    """Collects a captioner's probabilities of reference captions during validation.

    Captions of one image may come in different batches: ids of images bring them together.
    """

    @check_arguments
    def __init__(self, metrics: MetricNames = BEST, *, variant: str = "paper") -> None:
        check_variant(variant)
        self.metrics = tuple(metric.name for metric in select(metrics))
        self.variant = variant
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._batches: list[FlatCaptions] = []
        self._unnamed = 0  # images that came without an id so far
        self._is_named: bool | None = None

    def update(
        self,
        probabilities: Any,
        is_first: Any,
        *,
        lengths: Any = None,
        mask: Any = None,
        images: Any = None,
    ) -> None:
        """Add a batch, in any layout that `WordProbabilities.of` takes."""
        is_named = images is not None
        if self._is_named not in (None, is_named):
            raise InputError("give ids of images with every batch, or with none")
        flat = flatten_captions(
            probabilities,
            is_first,
            lengths=lengths,
            mask=mask,
            images=images,
            first_image=self._unnamed,
        )
        self._batches.append(flat)
        self._is_named = is_named
        if not is_named:
            self._unnamed += len(probabilities)

    def update_logits(
        self, logits: Any, targets: Any, *, mask: Any = None, images: Any = None
    ) -> None:
        """Add a batch of logits, one row over the vocabulary for each reference word.

        `targets` are the words (ids) that the logits predict, the end token being the last;
        without a mask, negative ones (PyTorch's -100) are padding.
        """
        given, first, is_word = logits_to_probabilities(logits, targets, mask)
        self.update(given, first, mask=is_word, images=images)

    @property
    def words(self) -> WordProbabilities:
        """Everything collected so far."""
        if not self._batches:
            raise InputError("the meter is empty; update it with a batch first")
        *arrays, images = zip(*self._batches, strict=True)
        given, first, lengths = map(np.concatenate, arrays)
        return WordProbabilities.of_captions(given, first, lengths, list(chain(*images)))

    def compute(self) -> dict[str, float]:
        """The value of each metric by name."""
        return pregen_scores(self.words, self.metrics, variant=self.variant)

    def value(self) -> float:
        """The value of the first metric."""
        return self.compute()[self.metrics[0]]
