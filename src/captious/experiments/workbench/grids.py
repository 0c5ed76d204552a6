"""Tables from their declarations: what is scored alike is scored once, then cells are filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.declaration import (
    AnyTask,
    Cell,
    Experiment,
    Grid,
    Lines,
    Network,
    Ours,
    Over,
    Points,
    Published,
    Scored,
    Task,
    Worsened,
)
from captious.experiments.result import Finding, Measured, Panel, Table, Value
from captious.experiments.workbench.bench import Workbench, options_of, protocol_of
from captious.experiments.workbench.scoring import Scoring
from captious.meta.agreement import Agreements, agree, agree_by_group
from captious.meta.judgements import Preferences, Ratings
from captious.meta.published import published

OVER: dict[str, Callable[[FloatArray], float]] = {"mean": np.mean, "min": np.min, "max": np.max}


def measured(bench: Workbench, content: Grid | Measured) -> Measured:
    """A grid as a table, and as a panel where it is drawn; what was measured stays as it is."""
    if isinstance(content, Measured):
        return content
    rows = filled(bench, content.rows)
    scale, digits = (100, 1) if content.percent else (1, 3)
    shown = [
        [scale * value if isinstance(value, float) else value for value in row] for row in rows
    ]
    title = content.title.format(*_sizes(bench, content))
    digits = digits if content.digits is None else content.digits
    table = Table(title, content.header, shown, digits=digits, texts=content.texts)
    return Measured((table,), _drawn(content, rows))


def filled(bench: Workbench, rows: Sequence[Sequence[Cell]]) -> list[list[Value]]:
    """The value of every cell."""
    wanted: dict[AnyTask, dict[Scored, int]] = {}
    for cell in _measured_cells(rows):
        several = wanted.setdefault(_together(cell.task), {})
        several.setdefault(cell.scored, len(several))
    scoring = Scoring(bench)
    lookups = {
        together: _lookup(scoring, together, tuple(several)) for together, several in wanted.items()
    }

    def value(cell: Cell) -> Value:
        match cell:
            case Ours(scored, task):
                together = _together(task)
                place = wanted[together][scored]
                return lookups[together](task.statistic, task.group, place)
            case Over(cells, how):
                return float(OVER[how](np.array([value(each) for each in cells], np.float64)))
            case Published(metric, task, sources):
                figures = (
                    figure(task.benchmark, task.statistic, metric, source, task.group)
                    for source in sources
                )
                return next((number for number in figures if number is not None), None)
        return cell

    return [[value(cell) for cell in row] for row in rows]


def numbers(bench: Workbench, rows: Sequence[Sequence[Cell]]) -> list[list[float]]:
    """The value of every cell, where all are numbers."""
    return [[_number(value) for value in row] for row in filled(bench, rows)]


def figure(
    benchmark: str, statistic: str, metric: str, source: str, group: str = ""
) -> float | None:
    """One published number; `source` is a paper, perhaps with its table."""
    names = (metric, "cider") if metric == "cider_d" else (metric,)
    for name in names:
        for known in published(benchmark, statistic, name, source, group):
            return known.value
    return None


class Compared:
    """Scores beside people's judgements of one kind, in as many ways as tasks ask for."""

    def __init__(self, scoring: Scoring, task: Task, several: Sequence[Scored]) -> None:
        self._judgements, self._protocol = scoring.bench.judged(
            task.benchmark, protocol_of(task), **options_of(task)
        )
        shape = (-1, 2) if isinstance(self._judgements, Preferences) else (-1,)
        self._scores = {
            str(place): scoring.judged(scored, task).reshape(shape)
            for place, scored in enumerate(several)
        }

    def value(self, statistic: str, group: str, place: int) -> float:
        """A number of what stands at a place."""
        if statistic == "told_apart":
            assert isinstance(self._judgements, Ratings)
            is_human = np.array([whose == "human" for whose in self._judgements.groups])
            return balanced_accuracy(self._scores[str(place)], is_human)
        if statistic == "accuracy":
            return self._whole.rows[place].values[group]
        row = (self._parts[group] if group else self._whole).rows[place]
        return row.ties if statistic == "ties" else row.values[statistic]

    @cached_property
    def _whole(self) -> Agreements:
        return agree(self._scores, self._judgements, self._protocol, resamples=0)

    @cached_property
    def _parts(self) -> dict[str, Agreements]:
        assert isinstance(self._judgements, Ratings)
        return agree_by_group(self._scores, self._judgements, self._protocol, resamples=0)


def _lookup(
    scoring: Scoring, together: AnyTask, several: Sequence[Scored]
) -> Callable[[str, str, int], Value]:
    """The numbers of several that are measured together: by statistic, group and place."""
    match together:
        case Task():
            return Compared(scoring, together, several).value
        case Worsened(kind):
            rows = [scoring.worsened(scored, kind) for scored in several]
            # None where no caption of that kind could be made.
            return lambda statistic, group, place: rows[place][statistic].get(group)
    trained = [scoring.bench.network(each) for each in several if isinstance(each, Network)]
    return lambda statistic, _, place: float(getattr(trained[place], statistic))


def balanced_accuracy(scores: FloatArray, is_human: FloatArray) -> float:
    """The best mean of the shares of people's and machines' captions that a threshold tells apart.

    A threshold of .5 would say more of the training set's balance than of the scores.
    """
    order = np.argsort(scores, kind="stable")
    human = np.asarray(is_human, bool)[order]
    below_human = np.cumsum(human) / max(int(human.sum()), 1)
    below_machine = np.cumsum(~human) / max(int((~human).sum()), 1)
    ends = np.append(np.diff(scores[order]) > 0, True)  # equal scores stay on one side
    return float(((below_machine + 1 - below_human) / 2)[ends].max())


def _together(task: AnyTask) -> AnyTask:
    """What tasks have in common that need the same scores."""
    return replace(task, statistic="", group="")


def _measured_cells(rows: Sequence[Sequence[Cell]]) -> list[Ours]:
    cells = [
        part
        for row in rows
        for cell in row
        for part in (cell.cells if isinstance(cell, Over) else (cell,))
    ]
    return [cell for cell in cells if isinstance(cell, Ours)]


def _sizes(bench: Workbench, grid: Grid) -> list[int]:
    """How many captions or pairs each of the tasks has."""
    if "{" not in grid.title:
        return []
    tasks = dict.fromkeys(_together(cell.task) for cell in _measured_cells(grid.rows))
    return [
        len(bench.judged(task.benchmark, protocol_of(task), **options_of(task))[0])
        for task in tasks
        if isinstance(task, Task)
    ]


def _drawn(grid: Grid, rows: list[list[Value]]) -> tuple[Panel, ...]:
    """The panel of a grid: of published figures alone nothing is drawn."""
    ours = [
        row
        for row, cells in zip(rows, grid.rows, strict=True)
        if any(isinstance(cell, Ours) for cell in cells)
    ]
    match grid.drawn:
        case Lines(title, xlabel, ylabel):
            x = list(map(float, grid.header[1:]))
            lines = {str(row[0]): tuple(zip(x, map(_number, row[1:]), strict=True)) for row in ours}
            return (Panel(title, xlabel, ylabel, lines),)
        case Points(title, xlabel, ylabel, left, right):
            points = {str(row[0]): ((_number(row[left]), _number(row[right])),) for row in ours}
            return (Panel(title, xlabel, ylabel, points, joined=False),)
    return ()


def _number(value: Value) -> float:
    assert isinstance(value, float)
    return value


def run_experiment(experiment: Experiment, bench: Workbench) -> Finding:
    """Measure everything that an experiment declares."""
    parts = [
        measured(bench, content if isinstance(content, Grid) else content(bench))
        for content in experiment.contents
    ]
    tables = tuple(table for part in parts for table in part.tables)
    panels = tuple(panel for part in parts for panel in part.panels)
    notes = (note if isinstance(note, str) else note(bench, tables) for note in experiment.notes)
    return Finding(experiment.name, experiment.title, tables, panels, tuple(filter(None, notes)))
