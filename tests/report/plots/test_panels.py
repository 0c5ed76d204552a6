"""Panels of curves and of named points."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.errors import InputError
from captious.papers.result import Panel
from captious.report.plots.panels import plot_panels

LINES = Panel("lines", "epoch", "tau", {"one": ((1, 0.1), (2, 0.3)), "two": ((1, 0.2), (2, 0.1))})
POINTS = Panel("points", "x", "y", {"first": ((0.1, 0.2),), "second": ((0.3, 0.1),)}, joined=False)


@pytest.mark.slow
def test_both_kinds_stand_side_by_side(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "both.svg"
    plot_panels(path, "Title", (LINES, POINTS))
    text = path.read_text()
    assert all(name in text for name in ("Title", "lines", "points", "two", "second"))
    before = path.read_bytes()
    plot_panels(path, "Title", (LINES, POINTS))
    assert path.read_bytes() == before


def test_nothing_to_draw_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to plot"):
        plot_panels(tmp_path / "a.svg", "Title", (Panel("empty", "x", "y", {}),))
