"""SPIDEr: the mean of SPICE and CIDEr-D, or of SPICE and plain CIDEr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.cider.cider import Cider, CiderD
from captious.metrics.cider.document_frequencies import FrequencySource, df_parameter, df_signature
from captious.metrics.parameters import parameter
from captious.metrics.spice import Spice
from captious.samples import References, Samples

KINDS: dict[str, type[Cider]] = {kind.name: kind for kind in (CiderD, Cider)}


@dataclass(frozen=True)
class Spider(Metric):
    """Mean of SPICE and a CIDEr.

    The toolkit takes CIDEr-D; NNEval's and LCEval's papers take CIDEr.
    """

    df: FrequencySource = df_parameter()
    cider: str = parameter(CiderD.name, "which CIDEr to average with SPICE", choices=tuple(KINDS))

    name = "spider"
    uses_document_frequencies = True
    description = "mean of SPICE and CIDEr-D (Liu et al., 2017)"
    english = "SPICE's parser and synonyms"
    bounds = (0.0, 5.5)

    def parts(self) -> tuple[Metric, Metric]:
        """The two metrics whose mean this is."""
        return Spice(), KINDS[self.cider](df=self.df)

    def prepare(self, references: References) -> list[Any]:
        """Prepare both parts."""
        return [part.prepare(references) for part in self.parts()]

    def statistics(self, samples: Samples, prepared: list[Any]) -> FloatArray:
        """The score of each sample."""
        spice, cider = (
            part.scores(part.statistics(samples, ready))[:, 0]
            for part, ready in zip(self.parts(), prepared, strict=True)
        )
        return mean_statistics((spice + cider) / 2)

    def depends_on(self) -> dict[str, Any]:
        """Where document frequencies come from, and both parts' signatures."""
        parts = [part.signature() for part in self.parts()]
        return {"df": df_signature(self.df), "parts": parts}
