"""Coverage: candidates without references, references without candidates, too few images."""

from __future__ import annotations

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import (
    GRAVE,
    MAX_EXAMPLES,
    MINOR,
    NOTABLE,
    Example,
    Finding,
    format_percent,
)
from captious.errors import short_repr
from captious.metrics.cider.document_frequencies import MIN_RELIABLE_IMAGES


def find_ids(evidence: Evidence) -> Finding | None:
    """Find candidates whose ids have no references; `captious score` stops at these."""
    id_match = evidence.id_match
    absent = id_match.without_references
    if not absent:
        return None
    total = id_match.n_matched + len(absent)
    what = f"{len(absent):,} of {total:,} candidates have no references with their id"
    if id_match.without_candidates:
        there = short_repr(id_match.without_candidates[0], 60)
        what += f" (candidates have {short_repr(absent[0], 60)}, references {there})"
    advice = "provide the references of these images, or remove these candidates"
    if id_match.n_remedied:
        advice = f"{id_match.n_remedied:,} of them would match {id_match.remedy}; use the same ids"
    return Finding(
        "ids",
        GRAVE,
        what,
        advice,
        len(absent),
        total,
        figures={"met": id_match.n_matched, "would_meet": id_match.n_remedied},
        examples=tuple(Example(image, "no references") for image in absent[:MAX_EXAMPLES]),
    )


def find_unused_references(evidence: Evidence) -> Finding | None:
    """Find references that scoring ignores, e.g. when a split is scored against a whole file."""
    unused = evidence.id_match.without_candidates
    if not unused:
        return None
    total = evidence.id_match.n_matched + len(unused)
    share = len(unused) / total
    return Finding(
        "unused_references",
        MINOR,
        f"{len(unused):,} of {total:,} images with references ({format_percent(share)}) have no "
        "candidate and are not scored",
        "if the whole set should be scored, look for the missing candidates; document frequencies "
        "are counted over the scored images only",
        len(unused),
        total,
        "images",
        examples=tuple(Example(image, "no candidate") for image in unused[:MAX_EXAMPLES]),
    )


def find_document_frequencies(evidence: Evidence) -> Finding | None:
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
