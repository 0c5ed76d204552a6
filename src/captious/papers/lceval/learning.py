"""What happens while LCEval learns, and what accuracy says of agreement: figures 7 and 8."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.papers.declaration import MeasuredCell, Points, TrainingTask
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.rows import (
    GROUPS,
    LCEVAL,
    ON_COMPOSITE,
    Column,
    cross_table,
    networks,
)

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import Measured, Table

KEPT = ", kept"  # how the heading of the chosen epoch's column ends


def _epoch_by_epoch(experiment: Experiment) -> Measured:
    """Accuracy and tau in validation, a point an epoch, and the epoch that is kept."""
    from captious.papers.measurements.settings import describe_settings
    from captious.papers.result import Measured, Panel, Table, Value

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
    return Measured(
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
    trains=True,
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
                Column("accuracy on Composite", replace(ON_COMPOSITE, statistic="told_apart")),
                Column("Composite tau_b", ON_COMPOSITE),
                Column("validation tau_b", TrainingTask()),
            ],
            drawn=Points(
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
    trains=True,
)
