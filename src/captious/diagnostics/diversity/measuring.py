"""Diversity of captions measured: of one system, or of several beside one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Draws, Seed
from captious._internal.garbage_collection import pause_garbage_collection
from captious.corpus import Corpus, ReferenceColumns, ReferenceSets, texts_of_ids
from captious.diagnostics.diversity.distinct import distinct, mean_words
from captious.diagnostics.diversity.diversity import Diversities, Diversity
from captious.diagnostics.diversity.likeness import LIKENESS, MBLEU_4, SELF_CIDER, likeness
from captious.diagnostics.diversity.novelty import analysed_beside, novel_captions, vocabulary_used
from captious.diagnostics.diversity.same_image import MOST_CAPTIONS, images_with_several
from captious.diagnostics.diversity.self_cider import USUAL_FREQUENCIES, SelfCider
from captious.diagnostics.diversity.systems import System, Systems
from captious.errors import InputError
from captious.io.caption_tables import ReadOptions
from captious.io.captions import corpus_of
from captious.io.frames import tables_in_memory
from captious.io.training_captions import read_training_captions
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.variants import PAPER
from captious.signature import state_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE, check_method
from captious.text.analysis import Analysis
from captious.text.languages import ENGLISH, language_code, tokenizer_for
from captious.version import __version__

DRAWN = 1000  # captions of each system that are compared, or as many as the smallest has
ALONE = "candidates"  # the name of a system that was given none
# One caption or a list of captions for each image, in a list, a dict by id or a table.
Captions = ReferenceSets | ReferenceColumns | Corpus
TrainingCaptions = ReferenceSets | str | Path | None


@check_arguments
def diversity(
    candidates: Captions,
    *,
    training: TrainingCaptions = None,
    references: ReferenceSets | ReferenceColumns | None = None,
    df: DocumentFrequencies | str | Path = USUAL_FREQUENCIES,
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
        {ALONE: candidates},
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
    return replace(measured[ALONE], notes=measured.notes, signature=measured.signature)


@check_arguments
def diversities(
    systems: Mapping[str, Captions],
    *,
    training: TrainingCaptions = None,
    references: ReferenceSets | ReferenceColumns | None = None,
    df: DocumentFrequencies | str | Path = USUAL_FREQUENCIES,
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
    names = texts_of_ids(systems)
    beside = {"training": _training(training), "references": _references(references)}
    with pause_garbage_collection():
        pooled = Systems.of(
            {names[name]: _columns(captions) for name, captions in systems.items()},
            tokenizer_for(language, tokenizer),
        )
        measuring = _Measuring(
            pooled,
            {
                name: analysed_beside(pooled.analysis, captions)
                for name, captions in beside.items()
                if captions is not None
            },
            self_cider if _reads(self_cider, language) else None,
            method,
            resamples,
            seed,
        )
        measured = {name: measuring.of(system) for name, system in pooled.by_name.items()}
    notes = _notes(pooled)
    if measuring.self_cider is None and any(each.mbleu_4 for each in measured.values()):
        notes.append(_english_only(self_cider))
    signature = [
        f"captious:{__version__}",
        f"tokenizer:{pooled.analysis.tokenizer}",
        *([] if language == ENGLISH else [f"language:{language}"]),
        str(self_cider.signature()),
        f"bootstrap:{state_bootstrap(resamples, seed, None if method == PERCENTILE else method)}",
        f"expected:{measuring.drawn}",
        *(f"{name}:{len(captions)}" for name, captions in beside.items() if captions is not None),
    ]
    return Diversities(measured, tuple(notes), "|".join(signature))


@dataclass(frozen=True)
class _Measuring:
    """All that one system's measures need of the others, and of captions beside theirs."""

    systems: Systems
    beside: Mapping[str, Analysis]
    self_cider: SelfCider | None
    method: str
    resamples: int
    seed: int

    @property
    def drawn(self) -> int:
        """How many captions of each system are compared."""
        return min(DRAWN, self.systems.fewest_captions)

    def of(self, system: System) -> Diversity:
        """What one system's captions are like."""
        analysis = self.systems.analysis
        how = (self.method, self.resamples, self.seed)
        alike = likeness(self.systems, system, self.self_cider, *how)
        training, references = self.beside.get("training"), self.beside.get("references")
        return Diversity(
            captions=system.captions,
            images=len(system.ids),
            words=mean_words(analysis, system),
            distinct=distinct(analysis, system, system.captions),
            expected=distinct(analysis, system, self.drawn),
            novel=None if training is None else novel_captions(analysis, system, training),
            reference_vocabulary=(
                None if references is None else vocabulary_used(analysis, system, references)
            ),
            images_with_several=len(images_with_several(system.rows)),
            self_cider=alike.get(SELF_CIDER),
            mbleu_4=alike.get(MBLEU_4),
        )


def _columns(captions: Captions) -> ReferenceColumns:
    """A system's captions by image, from whatever was given."""
    if isinstance(captions, ReferenceColumns):
        return captions
    if tables := tables_in_memory(captions, None, ReadOptions()):
        captions = corpus_of(tables, ReadOptions(repeated=True), needs_references=False)
    if not isinstance(captions, Corpus):
        return ReferenceColumns.of(captions, "candidate")
    sets: list[list[str]] = [[] for _ in captions.references.ids]
    for image, caption in zip(captions.images.tolist(), captions.candidates, strict=True):
        sets[image].append(caption)
    described = [image for image, captions_of in enumerate(sets) if captions_of]
    ids = [captions.references.ids[image] for image in described]
    return ReferenceColumns.joined(ids, [sets[image] for image in described])


def _training(given: TrainingCaptions) -> list[str] | None:
    if given is None:
        return None
    if isinstance(given, str | Path):
        return read_training_captions(given)
    captions = ReferenceColumns.of(given, "training caption").captions
    if not captions:
        raise InputError("no training captions; give some, or leave `training` out")
    return captions


def _references(given: ReferenceSets | ReferenceColumns | None) -> list[str] | None:
    if given is None:
        return None
    columns = given if isinstance(given, ReferenceColumns) else ReferenceColumns.of(given)
    return columns.captions


def _reads(self_cider: SelfCider, language: str) -> bool:
    """Whether its document frequencies say anything of captions in a language."""
    return language == ENGLISH or not self_cider.kernel.english_part()


def _english_only(self_cider: SelfCider) -> str:
    return (
        f"self_cider: left out, since {self_cider.kernel.english_part()} are English; give df a "
        "file made by `captious df`"
    )


def _notes(systems: Systems) -> list[str]:
    """What is missing of captions of one image, and why."""
    lengths = [system.rows.lengths for system in systems.by_name.values()]
    measures = " and ".join(LIKENESS)
    if all((each == 1).all() for each in lengths):
        return [f"{measures}: left out, since no image has several captions"]
    too_many = sum(int((each > MOST_CAPTIONS).sum()) for each in lengths)
    left_out = f"left out of {measures}, images with more than {MOST_CAPTIONS:,} captions"
    return [f"{left_out}: {too_many}"] if too_many else []
