"""Self-CIDEr: diversity of one image's captions from the spectrum of their similarities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.diagnostics.diversity.systems import CaptionsByImage
from captious.metrics.cider.cider import Cider, CiderD, TfIdf
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.names import DIVERSITY
from captious.metrics.parameters import PAPER, Parameterized, parameter, variant_parameter
from captious.samples import References

DEFAULT_FREQUENCIES = "coco-val2014"


@dataclass(frozen=True)
class SelfCider(Parameterized):
    """Diversity of an image's captions from the eigenvalues of their similarities.

    Of m captions, K has the CIDEr of each beside each; r is the share that the root of K's largest
    eigenvalue has in the sum of all roots. The score is -log(r) / log(m): 0 where all captions are
    one, 1 where no two have an n-gram in common. The variant `released` has CIDEr-D in place of
    CIDEr, which depends on the order of captions that say a word twice.
    """

    df: DocumentFrequencies | str | Path = parameter(
        DEFAULT_FREQUENCIES, "document frequencies: coco-val2014, or a file made by `captious df`"
    )
    variant: str = variant_parameter()

    name = DIVERSITY

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.kernel  # document frequencies that cannot be read are said now

    @cached_property
    def kernel(self) -> Cider:
        """The metric that compares two captions."""
        return Cider(self.df) if self.variant == PAPER else CiderD(self.df)

    @property
    def depends_on_order(self) -> bool:
        """Whether scores can depend on the order of an image's captions."""
        return self.variant != PAPER

    def depends_on(self) -> dict[str, Any]:
        """The source of the document frequencies."""
        return self.kernel.depends_on()

    def prepare(self, pool: References) -> TfIdf:
        """The weights of all n-grams."""
        return self.kernel.prepare(pool)

    def scores(self, images: CaptionsByImage, prepared: TfIdf) -> FloatArray:
        """The score of each image."""
        pairs = self.kernel.similarities(images.beside_all, prepared).mean(axis=1)
        counts = images.rows.lengths
        starts = np.cumsum(counts**2) - counts**2
        scores = np.empty(len(counts))
        for count in np.unique(counts).tolist():  # matrices of one size at once
            of_size = np.flatnonzero(counts == count)
            places = starts[of_size][:, None] + np.arange(count**2)
            scores[of_size] = diversity_of_similarities(pairs[places].reshape(-1, count, count))
        return scores


def diversity_of_similarities(similarities: FloatArray) -> FloatArray:
    """The diversity of captions from matrices of their similarities, of which one half counts."""
    count = similarities.shape[-1]
    # As singular values: CIDEr-D's matrix need not be positive.
    values = np.sort(np.abs(np.linalg.eigvalsh(similarities, UPLO="U")), axis=-1)
    # What is no larger than rounding is nothing; its root would be a thousand times larger.
    rounding = values[:, -1:] * count * np.finfo(np.float64).eps
    roots = np.sqrt(np.where(values > rounding, values, 0.0))
    sums = roots.sum(axis=-1)
    share = np.divide(roots[:, -1], sums, out=np.ones(len(sums)), where=sums > 0)
    scores: FloatArray = -np.log(share) / np.log(count)
    return scores + 0.0  # no negative zero
