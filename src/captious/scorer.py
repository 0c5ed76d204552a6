"""Scorer: references prepared once, any number of candidate sets scored against them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.garbage_collection import pause_garbage_collection
from captious._internal.logs import log_duration
from captious._internal.progress import Listener, progress_listener, report_progress
from captious._internal.threads import available_cores, run_in_parallel
from captious.corpus import (
    Captions,
    Corpus,
    ReferenceColumns,
    ReferenceSets,
    as_list,
    check_caption,
)
from captious.errors import InputError, short_repr, warn
from captious.io.cache import default_cache
from captious.metrics.base import Metric
from captious.registry import Names, Selection, select, select_and_warn
from captious.result import Result
from captious.samples import References, Samples, iterate_blocks
from captious.signature import Signature
from captious.text.languages import ENGLISH, language_code, tokenizer_for

MIN_SAMPLES_FOR_THREADS = 500  # fewer are scored within milliseconds
NON_TABLE_TYPES = (list, tuple, dict, Corpus, type(None))
SCORED = "scores"  # name of the work in progress reports


class Scorer:
    """Reference captions, analysed once, against which any number of candidate sets are scored.

    Without a `tokenizer`, captions are tokenized as is usual for the `language`. With `cache`,
    expensive analyses (parses, vectors) are kept on disk, in the user's cache folder or the folder
    that the environment variable CAPTIOUS_CACHE names.
    """

    _prepares_on_init = True

    @check_arguments
    def __init__(
        self,
        references: ReferenceSets | ReferenceColumns,
        metrics: Names = None,
        *,
        tokenizer: str | None = None,
        language: str = ENGLISH,
        cache: bool = True,
        **options: Any,
    ) -> None:
        columns = (
            references
            if isinstance(references, ReferenceColumns)
            else ReferenceColumns.of(references)
        )
        if not len(columns):
            raise InputError("no references: there is nothing to score against")
        self.ids = columns.ids
        self._columns = columns  # as given, shown by results
        self.language = language_code(language)
        tokenizer = tokenizer_for(self.language, tokenizer)
        self.selection: Selection = select_and_warn(metrics, options, self.language)
        analysis_cache = default_cache() if cache else None
        uses_images = any(metric.needs_images for metric in self.selection.metrics)
        names = columns.image_names if uses_images else None
        self.references = References.of(columns, tokenizer, analysis_cache, names)
        self._row = dict(zip(columns.ids, range(len(columns.ids)), strict=True))
        self._prepared: dict[str, Any] = {}
        if self._prepares_on_init:
            batches = self._metric_batches(len(self.references))
            with pause_garbage_collection():
                run_in_parallel([partial(self._prepare, batch) for batch in batches])
        signature = Signature(
            tokenizer,
            tuple(metric.signature() for metric in self.selection.metrics),
            len(self.references),
            len(columns.captions),
            documents=None if columns.documents is None else len(self.references.documents),
            language=None if self.language == ENGLISH else self.language,
        )
        self._signature = str(signature)  # built once: rewards are computed thousands of times

    @check_arguments
    def score(
        self,
        candidates: Captions,
        ids: Iterable[Hashable] | None = None,
        *,
        progress: Listener | None = None,
    ) -> Result:
        """Score candidates: a dict by id, a list with `ids` (which may repeat), or a full list.

        A list without ids has one candidate for each image, in the references' order. `progress`
        is told of all that takes long: what is done, how much of it, of how much.
        """
        ids, captions = self._match_ids(candidates, ids)
        images = np.fromiter((self._row[image] for image in ids), np.int64, len(ids))
        with progress_listener(progress):
            return self.score_checked(captions, ids, images)

    def score_checked(
        self,
        captions: Sequence[str],
        ids: Sequence[Hashable],
        images: IntArray,
        meanwhile: Callable[[], None] | None = None,
    ) -> Result:
        """Score candidates that were checked already; `images` has the row of each one's image.

        `meanwhile` is a background task, run while another thread still scores, or at the end.
        """
        blocks: dict[str, list[FloatArray]] = {m.name: [] for m in self.selection.metrics}
        total = len(ids) * len(self.selection.metrics)

        def report_scored() -> None:
            report_progress(
                SCORED, sum(len(part) for parts in blocks.values() for part in parts), total
            )

        def score(metrics: Sequence[Metric], samples: Samples) -> None:
            self._prepare(metrics)
            report_scored()
            for metric in metrics:
                with log_duration("%s: %s candidates scored", metric.name, f"{len(samples):,}"):
                    statistics = metric.statistics(samples, self._prepared[metric.name])
                blocks[metric.name].append(statistics)
                report_scored()

        for samples in iterate_blocks(captions, images, self.references):
            work: list[Callable[[], None]]
            work = [partial(score, batch, samples) for batch in self._metric_batches(len(samples))]
            if len(work) > 1 and meanwhile is not None:
                work[0], meanwhile = partial(_run_in_order, work[0], meanwhile), None
            with pause_garbage_collection():
                run_in_parallel(work)
            if len(work) > 1:  # progress of the other thread is not reported
                report_scored()
        if meanwhile is not None:
            meanwhile()
        return Result(
            ids,
            self.selection.metrics,
            self.selection.columns,
            {name: np.concatenate(parts) for name, parts in blocks.items()},
            f"{self._signature}|samples:{len(ids)}",
            left_out=(*self.selection.left_out, *self.selection.english_only),
            captions=Corpus(captions, self._columns, repeated=images),
        )

    def _metric_batches(self, size: int) -> list[tuple[Metric, ...]]:
        """Return all metrics in one batch or, where it pays, in two to run in parallel."""
        released = tuple(each for each in self.selection.metrics if each.releases_gil)
        others = tuple(each for each in self.selection.metrics if not each.releases_gil)
        if not released or not others or size < MIN_SAMPLES_FOR_THREADS or available_cores() == 1:
            return [self.selection.metrics]
        return [others, released]

    def _prepare(self, metrics: Iterable[Metric]) -> None:
        """Run the metrics' computations that need only the references, once per metric."""
        images = f"{len(self.references):,}"
        # Metrics that read images come first: a bad image is reported before other work is done.
        for metric in sorted(metrics, key=lambda metric: not metric.needs_images):
            if metric.name not in self._prepared:
                with log_duration("%s: references of %s images prepared", metric.name, images):
                    self._prepared[metric.name] = metric.prepare(self.references)

    def knows(self, ids: Iterable[object]) -> bool:
        """Whether references were prepared for all of these ids."""
        return all(map(self._knows, ids))

    def _match_ids(
        self, candidates: Captions, ids: Iterable[Hashable] | None
    ) -> tuple[list[Hashable], list[str]]:
        """Return ids and captions, checked."""
        if isinstance(candidates, Mapping):
            if ids is not None:
                raise InputError("candidates given as a dict have ids already; drop `ids`")
            ids, captions = list(candidates), list(candidates.values())
        else:
            captions = as_list(candidates, "candidates")
            ids = list(self.ids) if ids is None else as_list(ids, "ids")
            if len(ids) != len(captions):
                raise InputError(
                    f"{len(captions)} candidates but {len(ids)} ids; give one id for each"
                )
        if not captions:
            raise InputError("no samples: there is nothing to score")
        for image, caption in zip(ids, captions, strict=True):
            check_caption(image, caption)
            if not self._knows(image):
                raise InputError(f"id {short_repr(image)}: no references were prepared for it")
        return ids, captions

    def _knows(self, image: object) -> bool:
        try:
            return image in self._row
        except TypeError:  # unhashable: cannot be an id
            return False


class _LazyScorer(Scorer):
    """Scorer for a single use, in which each metric prepares its references when it scores."""

    _prepares_on_init = False


@check_arguments
def score(
    candidates: Captions | Corpus,
    references: ReferenceSets | None = None,
    metrics: Names = None,
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    repeated: bool = False,
    tokenizer: str | None = None,
    language: str = ENGLISH,
    cache: bool = True,
    progress: Listener | None = None,
    **options: Any,
) -> Result:
    """Score candidates against references: two lists in one order, two dicts by id, or tables.

    `metrics` are names of metrics, columns or groups; without it, the group `coco` and `captious`.
    Without a `tokenizer`, captions are tokenized as is usual for the `language`. Further options,
    such as `df="coco-val2014"`, go to the metrics that have them. `progress` is told of all that
    takes long: what is done (`"sentences parsed"`), how much of it, of how much.

    A table is a data frame of pandas or a table of pyarrow. Its columns are recognized as those of
    files are, or named by `columns`: `{"id": ..., "candidate": ..., "references": ...}`. With
    `repeated`, an id may have several candidates.
    """
    with pause_garbage_collection():
        selection = select(metrics, options, language)
        needs = selection.columns_needing_references
        notes = [] if isinstance(metrics, Selection) else list(selection.notes)
        corpus = _corpus_of_tables(
            candidates, references, columns or {}, repeated, notes, needs_references=bool(needs)
        )
        if corpus is None:
            corpus = _corpus(candidates, references, needs_references=bool(needs))
        for note in notes:
            warn(note)
        if not corpus.references.are_complete and needs:
            raise InputError(f"candidates without references, which {needs[0]} needs")
        with progress_listener(progress):
            (result,) = score_systems(
                {"": corpus}, selection, tokenizer=tokenizer, language=language, cache=cache
            ).values()
        return result


def score_systems(
    systems: Mapping[str, Corpus],
    selection: Selection,
    *,
    tokenizer: str | None = None,
    language: str = ENGLISH,
    cache: bool = True,
) -> dict[str, Result]:
    """Score several systems on the same images, whose references are analysed once.

    Call `check_same_images` first: that images and references are the same is not checked here.
    """
    if not all(corpus.references.are_complete for corpus in systems.values()):
        systems = {name: corpus.without_references() for name, corpus in systems.items()}
    references = next(iter(systems.values())).references
    scorer = _LazyScorer(references, selection, tokenizer=tokenizer, language=language, cache=cache)
    row = {str(image): number for number, image in enumerate(references.ids)}
    results = {}
    for name, corpus in systems.items():
        image_ids = corpus.references.ids
        images = np.array([row[str(image)] for image in image_ids], np.int64)[corpus.images]
        ids = [image_ids[image] for image in corpus.images]
        system = name if len(systems) > 1 else ""
        warn_task = partial(_warn_on_findings, scorer, corpus.candidates, images, system)
        result = scorer.score_checked(corpus.candidates, ids, images, warn_task)
        results[name] = replace(
            result, unused_references=corpus.unused_references, groups=corpus.groups
        )
    return results


def _warn_on_findings(
    scorer: Scorer, candidates: Sequence[str], images: IntArray, system: str
) -> None:
    """Warn of grave faults in the captions."""
    if scorer.references.are_given:
        from captious.diagnostics.check.quick_check import (
            warn_on_grave_finding,  # rewards do not need it
        )

        references, metrics = scorer.references, scorer.selection.metrics
        warn_on_grave_finding(
            candidates, images, references, scorer.language, metrics, system=system
        )


def _run_in_order(*work: Callable[[], None]) -> None:
    for each in work:
        each()


def _corpus_of_tables(
    candidates: Any,
    references: Any,
    columns: Mapping[str, str | Sequence[str]],
    repeated: bool,
    notes: list[str],
    *,
    needs_references: bool,
) -> Corpus | None:
    """Return the corpus if it was given as tables; `notes` receives what was guessed."""
    given = (candidates, references)
    if not columns and not repeated and all(isinstance(each, NON_TABLE_TYPES) for each in given):
        return None
    # Imported here: callers with lists do not wait for the modules that read tables.
    from captious.io.caption_tables import ReadOptions, tables_from_frames
    from captious.io.captions import corpus_from_tables

    reading = ReadOptions(columns, repeated=repeated, report=notes.append)
    tables = tables_from_frames(candidates, references, reading)
    return (
        corpus_from_tables(tables, reading, needs_references=needs_references) if tables else None
    )


def _corpus(
    candidates: Captions | Corpus, references: ReferenceSets | None, *, needs_references: bool
) -> Corpus:
    """Return the corpus of candidates that were not given as tables."""
    if isinstance(candidates, Corpus):
        if references is not None:
            raise InputError("a corpus has its references already; drop the other ones")
        return candidates
    if references is None:
        if needs_references:
            raise InputError("no references given")
        return Corpus.of_candidates(candidates)
    return Corpus.of(candidates, references)
