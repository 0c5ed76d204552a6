"""The judged captions beside their references, and what is known of their words and scenes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from captious.arrays.ragged import IntArray
from captious.cache import AnalysisCache
from captious.corpus import ReferenceColumns
from captious.findings.catalogue import looks_at
from captious.findings.evidence import Evidence
from captious.findings.finding import GRAVE, Finding
from captious.meta.judgements import Judgements, image_names
from captious.report.systems.caption_words import CaptionWords
from captious.report.systems.scenes import ReferenceScenes, caption_scenes
from captious.samples import References, Samples
from captious.text.languages import ENGLISH


@dataclass(frozen=True, eq=False)
class JudgedCaptions:
    """The captions of one series after another, and which set of references each row has."""

    sides: Sequence[Sequence[str]]
    sets: IntArray
    references: References

    @classmethod
    def of(cls, judgements: Judgements, cache: AnalysisCache | None) -> JudgedCaptions:
        """Captions of equal references have one set, which is analysed once."""
        numbers: dict[tuple[str, ...], int] = {}
        sets = [numbers.setdefault(tuple(each), len(numbers)) for each in judgements.references]
        ids: list[Hashable] = list(range(len(numbers)))
        references = References.of(ReferenceColumns.joined(ids, list(numbers)), cache=cache)
        return cls(list(zip(*judgements.captions, strict=True)), np.array(sets), references)

    def findings(self, side: int, ids: Sequence[str]) -> list[Finding]:
        """What `captious check` says of one side's captions, as far as it concerns judged ones."""
        evidence = Evidence(Samples(self.sides[side], self.sets, self.references), ids)
        found = (look.find(evidence) for look in looks_at(ENGLISH))
        return [finding for finding in found if finding is not None]
