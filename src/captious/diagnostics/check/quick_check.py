"""Quick check while scoring: warn of grave problems in a part of the captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.corpus import Corpus
from captious.diagnostics.check.catalogue import checks_for
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import GRAVE
from captious.diagnostics.check.kinds.language import GRAVE_SHARE, find_language
from captious.errors import warn
from captious.metrics.base import Metric
from captious.samples import References, Samples, unique_rows
from captious.text.analysis import Analysis
from captious.text.sentences import Sentences
from captious.text.tokens import Tokens

MAX_SAMPLES_CHECKED = 1000  # evenly spaced ones, while scoring
PRETOKENIZED = "whitespace"
MIN_SAMPLES = 20  # with fewer, scoring warns of another language only


def seems_non_english(corpus: Corpus, tokenizer: str) -> bool:
    """Whether neither candidates nor references seem to be English, judged by a part of them."""
    if tokenizer == PRETOKENIZED or not corpus.references.are_complete:
        return False
    some = corpus.take(_evenly_spaced_rows(len(corpus)))
    samples = Samples(some.candidates, some.images, References.of(some.references, tokenizer))
    finding = find_language(Evidence(samples, range(len(some))))
    return (
        finding is not None
        and finding.severity == GRAVE
        and finding.figures["of_references"] >= GRAVE_SHARE
    )


def warn_on_grave_finding(
    candidates: Sequence[str],
    images: IntArray,
    references: References,
    language_scored: str,
    metrics: Iterable[Metric],
    system: str = "",
) -> None:
    """Warn of the first grave finding in a part of the candidates and their references.

    A check that affects some metrics only runs if one of these is scored, by itself or as a part.

    Costs milliseconds: it reuses the analysis made for scoring, and does nothing if no metric has
    tokenized the captions or split them into sentences.
    """
    if not (references.analysis.has(Tokens) or references.analysis.has(Sentences)):
        return
    rows = _evenly_spaced_rows(len(candidates))
    samples = _samples_to_check(
        [candidates[row] for row in rows.tolist()], images[rows], references
    )
    evidence = Evidence(samples, rows.tolist(), language_scored)
    checks = [check for check in checks_for(language_scored) if check.during_scoring]
    if references.analysis.tokenizer == PRETOKENIZED:  # in whatever language, and on purpose
        checks = [check for check in checks if check.name != "language"]
    if len(rows) < MIN_SAMPLES:
        checks = [check for check in checks if check.name == "language"]
    scored = {each.name for metric in metrics for each in metric.with_parts()}
    for check in checks:
        if check.affected_metrics and scored.isdisjoint(check.affected_metrics):
            continue
        finding = check.find(evidence)
        if finding is not None and finding.severity == GRAVE:
            message = f"{system}{': ' * bool(system)}{finding.line} (details: `captious check`)"
            warn(message, about=f"finding {finding.name} {system}")
            return


def _samples_to_check(
    candidates: Sequence[str], images: IntArray, references: References
) -> Samples:
    """Return samples that do not tokenize the references unless a check reads their tokens."""
    if references.analysis.has(Tokens):
        return Samples(candidates, images, references)
    unique, rows = unique_rows(candidates)
    analysis = Analysis(unique, references.analysis.tokenizer)
    return Samples.of_analysis(analysis, rows, images, references)


def _evenly_spaced_rows(count: int) -> IntArray:
    return np.arange(0, count, -(-count // MAX_SAMPLES_CHECKED))
