"""Numbers of references, and max, mean and min over them: LCEval's figures 10 and 11."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.papers.declaration import Features, Grid, Lines, MeanScore, OneFeature, Task
from captious.papers.differences import chains
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.rows import (
    AS_SHIPPED,
    LCEVAL,
    PASCAL,
    Column,
    Measurable,
    NamedMetric,
    cross_table,
    networks,
)

if TYPE_CHECKING:
    from captious.papers.result import Table

COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 50)
NNEVALS, LCEVALS = Features("nneval"), Features("lceval")
CIDER, SPICE = OneFeature(NNEVALS, "cider"), OneFeature(NNEVALS, "spice")


def _pooled(pool: str) -> Measurable:
    """LCEval with features pooled over all references in one way, from the first seed.

    The numbers that the paper reports are of its own way, max.
    """
    features = Features("lceval", pool=pool, unlimited=True)
    return NamedMetric(networks(features)[0], "lceval" if pool == "max" else "")


METRICS: dict[str, Measurable] = {
    "LCEval": _pooled("max"),
    **{label: AS_SHIPPED[label] for label in ("LCEval, as it ships",)},
    **{name: OneFeature(NNEVALS, name) for name in ("bleu_1", "bleu_4")},
    "rouge_l": OneFeature(LCEVALS, "rouge_l"),
    **{name: OneFeature(NNEVALS, name) for name in ("meteor", "cider", "spice", "wmd")},
    "spider": MeanScore((CIDER, SPICE)),
}
POOLS: dict[str, Measurable] = {
    "max (LCEval)": _pooled("max"),
    "mean": _pooled("mean"),
    "min": _pooled("min"),
}


def _by_number(rows: dict[str, Measurable]) -> tuple[Grid, ...]:
    """Accuracy on PASCAL-50S with one to fifty references: in all categories, and in one."""
    categories = {"mean": "all categories", "HC": "HC, two people's captions"}
    return tuple(_in_category(rows, group, label) for group, label in categories.items())


def _in_category(rows: dict[str, Measurable], group: str, label: str) -> Grid:
    columns = []
    for count in COUNTS:
        task = Task(PASCAL, "lceval", "accuracy", group, references=count, all_references=True)
        known = replace(task, group=f"{group}, {count} reference{'s' if count > 1 else ''}")
        columns.append(Column(str(count), task, (LCEVAL.section("5.5").source,), known=known))
    drawn = Lines(label, "references", "accuracy")
    title = f"Accuracy in %, {label}"
    return cross_table(title, "references", rows, columns, percent=True, drawn=drawn)


def _rises(tables: Sequence[Table], row: str, low: int, high: int) -> bool:
    return tables[0].value(row, str(high)) > tables[0].value(row, str(low))


OTHER_CHAINS = chains(
    "Counted as published, the network reaches 75.0, 78.7 and 74.4 with 1, 12 and 50 references, "
    "of which the second is within .02 of the paper's.",
    *("LCEval", "max (LCEval)"),
)
NUMBER = Exhibit(
    LCEVAL.figure(10),
    "accuracy by number of references",
    _by_number(METRICS),
    (
        Claim(
            "LCEval's accuracy rises from 1 to 12 references",
            lambda tables: _rises(tables, "LCEval", 1, 12),
        ),
        Claim(
            "beyond 12 references, it falls",
            lambda tables: not _rises(tables, "LCEval", 12, 50),
        ),
        Claim(
            "SPICE's and BLEU's keep rising up to 50",
            lambda tables: all(
                _rises(tables, row, 12, 50) for row in ("spice", "bleu_1", "bleu_4")
            ),
        ),
    ),
    reasons=(OTHER_CHAINS,),
    notes=(
        "The published numbers are from section 5.5 of the paper; the figure itself has none. "
        "`LCEval` reads all references, as the paper's does; the shipped one reads at most as "
        "many as it was trained with (docs/metrics/lceval.md). CIDEr uses the shipped document "
        "frequencies.",
    ),
    trains=True,
)
POOLED = Exhibit(
    LCEVAL.figure(11),
    "max, mean and min over references",
    _by_number(POOLS),
    (
        Claim(
            "with 50 references, mean or min is better than max",
            lambda tables: (
                max(tables[0].value(each, "50") for each in ("mean", "min"))
                > tables[0].value("max (LCEval)", "50")
            ),
        ),
    ),
    reasons=(OTHER_CHAINS,),
    notes=(
        "Features are pooled as in appendix A.2 of the paper: n-gram precision, unigram recall, "
        "MOWE and HWCM by max, mean or min over references; all others as usual.",
    ),
    trains=True,
)
