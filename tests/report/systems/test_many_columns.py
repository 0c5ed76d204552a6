"""A report of very many scores takes time in proportion to their number."""

from __future__ import annotations

from pathlib import Path
from time import process_time

from captious.comparison.paired_systems import PairedSystems
from captious.comparison.score_files import read_scores
from captious.report.systems.systems import Systems

COLUMNS = 20_000
MAX_SECONDS = 4.0  # takes 0.6; with time in the square of the number of columns, half a minute


def test_systems_with_many_columns_are_paired_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    header = ",".join(["id", *(f"m{number}" for number in range(COLUMNS))])
    rows = [",".join([str(row), *["0.5"] * COLUMNS]) for row in range(2)]
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    results = {name: read_scores(path) for name in ("first", "second")}
    start = process_time()
    systems = Systems.of(results)
    paired = PairedSystems.of(results, resamples=1000, rounds=(1000,), seed=0)
    assert process_time() - start < MAX_SECONDS
    assert len(systems.columns) == len(systems.metrics) == len(paired.columns) == COLUMNS
