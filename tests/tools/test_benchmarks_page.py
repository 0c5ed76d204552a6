"""The page of benchmarks shows what was measured, of every script that there is."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.places import ROOT

pytest.importorskip("matplotlib")
PAGE = ROOT / "docs" / "benchmarks.md"


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import benchmarks_page.machine
    import benchmarks_page.page
    import benchmarks_page.runs

    return benchmarks_page


def a_table(about: str, *rows: list[str]) -> dict[str, Any]:
    table = {"about": about, "header": ["metrics", "ms"], "rows": list(rows)}
    return {"tables": [table], "figures": None}


def toolkit(size: int) -> dict[str, Any]:
    toolkits = {
        "pycocoevalcap": {"whole": [5.0, 6.0, 9.0], "megabytes": [900.0, 1000.0, 1100.0]},
        "captious": {"whole": [0.4, 0.5, 0.6], "megabytes": [50.0, 60.0, 70.0]},
    }
    apart = {"pycocoevalcap": 3e-16}
    figures = {"size": size, "tasks": [{"task": "all", "toolkits": toolkits, "apart": apart}]}
    return {**a_table("Seconds.", ["all five", "12.0 (8.3 to 22.5)"]), "figures": figures}


def scale(rows: int) -> dict[str, Any]:
    taken = {"seconds": 2.0, "cpu": 3.0, "megabytes": 300.0}
    figures = [{"rows": rows, "jobs": jobs, **taken} for jobs in (1, 2)]
    return {**a_table("Rows."), "figures": figures}


@pytest.mark.slow
def test_the_page_has_tables_machine_plots_and_what_was_left_out(
    tools: Any, tmp_path: Path
) -> None:
    measured = tools.page.Measurements(
        "2026-01-31",
        {"memory": "8 GiB"},
        runs={
            "toolkit": toolkit(5000),
            "toolkit-1000": toolkit(1000),
            "toolkit-200": toolkit(200),
            "scale-1000": scale(1000),
            "reward": a_table("Batches of ten.", ["cider_d", "0.5"], ["bleu_4", "0.4"]),
        },
        left_out={"images": "needs images"},
    )
    page = tools.page.write_page(measured, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "pycocoevalcap 6.0 s and 1,000 MB, Captious 0.50 s and 60 MB: **12 times" in text
    assert "| measured | 2026-01-31 |" in text and "| memory | 8 GiB |" in text
    assert text.count("Seconds.\n\n| metrics | ms |\n| --- | ---: |\n| all five | 12.0") == 1
    small = "| 200 | 6.00 | 0.50 | 12.0 (8.3 to 22.5) | 1,000 | 60 | 3e-16 |"
    assert text.index(small) < text.index("| 1,000 | 6.00")
    assert "| 1,000 | 2 | 2.0 | 3.0 | 2000 | 300 |" in text
    rewards = "Batches of ten.\n\n| metrics | ms |\n| --- | ---: |\n| cider_d | 0.5 |\n| bleu_4"
    assert f"## Rewards in training\n\n{rewards}" in text
    assert "## SPICE" not in text and "- images: needs images" in text
    drawn = sorted(path.name for path in (tmp_path / "benchmarks").glob("*.svg"))
    assert drawn == ["memory.svg", "scale-memory.svg", "scale.svg", "speed.svg"]
    assert all(f"(benchmarks/{name})" in text for name in drawn)
    assert (
        tools.page.Measurements.read(tmp_path / "benchmarks" / tools.page.MEASURED_FILE) == measured
    )


@pytest.mark.slow
def test_the_page_is_what_was_measured(tools: Any, tmp_path: Path) -> None:
    measured = tools.page.Measurements.read(PAGE.parent / "benchmarks" / tools.page.MEASURED_FILE)
    written = tools.page.write_page(measured, tmp_path)
    assert PAGE.read_text(encoding="utf-8") == written.read_text(encoding="utf-8")
    for drawn in (tmp_path / "benchmarks").glob("*.svg"):
        assert (PAGE.parent / "benchmarks" / drawn.name).exists()


def test_the_front_page_quotes_the_page(tools: Any) -> None:
    measured = tools.page.Measurements.read(PAGE.parent / "benchmarks" / tools.page.MEASURED_FILE)
    front = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in front if "|" in line]
    quoted = {row[0]: row[1:] for row in rows if row}
    everything = next(
        task for task in measured.runs["toolkit"]["figures"]["tasks"] if task["task"] == "all"
    )["toolkits"]

    def seconds(toolkit: str, decimals: int) -> str:
        runs = everything[toolkit]["whole"]
        median, least, most = (
            f"{value:.{decimals}f}" for value in (statistics.median(runs), min(runs), max(runs))
        )
        return f"{median} s ({least} to {most})"

    assert [seconds("pycocoevalcap", 1), seconds("captious", 2)] in quoted.values()
    memory = [
        f"{statistics.median(everything[toolkit]['megabytes']):,.0f} MB"
        for toolkit in ("pycocoevalcap", "captious")
    ]
    assert memory in quoted.values()
    spice = measured.runs["spice"]["tables"][0]["rows"]
    alone, cached = (float(row[2].split()[0]) for row in spice[:2])
    spice_times = f"{alone:.1f} s; {cached:.1f} s with the references cached"
    assert spice_times in {row[-1] for row in quoted.values() if row}


@pytest.mark.parametrize("small", [True, False])
def test_every_script_is_run_and_every_run_is_shown(tools: Any, small: bool) -> None:
    here = Path("data")
    runs = tools.runs.runs(here, small=small, corenlp=here, captioner=here / "captioner.npz")
    scripts = {
        path.name
        for path in (ROOT / "benchmarks").glob("*.py")
        if 'if __name__ == "__main__"' in path.read_text(encoding="utf-8")
    } - {"task.py", "costs.py"}  # one is called by others, one measures for pages of metrics
    assert {run.script for run in runs} == scripts
    shown = {name for names in tools.page.SECTIONS.values() for name in names}
    plotted = ("toolkit-", "scale-")
    assert {run.name for run in runs if not run.name.startswith(plotted)} == shown
    assert len({run.name for run in runs}) == len(runs)


def test_a_run_without_its_data_or_its_peer_says_what_it_needs(tools: Any, tmp_path: Path) -> None:
    needs = (tmp_path, tmp_path / "captions.json")
    run = tools.runs.Run("x", "x.py", (), needs, imports=("json", "no_such_peer"))
    assert tools.runs.missing_requirements(run) == ["captions.json", "no_such_peer"]


@pytest.mark.skipif(sys.platform == "win32", reason="benchmarks count as Unix does")
def test_the_machine_is_described_without_its_name(tools: Any) -> None:
    import socket

    about = tools.machine.describe_machine()
    assert {"processor", "memory", "Python", "captious", "pycocoevalcap"} <= set(about)
    assert socket.gethostname() not in " ".join(about.values())
    assert tools.machine.busy_cores(0.05) >= 0
