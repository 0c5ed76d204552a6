"""Processes, chunks and the order of rows change no figure; clusters: `test_ray_engine.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.streaming.process_engine import ProcessEngine
from tests.streaming.same_figures import figures, rows_in

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")]


def test_processes_chunks_and_order_change_no_figure(tmp_path: Path) -> None:
    rows, shuffled = rows_in(tmp_path), rows_in(tmp_path, shuffled=True)
    expected = figures(rows, tmp_path / "one", ProcessEngine(1), 25)
    assert len({str(each) for each in expected.values()}) > 40
    assert figures(rows, tmp_path / "two", ProcessEngine(2), 7) == expected
    assert figures(shuffled, tmp_path / "shuffled", ProcessEngine(2), 1000) == expected
