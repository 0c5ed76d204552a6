"""Whether two systems' corpus scores differ by more than chance, image by image."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.checks.arguments import checked
from captious.checks.bounds import Draws, Seed
from captious.errors import InputError, warn
from captious.intervals import PERCENTILE, Interval, ResampledSums, check_method
from captious.metrics.base import Metric
from captious.resampling import (
    RESAMPLES,
    SEED,
    exact_sum,
    share_as_extreme,
    sum_by_image,
    swapped,
)
from captious.result import Result, scores_by_column
from captious.shown import shown
from captious.signature import Signature
from captious.tables import FORMATS, Table, Tabled, decimals
from captious.text.languages import ENGLISH

HEADER = ["metric", "A", "B", "B - A", "95 % interval", "p bootstrap", "p randomisation"]


@dataclass(frozen=True)
class Difference:
    """One column's corpus scores for two systems, and how sure their difference is.

    `p_bootstrap` and `p_randomisation` are two-sided: how often resampled images, or images whose
    two captions are exchanged at random, give a difference at least this far from none.
    """

    metric: str
    a: float
    b: float
    difference: float
    interval: Interval
    p_bootstrap: float
    p_randomisation: float


@dataclass(frozen=True, repr=False)
class Comparison(Tabled):
    """Two systems compared on the same images, one row a column of scores."""

    worded = FORMATS

    n: int
    rows: tuple[Difference, ...]
    resamples: int
    seed: int
    interval_method: str = PERCENTILE

    def to_dict(self) -> dict[str, Any]:
        """The comparison as `--format json` prints it; what is usual is left unsaid."""
        usual = self.interval_method == PERCENTILE
        return {
            "n": self.n,
            "resamples": self.resamples,
            "seed": self.seed,
            **({} if usual else {"interval_method": self.interval_method}),
            "rows": [{**vars(row), "interval": list(row.interval)} for row in self.rows],
        }

    def as_tables(self) -> list[Table]:
        """Both scores, their difference with its interval, and two p-values."""
        rows = [
            [
                row.metric,
                decimals(row.a),
                decimals(row.b),
                f"{row.difference:+.4f}",
                f"{row.interval[0]:+.4f} to {row.interval[1]:+.4f}",
                decimals(row.p_bootstrap),
                decimals(row.p_randomisation),
            ]
            for row in self.rows
        ]
        return [Table(HEADER, rows)]

    def below(self) -> list[str]:
        """How it was compared."""
        note = f"{self.n} images, {self.resamples} resamples, seed {self.seed}"
        if self.interval_method != PERCENTILE:
            note += f", {self.interval_method} intervals"
        return [note]

    def brief(self) -> list[str]:
        """The differences, and how likely chance gives as much."""
        rows = (
            f"{row.metric} {row.difference:+.4f} (p {decimals(row.p_bootstrap)})"
            for row in self.rows
        )
        return [f"{self.n} images, B - A", *rows]


@checked
def compare(
    a: Result,
    b: Result,
    *,
    resamples: Draws = RESAMPLES,
    seed: Seed = SEED,
    method: str = PERCENTILE,
) -> Comparison:
    """Paired bootstrap and paired randomisation on the corpus scores that both results have.

    `method` is that of the differences' intervals: `percentile` or `bca`.
    """
    check_method(method)
    columns = [name for name in a.columns if name in b.columns]
    if not columns:
        raise InputError(
            f"no scores in common: {', '.join(a.columns)} against {', '.join(b.columns)}"
        )
    _check_same_images(a, b)
    metrics = _common_metrics(a, b, columns)
    _warn_of_other_settings(a, b, metrics)
    first = sum_by_image(a.ids, a.stacked(metrics))
    second = sum_by_image(b.ids, b.stacked(metrics))
    scores_a = scores_by_column(metrics, exact_sum(first))
    scores_b = scores_by_column(metrics, exact_sum(second))
    resampled = ResampledSums(
        np.hstack([first, second]), partial(_differences, metrics), resamples, seed
    )
    exchanged = _differences(metrics, np.hstack(swapped(first, second, resamples, seed)))
    rows = []
    for name in columns:
        difference = resampled[name]
        rows.append(
            Difference(
                name,
                float(scores_a[name]),
                float(scores_b[name]),
                difference.observed,
                difference.interval(method=method),
                difference.p_value(),
                share_as_extreme(np.abs(exchanged[name]), difference.observed),
            )
        )
    return Comparison(len(first), tuple(rows), resamples, seed, method)


def _differences(metrics: Iterable[Metric], sums: FloatArray) -> dict[str, FloatArray]:
    """How much better the second system is, from both systems' statistics side by side."""
    a, b = (scores_by_column(metrics, side) for side in np.split(sums, 2, axis=-1))
    return {name: b[name] - a[name] for name in a}


def _common_metrics(a: Result, b: Result, columns: list[str]) -> list[Metric]:
    """The metrics behind these columns, which must be of one kind on both sides."""
    kinds = {metric.name: type(metric) for metric in b.metrics}
    metrics = [metric for metric in a.metrics if not set(columns).isdisjoint(metric.columns)]
    for metric in metrics:
        if kinds.get(metric.name) is not type(metric):
            raise InputError(
                f"{metric.name}: one side has the statistics of its corpus score and the other has "
                "not; write both with `captious score --output`"
            )
    return metrics


def _warn_of_other_settings(a: Result, b: Result, metrics: list[Metric]) -> None:
    """Scores made with other parameters differ for that reason, whatever the captions."""
    settings = [_settings(result.signature, metrics) for result in (a, b)]
    for ours, theirs in zip(*settings, strict=False):  # nothing to compare where one has none
        if ours != theirs:
            warn(
                f"the two sides were scored differently: {ours} against {theirs}; score both alike"
            )


def _settings(text: str, metrics: list[Metric]) -> list[str]:
    """What a signature says of captions and of these metrics; nothing if it is not ours."""
    try:
        signature = Signature.parse(text)
    except InputError:
        return []
    addresses = (signature.metric(metric.name) for metric in metrics)
    return [
        f"tokenizer:{signature.tokenizer}",
        f"language:{signature.language or ENGLISH}",
        *(str(address or "") for address in addresses),
    ]


def _check_same_images(a: Result, b: Result) -> None:
    ids_a, ids_b = _counts(a), _counts(b)
    if ids_a != ids_b:
        odd = next(image for image in [*ids_a, *ids_b] if ids_a.get(image) != ids_b.get(image))
        one, other = ids_a.get(odd, 0), ids_b.get(odd, 0)
        raise InputError(
            f"id {shown(odd)}: {one} sample{'s' * (one != 1)} in the one and {other} in the other; "
            "a paired comparison needs the same ids on both sides, each as often "
            f"({a.n} and {b.n} samples)"
        )


def _counts(result: Result) -> dict[str, int]:
    counts: dict[str, int] = {}
    for image in result.ids:
        counts[str(image)] = counts.get(str(image), 0) + 1
    return counts
