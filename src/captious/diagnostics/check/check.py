"""Check captions for problems that distort their scores."""

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
    id_as_text,
    ids_as_text,
)
from captious.diagnostics.check.catalogue import checks_for
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import SEVERITIES, Finding, Findings
from captious.diagnostics.check.id_matching import IdMatch
from captious.diagnostics.check.kinds.coverage import find_ids
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions, tables_from_frames
from captious.io.captions import match_references
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
    if tables := tables_from_frames(candidates, references, reading):
        return check_tables(tables, reading, tokenizer, language)
    corpus, id_match = _match_ids(candidates, references)
    return _findings(corpus, id_match, tokenizer, language)


def check_tables(
    tables: Sequence[InputTable], reading: ReadOptions, tokenizer: str | None, language: str
) -> Findings:
    """Check the rows of files or of tables in memory; ids are compared as text."""
    corpus, by_id = match_references(tables, reading, needs_references=False)
    reference_ids = [image for image, captions in by_id.items() if captions]
    if not reference_ids:
        raise InputError(
            f"{tables[0].path}: no references; add a column 'references', or name them "
            f"with {tables[0].option('references')}"
        )
    id_match = IdMatch.of(map(id_as_text, corpus.references.ids), reference_ids)
    has_references = np.diff(corpus.references.offsets)[corpus.images] > 0
    matched = corpus.take(np.flatnonzero(has_references)) if has_references.any() else None
    return _findings(matched, id_match, tokenizer, language)


def _findings(
    corpus: Corpus | None, id_match: IdMatch, tokenizer: str | None, language: str
) -> Findings:
    """Run all checks on the samples whose ids match, if there are any."""
    language = language_code(language)
    if corpus is None:
        empty = Evidence(_empty_samples(), [], language, id_match)
        return Findings(_sort_by_severity([find_ids(empty)]), {"samples": 0})
    with pause_garbage_collection():
        prepared = References.of(corpus.references, tokenizer_for(language, tokenizer))
        samples = Samples(corpus.candidates, corpus.images, prepared)
        images = [corpus.references.ids[image] for image in corpus.images.tolist()]
        evidence = Evidence(samples, images, language, id_match)
        return Findings(find_all(evidence), _facts(evidence))


def _match_ids(
    candidates: Captions | Corpus, references: ReferenceSets | None
) -> tuple[Corpus | None, IdMatch]:
    """Return the samples whose ids match, if any, and how all ids matched."""
    if isinstance(candidates, Corpus):
        if references is not None:
            raise InputError("a corpus has its references already; drop the other ones")
        if not candidates.references.are_complete:
            raise InputError("a corpus with candidates that have no references; give dicts by id")
        return candidates, IdMatch(len(candidates))
    if references is None:
        raise InputError("no references given")
    if not (isinstance(candidates, Mapping) and isinstance(references, Mapping)):
        corpus = Corpus.of(candidates, references)
        return corpus, IdMatch(len(corpus))
    if not candidates or not references:
        raise InputError("no samples: there is nothing to check")
    for ids_of_one_side in (candidates, references):
        ids_as_text(ids_of_one_side)  # examples name them as text
    for image, caption in candidates.items():
        check_caption(image, caption)
    id_match = IdMatch.of(candidates, references)
    absent = set(id_match.without_references)
    matched = {image: caption for image, caption in candidates.items() if image not in absent}
    return (Corpus.of(matched, references) if matched else None), id_match


def find_all(evidence: Evidence) -> tuple[Finding, ...]:
    """Run all checks on prepared samples; the most severe finding comes first."""
    return _sort_by_severity([check.find(evidence) for check in checks_for(evidence.language)])


def _sort_by_severity(findings: Sequence[Finding | None]) -> tuple[Finding, ...]:
    present = [finding for finding in findings if finding is not None]
    return tuple(sorted(present, key=lambda each: SEVERITIES.index(each.severity)))


def _facts(evidence: Evidence) -> dict[str, float]:
    words, reference_words = evidence.mean_words()
    return {
        "samples": len(evidence),
        "images": len(evidence.samples.references),
        "references": len(evidence.samples.references.rows.values),
        "words": words,
        "reference_words": reference_words,
        "kept": float(evidence.mean_length_penalty().mean()),
        "distinct": len(np.unique(evidence.word_sequence_ids())) / len(evidence),
    }


def _empty_samples() -> Samples:
    no_images: IntArray = np.zeros(0, np.int64)
    return Samples([], no_images, References.of(ReferenceColumns.from_sets([], [])))
