"""Scores of judged captions: computed, timed, or exchanged with other programs as files."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, offsets_of
from captious._internal.checks.arguments import check_arguments, check_choice
from captious.corpus import ReferenceColumns
from captious.errors import CaptiousWarning, InputError, short_repr
from captious.io.formats import write_columns
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.judgements import Judgements, Preferences, Ratings, image_names
from captious.meta.presets import STANDARD
from captious.meta.protocol import IMAGE, PAIR, Protocol
from captious.meta.task import read_task
from captious.metrics.base import Metric
from captious.metrics.cider.document_frequencies import FrequencySource
from captious.metrics.pooling import POOLS, pool_scores
from captious.registry import Names, select
from captious.scorer import Scorer
from captious.signature import Signature
from captious.text.languages import ENGLISH


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores by column, one a caption or two a pair, and what they depend on."""

    columns: Mapping[str, FloatArray]
    signature: str


@dataclass(frozen=True, eq=False)
class _CaptionsToScore:
    """Captions to be scored: each one's references, the document these belong to, its image."""

    captions: list[str]
    references: list[list[str]]
    documents: list[Hashable]
    images: list[Hashable]

    @classmethod
    def of(cls, judgements: Judgements, documents: str) -> _CaptionsToScore:
        named = list(range(len(judgements))) if documents == PAIR else judgements.images
        each = range(judgements.each)
        return cls(
            list(chain.from_iterable(judgements.captions)),
            [references for references in judgements.references for _ in each],
            [name for name in named for _ in each],
            [image for image in judgements.images for _ in each],
        )

    def one_by_one(self) -> tuple[_CaptionsToScore, IntArray]:
        """Each caption beside one reference at a time, and where each caption's begin and end."""
        lengths = np.array([len(references) for references in self.references])
        if not lengths.all():
            # Nothing can be pooled over none, and the next caption's scores would be taken.
            row = int(np.argmin(lengths))
            raise InputError(f"{self.captions[row][:60]!r}: no references; give at least one")
        repeated = np.repeat(np.arange(len(lengths)), lengths).tolist()
        single = [[reference] for references in self.references for reference in references]
        apart = _CaptionsToScore(
            [self.captions[row] for row in repeated],
            single,
            [self.documents[row] for row in repeated],
            [self.images[row] for row in repeated],
        )
        return apart, offsets_of(lengths)

    def score(
        self, metrics: tuple[Metric, ...], cache: bool, language: str
    ) -> tuple[dict[str, FloatArray], Signature]:
        """Score with references that belong together analysed and counted once."""
        sets: dict[tuple[Hashable, tuple[str, ...]], int] = {}
        ids = [
            sets.setdefault((document, tuple(references)), len(sets))
            for document, references in zip(self.documents, self.references, strict=True)
        ]
        references = ReferenceColumns.of([captions for _, captions in sets])
        if len(sets) > len(set(self.documents)):
            # Where a document's captions have different references, it is still one document.
            references = replace(references, documents=[document for document, _ in sets])
        if sighted := [metric.name for metric in metrics if metric.needs_images]:
            # Whatever counts as a document, its captions are all of one image.
            images = dict(zip(ids, self.images, strict=True)).values()
            references = replace(references, images=_require_image_names(sighted[0], images))
        scorer = Scorer(references, metrics, cache=cache, language=language)
        result = scorer.score(self.captions, ids)
        return result.samples, Signature.parse(result.signature)


@check_arguments
def score_judged(
    judgements: Judgements,
    metrics: Names = None,
    *,
    documents: str = IMAGE,
    pool: str | None = None,
    cache: bool = True,
    language: str = ENGLISH,
    **options: Any,
) -> Scored:
    """Score all judged captions.

    `documents` says what CIDEr counts once: an image with all references that its captions have, or
    each judgement with its own (`pair`); or it names shipped document frequencies. With `pool`
    every caption is scored against one reference at a time, and the largest, mean or smallest of
    these scores counts.
    """
    if pool is not None:
        check_choice("cannot pool by", pool, POOLS)
    selection = select(metrics, options, language)
    chosen = selection.metrics
    if documents not in (IMAGE, PAIR):
        chosen = _use_frequencies(chosen, documents)
    captions = _CaptionsToScore.of(judgements, documents)
    if pool is None:
        samples, signature = captions.score(chosen, cache, language)
    else:
        single, offsets = captions.one_by_one()
        apart, signature = single.score(chosen, cache, language)
        samples = {name: pool_scores(scores, offsets, pool) for name, scores in apart.items()}
        signature = replace(signature, pool=pool)
    shape = judgements.score_shape
    columns = {name: samples[name].reshape(shape) for name in selection.columns}
    return Scored(columns, str(signature))


def score_systems(
    ratings: Ratings,
    metrics: Names = None,
    *,
    cache: bool = True,
    language: str = ENGLISH,
    **options: Any,
) -> Scored:
    """Corpus scores of whole systems, which the groups of the ratings name, one a system."""
    selection = select(metrics, options, language)
    references = dict(zip(ratings.images, ratings.references, strict=True))
    scorer = Scorer(references, selection.metrics, cache=cache, language=language)
    rows: dict[str, list[int]] = {}
    for row, system in enumerate(ratings.groups):
        rows.setdefault(system, []).append(row)
    corpora = [
        scorer.score(
            [ratings.candidates[row] for row in part],
            [ratings.images[row] for row in part],
        )
        for part in rows.values()
    ]
    columns = {
        name: np.array([part.corpus[name] for part in corpora]) for name in selection.columns
    }
    return Scored(columns, corpora[0].signature)


def _use_frequencies(metrics: tuple[Metric, ...], df: FrequencySource) -> tuple[Metric, ...]:
    """Return the metrics, with these frequencies where they would count documents themselves."""
    return tuple(
        replace(metric, df=df)  # type: ignore[type-var]
        if metric.uses_document_frequencies and getattr(metric, "df", 0) is None
        else metric
        for metric in metrics
    )


def _require_image_names(metric: str, images: Iterable[Hashable]) -> list[str]:
    names = image_names(images)
    if names is None:
        raise InputError(
            f"{metric}: sees images, and these judgements name none; name each row's in the column "
            "'image' of your file, or leave the metric out"
        )
    return names


@dataclass(frozen=True)
class Timing:
    """One metric by itself, from raw captions to scores, without the cache of analyses."""

    metric: str
    seconds: float
    captions: int


@dataclass(frozen=True, repr=False)
class Timings(TabularResult):
    """The time that each of several metrics takes."""

    benchmark: str
    rows: tuple[Timing, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `--format json` prints it."""
        return {"benchmark": self.benchmark, "rows": [vars(row) for row in self.rows]}

    def as_tables(self) -> list[OutputTable]:
        """One row a metric."""
        rows = [
            [
                row.metric,
                f"{row.captions:,}",
                f"{row.seconds:.3f}",
                f"{1e6 * row.seconds / row.captions:.0f}",
            ]
            for row in self.rows
        ]
        return [OutputTable(["metric", "captions", "seconds", "microseconds each"], rows)]


@check_arguments
def time_metrics(
    benchmark: str,
    metrics: Names = None,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol = STANDARD,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Timings:
    """The seconds that each metric takes, without loading."""
    judgements = read_task(benchmark, data=data, protocol=protocol).judgements
    captions = len(judgements) * judgements.each
    timings = []
    for metric in select(metrics, options).metrics:
        if progress is not None:
            progress(metric.name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaptiousWarning)  # one caption is few for CIDEr
            score_judged(judgements.take(np.array([0])), [metric], cache=False)
        start = time.perf_counter()
        score_judged(judgements, [metric], cache=False)
        timings.append(Timing(metric.name, time.perf_counter() - start, captions))
    return Timings(benchmark, tuple(timings))


def write_judged(path: str | Path, judgements: Judgements) -> None:
    """Rows of id, candidate, references, and image where images have names.

    The two captions of pair 7 are 7-0 and 7-1.
    """
    captions = list(chain.from_iterable(judgements.captions))
    by_row = {"references": judgements.references, "image": image_names(judgements.images)}
    columns = {
        name: [value for value in column for _ in range(judgements.each)]
        for name, column in by_row.items()
        if column is not None
    }
    write_columns(path, {"id": _row_ids(judgements), "candidate": captions, **columns})


def read_judged_scores(path: str | Path, judgements: Judgements) -> dict[str, FloatArray]:
    """The columns of a file of scores, in the order of the judgements."""
    from captious.comparison.score_files import read_scores  # only for files made elsewhere

    result = read_scores(path)
    place = {str(name): row for row, name in enumerate(result.ids)}
    wanted = _row_ids(judgements)
    absent = [name for name in wanted if name not in place]
    if absent:
        raise InputError(
            f"{path}: no scores for id {short_repr(absent[0])} ({len(absent)} of {len(wanted)} are "
            "missing); score the rows that --samples writes under the same protocol"
        )
    rows = np.array([place[name] for name in wanted])
    samples = result.samples.items()
    return {name: scores[rows].reshape(judgements.score_shape) for name, scores in samples}


def _row_ids(judgements: Judgements) -> list[str]:
    if isinstance(judgements, Preferences):
        return [f"{row}-{side}" for row in range(len(judgements)) for side in (0, 1)]
    return [str(row) for row in range(len(judgements))]
