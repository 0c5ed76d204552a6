"""A glance: whether something grave is wrong with captions that are being scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.corpus import Corpus
from captious.diagnostics.check.catalogue import looks_at
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import GRAVE
from captious.diagnostics.check.kinds import language
from captious.errors import warn
from captious.metrics.base import Metric
from captious.samples import References, Samples
from captious.text.tokens import Tokens

GLANCED_AT = 1000  # samples that scoring looks at
CUT_BEFOREHAND = "whitespace"
FEWEST_AT_A_GLANCE = 20  # samples below which scoring says nothing, but of another language


def are_in_another_language(corpus: Corpus, tokenizer: str) -> bool:
    """Whether neither candidates nor references seem to be English, by a part of them."""
    if tokenizer == CUT_BEFOREHAND or not corpus.references.are_complete:
        return False
    some = corpus.take(_rows_at_a_glance(len(corpus)))
    samples = Samples(some.candidates, some.images, References.of(some.references, tokenizer))
    finding = language.find(Evidence(samples, range(len(some))))
    return (
        finding is not None
        and finding.severity == GRAVE
        and finding.figures["of_references"] >= language.GRAVE_SHARE
    )


def warn_at_a_glance(
    candidates: Sequence[str],
    images: IntArray,
    references: References,
    language_scored: str,
    metrics: Iterable[Metric],
    who: str = "",
) -> None:
    """Warn of the first grave finding in a part of the candidates, beside their references.

    Of what moves some metrics alone, only where one of these is scored, by itself or as a part.

    Costs milliseconds: it reads what scoring has analysed, and nothing where no metric asked for
    words.
    """
    if not references.analysis.has(Tokens):
        return
    rows = _rows_at_a_glance(len(candidates))
    samples = Samples([candidates[row] for row in rows.tolist()], images[rows], references)
    evidence = Evidence(samples, rows.tolist(), language_scored)
    looks = [look for look in looks_at(language_scored) if look.at_a_glance]
    if references.analysis.tokenizer == CUT_BEFOREHAND:  # in whatever language, and on purpose
        looks = [look for look in looks if look.name != "language"]
    if len(rows) < FEWEST_AT_A_GLANCE:
        looks = [look for look in looks if look.name == "language"]
    scored = {each.name for metric in metrics for each in metric.with_parts()}
    for look in looks:
        if look.touches and scored.isdisjoint(look.touches):
            continue
        finding = look.find(evidence)
        if finding is not None and finding.severity == GRAVE:
            message = f"{who}{': ' * bool(who)}{finding.line} (details: `captious check`)"
            warn(message, about=f"finding {finding.name} {who}")
            return


def _rows_at_a_glance(count: int) -> IntArray:
    return np.arange(0, count, -(-count // GLANCED_AT))
