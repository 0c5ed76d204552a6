"""All that a report of metrics beside people's judgements shows, gathered from an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.cache import default_cache
from captious.errors import InputError
from captious.garbage_collection import garbage_collection_paused
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Judgements, Preferences, image_names
from captious.report.browser.contents import JUDGEMENTS, Contents, Made, Measure, Series
from captious.report.judgements.boards import boards
from captious.report.judgements.captions import Explained, JudgedCaptions
from captious.report.judgements.people import SIDES, attributes
from captious.report.judgements.rating_kinds import by_rating
from captious.report.systems.gathered import measure
from captious.samples import analysed_once
from captious.version import __version__

SPICE = "spice"  # whose scene graphs are parsed already


def gather(evaluation: Evaluation, *, commands: Sequence[str] = (), cache: bool = True) -> Contents:
    """The contents of a page about metrics that were put through a benchmark.

    `commands` are those that make the numbers again; with `cache`, parses come from the disk.
    """
    judgements = evaluation.judgements
    if judgements is None:
        raise InputError(f"{evaluation.benchmark}: an evaluation without judgements shows nothing")
    contents = Contents(
        JUDGEMENTS,
        f"{evaluation.benchmark}: metrics beside people's judgements",
        _ids(judgements),
        [
            Series(name, None, {column: scores[:, side] for column, scores in _columns(evaluation)})
            for side, name in enumerate(_names(judgements))
        ],
        [_measure(column, scores) for column, scores in evaluation.scores.items()],
        Made(__version__, [evaluation.signature], commands, [evaluation.protocol.describe()]),
        boards=boards(evaluation),
        attributes=attributes(evaluation, judgements),
        bucketings=[] if isinstance(judgements, Preferences) else by_rating(evaluation, judgements),
    )
    if evaluation.first_part:  # rows are whole systems, which have no caption of their own
        return replace(contents, ids=[str(system) for system in judgements.images])
    with analysed_once(), garbage_collection_paused():
        return _with_captions(contents, judgements, cache)


def _with_captions(contents: Contents, judgements: Judgements, cache: bool) -> Contents:
    """The same with what was judged."""
    judged = JudgedCaptions.of(judgements, default_cache() if cache else None)
    names = [series.name for series in contents.series]
    scored = any(each.name.startswith(SPICE) for each in contents.measures)
    known = Explained.of(judged, names, contents.ids, scored)
    series = []
    for side, each in enumerate(contents.series):
        words = known.words[side] if known.words else None
        series.append(
            replace(
                each,
                captions=judged.series[side],
                unsupported=words.unsupported if words else None,
                missing=words.missing if words else None,
                scenes=known.scenes[side] if known.scenes else None,
            )
        )
    return replace(
        contents,
        series=series,
        made=replace(contents.made, notes=[*contents.made.notes, *known.notes]),
        references=judgements.references,
        reference_scenes=known.reference_scenes,
        findings=known.findings,
    )


def _names(judgements: Judgements) -> Sequence[str]:
    return SIDES if isinstance(judgements, Preferences) else ("captions",)


def _columns(evaluation: Evaluation) -> list[tuple[str, FloatArray]]:
    """Each metric's scores, one column a series."""
    return [
        (column, scores.reshape(len(scores), -1)) for column, scores in evaluation.scores.items()
    ]


def _ids(judgements: Judgements) -> list[str]:
    """The row's number, as `--samples` counts, and the image's name where it has one."""
    names = image_names(judgements.images)
    if names is None:
        return [str(row) for row in range(len(judgements))]
    return [f"{row}-{name}" for row, name in enumerate(names)]


def _measure(column: str, scores: FloatArray) -> Measure:
    """What a column is; scores of one's own may go beyond the bounds of ours of that name."""
    known = measure(column)
    low = -np.inf if known.low is None else known.low
    high = np.inf if known.high is None else known.high
    inside = bool(((scores >= low - 1e-9) & (scores <= high + 1e-9)).all())
    return known if inside else replace(known, low=None, high=None)
