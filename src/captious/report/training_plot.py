"""The curve of a training: agreement with people and share classified rightly, epoch by epoch."""

from __future__ import annotations

from pathlib import Path

from captious.metrics.learned.weights import LearnedModel
from captious.report.plots.panels import Panel, plot_panels
from captious.training.loop import TrainingResult


def plot_training(path: str | Path, trained: TrainingResult[LearnedModel]) -> None:
    """Draw how agreement, accuracy and loss went (LCEval's figure 7)."""
    name = trained.model.feature_set.name

    def curve(measure: str) -> dict[str, list[tuple[float, float]]]:
        points = enumerate(trained.curve, 1)
        return {name: [(float(epoch), point[measure]) for epoch, point in points]}

    plot_panels(
        path,
        f"Training of {name}: epoch {trained.best} of {len(trained.curve)} was kept",
        [
            Panel("Agreement", "epoch", "tau_b in validation", curve("tau")),
            Panel("Accuracy", "epoch", "classified rightly", curve("accuracy")),
            Panel("Loss", "epoch", "cross-entropy", curve("loss")),
        ],
    )
