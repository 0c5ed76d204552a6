"""Everything that a score depends on, in one line to paste into a paper."""

from __future__ import annotations

from captious.catalogue import Selection
from captious.resampling import RESAMPLES, SEED
from captious.samples import References
from captious.version import __version__


def signature_of(selection: Selection, references: References) -> str:
    """Version, references, tokenizer, the metrics with their choices, and the bootstrap."""
    return "|".join(
        [
            f"captious:{__version__}",
            f"tokenizer:{references.analysis.tokenizer}",
            *(metric.signature() for metric in selection.metrics),
            f"bootstrap:{RESAMPLES},seed={SEED}",
            f"images:{len(references)}",
            f"references:{len(references.rows.values)}",
        ]
    )
