"""Files of scores: one row a sample, with what a corpus score needs beyond the samples' scores."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from captious.catalogue import METRICS, metric_of_column
from captious.errors import InputError
from captious.io.captions import read_ids
from captious.io.formats import read_table, write_columns
from captious.io.table import Table, describe
from captious.metrics.base import Metric, averaged
from captious.ragged import FloatArray
from captious.result import Result
from captious.samples import Samples
from captious.shown import shown

PREFIX = "statistic"
SIGNATURE = "signature"
LARGEST = 1e150  # of a score: sums and squares of such numbers are still numbers


class GivenScores(Metric):
    """A column of scores that somebody else computed: its corpus score is the mean."""

    description = "scores read from a file"
    bounds = (-math.inf, math.inf)

    def __init__(self, column: str) -> None:
        self.name = column
        self.columns = (column,)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """Given scores cannot be computed."""
        raise NotImplementedError


def write_scores(path: str | Path, result: Result) -> None:
    """Id, one column a score, then the statistics of metrics whose corpus score is no mean."""
    columns: dict[str, list[Any]] = {"id": list(map(_plain_id, result.ids))}
    columns |= {name: scores.tolist() for name, scores in result.samples.items()}
    for metric in result.metrics:
        if metric.statistic_names is not None:
            values = result.statistics[metric.name]
            for place, name in enumerate(metric.statistic_names):
                columns[_column(metric, name)] = values[:, place].tolist()
    columns[SIGNATURE] = [result.signature] * result.n
    write_columns(path, columns)


def _plain_id(image: Hashable) -> int | str:
    """An id as every format can hold it: whole numbers and text as they are, all else as text."""
    return int(image) if isinstance(image, Integral) and not isinstance(image, bool) else str(image)


def read_scores(path: str | Path) -> Result:
    """The scores of a file: ours with their statistics, anyone's columns of numbers as means."""
    table = read_table(path)
    if not len(table):
        raise InputError(f"{path}: no samples; the file has no rows")
    ids = read_ids(table)
    metrics: dict[str, Metric] = {}
    statistics: dict[str, FloatArray] = {}
    id_name = table.require("image_id", "id")
    others = (id_name, SIGNATURE)
    columns = [c for c in table.columns if c not in others and not c.startswith(f"{PREFIX}:")]
    if not columns:
        raise InputError(f"{path}: no columns of scores beside the ids")
    for column in columns:
        known = metric_of_column(column)
        names = known.statistic_names if known is not None else None
        if known and names and all(_column(known, name) in table.columns for name in names):
            if known.name not in metrics:
                metrics[known.name] = METRICS[known.name]()
                statistics[known.name] = _statistics(table, known, names)
            continue
        metrics[column] = GivenScores(column)
        statistics[column] = averaged(_numbers(table, column))
    signature = str(table.columns.get(SIGNATURE, [""])[0])
    return Result(ids, tuple(metrics.values()), tuple(columns), statistics, signature)


def _column(metric: Metric | type[Metric], statistic: str) -> str:
    return f"{PREFIX}:{metric.name}:{statistic}"


def _statistics(table: Table, metric: type[Metric], names: Sequence[str]) -> FloatArray:
    """The statistics of a metric, which captions must be able to have."""
    columns = {name: _numbers(table, _column(metric, name)) for name in names}
    if metric.statistic_rules is not None:
        for name, row, rule in metric.statistic_rules.broken(columns):
            raise InputError(
                f"{table.place(row)}: {_column(metric, name)!r} {rule}, found "
                f"{columns[name][row]:.12g}; write the scores again with `captious score --output`"
            )
    return np.column_stack(list(columns.values()))


def _numbers(table: Table, name: str) -> FloatArray:
    """A column as finite numbers."""
    numbers = np.zeros(len(table))
    for row, value in enumerate(table.columns[name]):
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError, OverflowError):
            numbers[row] = math.nan
        if not abs(numbers[row]) < LARGEST:
            raise InputError(
                f"{table.place(row)}: {shown(name)} must be a number, found {describe(value)}"
            )
    return numbers
