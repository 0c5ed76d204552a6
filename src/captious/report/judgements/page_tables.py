"""Tables of a report: how well metrics agree with people, and which of them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from captious.io.markup import render_cell
from captious.io.output_tables import OutputTable
from captious.meta.agreement import Agreement
from captious.meta.evaluation import Evaluation
from captious.meta.evaluation_table import (
    NAMES,
    all_tables,
    column_statistics,
    lines_above,
    notes_below,
)
from captious.meta.significance import Differences
from captious.metrics.names import paper_name
from captious.report.browser.contents import Cell, IntervalEstimate, PageTable

MAX_COLUMNS = 12  # metrics that others are compared with, the best: a wider table is not read


def page_tables(evaluation: Evaluation) -> list[PageTable]:
    """Return tables of agreement, of parts of the benchmark, and of differences between metrics."""
    table, *others = all_tables(evaluation)
    labels = {name: paper_name(name).label for name in evaluation.scores}
    tables = [_agreement_table(evaluation, table, labels)]
    titles = ["Agreement by measure" if evaluation.first_part else "Agreement by part"] * len(
        others
    )
    if evaluation.raters is not None:
        titles[-1] = "Agreement among raters"
    tables += [
        PageTable(title, other.header, _label_rows(other, labels), texts=other.texts)
        for title, other in zip(titles, others, strict=True)
    ]
    tested = evaluation.differences
    if tested is not None:
        statistic = "accuracy" if evaluation.accuracy_of else NAMES[tested.statistic]
        tables.append(_difference_table(tested, statistic, labels))
    return tables


def _agreement_table(
    evaluation: Evaluation, table: OutputTable, labels: Mapping[str, str]
) -> PageTable:
    """The table that `captious meta` prints, every statistic with its interval drawn."""
    agreements = evaluation.agreements.best_first()
    headline, *others = column_statistics(evaluation)
    # Between the one that counts and the others stands its interval.
    columns = {1: headline} | dict(enumerate(others, 3))
    best = {name: _best_value(agreements, name) for name in columns.values()}
    rows: list[list[str | Cell]] = []
    for agreement, cells in zip(agreements, _label_rows(table, labels), strict=True):
        row: list[str | Cell] = list(cells)
        for column, name in columns.items():
            value = agreement.values[name]
            estimated = IntervalEstimate(value, *agreement.interval(name))
            row[column] = Cell(cells[column], value == best[name], estimated)
        rows.append(row)
    lines = [*lines_above(evaluation), *notes_below(evaluation)]
    caption = " ".join(f"{line[:1].upper()}{line[1:]}." for line in lines)
    return PageTable("Agreement with people", table.header, rows, caption, table.texts)


def _best_value(agreements: Sequence[Agreement], statistic: str) -> float:
    """Return the highest known value; NaN for a single metric."""
    values = [each.values[statistic] for each in agreements]
    values = [value for value in values if not math.isnan(value)]
    return max(values) if len(values) > 1 else math.nan


def _label_rows(table: OutputTable, labels: Mapping[str, str]) -> list[list[str]]:
    """Return a table's rows with metrics named as in papers."""
    rows = ([render_cell(cell, "text") for cell in row] for row in table.rows)
    return [
        [*(labels.get(text, text) for text in row[: table.texts]), *row[table.texts :]]
        for row in rows
    ]


def _difference_table(tested: Differences, statistic: str, labels: Mapping[str, str]) -> PageTable:
    """Return by how much each metric agrees better or worse than the best ones."""
    columns = range(min(len(tested.metrics), MAX_COLUMNS))
    rows = [
        [labels[metric], *(_difference_cell(tested, row, column) for column in columns)]
        for row, metric in enumerate(tested.metrics)
    ]
    others = "" if len(columns) == len(rows) else f", the {len(columns)} best"
    return PageTable(
        "Differences between metrics",
        ["metric", *(labels[tested.metrics[column]] for column in columns)],
        rows,
        f"By how much the row's {statistic} is higher than the column's{others}. A star: p < "
        f"{tested.alpha} in a bootstrap of images that all metrics share, corrected for all pairs "
        "by Holm's method.",
    )


def _difference_cell(tested: Differences, row: int, column: int) -> str:
    difference = tested.differences[row, column]
    if row == column or math.isnan(difference):
        return "-"
    return f"{difference:+.3f}{'*' if tested.p_values[row, column] < tested.alpha else ''}"
