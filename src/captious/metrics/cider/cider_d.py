"""CIDEr-D: what the COCO toolkit calls CIDEr, made hard to game by clipping and by length."""

from __future__ import annotations

from dataclasses import dataclass

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.bounds import Bounds
from captious.metrics.cider.cider import Cider, TfIdf
from captious.metrics.cider.length_penalty import SIGMA, length_penalty
from captious.metrics.parameters import parameter
from captious.samples import Samples


@dataclass(frozen=True)
class CiderD(Cider):
    """CIDEr with weights clipped to the reference's and a Gaussian penalty on length."""

    # Within these bounds, twice the square is a number that can be divided by.
    sigma: float = parameter(
        SIGMA, "the width of the length penalty", bounds=Bounds(1e-6, 1e6, with_most=True)
    )

    name = "cider_d"
    columns = ("cider_d",)
    description = "CIDEr with clipping and a length penalty; the toolkit's CIDEr"

    def similarities(self, samples: Samples, prepared: TfIdf) -> FloatArray:
        """Return the clipped cosine of each pair, times its length penalty."""
        penalty = length_penalty(samples, self.sigma)
        return prepared.cosines(samples, self.n, clip=True) * penalty[:, None]
