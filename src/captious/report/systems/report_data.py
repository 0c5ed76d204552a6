"""Collect and write the contents of a report on one or several systems."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.checks.bounds import Bounds, Draws, Seed
from captious._internal.garbage_collection import pause_garbage_collection
from captious.comparison.leaderboard import leaderboard
from captious.corpus import id_as_text
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.metrics.names import paper_name
from captious.registry import metric_of_column
from captious.report.browser.contents import (
    SYSTEMS,
    Attribute,
    Contents,
    Measure,
    Provenance,
    Series,
)
from captious.report.browser.page import check_page, write_page
from captious.report.systems.buckets import score_buckets
from captious.report.systems.caption_data import AUTO, SCENES, CaptionData
from captious.report.systems.page_tables import diversity_tables, page_tables
from captious.report.systems.pictures import (
    IMAGE_BUDGET_MB,
    Pictures,
    inlined_pictures,
    linked_pictures,
    order_by_disagreement,
)
from captious.report.systems.row_groupings import groupings_by_user_columns
from captious.report.systems.systems import Systems
from captious.result import Result
from captious.stats.bootstrap import SEED
from captious.stats.intervals import check_method
from captious.text.languages import ENGLISH, tokenizer_for
from captious.version import __version__

# Scores by which rows are ordered by interest: the first of these that was computed.
SORT_METRICS = ("captious", "cider_d", "cider", "spice")
MEGABYTES = Bounds(0, 10_000, with_most=True)


@dataclass(frozen=True)
class ReportOptions:
    """What a report shows beside scores, and how it is computed."""

    title: str | None = None
    images: str | Path | ImageFolder | None = None
    page: str | Path | None = None  # from which images are linked; None puts them into the page
    megabytes: float = IMAGE_BUDGET_MB
    scenes: str = AUTO
    resamples: int | None = None
    seed: int = SEED
    method: str | None = None
    commands: Sequence[str] = ()  # that made the report


def build_contents(results: Mapping[str, Result], options: ReportOptions) -> Contents:
    """Return the contents of a page about systems that were scored on the same images."""
    if not results:
        raise InputError("no results: there is nothing to report")
    contest = leaderboard(
        results, resamples=options.resamples, seed=options.seed, method=options.method
    )
    systems = Systems.of(results)
    pictures = _pictures(systems, options)  # before long work: a wrong folder is said at once
    with pause_garbage_collection():
        caption_data = CaptionData.of(systems, options.scenes)
        kinds = [*groupings_by_user_columns(systems.groups), *caption_data.kinds]
        ways = score_buckets(systems.statistics(), kinds, contest.resamples, options.seed)
    return Contents(
        SYSTEMS,
        options.title or _title(systems),
        [id_as_text(image) for image in systems.first.ids],
        [_series(name, systems, caption_data) for name in systems.names],
        [measure(column) for column in systems.columns],
        Provenance(
            __version__,
            contest.said_once(),
            [*_command_to_score(systems), *options.commands],
            [*caption_data.notes, *pictures.notes],
        ),
        tables=[
            *page_tables(contest),
            *(
                []
                if caption_data.diversities is None
                else diversity_tables(caption_data.diversities)
            ),
        ],
        references=caption_data.references,
        reference_scenes=caption_data.reference_scenes,
        attributes=[
            *(Attribute(name, list(values)) for name, values in systems.groups.items()),
            *caption_data.attributes,
        ],
        images=pictures.addresses or None,
        bucketings=ways,
        findings=caption_data.findings,
    )


def measure(column: str) -> Measure:
    """Return the label and bounds of a column of scores; a user's own column has no bounds."""
    metric = metric_of_column(column)
    label = paper_name(column).label
    if metric is None:
        return Measure(column, label)
    low, high = map(_bound, metric.bounds_of(column))
    return Measure(column, label, metric.description, low, high, metric.lower_is_better)


def _bound(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _series(name: str, systems: Systems, caption_data: CaptionData) -> Series:
    scores = systems.results[name].samples
    words, scenes = caption_data.words.get(name), caption_data.scenes.get(name)
    return Series(
        name,
        caption_data.captions.get(name),
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


def _pictures(systems: Systems, options: ReportOptions) -> Pictures:
    if options.images is None:
        return Pictures([])
    given = options.images
    folder = given if isinstance(given, ImageFolder) else ImageFolder(given)
    names = [id_as_text(image) for image in systems.first.ids]
    if systems.captions is not None and (images := systems.captions.references.images):
        names = [images[image] for image in systems.captions.images.tolist()]
    if options.page is not None:
        return linked_pictures(folder, names, options.page)
    return inlined_pictures(
        folder, names, order_by_disagreement(_sort_scores(systems)), options.megabytes
    )


def _sort_scores(systems: Systems) -> list[FloatArray]:
    """Return every system's scores that order rows by interest."""
    column = next((name for name in SORT_METRICS if name in systems.columns), systems.columns[0])
    return [result.samples[column] for result in systems.results.values()]


def _command_to_score(systems: Systems) -> list[str]:
    """Return the command that reproduces the scores by their signature, if there is one."""
    signature = systems.signature
    if signature is None or not signature.metrics:
        return []
    words = ["captious", "score", "CANDIDATES", "--references", "REFERENCES"]
    words += ["--metrics", ",".join(map(str, signature.metrics))]
    if signature.tokenizer != tokenizer_for(systems.language, None):
        words += ["--tokenizer", signature.tokenizer]
    if systems.language != ENGLISH:
        words += ["--language", systems.language]
    return [shlex.join([*words, "--output", "SCORES"])]


@check_arguments
def write_report(
    results: Mapping[str, Result],
    path: str | Path,
    *,
    images: str | Path | ImageFolder | None = None,
    link_images: bool = False,
    image_budget: Annotated[float, MEGABYTES] = IMAGE_BUDGET_MB,
    title: str | None = None,
    scenes: str = AUTO,
    resamples: Draws | None = None,
    seed: Seed = SEED,
    method: str | None = None,
) -> None:
    """Write an HTML report about systems scored on the same images: results by name.

    `images` is a folder of the samples' images. Thumbnails are embedded in the page, at most
    `image_budget` megabytes of them; with `link_images`, the page links to the files. Scene graphs
    are shown where SPICE was scored and captions are not too many (`scenes="auto"`), or as `"yes"`
    and `"no"` say. `resamples` and `method` are as for `leaderboard`.
    """
    check_page(path)
    options = ReportOptions(
        title=title,
        images=images,
        page=path if link_images else None,
        megabytes=image_budget,
        scenes=scenes,
        resamples=resamples,
        seed=seed,
        method=method,
    )
    write_contents(path, results, options)


def write_contents(
    path: str | Path, results: Mapping[str, Result], options: ReportOptions
) -> Contents:
    """Write the report and return the contents of the page."""
    check_choice("unknown choice of scenes", options.scenes, SCENES)
    if options.method is not None:
        check_method(options.method)
    if options.page is not None and options.images is None:
        raise InputError("no images to link; name a folder of images")
    contents = build_contents(results, options)
    write_page(path, contents)
    return contents
