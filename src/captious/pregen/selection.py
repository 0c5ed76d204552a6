"""Selection of an epoch by a score, and how much is lost against the best epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.array_arguments import as_floats, check_flat
from captious._internal.checks.bounds import Bounds, Count, Draws, Seed, check_number
from captious.errors import InputError, short_repr
from captious.pregen.search import search
from captious.pregen.search_table import SearchTable
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE, Interval, ResampledSums


@dataclass(frozen=True)
class SelectedEpoch:
    """The selected epoch, and the number of epochs trained to select it; from 1 on."""

    epoch: int
    trained: int


@check_arguments
def best_epoch(values: Sequence[float] | FloatArray, *, lower_is_better: bool = False) -> int:
    """The epoch with the best score, from 1 on; of equal ones the first."""
    scores = _ascending(values, lower_is_better)
    return int(scores.argmax()) + 1


@check_arguments
def with_patience(
    values: Sequence[float] | FloatArray, patience: Count, *, lower_is_better: bool = False
) -> SelectedEpoch:
    """Stop once the score has not improved for so many epochs; keep the best epoch until then."""
    scores = _ascending(values, lower_is_better)
    best = 0
    for epoch in range(1, len(scores)):
        if scores[epoch] > scores[best]:
            best = epoch
        elif epoch - best >= patience:
            return SelectedEpoch(best + 1, epoch + 1)
    return SelectedEpoch(best + 1, len(scores))


def _ascending(values: Sequence[float] | FloatArray, lower_is_better: bool) -> FloatArray:
    scores = _as_curve(values, "values")
    return -scores if lower_is_better else scores


def _as_curve(values: Sequence[float] | FloatArray, what: str) -> FloatArray:
    """One number for each epoch; of a network that has diverged they may be infinite."""
    if not len(values):
        raise InputError(f"{what}: no epochs to choose from")
    scores = check_flat(as_floats(values, what), what)
    if np.isnan(scores).any():
        raise InputError(f"{what}: epoch {int(np.isnan(scores).argmax()) + 1} has no number (NaN)")
    return scores


@dataclass(frozen=True)
class TransferredMetric:
    """The best pre-gen metric of a search without one architecture, and the sign of its r."""

    metric: str
    r: float

    @property
    def lower_is_better(self) -> bool:
        """Whether lower values go with better captions."""
        return self.r < 0


@check_arguments
def leave_one_architecture_out(table: SearchTable, post: str) -> dict[str, TransferredMetric]:
    """Return, for each architecture, the best metric of a search over all others."""
    architectures = np.array(table.keys.get("architecture", []))
    names = list(dict.fromkeys(architectures.tolist()))
    if len(names) < 2:
        raise InputError("to leave one architecture out, give two or more")
    best_elsewhere = {}
    for name in names:
        others = table.take(np.flatnonzero(architectures != name))
        best = search(others, resamples=0).rankings[post][0]
        best_elsewhere[name] = TransferredMetric(best.metric, best.r)
    return best_elsewhere


MeanWithInterval = tuple[float, Interval]  # 95%


@dataclass(frozen=True)
class SelectionOutcome:
    """Scores of selected epochs: means over runs, with intervals over runs."""

    score: MeanWithInterval
    lost: MeanWithInterval  # against the best epoch in hindsight
    gained: MeanWithInterval  # against the epochs that it is compared with


@check_arguments
def selection_outcome(
    scores: Mapping[str, Sequence[float] | FloatArray],
    epochs: Mapping[str, int],
    *,
    instead_of: Mapping[str, int] | None = None,
    resamples: Draws = RESAMPLES,
    seed: Seed = SEED,
    method: str = PERCENTILE,
) -> SelectionOutcome:
    """What the chosen epochs are worth: `scores` are each run's by epoch, on images not chosen on.

    `instead_of` are the epochs that another way has chosen; without it nothing is gained or lost
    on it. Intervals draw whole runs; their `method` is `percentile` or `bca`.
    """
    other = epochs if instead_of is None else instead_of
    if not scores or not set(scores) == set(epochs) == set(other):
        raise InputError("give each run its scores and the epoch that was chosen")
    curves = {
        run: _as_curve(values, f"scores of {short_repr(run)}") for run, values in scores.items()
    }
    chosen = np.array([_score_at(curves[run], epochs[run], run) for run in curves])
    best = np.array([curve.max() for curve in curves.values()])
    before = np.array([_score_at(curves[run], other[run], run) for run in curves])
    columns = {"score": chosen, "lost": best - chosen, "gained": chosen - before}
    rows = np.column_stack(list(columns.values()))

    def means(sums: FloatArray) -> dict[str, FloatArray]:
        # Without a run the sums are of fewer, which no method minds: all are too small alike.
        return dict(zip(columns, np.moveaxis(sums / len(rows), -1, 0), strict=True))

    resampled = ResampledSums(rows, means, resamples, seed)
    intervals = [resampled[name].interval(method=method) for name in columns]
    return SelectionOutcome(*zip(rows.mean(axis=0).tolist(), intervals, strict=True))


def _score_at(curve: FloatArray, epoch: int, run: str) -> float:
    """A run's score after an epoch."""
    check_number(
        f"the epoch of {short_repr(run)}", epoch, Bounds(1, len(curve), whole=True, with_most=True)
    )
    return float(curve[epoch - 1])
