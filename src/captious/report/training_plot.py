"""The curve of a training: agreement with people and share classified rightly, epoch by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from captious.learned.weights import LearnedModel
from captious.report.plots.panels import plot_panels
from captious.training.loop import Trained


@dataclass(frozen=True)
class _Panel:
    title: str
    ylabel: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    xlabel: str = "epoch"
    joined: bool = True


def plot_training(path: str | Path, trained: Trained[LearnedModel]) -> None:
    """Draw how agreement, accuracy and loss went (LCEval's figure 7)."""
    name = trained.model.feature_set.name

    def curve(measure: str) -> dict[str, list[tuple[float, float]]]:
        points = enumerate(trained.curve, 1)
        return {name: [(float(epoch), point[measure]) for epoch, point in points]}

    plot_panels(
        path,
        f"Training of {name}: epoch {trained.best} of {len(trained.curve)} was kept",
        [
            _Panel("Agreement", "tau_b in validation", curve("tau")),
            _Panel("Accuracy", "classified rightly", curve("accuracy")),
            _Panel("Loss", "cross-entropy", curve("loss")),
        ],
    )
