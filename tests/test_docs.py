"""The documentation's examples run, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.places import ROOT

PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "benchmarks").glob("*.md"),
    *(ROOT / "examples").glob("*.md"),
]
EXAMPLES = [
    "docs/check.md",
    "docs/diversity.md",
    "docs/languages.md",
    "docs/learned.md",
    "docs/meta.md",
    "docs/metrics/captious.md",
    "docs/metrics/consensus.md",
    "docs/leaderboard.md",
    "docs/metrics/spice.md",
    "docs/pregen.md",
    "docs/python.md",
    "docs/report.md",
    "docs/robustness.md",
    "docs/self_critical.md",
    "docs/tokenizer.md",
]


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
@pytest.mark.parametrize("page", EXAMPLES)
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\[[^]`]+\]\(([^) #]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link
