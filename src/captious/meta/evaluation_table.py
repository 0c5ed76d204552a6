"""Agreement with people as tables: correlations or accuracies, with intervals and letters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from captious.io.output_tables import OutputTable
from captious.meta.agreement import format_share

if TYPE_CHECKING:
    from captious.meta.agreement import Agreement
    from captious.meta.evaluation import Evaluation
    from captious.meta.published import Figure

NAMES = {
    "kendall_a": "tau_a",
    "kendall_b": "tau_b",
    "kendall_c": "tau_c",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "auc": "AUC",
    "acc_eq": "acc_eq",
    "acc_eq_image": "acc_eq by image",
    "accuracy": "mean",
}
OTHER_STATISTICS = ("kendall_c", "kendall_b", "pearson", "spearman")


def all_tables(evaluation: Evaluation) -> list[OutputTable]:
    """All metrics, and below them what parts or measures say of each."""
    tables = [main_table(evaluation)]
    if evaluation.first_part:
        tables.append(measures_table(evaluation))
    elif evaluation.parts:
        tables.append(parts_table(evaluation))
    return tables if evaluation.raters is None else [*tables, *evaluation.raters.as_tables()]


def lines_above(evaluation: Evaluation) -> list[str]:
    """What was compared, and under which protocol."""
    n = evaluation.agreements.rows[0].n
    what = "pairs" if evaluation.agreements.of_pairs else "ratings"
    what = "systems" if evaluation.first_part else what
    return [f"{evaluation.benchmark}: {n:,} {what}", evaluation.protocol.describe()]


def lines_below(evaluation: Evaluation) -> list[str]:
    """What letters mean, where published figures are from, what scores depend on."""
    return [*notes_below(evaluation), evaluation.signature]


def notes_below(evaluation: Evaluation) -> list[str]:
    """What letters mean, and where published figures are from."""
    lines = []
    if evaluation.letters:
        lines.append("metrics that share a letter cannot be told apart (joint bootstrap, Holm)")
    sources = dict.fromkeys(
        figure.source
        for row in evaluation.agreements.rows
        if (figure := evaluation.published(row.metric)) is not None
    )
    return [*lines, f"published: {'; '.join(sources)}"] if sources else lines


def column_statistics(evaluation: Evaluation) -> list[str]:
    """What a table shows of each metric: the statistic that counts, then the others."""
    agreements = evaluation.agreements
    headline = agreements.statistic
    if not agreements.of_pairs:
        others: Iterable[str] = OTHER_STATISTICS
    elif evaluation.accuracy_of == headline:
        others = agreements.rows[0].values
    else:  # one group is its own mean
        others = ()
    return [headline, *(name for name in others if name != headline)]


def headline_title(evaluation: Evaluation) -> str:
    """What is called the statistic that counts."""
    headline = evaluation.agreements.statistic
    if evaluation.agreements.of_pairs and evaluation.accuracy_of != headline:
        return f"accuracy {evaluation.accuracy_of}"
    return NAMES.get(headline, headline)


def main_table(evaluation: Evaluation) -> OutputTable:
    """Header and cells, best metric first."""
    headline, *others = column_statistics(evaluation)
    header = [
        "metric",
        f"{headline_title(evaluation)} {evaluation.first_part}".strip(),
        "95% interval",
    ]
    header += [NAMES.get(name, name) for name in others]
    calibrated = any(row.epsilon is not None for row in evaluation.agreements.rows)
    header += [*(["epsilon"] if calibrated else []), "ties", "published", "letters"]
    rows = []
    for row in evaluation.agreements.best_first():
        figure = evaluation.published(row.metric)
        cells = [row.metric, format_share(row.values[headline]), format_interval(row, headline)]
        cells += [format_share(row.values[name]) for name in others]
        if calibrated:
            unknown = row.epsilon is None or math.isnan(row.epsilon)
            cells.append("-" if unknown else f"{row.epsilon:.3g}")
        cells += [format_share(row.ties), format_share(figure.value) if figure else "-"]
        rows.append([*cells, evaluation.letters.get(row.metric, "-")])
    return OutputTable(header, rows)


def parts_table(evaluation: Evaluation) -> OutputTable:
    """The headline statistic of each part, with what is published in brackets."""
    headline = evaluation.agreements.statistic
    title = NAMES.get(evaluation.statistic, evaluation.statistic)
    rows = []
    for row in evaluation.agreements.best_first():
        rows.append([row.metric])
        for name, part in evaluation.parts.items():
            figure = evaluation.published(row.metric, name)
            rows[-1].append(format_beside_published(part[row.metric].values[headline], figure))
    return OutputTable([f"{title} by part", *evaluation.parts], rows)


def measures_table(evaluation: Evaluation) -> OutputTable:
    """What people said of whole systems, measure by measure: each metric with interval and p."""
    headline = evaluation.agreements.statistic
    title = NAMES.get(evaluation.statistic, evaluation.statistic)
    rows = []
    for name, part in evaluation.parts.items():
        for row in part.best_first():
            figure, p_value = evaluation.published(row.metric, name), evaluation.p_value(row)
            cells = [
                name,
                row.metric,
                format_share(row.values[headline]),
                format_interval(row, headline),
            ]
            cells.append("-" if p_value is None else format_share(p_value))
            rows.append([*cells, format_share(figure.value) if figure else "-"])
    header = ["measure", "metric", title, "95% interval", "p of Pearson's r", "published"]
    return OutputTable(header, rows, 2)


def format_interval(row: Agreement, statistic: str) -> str:
    """Format the ends of an interval."""
    low, high = row.interval(statistic)
    return "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def format_beside_published(value: float, figure: Figure | None) -> str:
    """A number, with what a paper reports in brackets."""
    return format_share(value) + (f" ({format_share(figure.value)})" if figure else "")
