"""Search: how well each pre-gen metric predicts each post-gen metric, over many models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import DrawsOrNone, Seed
from captious.errors import InputError
from captious.io.json import nan_to_none
from captious.pregen.search_table import SearchTable
from captious.signature import state_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE, Estimate, Interval, check_method

DIGITS = 12  # of R², beyond which rounding would decide the order
MAX_NUMBERS_IN_MEMORY = 1 << 24  # at once while resampling


@dataclass(frozen=True)
class PredictionQuality:
    """How well a pre-gen metric predicts a post-gen one: R², its sign in r, and by data set."""

    metric: str
    r: float
    interval: Interval  # of R², 95%
    by_dataset: dict[str, float]  # R² within each

    @property
    def r2(self) -> float:
        """The share of variance explained."""
        return self.r**2

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it; null where undefined."""
        shown = {"metric": self.metric, "r2": self.r2, "r": self.r}
        return {**shown, "interval": nan_to_none(self.interval), "datasets": self.by_dataset}


@dataclass(frozen=True, eq=False)
class Search:
    """The ranking of pre-gen metrics for each post-gen metric, the best first."""

    table: SearchTable
    rankings: dict[str, list[PredictionQuality]]
    dropped: tuple[str, ...]  # infinite somewhere, or constant in a data set
    resamples: int
    seed: int
    interval_method: str = PERCENTILE

    @property
    def signature(self) -> str:
        """What intervals depend on; scores are those of the table, however they were computed."""
        method = None if self.interval_method == PERCENTILE else self.interval_method
        return f"scores given|bootstrap:{state_bootstrap(self.resamples, self.seed, method)}"

    @property
    def ranked_count(self) -> int:
        """How many pre-gen metrics could be ranked."""
        return len(next(iter(self.rankings.values())))

    @property
    def models(self) -> int:
        """How many trained models the rows are of."""
        return int(self.table.models.max()) + 1

    def rank(self, post: str, metric: str) -> int | None:
        """A metric's place for a post-gen metric, from 1 on; None if it was dropped."""
        names = [row.metric for row in self.rankings[post]]
        return names.index(metric) + 1 if metric in names else None

    def row(self, post: str, metric: str) -> PredictionQuality:
        """How well a metric predicts a post-gen metric."""
        place = self.rank(post, metric)
        if place is None:
            raise InputError(f"{metric}: not ranked; it is infinite or constant somewhere")
        return self.rankings[post][place - 1]

    def best_on_average(self) -> str:
        """The metric whose R², averaged over the post-gen metrics, is highest."""
        totals: dict[str, float] = {}
        for rows in self.rankings.values():
            for row in rows:
                totals[row.metric] = totals.get(row.metric, 0.0) + row.r2
        return max(totals, key=lambda metric: round(totals[metric], DIGITS))

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """What `--format json` prints; the usual method of intervals is left unsaid."""
        usual = self.interval_method == PERCENTILE
        return {
            "rows": len(self.table),
            "models": self.models,
            "kept": self.ranked_count,
            "dropped": list(self.dropped),
            "resamples": self.resamples,
            "seed": self.seed,
            **({} if usual else {"interval_method": self.interval_method}),
            "rankings": {
                post: [row.to_dict() for row in rows[:top]] for post, rows in self.rankings.items()
            },
            "signature": self.signature,
        }


@check_arguments
def search(
    table: SearchTable,
    *,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
    method: str = PERCENTILE,
) -> Search:
    """Rank pre-gen metrics by R², the square of Pearson's r, with each post-gen metric.

    As in the paper, metrics that are infinite somewhere or constant in a data set are left out.
    Intervals, by `percentile` or `bca`, resample models, since the strata of one model are not
    independent.
    """
    check_method(method)
    if len(table) < 3:
        raise InputError(f"a correlation needs three rows or more; the table has {len(table)}")
    groups = _rows_by_dataset(table)
    for name, values in table.post.items():
        if any(_is_constant(values[rows]) for rows in groups.values()):
            raise InputError(f"{name}: the same for all rows of a data set; give more models")
    names = [name for name, values in table.pre.items() if _varies(values, groups)]
    if not names:
        raise InputError("every pre-gen metric is infinite or constant somewhere")
    pre = np.column_stack([table.pre[name] for name in names])
    post = np.column_stack(list(table.post.values()))
    overall = _correlations(pre, post)
    within = {name: _correlations(pre[rows], post[rows]) for name, rows in groups.items()}
    ends = _intervals(
        _scale_columns(pre), _scale_columns(post), overall**2, table.models, resamples, seed, method
    )
    rankings = {}
    for column, name in enumerate(table.post):
        ranking = [
            PredictionQuality(
                metric,
                float(overall[row, column]),
                (float(ends[0, row, column]), float(ends[1, row, column])),
                {dataset: float(r[row, column] ** 2) for dataset, r in within.items()},
            )
            for row, metric in enumerate(names)
        ]
        # The sort is stable: metrics that are the same in all but rounding keep their order.
        rankings[name] = sorted(ranking, key=lambda each: -round(each.r2, DIGITS))
    dropped = tuple(name for name in table.pre if name not in set(names))
    return Search(table, rankings, dropped, resamples, seed, method)


def _rows_by_dataset(table: SearchTable) -> dict[str, IntArray]:
    datasets = np.array(table.datasets)
    return {name: np.flatnonzero(datasets == name) for name in dict.fromkeys(table.datasets)}


def _varies(values: FloatArray, groups: dict[str, IntArray]) -> bool:
    if not np.isfinite(values).all():
        return False
    return not any(_is_constant(values[rows]) for rows in groups.values())


def _is_constant(values: FloatArray) -> bool:
    return bool((values == values[0]).all())


def _scale_columns(columns: FloatArray) -> FloatArray:
    """Center and scale columns, so that sums of squares are exact enough for all."""
    halves = columns / np.maximum(np.abs(columns).max(axis=0), np.finfo(np.float64).tiny)
    centred = halves - halves.mean(axis=0)
    scaled: FloatArray = centred / np.abs(centred).max(axis=0)
    return scaled


def _correlations(pre: FloatArray, post: FloatArray) -> FloatArray:
    """Pearson's r of every pre-gen with every post-gen column."""
    x, y = _scale_columns(pre), _scale_columns(post)
    norms = np.sqrt((x * x).sum(axis=0))[:, None] * np.sqrt((y * y).sum(axis=0))
    r: FloatArray = np.clip(x.T @ y / norms, -1, 1)
    return r


def _intervals(
    pre: FloatArray,
    post: FloatArray,
    observed: FloatArray,
    models: IntArray,
    resamples: int,
    seed: int,
    method: str,
) -> FloatArray:
    """Low and high end of R² over models drawn with replacement; NaN without resamples."""
    ends = np.full((2, pre.shape[1], post.shape[1]), np.nan)
    if resamples == 0:
        return ends
    n_models = int(models.max()) + 1
    drawn = np.random.default_rng(seed).integers(n_models, size=(resamples, n_models))
    counts = np.stack([np.bincount(row, minlength=n_models) for row in drawn]).astype(np.float64)
    for columns in _column_blocks(pre.shape[1], resamples * post.shape[1]):
        block = partial(_resample_r2, pre[:, columns], post, models)
        draws = block(counts)
        left_out = cache(partial(block, 1 - np.eye(n_models)))  # once, if the method asks for it
        for row, column in np.ndindex(draws.shape[1:]):
            metric = columns.start + row
            r2 = Estimate(
                "R²",
                float(observed[metric, column]),
                draws[:, row, column],
                partial(_select_column, left_out, row, column),
                n_models,
            )
            ends[:, metric, column] = r2.interval(method=method)
    return ends


def _select_column(left_out: Callable[[], FloatArray], row: int, column: int) -> FloatArray:
    return left_out()[:, row, column]


def _column_blocks(columns: int, numbers_each: int) -> Iterator[slice]:
    step = max(1, MAX_NUMBERS_IN_MEMORY // numbers_each)
    for start in range(0, columns, step):
        yield slice(start, min(start + step, columns))


def _resample_r2(x: FloatArray, y: FloatArray, models: IntArray, counts: FloatArray) -> FloatArray:
    """R² by resample: sums of powers and products are kept for each model, and summed again."""

    def sum_by_resample(columns: FloatArray) -> FloatArray:
        by_model = np.zeros((counts.shape[1], columns.shape[1]))
        np.add.at(by_model, models, columns)
        return counts @ by_model

    n = np.maximum(sum_by_resample(np.ones((len(x), 1))), 1)  # nothing is left without a lone model
    sx, sy = sum_by_resample(x), sum_by_resample(y)
    sxx, syy = sum_by_resample(x * x) - sx * sx / n, sum_by_resample(y * y) - sy * sy / n
    products = (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)
    sxy = sum_by_resample(products).reshape(len(counts), x.shape[1], y.shape[1])
    sxy -= sx[:, :, None] * sy[:, None, :] / n[:, :, None]
    with np.errstate(divide="ignore", invalid="ignore"):  # a resample may be of one model only
        r2: FloatArray = np.clip(sxy**2 / (sxx[:, :, None] * syy[:, None, :]), 0, 1)
    return r2
