"""Read files of scores: those of Captious with their statistics, others as columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr, warn
from captious.io.caption_tables import ReadOptions, score_file_ids, with_documented_names
from captious.io.captions import captions_beside_scores, groups_of_rows
from captious.io.file_metadata import metadata_values
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, describe, format_names
from captious.io.inputs import is_folder
from captious.io.part_folders import PartFolder, is_part_folder
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.declarations import METRICS
from captious.registry import metric_of_column
from captious.result import GROUP, SIGNATURE, Result, is_reserved, statistic_column
from captious.samples import Samples

MAX_SCORE = 1e150  # of a score: sums and squares of such numbers are still numbers


class PrecomputedScores(Metric):
    """A column of scores computed elsewhere; its corpus score is the mean."""

    description = "scores read from a file"
    bounds = (-math.inf, math.inf)

    def __init__(self, column: str) -> None:
        self.name = column
        self.columns = (column,)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """Precomputed scores cannot be computed again."""
        raise NotImplementedError


def read_scores(path: str | Path, by: Sequence[str] = ()) -> Result:
    """Read scores: those of Captious with their statistics, other columns of numbers as means.

    Captions and groups that were kept beside them come with them. `by` names columns that are
    groups, too, though nothing says so in the file.
    """
    table, scores = _read_score_table(path)
    if not len(table):
        raise InputError(f"{path}: no samples; the file has no rows")
    ids = score_file_ids(table)
    metrics: dict[str, Metric] = {}
    statistics: dict[str, FloatArray] = {}
    groups = _group_columns(table, by)
    columns, not_scores = [], []
    for column in table.columns:
        if is_reserved(column) or column in groups or (scores and column not in scores):
            continue
        # One after another: where every row has names of its own, all together are too many.
        if not _has_numbers(table, column):
            not_scores.append(column)
            continue
        columns.append(column)
        known = metric_of_column(column)
        names = known.statistic_names if known is not None else None
        if (
            known
            and names
            and all(statistic_column(known, name) in table.columns for name in names)
        ):
            if known.name not in metrics:
                metrics[known.name] = METRICS[known.name]()
                statistics[known.name] = _statistics(table, known, names)
            continue
        metrics[column] = PrecomputedScores(column)
        statistics[column] = mean_statistics(_number_column(table, column))
    if not columns:
        raise InputError(f"{path}: no columns of scores beside the ids")
    if not_scores:
        warn(f"{path}: columns without numbers are not scores: {format_names(not_scores)}")
    return Result(
        ids,
        tuple(metrics.values()),
        tuple(columns),
        statistics,
        _signature(table),
        captions=captions_beside_scores(table),
        groups=groups,
    )


def _read_score_table(path: str | Path) -> tuple[InputTable, tuple[str, ...]]:
    """The rows of a file, or of a folder of parts, and which columns are scores, if that is known.

    Parts have all columns of the user's own, under names of his own.
    """
    if not (is_folder(path) and is_part_folder(path)):
        return read_table(path), ()
    parts = PartFolder.open(path)
    table = parts.table()
    if not parts.scores:
        return table, ()
    return with_documented_names(table, ReadOptions(parts.columns, report=warn)), parts.scores


def _signature(table: InputTable) -> str:
    """Return what the scores depend on, if the file says so."""
    first, *others = metadata_values(table, SIGNATURE) or [""]
    if others:
        warn(
            f"{table.path}: {1 + len(others)} different signatures: rows that were scored in "
            "different ways; the first is taken for all"
        )
    return first


def _group_columns(table: InputTable, by: Sequence[str]) -> dict[str, list[str]]:
    """The columns that say to which group a sample belongs, by their names."""
    marked = [name for name in table.columns if name.startswith(f"{GROUP}:")]
    columns = {name.removeprefix(f"{GROUP}:"): name for name in marked}
    columns |= {name: table.require(name) for name in by if name not in columns}
    return {name: groups_of_rows(table, column) for name, column in columns.items()}


def _statistics(table: InputTable, metric: type[Metric], names: Sequence[str]) -> FloatArray:
    """The statistics of a metric, which captions must be able to have."""
    columns = {name: _number_column(table, statistic_column(metric, name)) for name in names}
    if metric.statistic_rules is not None:
        for name, row, rule in metric.statistic_rules.violations(columns):
            raise InputError(
                f"{table.place(row)}: {statistic_column(metric, name)!r} {rule}, found "
                f"{columns[name][row]:.12g}; write the scores again with `captious score --output`"
            )
    return np.column_stack(list(columns.values()))


def _has_numbers(table: InputTable, name: str) -> bool:
    """Whether anything in a column is a number; a user's own texts beside scores are none."""
    return metric_of_column(name) is not None or any(map(_is_number, table.columns[name]))


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _number_column(table: InputTable, name: str) -> FloatArray:
    """A column as finite numbers."""
    numbers = np.zeros(len(table))
    for row, value in enumerate(table.columns[name]):
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError, OverflowError):
            numbers[row] = math.nan
        if not abs(numbers[row]) < MAX_SCORE:
            raise InputError(
                f"{table.place(row)}: {short_repr(name)} must be a number, found {describe(value)}"
            )
    return numbers
