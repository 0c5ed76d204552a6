"""The numbers of a paper's page, from which it is written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from captious.papers.catalogue import EXHIBITS, PAPERS
from captious.papers.reproduction import load_reproduction
from tests.fuzz.file_kind import Command, FileKind, Files, Reader

PAPER = "nneval"
NAME = f"{PAPER}.json"
PAGE = Path(__file__).parents[3] / "docs" / "papers" / NAME
PANEL = {
    "title": "p",
    "x": "x",
    "y": "y",
    "curves": {"a": [[1.0, 0.5], [2.0, None]], "b": [[1.0, 0.25]]},
    "joined": True,
    "loose": ["b"],
}


def page() -> Files:
    """The page of a paper, with something drawn."""
    document: dict[str, Any] = json.loads(PAGE.read_text(encoding="utf-8"))
    document["exhibits"][0]["panels"] = [PANEL]
    return {NAME: json.dumps(document).encode()}


def _read(folder: Path) -> str:
    return load_reproduction(folder / NAME, PAPERS[PAPER], EXHIBITS[PAPER]).to_text("markdown")


KINDS = [
    FileKind(
        "paper-page",
        0.5,
        page,
        [
            Reader(_read),
            Command(
                f"reproduce {PAPER} --render --output @ --format json",
                (NAME, f"{PAPER}.md", "README.md", "plots", f"plots/{PAPER}-table-1.svg"),
            ),
        ],
        needs=("matplotlib",),
    )
]
