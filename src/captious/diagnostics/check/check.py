"""Check: why scores of these captions are what they are, before anybody asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.garbage_collection import pause_garbage_collection
from captious.corpus import (
    Captions,
    Corpus,
    ReferenceColumns,
    ReferenceSets,
    check_caption,
    id_text,
    texts_of_ids,
)
from captious.diagnostics.check.catalogue import looks_at
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import SEVERITIES, Finding
from captious.diagnostics.check.findings import Findings
from captious.diagnostics.check.kinds import ids
from captious.diagnostics.check.meeting import Meeting
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions
from captious.io.captions import paired
from captious.io.frames import tables_in_memory
from captious.io.input_tables import InputTable
from captious.samples import References, Samples
from captious.text.languages import ENGLISH, language_code, tokenizer_for


@check_arguments
def check(
    candidates: Captions | Corpus,
    references: ReferenceSets | None = None,
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    repeated: bool = False,
    tokenizer: str | None = None,
    language: str = ENGLISH,
) -> Findings:
    """Find what distorts scores of captions; they are given as to `score`, tables included.

    Ids that do not match are a finding, not an error.
    """
    reading = ReadOptions(columns or {}, repeated=repeated)
    if tables := tables_in_memory(candidates, references, reading):
        return check_tables(tables, reading, tokenizer, language)
    corpus, meeting = _met(candidates, references)
    return _findings(corpus, meeting, tokenizer, language)


def check_tables(
    tables: Sequence[InputTable], reading: ReadOptions, tokenizer: str | None, language: str
) -> Findings:
    """The same for the rows of files or of tables in memory; ids are compared as text."""
    corpus, by_id = paired(tables, reading, needs_references=False)
    reference_ids = [image for image, captions in by_id.items() if captions]
    if not reference_ids:
        raise InputError(
            f"{tables[0].path}: no references; add a column 'references', or name them "
            f"with {tables[0].option('references')}"
        )
    meeting = Meeting.of(map(id_text, corpus.references.ids), reference_ids)
    has_references = np.diff(corpus.references.offsets)[corpus.images] > 0
    met = corpus.take(np.flatnonzero(has_references)) if has_references.any() else None
    return _findings(met, meeting, tokenizer, language)


def _findings(
    corpus: Corpus | None, meeting: Meeting, tokenizer: str | None, language: str
) -> Findings:
    """What is found in samples whose ids meet, if there are any."""
    language = language_code(language)
    if corpus is None:
        nothing = Evidence(_no_samples(), [], language, meeting)
        return Findings(_gravest_first([ids.find(nothing)]), {"samples": 0})
    with pause_garbage_collection():
        prepared = References.of(corpus.references, tokenizer_for(language, tokenizer))
        samples = Samples(corpus.candidates, corpus.images, prepared)
        images = [corpus.references.ids[image] for image in corpus.images.tolist()]
        evidence = Evidence(samples, images, language, meeting)
        return Findings(found_in(evidence), _facts(evidence))


def _met(
    candidates: Captions | Corpus, references: ReferenceSets | None
) -> tuple[Corpus | None, Meeting]:
    """The samples whose ids meet, if any, and how all ids met."""
    if isinstance(candidates, Corpus):
        if references is not None:
            raise InputError("a corpus has its references already; drop the other ones")
        if not candidates.references.are_complete:
            raise InputError("a corpus with candidates that have no references; give dicts by id")
        return candidates, Meeting(len(candidates))
    if references is None:
        raise InputError("no references given")
    if not (isinstance(candidates, Mapping) and isinstance(references, Mapping)):
        corpus = Corpus.of(candidates, references)
        return corpus, Meeting(len(corpus))
    if not candidates or not references:
        raise InputError("no samples: there is nothing to check")
    for ids_of_one_side in (candidates, references):
        texts_of_ids(ids_of_one_side)  # examples name them as text
    for image, caption in candidates.items():
        check_caption(image, caption)
    meeting = Meeting.of(candidates, references)
    absent = set(meeting.without_references)
    met = {image: caption for image, caption in candidates.items() if image not in absent}
    return (Corpus.of(met, references) if met else None), meeting


def found_in(evidence: Evidence) -> tuple[Finding, ...]:
    """What is found in samples that somebody has made, gravest first."""
    return _gravest_first([look.find(evidence) for look in looks_at(evidence.language)])


def _gravest_first(found: Sequence[Finding | None]) -> tuple[Finding, ...]:
    real = [finding for finding in found if finding is not None]
    return tuple(sorted(real, key=lambda each: SEVERITIES.index(each.severity)))


def _facts(evidence: Evidence) -> dict[str, float]:
    words, reference_words = evidence.mean_words()
    return {
        "samples": len(evidence),
        "images": len(evidence.samples.references),
        "references": len(evidence.samples.references.rows.values),
        "words": words,
        "reference_words": reference_words,
        "kept": float(evidence.kept().mean()),
        "distinct": len(np.unique(evidence.worded_alike())) / len(evidence),
    }


def _no_samples() -> Samples:
    nobody: IntArray = np.zeros(0, np.int64)
    return Samples([], nobody, References.of(ReferenceColumns.joined([], [])))
