"""Plots of meta-evaluation: agreement with people, scores against ratings, robustness."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.meta.evaluation import Evaluation
from captious.meta.evaluation_table import NAMES
from captious.meta.evaluations import ByReferences
from captious.meta.judgements import Ratings
from captious.meta.references import ReferenceChoice
from captious.meta.robustness.evaluation import Robustness
from captious.meta.robustness.rows import DecayRow
from captious.report.plots.bars import AgreementBar, plot_agreement
from captious.report.plots.canvas import format_number, panels_for, plot_kind, shorten
from captious.report.plots.meta_curves import Point, plot_by_references, plot_robustness

DOTS = "#0072b2"
MEANS: dict[str, Any] = {"color": "#d55e00", "markeredgecolor": "white"}
PANEL_WIDTH, PANEL_HEIGHT, MIN_WIDTH, EXTRA_HEIGHT = 2.6, 2.2, 4.0, 0.7  # inches
MAX_COLUMNS, MAX_LABEL_CHARS = 4, 31
MAX_DISTINCT_RATINGS = 12  # more distinct ones than that are a scale, which is cut into parts
SCALE_PARTS = 10
JITTER = 0.3  # of the smallest step between ratings, to either side


def check_plot(path: str | Path) -> None:
    """Raise an error, before any work, for a file that no plot can be written to."""
    plot_kind(path)
    check_writable(path)


def plot(path: str | Path, result: object) -> None:
    """Draw bars of agreement, or curves by number of references or of captions made worse."""
    if isinstance(result, Evaluation):
        _plot_bars(path, result)
    elif isinstance(result, ByReferences):
        _plot_curves(path, result)
    elif isinstance(result, Robustness):
        _plot_decay(path, result)
    else:
        raise InputError("--plot draws one benchmark's agreement, or agreement by --references")


def scatter(path: str | Path, result: object) -> None:
    """Draw scores against ratings, one panel for each metric."""
    if not isinstance(result, Evaluation) or not isinstance(result.judgements, Ratings):
        raise InputError("--scatter draws scores against ratings; these are no ratings")
    rows = result.agreements.rows
    rated = np.isfinite(result.judgements.ratings).any(axis=1)
    plot_scatter(
        path,
        f"{result.benchmark}: score against mean rating",
        np.nanmean(result.judgements.ratings[rated], axis=1),
        {row.metric: result.scores[row.metric][rated] for row in rows},
        {row.metric: row.values[result.agreements.statistic] for row in rows},
        statistic=NAMES[result.statistic],
    )


def _plot_bars(path: str | Path, evaluation: Evaluation) -> None:
    statistic = evaluation.agreements.statistic
    bars = []
    for row in evaluation.agreements.rows:
        figure = evaluation.published(row.metric)
        estimate = (row.values[statistic], *row.interval(statistic))
        bars.append(AgreementBar(row.metric, *estimate, figure.value if figure else None))
    title = f"{evaluation.benchmark} ({evaluation.protocol.name} protocol)"
    plot_agreement(path, title, _statistic_title(evaluation), bars)


def _plot_curves(path: str | Path, result: ByReferences) -> None:
    statistic = result.first.agreements.statistic
    choices = list(map(ReferenceChoice.parse, result.counts))
    several = len({choice.order for choice in choices}) > 1
    curves: dict[str, dict[int, Point]] = {}
    for name, rows in result.curves.items():
        for choice, row in zip(choices, rows, strict=True):
            label = f"{name}, {choice.order}" if several else name
            point = Point(row.values[statistic], *row.interval(statistic))
            curves.setdefault(label, {})[choice.number] = point
    title = f"{result.first.benchmark}, by number of references"
    plot_by_references(path, title, _statistic_title(result.first), curves)


def _plot_decay(path: str | Path, result: Robustness) -> None:
    rows = [row for row in result.rows if isinstance(row, DecayRow)]
    if not rows:
        raise InputError("--plot draws the curves of pathological captions; ask for that kind")
    curves = {
        name: {row.metric: np.array(row.curves[name]) for row in rows} for name in rows[0].curves
    }
    plot_robustness(path, result.strengths, curves, "Scores of captions made worse")


def _statistic_title(evaluation: Evaluation) -> str:
    return "accuracy" if evaluation.agreements.of_pairs else NAMES[evaluation.statistic]


def plot_scatter(
    path: str | Path,
    title: str,
    ratings: FloatArray,
    scores: Mapping[str, FloatArray],
    values: Mapping[str, float] | None = None,
    *,
    statistic: str = "τ",
    seed: int = 0,
) -> None:
    """Draw one panel a metric: the score of each judgement over its rating, and the mean scores.

    Ratings on a scale of a few steps are jittered, by the seed. `values` are printed in the panels'
    titles, under the name of the statistic.
    """
    # Equal means of raters may differ in their last digit, and are one step all the same.
    ratings = np.asarray(ratings, dtype=np.float64).round(9)
    _check_scatter(ratings, scores)
    columns = min(len(scores), MAX_COLUMNS)
    size = (max(PANEL_WIDTH, MIN_WIDTH / columns), PANEL_HEIGHT)
    x = _jitter(ratings, seed)
    # Thousands of dots: the more there are, the fainter each.
    alpha = float(np.clip(6 / np.sqrt(len(ratings)), 0.04, 0.5))
    labels = ("rating (the line is the mean score for each)", "score")
    rest = EXTRA_HEIGHT
    with panels_for(path, len(scores), columns, size, title, labels, rest=rest) as (_, grid):
        for axes, (metric, column) in zip(grid, scores.items(), strict=True):
            y = np.asarray(column, dtype=np.float64)
            # As an image inside an SVG, which would have a hundred thousand circles otherwise.
            axes.scatter(x, y, s=5, color=DOTS, alpha=alpha, linewidths=0, rasterized=True)
            axes.plot(*mean_scores(ratings, y), marker="o", markersize=5, **MEANS)
            axes.grid(visible=True, axis="y")
            name = shorten(metric, MAX_LABEL_CHARS)
            if values and metric in values:
                estimate = f"{statistic} = {format_number(values[metric])}"
                both = f"{name}  {estimate}"
                name = both if len(both) <= MAX_LABEL_CHARS else f"{name}\n{estimate}"
            axes.set_title(name)


def _jitter(ratings: FloatArray, seed: int) -> FloatArray:
    steps = np.unique(ratings)
    if not 1 < len(steps) <= MAX_DISTINCT_RATINGS:
        return ratings
    width = JITTER * float(np.diff(steps).min())
    return ratings + np.random.default_rng(seed).uniform(-width, width, len(ratings))


def mean_scores(ratings: FloatArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ratings, or means of ten parts of a scale, and the mean score at each."""
    steps, places = np.unique(ratings, return_inverse=True)
    if len(steps) > MAX_DISTINCT_RATINGS:
        edges = np.linspace(steps[0], steps[-1], SCALE_PARTS + 1)[1:-1]
        _, places = np.unique(np.digitize(ratings, edges), return_inverse=True)
    sizes = np.bincount(places)
    return np.bincount(places, ratings) / sizes, np.bincount(places, scores) / sizes


def _check_scatter(ratings: FloatArray, scores: Mapping[str, npt.ArrayLike]) -> None:
    if not scores or not ratings.size:
        raise InputError("nothing to plot; give ratings and the scores of at least one metric")
    for name, column in {"ratings": ratings, **scores}.items():
        values = np.asarray(column, dtype=np.float64)
        if values.ndim != 1 or len(values) != len(ratings):
            raise InputError(
                f"{name}: shape {values.shape}; give one number for each of {len(ratings)} ratings"
            )
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"{name}: row {row} is {values[row]}; it must be finite")
