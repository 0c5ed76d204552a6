"""All metrics on all benchmarks as one table, published figures in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.report.evaluation import NAMES, share
from captious.report.table import check_format, render_table

if TYPE_CHECKING:
    from captious.meta.survey import Survey


def render_survey(survey: Survey, format: str = "text") -> str:
    """One row a metric, one column a benchmark."""
    check_format(format)
    if format == "json":
        return json_text(survey.to_dict(), indent=2)
    metrics = dict.fromkeys(
        row.metric
        for evaluation in survey.evaluations.values()
        for row in evaluation.agreements.rows
    )
    header = ["metric"]
    for name, evaluation in survey.evaluations.items():
        header.append(f"{name} {NAMES.get(evaluation.statistic, evaluation.statistic)}")
    rows = []
    for metric in metrics:
        cells = [metric]
        for evaluation in survey.evaluations.values():
            figure = evaluation.published(metric)
            value = evaluation.agreements[metric].values[evaluation.agreements.statistic]
            cells.append(share(value) + (f" ({share(figure.value)})" if figure else ""))
        rows.append(cells)
    table = render_table(header, rows, format)
    if format != "text":
        return table
    lines = [table, "", "published figures in brackets; protocols:"]
    lines += [f"  {name}: {each.protocol.describe()}" for name, each in survey.evaluations.items()]
    lines += [f"left out: {reason}" for reason in survey.absent.values()]
    return "\n".join(lines)
