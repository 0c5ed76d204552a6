"""Caption-level correlation with people on Composite: NNEval's table 1, LCEval's table 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from captious.experiments.experiment import Experiment
from captious.experiments.figures import (
    CLASSICAL,
    CORRELATIONS,
    LCEVAL_PAPER,
    LEARNED,
    NNEVAL_PAPER,
    figure,
)
from captious.experiments.judged_scores import scores
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Workbench
from captious.meta.presets import preset

COMPOSITE = "composite"
EQUAL = 4  # references: what a person's caption has once its own is dropped


def correlation_table(
    bench: Workbench,
    title: str,
    metrics: Sequence[str],
    protocol: str,
    source: str,
) -> Table:
    """Three correlations a metric, ours and the paper's."""
    rows: list[list[Cell]] = []
    columns = scores(bench, metrics, COMPOSITE, protocol)
    for row in bench.agreement(columns, COMPOSITE, protocol):
        cells: list[Cell] = [row.metric]
        for statistic in CORRELATIONS:
            cells += [
                row.values[statistic],
                figure(COMPOSITE, statistic, row.metric, source),
            ]
        rows.append(cells)
    header = ["metric", *(name for label in CORRELATIONS.values() for name in (label, "published"))]
    return Table.of(title, header, rows)


def caption_level(bench: Workbench) -> Finding:
    """All metrics of the papers' tables, under each paper's protocol."""
    metrics = (*CLASSICAL, *LEARNED)
    tables = [
        correlation_table(
            bench,
            f"{label}'s protocol ({_count(bench, protocol)} captions; {source})",
            metrics,
            protocol,
            source,
        )
        for label, protocol, source in (
            ("NNEval", "nneval", f"{NNEVAL_PAPER}, table 1"),
            ("LCEval", "lceval", f"{LCEVAL_PAPER}, table 4"),
        )
    ]
    equal = _equal_references(bench, metrics)
    lost = [
        _spice(table, 1) - _spice(equal, place) for table, place in zip(tables, (1, 4), strict=True)
    ]
    return Finding(
        "correlation",
        "Caption-level correlation on Composite",
        (*tables, equal),
        notes=(
            "Once its own caption is dropped, a person's caption has four references and a "
            "machine's five. SPICE, whose recall falls with every reference, profits from that: "
            f"with four for every caption (last table) it loses {lost[0]:.3f} and {lost[1]:.3f}, "
            "and LCEval is ahead of every hand-made metric. Which captions to train on so that it "
            "is ahead in any case is the experiment training-sets.",
            "NNEval's paper has 11,214 captions and LCEval's 7,996, by rules that cannot be "
            "recovered; Kendall is tau_b. Published CIDEr is CIDEr-D.",
        ),
    )


def _spice(table: Table, place: int) -> float:
    """SPICE's Kendall in a table."""
    (value,) = (row[place] for row in table.rows if row[0] == "spice")
    assert isinstance(value, float)
    return value


def _equal_references(bench: Workbench, metrics: Sequence[str]) -> Table:
    """All three correlations with as many references for a machine's caption as for a person's."""
    found: dict[str, list[Cell]] = {metric: [metric] for metric in metrics}
    for name in ("nneval", "lceval"):
        protocol = replace(preset(name, COMPOSITE), references=EQUAL)
        columns = scores(bench, metrics, COMPOSITE, protocol)
        for row in bench.agreement(columns, COMPOSITE, protocol):
            found[row.metric] += [row.values[statistic] for statistic in CORRELATIONS]
    header = ["metric"]
    for name in ("NNEval's", "LCEval's"):
        header += [f"{name}: {label}" for label in CORRELATIONS.values()]
    title = f"The same protocols with {EQUAL} references, drawn at random, for every caption"
    return Table.of(title, header, list(found.values()))


def _count(bench: Workbench, protocol: str) -> str:
    return f"{len(bench.judged(COMPOSITE, protocol)[0]):,}"


CAPTION_LEVEL = Experiment(
    "correlation",
    "NNEval table 1, LCEval table 4",
    "how metrics correlate with people on Composite, caption by caption",
    caption_level,
)
