"""Data derived from the systems' captions and references, as far as results have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.corpus import Corpus, id_as_text
from captious.diagnostics.check.check import check
from captious.diagnostics.check.findings import Finding
from captious.diagnostics.diversity.diversity import Diversities
from captious.diagnostics.diversity.measuring import diversities
from captious.io.cache import default_cache
from captious.report.browser.contents import Attribute, SceneTuple, SeriesFinding
from captious.report.systems.caption_words import CaptionWords
from captious.report.systems.row_groupings import (
    SCENE_COUNTS,
    Grouping,
    groupings_by_captions,
    groupings_by_references,
)
from captious.report.systems.scenes import CaptionScenes, ReferenceScenes
from captious.report.systems.systems import Systems
from captious.samples import References, share_analysis
from captious.text.languages import ENGLISH

AUTO, YES, NO = SCENES = ("auto", "yes", "no")  # whether scene graphs are shown
OWN_DOCUMENT_FREQUENCIES = "df=references"  # as signatures say that no others were named
MAX_PARSED_CAPTIONS = 100_000  # different captions that are parsed without being asked to


@dataclass
class CaptionData:
    """Columns of the page that are derived from captions; None or empty where there are none."""

    captions: dict[str, Sequence[str]] = field(default_factory=dict)  # by the name of a system
    references: list[list[str]] | None = None
    words: dict[str, CaptionWords] = field(default_factory=dict)
    scenes: dict[str, CaptionScenes] = field(default_factory=dict)
    reference_scenes: list[list[SceneTuple]] | None = None
    attributes: list[Attribute] = field(default_factory=list)
    kinds: list[Grouping] = field(default_factory=list)
    findings: list[SeriesFinding] = field(default_factory=list)
    diversities: Diversities | None = None  # of all systems, if all have captions
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, systems: Systems, scenes: str) -> CaptionData:
        """Derive everything from the captions that the results have."""
        data = cls()
        corpora = {name: each.captions for name, each in systems.results.items() if each.captions}
        data.captions = {name: corpus.candidates for name, corpus in corpora.items()}
        without = [name for name in systems.names if name not in corpora]
        if without:
            data.notes.append(
                f"no captions were kept with the scores of {', '.join(without)}; score again, or "
                "name them with --candidates and --references"
            )
        shared = systems.captions
        if shared is None or not shared.references.are_complete:
            if shared is not None:
                data.notes.append("no references were kept with the scores")
            return data
        data._add_reference_data(systems, corpora, shared, scenes)
        if not without:
            data.diversities = diversities(
                corpora,
                references=shared.references,
                tokenizer=systems.tokenizer,
                language=systems.language,
            )
        return data

    def _add_reference_data(
        self, systems: Systems, corpora: Mapping[str, Corpus], shared: Corpus, scenes: str
    ) -> None:
        """Add everything that needs references."""
        self.references = shared.reference_sets()
        for name, corpus in corpora.items():
            if corpus.reference_sets() != self.references:
                self.notes.append(f"{name} was scored against other references than are shown")
        if systems.signature is None:
            self.notes.append("no signature says how captions were read: taken for English")
        is_english = systems.language == ENGLISH
        if not is_english:
            self.notes.append("unsupported words and scene graphs are known of English alone")
        references = References.of(shared.references, systems.tokenizer, default_cache())
        images = shared.images
        for name, captions in self.captions.items():
            self.words[name] = CaptionWords.of(captions, images, references, is_english)
        self._add_findings(systems, shared)
        of_references = None
        if is_english and self._wants_scenes(systems, references, scenes):
            of_references = ReferenceScenes.of(references)
            self._add_scenes(of_references, references, images)
        counts = [self.words[name].counts if name in self.words else None for name in systems.names]
        self.kinds += groupings_by_references(references, images, of_references, systems.language)
        self.kinds += groupings_by_captions(counts)

    def _add_findings(self, systems: Systems, shared: Corpus) -> None:
        """Add the findings of `captious check`."""
        ids = set(map(id_as_text, systems.first.ids))
        with share_analysis():  # the references
            for name, captions in self.captions.items():
                corpus = replace(shared, candidates=captions)
                findings = check(corpus, tokenizer=systems.tokenizer, language=systems.language)
                self.findings += page_findings(name, _relevant_findings(findings, systems), ids)

    def _add_scenes(
        self, scenes: ReferenceScenes, references: References, images: IntArray
    ) -> None:
        """Add scene graphs."""
        self.reference_scenes = [scenes.tuples[image] for image in images.tolist()]
        for name, captions in self.captions.items():
            self.scenes[name] = CaptionScenes.of(captions, images, references, scenes)
        for category, counted in SCENE_COUNTS.items():
            counts = scenes.counts[images, category].astype(np.float64)
            what = f"different {counted} in the scene graph of all references together"
            self.attributes.append(Attribute(f"{counted} in references", counts, what))

    def _wants_scenes(self, systems: Systems, references: References, scenes: str) -> bool:
        if scenes != AUTO:
            return scenes == YES
        if not any(metric.name.startswith("spi") for metric in systems.metrics):
            self.notes.append("scene graphs are shown where SPICE was scored, or with --scenes yes")
            return False
        different = set().union(*self.captions.values())
        count = len(references.analysis.captions) + len(different)
        if count > MAX_PARSED_CAPTIONS:
            self.notes.append(
                f"no scene graphs: {count:,} different captions would be parsed; --scenes yes does"
            )
        return count <= MAX_PARSED_CAPTIONS


def _relevant_findings(findings: Iterable[Finding], systems: Systems) -> list[Finding]:
    """Return findings that concern scores with these document frequencies."""
    signatures = [result.signature for result in systems.results.values()]
    counts_own_documents = not any(signatures) or any(
        OWN_DOCUMENT_FREQUENCIES in each for each in signatures
    )
    return [
        each for each in findings if counts_own_documents or each.name != "document_frequencies"
    ]


def page_findings(series: str, findings: Iterable[Finding], ids: Set[str]) -> list[SeriesFinding]:
    """Convert findings in a series; examples that are words, not ids of rows, are left out."""
    return [
        SeriesFinding(
            series,
            each.severity,
            each.what,
            each.advice,
            [str(example.id) for example in each.examples if str(example.id) in ids],
        )
        for each in findings
    ]
