"""LCEval's figures: accuracy and agreement as it learns (7, 8), numbers of references (10, 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.papers.declaration import (
    Features,
    Grid,
    LinePlot,
    MeanScore,
    MeasuredCell,
    OneFeature,
    ScatterPlot,
    Task,
    TrainingTask,
)
from captious.papers.differences import chains_reason
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.rows import (
    AS_SHIPPED,
    GROUPS,
    LCEVAL,
    ON_COMPOSITE,
    PASCAL,
    Column,
    Measurable,
    NamedMetric,
    cross_table,
    networks,
)

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import PartResult, Table


KEPT = ", kept"  # how the heading of the chosen epoch's column ends


def _epoch_by_epoch(experiment: Experiment) -> PartResult:
    """Accuracy and tau in validation, a point an epoch, and the epoch that is kept."""
    from captious.papers.measurements.settings import describe_settings
    from captious.papers.result import Panel, PartResult, Table, Value

    network = networks("lceval")[0]
    training = experiment.network(network)
    curve, epochs = training.curve, range(1, len(training.curve) + 1)
    lines = {
        "classified rightly in training": curve[:, 1],
        "classified rightly in validation": curve[:, 3],
        "tau_b in validation": curve[:, 2],
    }
    points = {name: tuple(zip(epochs, line.tolist(), strict=True)) for name, line in lines.items()}
    kept = f"kept: epoch {training.epoch}"
    panel = Panel(
        "LCEval, epoch by epoch",
        "epoch",
        "share, tau_b",
        {**points, kept: ((float(training.epoch), training.tau),)},
        loose=(kept,),
    )
    rows: list[list[Value]] = [
        [name, float(line[0]), float(line[training.epoch - 1]), float(line.max())]
        for name, line in lines.items()
    ]
    header = ["", "first epoch", f"epoch {training.epoch}{KEPT}", "highest"]
    table = Table("Validation while LCEval learns", header, rows)
    return PartResult(
        (table,), (panel,), describe_settings(experiment, [MeasuredCell(network, TrainingTask())])
    )


def _higher_when_kept(tables: Sequence[Table]) -> bool:
    """Whether accuracy and tau are higher in the epoch that is kept than in the first."""
    (kept,) = (column for column in tables[0].header if column.endswith(KEPT))
    return all(
        tables[0].value(str(row[0]), kept) > tables[0].value(str(row[0]), "first epoch")
        for row in tables[0].rows
    )


THROUGH_TRAINING = Exhibit(
    LCEVAL.figure(7),
    "validation accuracy by epoch, and the epoch selected by Kendall's tau",
    (_epoch_by_epoch,),
    (
        Claim(
            "accuracy and tau rise during training (from the first epoch to the one that is kept)",
            _higher_when_kept,
        ),
    ),
    notes=(
        "The paper's figure has no numbers. That the epoch with the highest validation tau is kept "
        "is how networks are trained, here as there, and not a result.",
    ),
    requires_pytorch=True,
)


def _rises_with_accuracy(tables: Sequence[Table]) -> float:
    """The correlation of accuracy and tau over feature sets."""
    import numpy as np

    names = [str(row[0]) for row in tables[0].rows]
    columns = ("accuracy on Composite", "Composite tau_b")
    x, y = ([tables[0].value(name, column) for name in names] for column in columns)
    return float(np.corrcoef(x, y)[0, 1])


ACCURACY_AND_TAU = Exhibit(
    LCEVAL.figure(8),
    "classification accuracy against correlation with people",
    (
        cross_table(
            "Networks by their features",
            "features",
            {label: several[0] for label, several in GROUPS.items()}
            | {"LCEval": networks("lceval")[0], "NNEval": networks("nneval")[0]},
            [
                Column("training accuracy", TrainingTask("accuracy")),
                Column(
                    "accuracy on Composite", replace(ON_COMPOSITE, statistic="balanced_accuracy")
                ),
                Column("Composite tau_b", ON_COMPOSITE),
                Column("validation tau_b", TrainingTask()),
            ],
            plot=ScatterPlot(
                "By features",
                "people's captions told from machines' on Composite, share",
                "Composite tau_b",
                x=2,
                y=3,
            ),
        ),
    ),
    (
        Claim(
            "networks that classify better correlate better (r over feature sets above .5)",
            lambda tables: _rises_with_accuracy(tables) > 0.5,
        ),
    ),
    reason="Networks here are also trained on captions of other images, not only to tell system "
    "captions from human ones: how well they do that on Composite says less about their agreement "
    "with people.",
    notes=(
        '"Right on Composite" is how well human captions are told from system captions at the '
        "best threshold (mean of the shares of both that are classified correctly). The paper's "
        "figure has no numbers.",
        lambda tables: (
            "Correlation of accuracy and tau over these feature sets: "
            f"{_rises_with_accuracy(tables):+.2f}."
        ),
    ),
    requires_pytorch=True,
)


REFERENCE_COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 50)
# From all references, not from the few that a network reads at a time.
NNEVALS, LCEVALS = Features("nneval", unlimited=True), Features("lceval", unlimited=True)
CIDER, SPICE = OneFeature(NNEVALS, "cider"), OneFeature(NNEVALS, "spice")


def _pooled_network(pool: str) -> Measurable:
    """LCEval with features pooled over all references in one way, from the first seed.

    The numbers that the paper reports are of its own way, max.
    """
    features = Features("lceval", pool=pool, unlimited=True)
    return NamedMetric(networks(features)[0], "lceval" if pool == "max" else "")


METRICS_BY_REFERENCES: dict[str, Measurable] = {
    "LCEval": _pooled_network("max"),
    **{label: AS_SHIPPED[label] for label in ("LCEval, as it ships",)},
    **{name: OneFeature(NNEVALS, name) for name in ("bleu_1", "bleu_4")},
    "rouge_l": OneFeature(LCEVALS, "rouge_l"),
    **{name: OneFeature(NNEVALS, name) for name in ("meteor", "cider", "spice", "wmd")},
    "spider": MeanScore((CIDER, SPICE)),
}
POOLS: dict[str, Measurable] = {
    "max (LCEval)": _pooled_network("max"),
    "mean": _pooled_network("mean"),
    "min": _pooled_network("min"),
}


def _by_number(rows: dict[str, Measurable]) -> tuple[Grid, ...]:
    """Accuracy on PASCAL-50S with the first one to fifty references: in all categories, and one."""
    categories = {"mean": "all categories", "HC": "HC, two people's captions"}
    return tuple(_in_category(rows, group, label) for group, label in categories.items())


def _in_category(rows: dict[str, Measurable], group: str, label: str) -> Grid:
    columns = []
    for count in REFERENCE_COUNTS:
        first = f"first:{count}"
        task = Task(PASCAL, "lceval", "accuracy", group, references=first, all_references=True)
        published_task = replace(
            task, group=f"{group}, {count} reference{'s' if count > 1 else ''}"
        )
        columns.append(
            Column(str(count), task, (LCEVAL.section("5.5").source,), published_task=published_task)
        )
    plot = LinePlot(label, "references", "accuracy")
    title = f"Accuracy in %, {label}"
    return cross_table(title, "references", rows, columns, percent=True, plot=plot)


def _rises(tables: Sequence[Table], row: str, low: int, high: int) -> bool:
    return tables[0].value(row, str(high)) > tables[0].value(row, str(low))


OTHER_CHAINS = chains_reason(
    "Counted as published, the network reaches 74.1, 79.1 and 73.2 with 1, 12 and 50 references, "
    "of which the second is within .02 of the paper's. Other training captions than the paper's, "
    "besides.",
    *("LCEval", "max (LCEval)"),
)
FIRST_REFERENCES = (
    "References are the first of each image's 50, as in table 7. Drawn at random, the network has "
    "73.8 and 77.1 with 1 and 12 references (HC: 58.8 and 64.0), further from the paper's than "
    "with the first (73.2 and 78.2; HC: 57.7 and 65.4)."
)
REFERENCE_NUMBERS = Exhibit(
    LCEVAL.figure(10),
    "accuracy by number of references",
    _by_number(METRICS_BY_REFERENCES),
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
        FIRST_REFERENCES,
    ),
    requires_pytorch=True,
)
POOLING = Exhibit(
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
        FIRST_REFERENCES,
    ),
    requires_pytorch=True,
)
