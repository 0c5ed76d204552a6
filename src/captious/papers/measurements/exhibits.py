"""Measure exhibits: fill in the cells of their tables, draw them, and give the verdict.

Scores that several cells need are computed once. Where there are no data, published numbers stand
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from captious.errors import CaptiousError
from captious.meta.published import published as find_published
from captious.papers.declaration import (
    AnyMetric,
    AnyTask,
    Cell,
    ComparedCell,
    Grid,
    LinePlot,
    MeanCell,
    MeasuredCell,
    PublishedCell,
    PValueCell,
    ScatterPlot,
)
from captious.papers.exhibit import Content, Exhibit
from captious.papers.measurements.comparisons import JudgementComparison, compare
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import DeclarationScorer
from captious.papers.measurements.settings import describe_settings
from captious.papers.reproduction import Finding
from captious.papers.result import Measurement, Panel, PartResult, Table, Value
from captious.papers.verdicts import Assessment, Verdict, assess


def measure_exhibit(exhibit: Exhibit, experiment: Experiment) -> Finding:
    """Measure an exhibit as far as its data are available."""
    if exhibit.drawing and not exhibit.contents:
        return Finding(exhibit, Assessment(Verdict.DRAWING))
    if exhibit.required_path and not (experiment.data / exhibit.required_path).exists():
        parts = [_published_part(experiment, content) for content in exhibit.contents]
        return _finding(exhibit, parts, Assessment(Verdict.IMPOSSIBLE))
    parts = [
        measure_content(experiment, _evaluate_content(experiment, content))
        for content in exhibit.contents
    ]
    if exhibit.drawing:
        return _finding(exhibit, parts, Assessment(Verdict.DRAWING))
    tables = tuple(table for part in parts for table in part.tables)
    return _finding(exhibit, parts, assess(exhibit, tables, quick=experiment.quick))


def unmeasured_exhibit(exhibit: Exhibit, error: CaptiousError) -> Finding:
    """Return the finding of an exhibit for which something is missing, with the error message."""
    return Finding(exhibit, Assessment(Verdict.MISSING), remarks=(str(error),))


def _evaluate_content(experiment: Experiment, content: Content) -> Grid | PartResult:
    return content if isinstance(content, Grid) else content(experiment)


def _published_part(experiment: Experiment, content: Content) -> PartResult:
    """A table's published numbers; what is no table has none."""
    if not isinstance(content, Grid):
        return PartResult()
    return measure_content(experiment, published_only(content))


def _finding(exhibit: Exhibit, parts: list[PartResult], assessment: Assessment) -> Finding:
    return Finding(
        exhibit,
        assessment,
        tuple(table for part in parts for table in part.tables),
        tuple(panel for part in parts for panel in part.panels),
        tuple(dict.fromkeys(line for part in parts for line in part.settings)),
        tuple(dict.fromkeys(line for part in parts for line in part.remarks)),
    )


def measure_content(experiment: Experiment, content: Grid | PartResult) -> PartResult:
    """A grid as a table, and as a panel where it is drawn; what was measured stays as it is."""
    if isinstance(content, PartResult):
        return content
    content = with_one_seed(content) if experiment.quick else content
    rows = fill_cells(experiment, content.rows)
    digits = content.digits if content.digits is not None else 1 if content.percent else 3
    table = Table(content.title, content.header, rows, digits, content.texts, content.percent)
    settings = describe_settings(experiment, list(cells_to_measure(content.rows)))
    return PartResult((table,), _plot_grid(content, rows), settings)


def fill_cells(experiment: Experiment, rows: Sequence[Sequence[Cell]]) -> list[list[Value]]:
    """The value of every cell."""
    places_of_metrics: dict[AnyTask, dict[AnyMetric, int]] = {}
    for cell in cells_to_measure(rows):
        metrics = places_of_metrics.setdefault(_scoring_key(cell.task), {})
        metrics.setdefault(cell.metric, len(metrics))
    scoring = DeclarationScorer(experiment)
    comparisons = {
        key: compare(scoring, key, tuple(metrics)) for key, metrics in places_of_metrics.items()
    }

    def value(cell: Cell) -> Value:
        match cell:
            case MeasuredCell(metric, task):
                key = _scoring_key(task)
                place = places_of_metrics[key][metric]
                return comparisons[key].value(task.statistic, task.group, place)
            case MeanCell(cells):
                return Measurement.mean([as_number(value(each)) for each in cells])
            case PValueCell(metric, other, task):
                key = _scoring_key(task)
                places = (places_of_metrics[key][each] for each in (metric, other))
                judgement_comparison = comparisons[key]
                assert isinstance(judgement_comparison, JudgementComparison)
                return judgement_comparison.p_value(task.statistic, *places)
            case PublishedCell(metric, task, sources):
                published_values = (
                    published_value(task.benchmark, task.statistic, metric, source, task.group)
                    for source in sources
                )
                return next((number for number in published_values if number is not None), None)
            case ComparedCell(ours, published_number):
                return with_published(value(ours), value(published_number))
        return cell

    return [[value(cell) for cell in row] for row in rows]


def with_published(ours: Value, published_number: Value) -> Value:
    """A number of ours with the published one, where there is either."""
    if not isinstance(published_number, float):
        return ours
    if isinstance(ours, Measurement):
        return replace(ours, published=published_number)
    return Measurement(ours if isinstance(ours, float) else np.nan, published=published_number)


def as_number(value: Value) -> float:
    """A number, without its interval."""
    if isinstance(value, Measurement):
        return value.value
    assert isinstance(value, float)
    return value


def published_value(
    benchmark: str, statistic: str, metric: str, source: str, group: str = ""
) -> float | None:
    """One published number; `source` is a paper, perhaps with its table."""
    names = (metric, "cider") if metric == "cider_d" else (metric,)
    for name in names:
        for known in find_published(benchmark, statistic, name, source, group):
            return known.value
    return None


def _scoring_key(task: AnyTask) -> AnyTask:
    """Return what tasks have in common that need the same scores."""
    return replace(task, statistic="", group="")


def cells_to_measure(rows: Sequence[Sequence[Cell]]) -> Iterator[MeasuredCell]:
    """Yield every cell that is to be measured for a table."""
    for row in rows:
        for cell in row:
            match cell:
                case MeasuredCell():
                    yield cell
                case MeanCell(cells):
                    yield from cells
                case ComparedCell(ours, _):
                    yield from cells_to_measure([[ours]])
                case PValueCell(metric, other, task):
                    yield from (MeasuredCell(metric, task), MeasuredCell(other, task))


def with_one_seed(grid: Grid) -> Grid:
    """The same table with the first of what is measured over seeds or draws."""

    def first(cell: Cell) -> Cell:
        match cell:
            case MeanCell(cells):
                return MeanCell(cells[:1])
            case ComparedCell(MeanCell(cells), published_number):
                return ComparedCell(MeanCell(cells[:1]), published_number)
        return cell

    return replace(grid, rows=tuple(tuple(map(first, row)) for row in grid.rows))


def published_only(grid: Grid) -> Grid:
    """The same table without our numbers, and without rows that have no others."""
    rows = (
        tuple(
            cell.published
            if isinstance(cell, ComparedCell)
            else None
            if isinstance(cell, MeasuredCell | MeanCell | PValueCell)
            else cell
            for cell in row
        )
        for row in grid.rows
    )
    known = tuple(row for row in rows if any(isinstance(cell, PublishedCell) for cell in row))
    return replace(grid, rows=known, plot=None)


def _plot_grid(grid: Grid, rows: list[list[Value]]) -> tuple[Panel, ...]:
    """The panel of a grid; published numbers are points of their own."""
    ours = [
        row for row, cells in zip(rows, grid.rows, strict=True) if any(cells_to_measure([cells]))
    ]
    match grid.plot:
        case LinePlot(title, xlabel, ylabel):
            x = list(map(float, grid.header[1:]))
            lines = {str(row[0]): _line(x, row[1:], _measured_value) for row in ours}
            known = {f"{row[0]}, published": _line(x, row[1:], _published_value) for row in rows}
            known = {name: line for name, line in known.items() if line}
            return (Panel(title, xlabel, ylabel, {**lines, **known}, loose=tuple(known)),)
        case ScatterPlot(title, xlabel, ylabel, left, right):
            points = {str(row[0]): ((as_number(row[left]), as_number(row[right])),) for row in ours}
            return (Panel(title, xlabel, ylabel, points, joined=False),)
    return ()


def _line(
    x: Sequence[float], row: Sequence[Value], value_of: Callable[[Value], float | None]
) -> tuple[tuple[float, float], ...]:
    values = zip(x, map(value_of, row), strict=True)
    return tuple((at, value) for at, value in values if value is not None)


def _measured_value(cell: Value) -> float | None:
    return as_number(cell) if isinstance(cell, Measurement | float) else None


def _published_value(cell: Value) -> float | None:
    return cell.published if isinstance(cell, Measurement) else None
