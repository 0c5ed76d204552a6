"""The page of benchmarks shows what was measured, of every script that there is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.places import ROOT

pytest.importorskip("matplotlib")


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import benchmarks_page.machine
    import benchmarks_page.page
    import benchmarks_page.runs

    return benchmarks_page


def toolkit(size: int, *tasks: str) -> dict[str, Any]:
    theirs = {"whole": [5.0, 6.0, 9.0], "megabytes": [900.0, 1000.0, 1100.0]}
    ours = {"whole": [0.4, 0.5, 0.6], "megabytes": [50.0, 60.0, 70.0]}
    rows = [
        {"task": task, "pycocoevalcap": theirs, "captious": ours, "apart": 2e-16} for task in tasks
    ]
    return {"size": size, "tasks": rows}


def scale(rows: int) -> list[dict[str, Any]]:
    taken = {"seconds": 2.0, "cpu": 3.0, "megabytes": 300.0}
    return [{"rows": rows, "jobs": jobs, **taken} for jobs in (1, 2)]


def test_the_page_has_ratios_machine_plots_and_what_was_left_out(
    tools: Any, tmp_path: Path
) -> None:
    measured = tools.page.Measured(
        "2026-01-31",
        {"memory": "8 GiB"},
        printed={"reward": "metrics  ms\ncider_d  0.5\n"},
        figures={
            "toolkit": toolkit(5000, "bleu", "all"),
            "toolkit-1000": toolkit(1000, "all"),
            "toolkit-200": toolkit(200, "all"),
            "scale-1000": scale(1000),
        },
        left_out={"images": "needs images"},
    )
    text = tools.page.write_page(measured, tmp_path).read_text(encoding="utf-8")
    assert "| measured | 2026-01-31 |" in text and "| memory | 8 GiB |" in text
    row = "6.00 (5.00 to 9.00) | 0.50 (0.40 to 0.60) | 12.0 | 1,000 | 60 | 2e-16 |"
    assert f"| BLEU | {row}" in text
    assert text.index("| 200 | 6.00 | 0.50 | 12.0 | 1,000 | 60 |") < text.index("| 1,000 | 6.00")
    assert "| 1,000 | 2 | 2.0 | 3.0 | 2000 | 300 |" in text
    assert "## As a reward in training\n\n```text\nmetrics  ms\ncider_d  0.5\n```" in text
    assert "## SPICE" not in text and "- images: needs images" in text
    drawn = sorted(path.name for path in (tmp_path / "benchmarks").iterdir())
    assert drawn == ["memory.svg", "scale-memory.svg", "scale.svg", "speed.svg"]
    assert all(f"(benchmarks/{name})" in text for name in drawn)


@pytest.mark.parametrize("small", [True, False])
def test_every_script_is_run_and_every_run_is_shown(tools: Any, small: bool) -> None:
    here = Path("data")
    runs = tools.runs.runs(here, small=small, corenlp=here, captioner=here / "captioner.npz")
    scripts = {path.name for path in (ROOT / "benchmarks").glob("*.py")} - {
        "task.py",
        "costs.py",
    }  # which measures for pages of metrics
    assert {run.script for run in runs} == scripts
    printed = {name for names in tools.page.PRINTED.values() for name in names}
    assert {run.name for run in runs if not run.name.startswith(("toolkit", "scale"))} == printed
    assert len({run.name for run in runs}) == len(runs)


def test_a_run_without_its_data_says_what_it_needs(tools: Any, tmp_path: Path) -> None:
    run = tools.runs.Run("x", "x.py", (), needs=(tmp_path, tmp_path / "captions.json"))
    assert tools.runs.missing(run) == ["captions.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="benchmarks count as Unix does")
def test_the_machine_is_described_without_its_name(tools: Any) -> None:
    import socket

    about = tools.machine.about_machine()
    assert {"processor", "memory", "Python", "captious", "pycocoevalcap"} <= set(about)
    assert socket.gethostname() not in " ".join(about.values())
    assert tools.machine.busy_cores(0.05) >= 0
