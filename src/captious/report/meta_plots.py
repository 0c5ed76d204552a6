"""Plots of meta-evaluation results."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.meta.evaluation import Evaluation
from captious.meta.evaluation_table import NAMES
from captious.meta.evaluations import ByReferences
from captious.meta.judgements import Ratings
from captious.meta.robustness.evaluation import Robustness
from captious.meta.robustness.rows import DecayRow
from captious.report.plots.bars import AgreementBar, plot_agreement
from captious.report.plots.by_references import Point, plot_by_references
from captious.report.plots.canvas import plot_kind
from captious.report.plots.robustness import plot_robustness
from captious.report.plots.scatter import plot_scatter


def check_plot(path: str | Path) -> None:
    """Stop at a file that no plot can be written to, before anything is computed."""
    plot_kind(path)
    check_writable(path)


def plot(path: str | Path, result: object) -> None:
    """Bars of agreement, or curves: by number of references, or of captions made worse."""
    if isinstance(result, Evaluation):
        _bars(path, result)
    elif isinstance(result, ByReferences):
        _curves(path, result)
    elif isinstance(result, Robustness):
        _robustness(path, result)
    else:
        raise InputError("--plot draws one benchmark's agreement, or agreement by --references")


def scatter(path: str | Path, result: object) -> None:
    """Scores against ratings, one panel a metric."""
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


def _bars(path: str | Path, evaluation: Evaluation) -> None:
    statistic = evaluation.agreements.statistic
    bars = []
    for row in evaluation.agreements.rows:
        figure = evaluation.published(row.metric)
        shown = (row.values[statistic], *row.interval(statistic))
        bars.append(AgreementBar(row.metric, *shown, figure.value if figure else None))
    title = f"{evaluation.benchmark} ({evaluation.protocol.name} protocol)"
    plot_agreement(path, title, _title(evaluation), bars)


def _curves(path: str | Path, result: ByReferences) -> None:
    statistic = result.first.agreements.statistic
    curves = {
        name: [Point(row.values[statistic], *row.interval(statistic)) for row in rows]
        for name, rows in result.curves.items()
    }
    title = f"{result.first.benchmark}, by number of references"
    plot_by_references(path, title, _title(result.first), result.counts, curves)


def _robustness(path: str | Path, result: Robustness) -> None:
    rows = [row for row in result.rows if isinstance(row, DecayRow)]
    if not rows:
        raise InputError("--plot draws the curves of pathological captions; ask for that kind")
    curves = {
        name: {row.metric: np.array(row.curves[name]) for row in rows} for name in rows[0].curves
    }
    plot_robustness(path, result.strengths, curves, "Scores of captions made worse")


def _title(evaluation: Evaluation) -> str:
    return "accuracy" if evaluation.agreements.of_pairs else NAMES[evaluation.statistic]
