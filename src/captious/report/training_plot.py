"""The curve of a training: agreement with people and share classified rightly, epoch by epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from captious.report.plots.panels import plot_panels
from captious.training.learned_metrics.training import Trained


@dataclass(frozen=True)
class _Panel:
    title: str
    ylabel: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    xlabel: str = "epoch"
    joined: bool = True


def plot_training(path: str | Path, trained: Trained) -> None:
    """Draw how agreement, accuracy and loss went (LCEval's figure 7)."""
    name = trained.model.feature_set.name

    def curve(values: Sequence[float]) -> dict[str, list[tuple[float, float]]]:
        return {name: [(float(epoch), value) for epoch, value in enumerate(values, 1)]}

    plot_panels(
        path,
        f"Training of {name}: epoch {trained.best} of {len(trained.curve)} was kept",
        [
            _Panel("Agreement", "tau_b in validation", curve([p.tau for p in trained.curve])),
            _Panel("Accuracy", "classified rightly", curve([p.accuracy for p in trained.curve])),
            _Panel("Loss", "cross-entropy", curve([p.loss for p in trained.curve])),
        ],
    )
