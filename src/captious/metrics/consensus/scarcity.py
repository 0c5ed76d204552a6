"""Scarcity: the reciprocal of the number of references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.samples import Samples
from captious.text.tokens import Tokens


@dataclass(frozen=True)
class Scarcity(Metric):
    """1 divided by the number of non-empty references.

    It does not depend on the candidate. Consensus and support rise with the number of
    references; with it, `captious` is calibrated for one reference as well as for fifty.
    """

    name = "scarcity"
    columns = ("scarcity",)
    description = "1 / number of references, a feature of `captious`"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        has_words = samples.references.analysis.layer(Tokens).ids.lengths > 0
        numbers = np.add.reduceat(has_words[samples.pairs.values], samples.pairs.offsets[:-1])
        return averaged(1.0 / np.maximum(numbers, 1))
