"""Document frequencies from few images, which make CIDEr's weights unreliable."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import GRAVE, NOTABLE, Finding
from captious.metrics.cider.document_frequencies import MIN_RELIABLE_IMAGES


def find(evidence: Evidence) -> Finding | None:
    """Find corpora with too few images; with one image every n-gram weighs 0."""
    images = len(evidence.samples.references.documents)
    if images >= MIN_RELIABLE_IMAGES:
        return None
    effect = (
        "CIDEr and CIDEr-D are 0 for every caption"
        if images == 1
        else "CIDEr and CIDEr-D change with every added image"
    )
    advice = "use document frequencies of more images, counted by `captious df`"
    if evidence.is_english:
        advice = "use those of COCO (--df coco-val2014), or your own, counted by `captious df`"
    return Finding(
        "document_frequencies",
        GRAVE if images == 1 else NOTABLE,
        f"document frequencies come from {images} image{'s' * (images > 1)}: {effect}",
        advice,
        images,
        images,
        "images",
    )
