"""All that a report of several systems shows, gathered from their results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from captious._internal.arrays.ragged import FloatArray
from captious._internal.garbage_collection import pause_garbage_collection
from captious.comparison.leaderboard import leaderboard
from captious.corpus import id_text
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.metrics.paper_names import paper_name
from captious.registry import metric_of_column
from captious.report.browser.contents import SYSTEMS, Attribute, Contents, Made, Measure, Series
from captious.report.systems.buckets import bucketings
from captious.report.systems.caption_data import AUTO, CaptionsKnown
from captious.report.systems.page_tables import boards, diversity_boards
from captious.report.systems.pictures import (
    BUDGET,
    Pictures,
    inlined_pictures,
    linked_pictures,
    worth_seeing,
)
from captious.report.systems.remaking import command_to_score
from captious.report.systems.row_groupings import kinds_of_groups
from captious.report.systems.systems import Systems
from captious.result import Result
from captious.stats.bootstrap import SEED
from captious.version import __version__

# By which of the scores rows are worth seeing, if they are there.
TELLING = ("captious", "cider_d", "cider", "spice")


@dataclass(frozen=True)
class Wanted:
    """What is shown beside scores, and how it is made."""

    title: str | None = None
    images: str | Path | ImageFolder | None = None
    page: str | Path | None = None  # from which images are linked; None puts them into the page
    megabytes: float = BUDGET
    scenes: str = AUTO
    resamples: int | None = None
    seed: int = SEED
    method: str | None = None
    commands: Sequence[str] = ()  # that made the report


def gather(results: Mapping[str, Result], wanted: Wanted) -> Contents:
    """The contents of a page about systems that were scored on the same images."""
    if not results:
        raise InputError("no results: there is nothing to report")
    contest = leaderboard(
        results, resamples=wanted.resamples, seed=wanted.seed, method=wanted.method
    )
    systems = Systems.of(results)
    pictures = _pictures(systems, wanted)  # before long work: a wrong folder is said at once
    with pause_garbage_collection():
        known = CaptionsKnown.of(systems, wanted.scenes)
        kinds = [*kinds_of_groups(systems.groups), *known.kinds]
        ways = bucketings(systems.scored(), kinds, contest.resamples, wanted.seed)
    return Contents(
        SYSTEMS,
        wanted.title or _title(systems),
        [id_text(image) for image in systems.first.ids],
        [_series(name, systems, known) for name in systems.names],
        [measure(column) for column in systems.columns],
        Made(
            __version__,
            contest.said_once(),
            [*command_to_score(systems), *wanted.commands],
            [*known.notes, *pictures.notes],
        ),
        boards=[
            *boards(contest),
            *([] if known.diversities is None else diversity_boards(known.diversities)),
        ],
        references=known.references,
        reference_scenes=known.reference_scenes,
        attributes=[
            *(Attribute(name, list(values)) for name, values in systems.groups.items()),
            *known.attributes,
        ],
        images=pictures.addresses or None,
        bucketings=ways,
        findings=known.findings,
    )


def measure(column: str) -> Measure:
    """What a column of scores is called, and what it can be; a user's own may be anything."""
    metric = metric_of_column(column)
    label = paper_name(column).label
    if metric is None:
        return Measure(column, label)
    low, high = map(_bound, metric.bounds_of(column))
    return Measure(column, label, metric.description, low, high, metric.lower_is_better)


def _bound(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _series(name: str, systems: Systems, known: CaptionsKnown) -> Series:
    scores = systems.results[name].samples
    words, scenes = known.words.get(name), known.scenes.get(name)
    return Series(
        name,
        known.captions.get(name),
        {column: scores[column] for column in systems.columns},
        None if words is None else words.unsupported,
        None if words is None else words.missing,
        None if scenes is None else scenes.tuples,
        None if scenes is None else scenes.matched,
        None if scenes is None else scenes.found,
        None if words is None else words.sentences,
    )


def _title(systems: Systems) -> str:
    names = systems.names if len(systems.names) < 5 else [*systems.names[:3], "others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _pictures(systems: Systems, wanted: Wanted) -> Pictures:
    if wanted.images is None:
        return Pictures([])
    given = wanted.images
    folder = given if isinstance(given, ImageFolder) else ImageFolder(given)
    names = [id_text(image) for image in systems.first.ids]
    if systems.captions is not None and (images := systems.captions.references.images):
        names = [images[image] for image in systems.captions.images.tolist()]
    if wanted.page is not None:
        return linked_pictures(folder, names, wanted.page)
    return inlined_pictures(folder, names, worth_seeing(_telling(systems)), wanted.megabytes)


def _telling(systems: Systems) -> list[FloatArray]:
    """Every system's scores by which rows are worth seeing."""
    column = next((name for name in TELLING if name in systems.columns), systems.columns[0])
    return [result.samples[column] for result in systems.results.values()]
