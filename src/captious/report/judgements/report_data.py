"""Collect and write the contents of a report on metrics and people's judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.garbage_collection import pause_garbage_collection
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.io.cache import default_cache
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Judgements, Preferences, image_names
from captious.report.browser.contents import JUDGEMENTS, Contents, Measure, Provenance, Series
from captious.report.browser.page import check_page, write_page
from captious.report.judgements.captions import CaptionExplanations, JudgedCaptions
from captious.report.judgements.page_tables import page_tables
from captious.report.judgements.ratings import SIDES, bucket_by_rating, make_attributes
from captious.report.systems.pictures import IMAGE_BUDGET_MB, Pictures, inlined_pictures
from captious.report.systems.report_data import measure
from captious.samples import share_analysis
from captious.version import __version__

SPICE = "spice"  # where it was scored, scene graphs are parsed already


@dataclass(frozen=True)
class ReportOptions:
    """What a report shows beside scores, and how it is computed."""

    images: ImageFolder | None = None
    commands: Sequence[str] = ()  # that make the numbers again
    cache: bool = True  # whether parses are kept on disk, and read from there


def build_contents(evaluation: Evaluation, options: ReportOptions) -> Contents:
    """Return the contents of a page about metrics that were evaluated on a benchmark."""
    judgements = evaluation.judgements
    if judgements is None:
        raise InputError(f"{evaluation.benchmark}: an evaluation without judgements shows nothing")
    seen = None if evaluation.first_part else options.images
    pictures = _make_pictures(judgements, seen)  # before long work: what is wrong is said
    notes = [evaluation.protocol.describe(), *pictures.notes]
    contents = Contents(
        JUDGEMENTS,
        f"{evaluation.benchmark}: metrics beside people's judgements",
        _make_ids(judgements),
        _make_series(evaluation, judgements),
        [_widen_measure(column, scores) for column, scores in evaluation.scores.items()],
        Provenance(__version__, [evaluation.signature], options.commands, notes),
        tables=page_tables(evaluation),
        attributes=make_attributes(evaluation, judgements),
        images=pictures.addresses or None,
        bucketings=[]
        if isinstance(judgements, Preferences)
        else bucket_by_rating(evaluation, judgements),
    )
    if evaluation.first_part:  # rows are whole systems, which have no caption of their own
        return replace(contents, ids=list(judgements.groups))
    with share_analysis(), pause_garbage_collection():
        return _add_captions(contents, judgements, options.cache)


def _add_captions(contents: Contents, judgements: Judgements, cache: bool) -> Contents:
    """Add the judged captions."""
    judged = JudgedCaptions.of(judgements, default_cache() if cache else None)
    names = [series.name for series in contents.series]
    parsed = any(each.name.startswith(SPICE) for each in contents.measures)
    explanations = CaptionExplanations.of(judged, names, contents.ids, parsed)
    series = []
    for side, each in enumerate(contents.series):
        words = explanations.words[side] if explanations.words else None
        scenes = explanations.scenes[side] if explanations.scenes else None
        series.append(
            replace(
                each,
                captions=judged.series[side],
                unsupported=words.unsupported if words else None,
                missing=words.missing if words else None,
                scenes=scenes.tuples if scenes else None,
                matched=scenes.matched if scenes else None,
                found=scenes.found if scenes else None,
                sentences=words.sentences if words else None,
            )
        )
    return replace(
        contents,
        series=series,
        made=replace(contents.made, notes=[*contents.made.notes, *explanations.notes]),
        references=judgements.references,
        reference_scenes=explanations.reference_scenes,
        findings=explanations.findings,
    )


def _make_series(evaluation: Evaluation, judgements: Judgements) -> list[Series]:
    """The judged captions, or either side of judged pairs, without captions as yet."""
    names = SIDES if isinstance(judgements, Preferences) else ("captions",)
    columns = {
        column: scores.reshape(len(scores), -1) for column, scores in evaluation.scores.items()
    }
    return [
        Series(name, None, {column: scores[:, side] for column, scores in columns.items()})
        for side, name in enumerate(names)
    ]


def _make_ids(judgements: Judgements) -> list[str]:
    """The row's number, as `--samples` counts, and the image's name where it has one."""
    names = image_names(judgements.images)
    if names is None:
        return [str(row) for row in range(len(judgements))]
    return [f"{row}-{name}" for row, name in enumerate(names)]


def _widen_measure(column: str, scores: FloatArray) -> Measure:
    """Return a column's measure; a user's scores may exceed our metric's bounds."""
    plain = measure(column)
    low = -np.inf if plain.low is None else plain.low
    high = np.inf if plain.high is None else plain.high
    inside = bool(((scores >= low - 1e-9) & (scores <= high + 1e-9)).all())
    return plain if inside else replace(plain, low=None, high=None)


def _make_pictures(judgements: Judgements, images: ImageFolder | None) -> Pictures:
    """Small pictures of the judged images, as many as a page may have."""
    if images is None:
        return Pictures([])
    names = image_names(judgements.images)
    if names is None:
        raise InputError(f"{images.path}: no picture can be found, since the judgements name none")
    return inlined_pictures(
        images, names, range(len(names)), IMAGE_BUDGET_MB, "those of the first rows"
    )


@check_arguments
def write_report(
    evaluation: Evaluation,
    path: str | Path,
    *,
    images: str | Path | ImageFolder | None = None,
    cache: bool = True,
) -> None:
    """Write a page about metrics that were put through a benchmark.

    `images` is a folder of the judged images, of which small pictures are put into the page. With
    `cache`, parses are kept on disk and read from there.
    """
    check_page(path)
    folder = ImageFolder(images) if isinstance(images, str | Path) else images
    write_page(path, build_contents(evaluation, ReportOptions(images=folder, cache=cache)))
