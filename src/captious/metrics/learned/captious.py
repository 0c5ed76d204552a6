"""Captious: how likely it is that a caption was written for this image, and is well formed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import mean_statistics
from captious.metrics.form import Form
from captious.metrics.learned.features import FIXED, Feature, FeatureSet, Prepared
from captious.metrics.learned.metric import LearnedMetric, NetworkMetric, weights_parameter
from captious.samples import Samples

_CAPTION_SPACE_COLUMNS = ("consensus", "support_recall", "support_precision", "scarcity")

CAPTIOUS = FeatureSet("captious", tuple(map(Feature, _CAPTION_SPACE_COLUMNS)), FIXED)
CAPTIOUS_FULL = FeatureSet(
    "captious_full", tuple(map(Feature, (*_CAPTION_SPACE_COLUMNS, "encoder_consensus"))), FIXED
)


@dataclass(frozen=True)
class Captious(NetworkMetric):
    """The probability that the caption was written for this image and not another, times form.

    It comes from several similarities to the references; `form` is 1 for ordinary captions and
    falls where words are shuffled, repeated or missing at the end.
    """

    weights: str | Path = weights_parameter("captious.npz")

    name = "captious"
    description = "probability that the caption was written for this image, times form"

    def statistics(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The score of each sample."""
        form = self.form()
        form_scores = form.scores(form.statistics(samples, None))[:, 0]
        return mean_statistics(self.content(samples, prepared) * form_scores)

    def depends_on(self) -> dict[str, Any]:
        """The weights, every feature, and the table of word order."""
        return {**super().depends_on(), "form": self.form().signature()}

    def form(self) -> Form:
        """Return the metric of word order, of the weights' domain if they have one."""
        return Form(self.domain_source())


@dataclass(frozen=True)
class CaptiousFull(Captious):
    """`captious` with the similarity of a sentence encoder's embeddings as a further feature."""

    weights: str | Path = weights_parameter("captious_full.npz")

    name = "captious_full"
    description = "`captious` with a sentence encoder as a further feature"


@dataclass(frozen=True)
class DomainCaptious(LearnedMetric, Captious):
    """`captious` trained on the captions of a domain: the weights file is its address."""

    description = "`captious` for your own domain or language, from its file"
