"""Measure the diversity of captions of one system or of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Draws, Seed
from captious._internal.garbage_collection import pause_garbage_collection
from captious.corpus import Corpus, ReferenceColumns, ReferenceSets, ids_as_text
from captious.diagnostics.diversity.distinct import (
    analyse_beside,
    distinct,
    mean_words,
    novel_share,
    vocabulary_share,
)
from captious.diagnostics.diversity.diversity import Diversities, Diversity
from captious.diagnostics.diversity.likeness import (
    LIKENESS_MEASURES,
    MBLEU_4,
    SELF_CIDER,
    measure_likeness,
)
from captious.diagnostics.diversity.self_cider import DEFAULT_FREQUENCIES, SelfCider
from captious.diagnostics.diversity.systems import (
    MAX_CAPTIONS_PER_IMAGE,
    System,
    Systems,
    images_with_several,
)
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions, tables_from_frames
from captious.io.captions import corpus_from_tables
from captious.io.training_captions import read_training_captions
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.parameters import PAPER
from captious.signature import state_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE, check_method
from captious.text.analysis import Analysis
from captious.text.languages import ENGLISH, language_code, tokenizer_for
from captious.version import __version__

MAX_CAPTIONS_DRAWN = 1000  # of each system for expected measures; fewer if a system has fewer
UNNAMED_SYSTEM = "candidates"  # the name of a system without one
# One caption or a list of captions for each image, in a list, a dict by id or a table.
Captions = ReferenceSets | ReferenceColumns | Corpus
TrainingCaptions = ReferenceSets | str | Path | None


@check_arguments
def diversity(
    candidates: Captions,
    *,
    training: TrainingCaptions = None,
    references: ReferenceSets | ReferenceColumns | None = None,
    df: DocumentFrequencies | str | Path = DEFAULT_FREQUENCIES,
    variant: str = PAPER,
    tokenizer: str | None = None,
    language: str = ENGLISH,
    method: str = PERCENTILE,
    resamples: Draws = RESAMPLES,
    seed: Seed = SEED,
) -> Diversity:
    """Diversity of one system's captions as a whole: words, n-grams, repetitions.

    `candidates` are a list with one caption or one list of captions for each image, a dict of these
    by id, or a table. Captions that are in `training`, captions or a file of them, are not novel;
    `references` say how much of their vocabulary is used. Where images have several captions,
    self-CIDEr, with the document frequencies `df`, and mBLEU measure their similarity, with
    intervals by `method` from `resamples`. Captions of the same words in the same order are the
    same.
    """
    measured = diversities(
        {UNNAMED_SYSTEM: candidates},
        training=training,
        references=references,
        df=df,
        variant=variant,
        tokenizer=tokenizer,
        language=language,
        method=method,
        resamples=resamples,
        seed=seed,
    )
    return replace(measured[UNNAMED_SYSTEM], notes=measured.notes, signature=measured.signature)


@check_arguments
def diversities(
    systems: Mapping[str, Captions],
    *,
    training: TrainingCaptions = None,
    references: ReferenceSets | ReferenceColumns | None = None,
    df: DocumentFrequencies | str | Path = DEFAULT_FREQUENCIES,
    variant: str = PAPER,
    tokenizer: str | None = None,
    language: str = ENGLISH,
    method: str = PERCENTILE,
    resamples: Draws = RESAMPLES,
    seed: Seed = SEED,
) -> Diversities:
    """Diversity of several systems, by name."""
    check_method(method)
    language = language_code(language)
    self_cider = SelfCider(df, variant)
    names = ids_as_text(systems)
    beside = {
        "training": _training_captions(training),
        "references": _reference_captions(references),
    }
    with pause_garbage_collection():
        pooled = Systems.of(
            {names[name]: _as_columns(captions) for name, captions in systems.items()},
            tokenizer_for(language, tokenizer),
        )
        measurer = _SystemMeasurer(
            pooled,
            {
                name: analyse_beside(pooled.analysis, captions)
                for name, captions in beside.items()
                if captions is not None
            },
            self_cider if _supports_language(self_cider, language) else None,
            method,
            resamples,
            seed,
        )
        measured = {name: measurer.measure(system) for name, system in pooled.by_name.items()}
    notes = _notes(pooled)
    if measurer.self_cider is None and any(each.mbleu_4 for each in measured.values()):
        notes.append(_english_only_note(self_cider))
    signature = [
        f"captious:{__version__}",
        f"tokenizer:{pooled.analysis.tokenizer}",
        *([] if language == ENGLISH else [f"language:{language}"]),
        str(self_cider.signature()),
        f"bootstrap:{state_bootstrap(resamples, seed, None if method == PERCENTILE else method)}",
        f"expected:{measurer.drawn}",
        *(f"{name}:{len(captions)}" for name, captions in beside.items() if captions is not None),
    ]
    return Diversities(measured, tuple(notes), "|".join(signature))


@dataclass(frozen=True)
class _SystemMeasurer:
    """Measures one system, given all systems, training captions and references."""

    systems: Systems
    beside: Mapping[str, Analysis]
    self_cider: SelfCider | None
    method: str
    resamples: int
    seed: int

    @property
    def drawn(self) -> int:
        """How many captions of each system are compared."""
        return min(MAX_CAPTIONS_DRAWN, self.systems.min_captions)

    def measure(self, system: System) -> Diversity:
        """Measure the diversity of one system's captions."""
        analysis = self.systems.analysis
        how = (self.method, self.resamples, self.seed)
        alike = measure_likeness(self.systems, system, self.self_cider, *how)
        training, references = self.beside.get("training"), self.beside.get("references")
        return Diversity(
            captions=system.captions,
            images=len(system.ids),
            words=mean_words(analysis, system),
            distinct=distinct(analysis, system, system.captions),
            expected=distinct(analysis, system, self.drawn),
            novel=None if training is None else novel_share(analysis, system, training),
            reference_vocabulary=(
                None if references is None else vocabulary_share(analysis, system, references)
            ),
            images_with_several=len(images_with_several(system.rows)),
            self_cider=alike.get(SELF_CIDER),
            mbleu_4=alike.get(MBLEU_4),
        )


def _as_columns(captions: Captions) -> ReferenceColumns:
    """Convert a system's captions to columns by image."""
    if isinstance(captions, ReferenceColumns):
        return captions
    if tables := tables_from_frames(captions, None, ReadOptions()):
        captions = corpus_from_tables(tables, ReadOptions(repeated=True), needs_references=False)
    if not isinstance(captions, Corpus):
        return ReferenceColumns.of(captions, "candidate")
    sets: list[list[str]] = [[] for _ in captions.references.ids]
    for image, caption in zip(captions.images.tolist(), captions.candidates, strict=True):
        sets[image].append(caption)
    described = [image for image, captions_of in enumerate(sets) if captions_of]
    ids = [captions.references.ids[image] for image in described]
    return ReferenceColumns.from_sets(ids, [sets[image] for image in described])


def _training_captions(given: TrainingCaptions) -> list[str] | None:
    if given is None:
        return None
    if isinstance(given, str | Path):
        return read_training_captions(given)
    captions = ReferenceColumns.of(given, "training caption").captions
    if not captions:
        raise InputError("no training captions; give some, or leave `training` out")
    return captions


def _reference_captions(given: ReferenceSets | ReferenceColumns | None) -> list[str] | None:
    if given is None:
        return None
    columns = given if isinstance(given, ReferenceColumns) else ReferenceColumns.of(given)
    return columns.captions


def _supports_language(self_cider: SelfCider, language: str) -> bool:
    """Whether the document frequencies apply to a language."""
    return language == ENGLISH or not self_cider.kernel.english_part()


def _english_only_note(self_cider: SelfCider) -> str:
    return (
        f"self_cider: left out, since {self_cider.kernel.english_part()} are English; give df a "
        "file made by `captious df`"
    )


def _notes(systems: Systems) -> list[str]:
    """Explain which similarity measures are missing."""
    lengths = [system.rows.lengths for system in systems.by_name.values()]
    measures = " and ".join(LIKENESS_MEASURES)
    if all((each == 1).all() for each in lengths):
        return [f"{measures}: left out, since no image has several captions"]
    too_many = sum(int((each > MAX_CAPTIONS_PER_IMAGE).sum()) for each in lengths)
    left_out = f"left out of {measures}, images with more than {MAX_CAPTIONS_PER_IMAGE:,} captions"
    return [f"{left_out}: {too_many}"] if too_many else []
