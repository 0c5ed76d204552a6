"""Agreement with people as tables: correlations or accuracies, with intervals and letters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from captious.io.output_tables import OutputTable
from captious.meta.agreement import shown_share

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
SHOWN = ("kendall_c", "kendall_b", "pearson", "spearman")


def tables_of(evaluation: Evaluation) -> list[OutputTable]:
    """All metrics, and below them what parts or measures say of each."""
    tables = [table_of(evaluation)]
    if evaluation.first_part:
        tables.append(table_of_measures(evaluation))
    elif evaluation.parts:
        tables.append(table_of_parts(evaluation))
    return tables if evaluation.raters is None else [*tables, *evaluation.raters.as_tables()]


def lines_above(evaluation: Evaluation) -> list[str]:
    """What was compared, and under which protocol."""
    n = evaluation.agreements.rows[0].n
    what = "pairs" if evaluation.agreements.of_pairs else "ratings"
    what = "systems" if evaluation.first_part else what
    return [f"{evaluation.benchmark}: {n:,} {what}", evaluation.protocol.describe()]


def lines_below(evaluation: Evaluation) -> list[str]:
    """What letters mean, where published figures are from, what scores depend on."""
    return [*notes_of(evaluation), evaluation.signature]


def notes_of(evaluation: Evaluation) -> list[str]:
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


def statistics_of(evaluation: Evaluation) -> list[str]:
    """What a table shows of each metric: the statistic that counts, then the others."""
    agreements = evaluation.agreements
    headline = agreements.statistic
    if not agreements.of_pairs:
        others: Iterable[str] = SHOWN
    elif evaluation.accuracy_of == headline:
        others = agreements.rows[0].values
    else:  # one group is its own mean
        others = ()
    return [headline, *(name for name in others if name != headline)]


def title_of(evaluation: Evaluation) -> str:
    """What is called the statistic that counts."""
    headline = evaluation.agreements.statistic
    if evaluation.agreements.of_pairs and evaluation.accuracy_of != headline:
        return f"accuracy {evaluation.accuracy_of}"
    return NAMES.get(headline, headline)


def table_of(evaluation: Evaluation) -> OutputTable:
    """Header and cells, best metric first."""
    headline, *others = statistics_of(evaluation)
    header = ["metric", f"{title_of(evaluation)} {evaluation.first_part}".strip(), "95 % interval"]
    header += [NAMES.get(name, name) for name in others]
    calibrated = any(row.epsilon is not None for row in evaluation.agreements.rows)
    header += [*(["epsilon"] if calibrated else []), "ties", "published", "letters"]
    rows = []
    for row in evaluation.agreements.best_first():
        figure = evaluation.published(row.metric)
        cells = [row.metric, shown_share(row.values[headline]), interval(row, headline)]
        cells += [shown_share(row.values[name]) for name in others]
        if calibrated:
            unknown = row.epsilon is None or math.isnan(row.epsilon)
            cells.append("-" if unknown else f"{row.epsilon:.3g}")
        cells += [shown_share(row.ties), shown_share(figure.value) if figure else "-"]
        rows.append([*cells, evaluation.letters.get(row.metric, "-")])
    return OutputTable(header, rows)


def table_of_parts(evaluation: Evaluation) -> OutputTable:
    """The headline statistic of each part, with what is published in brackets."""
    headline = evaluation.agreements.statistic
    title = NAMES.get(evaluation.statistic, evaluation.statistic)
    rows = []
    for row in evaluation.agreements.best_first():
        rows.append([row.metric])
        for name, part in evaluation.parts.items():
            figure = evaluation.published(row.metric, name)
            rows[-1].append(beside_published(part[row.metric].values[headline], figure))
    return OutputTable([f"{title} by part", *evaluation.parts], rows)


def table_of_measures(evaluation: Evaluation) -> OutputTable:
    """What people said of whole systems, measure by measure: each metric with interval and p."""
    headline = evaluation.agreements.statistic
    title = NAMES.get(evaluation.statistic, evaluation.statistic)
    rows = []
    for name, part in evaluation.parts.items():
        for row in part.best_first():
            figure, p_value = evaluation.published(row.metric, name), evaluation.p_value(row)
            cells = [name, row.metric, shown_share(row.values[headline]), interval(row, headline)]
            cells.append("-" if p_value is None else shown_share(p_value))
            rows.append([*cells, shown_share(figure.value) if figure else "-"])
    header = ["measure", "metric", title, "95 % interval", "p of Pearson's r", "published"]
    return OutputTable(header, rows, 2)


def interval(row: Agreement, statistic: str) -> str:
    """The ends of an interval."""
    low, high = row.interval(statistic)
    return "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def beside_published(value: float, figure: Figure | None) -> str:
    """A number, with what a paper reports in brackets."""
    return shown_share(value) + (f" ({shown_share(figure.value)})" if figure else "")
