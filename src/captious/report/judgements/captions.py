"""The judged captions beside their references, and what is known of their words and scenes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.corpus import ReferenceColumns
from captious.diagnostics.check.check import find_all
from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import GRAVE, Finding
from captious.io.cache import AnalysisCache
from captious.meta.judgements import Judgements
from captious.report.browser.contents import SceneTuple, SeriesFinding
from captious.report.systems.caption_data import MAX_PARSED_CAPTIONS, page_findings
from captious.report.systems.caption_words import CaptionWords
from captious.report.systems.scenes import CaptionScenes, ReferenceScenes
from captious.samples import References, Samples


@dataclass(frozen=True, eq=False)
class JudgedCaptions:
    """The captions of one series after another, and which set of references each row has."""

    series: Sequence[Sequence[str]]
    sets: IntArray
    references: References

    @classmethod
    def of(cls, judgements: Judgements, cache: AnalysisCache | None) -> JudgedCaptions:
        """Collect the captions of judgements; equal references are one set, analysed once."""
        numbers: dict[tuple[str, ...], int] = {}
        sets = [numbers.setdefault(tuple(each), len(numbers)) for each in judgements.references]
        ids: list[Hashable] = list(range(len(numbers)))
        references = References.of(ReferenceColumns.from_sets(ids, list(numbers)), cache=cache)
        series = list(zip(*judgements.captions, strict=True))
        return cls(series, np.array(sets, np.int64), references)

    def findings(self, ids: Sequence[str]) -> list[tuple[Finding, ...]]:
        """Return the findings of `captious check` on each series' captions."""
        return [
            find_all(Evidence(Samples(captions, self.sets, self.references), ids))
            for captions in self.series
        ]


@dataclass(frozen=True, eq=False)
class CaptionExplanations:
    """Findings, words and scene graphs of each series' captions; the latter two only in English."""

    findings: list[SeriesFinding]
    words: list[CaptionWords] | None = None
    scenes: list[CaptionScenes] | None = None
    reference_scenes: list[list[SceneTuple]] | None = None
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls, judged: JudgedCaptions, names: Sequence[str], ids: Sequence[str], scenes: bool
    ) -> CaptionExplanations:
        """Find problems, unsupported words and, with `scenes`, scene graphs."""
        findings, rows = judged.findings(ids), set(ids)
        found = [
            each
            for name, several in zip(names, findings, strict=True)
            for each in page_findings(name, several, rows)
        ]
        if any(_is_foreign(each) for several in findings for each in several):
            return cls(
                found, notes=["unsupported words and scene graphs are known of English alone"]
            )
        references, sets = judged.references, judged.sets
        words = [CaptionWords.of(each, sets, references, explained=True) for each in judged.series]
        if not scenes:
            note = "scene graphs are shown where SPICE is among the metrics"
            return cls(found, words, notes=[note])
        count = len(references.analysis.captions) + len(set().union(*judged.series))
        if count > MAX_PARSED_CAPTIONS:
            note = f"no scene graphs: {count:,} different captions would be parsed"
            return cls(found, words, notes=[note])
        of_sets = ReferenceScenes.of(references)
        return cls(
            found,
            words,
            [CaptionScenes.of(each, sets, references, of_sets) for each in judged.series],
            [of_sets.tuples[each] for each in sets.tolist()],
        )


def _is_foreign(finding: Finding) -> bool:
    return finding.name == "language" and finding.severity == GRAVE
