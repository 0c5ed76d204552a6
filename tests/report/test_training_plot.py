"""The curve of a training, drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.metrics.learned.published import NnEval
from captious.training.loop import TrainingResult

pytest.importorskip("matplotlib")


@pytest.mark.slow
def test_training_plot_has_three_panels_and_marks_best_epoch(tmp_path: Path) -> None:
    from captious.report.plots.panels import plot_training

    rows = ((0.7, 0.5, 0.1), (0.6, 0.6, 0.4), (0.5, 0.7, 0.3))
    curve = tuple(dict(zip(("loss", "accuracy", "tau"), row, strict=True)) for row in rows)
    plot_training(tmp_path / "curve.svg", TrainingResult(NnEval().model(), 2, curve))
    drawn = (tmp_path / "curve.svg").read_text()
    for text in ("epoch 2 of 3", "Agreement", "Accuracy", "Loss"):
        assert text in drawn
