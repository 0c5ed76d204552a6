"""docs/command_line.md shows what the commands show."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import captious
from tests.places import DOCS, EXAMPLES, ROOT


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    monkeypatch.setenv("COLUMNS", "100")
    import command_line_page.files
    import command_line_page.page
    import command_line_page.sections

    return command_line_page


def test_the_page_has_every_section_and_command(tools: Any) -> None:
    text = (DOCS / "command_line.md").read_text(encoding="utf-8")
    assert text.startswith(tools.page.INTRODUCTION)
    sections = tools.sections.SECTIONS
    assert text.count("\n## ") == len(sections)
    assert all(tools.page.section_heading(section) in text for section in sections)
    commands = [run.command for section in sections for run in section.runs]
    assert [line[2:] for line in text.splitlines() if line.startswith("$ ")] == commands


@pytest.mark.slow
@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_commands_show_what_the_page_says(
    slow: bool, tools: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path / "cache"))
    tools.files.prepare(tmp_path, EXAMPLES)
    text = (DOCS / "command_line.md").read_text(encoding="utf-8")

    def show(arguments: list[str], piped: Path | None) -> str:
        with (piped or Path(os.devnull)).open(encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            done = captious(*arguments, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done.stderr + done.stdout

    for section in tools.sections.SECTIONS:
        for run in section.runs:
            if run.slow == slow and not run.varies:
                assert tools.page.render_run(run, show, tmp_path) in text, run.command


def test_folders_of_this_computer_are_left_out(tools: Any) -> None:
    run = tools.sections.Run("captious x")
    said = "captious: reads /a/captious/resources/x.npz and /b/c.csv"
    shown = tools.page.render_run(run, lambda arguments, piped: said, Path("/b"))
    assert shown == "```console\n$ captious x\ncaptious: reads .../x.npz and c.csv\n```\n"


def test_piped_input_is_not_an_argument(tools: Any) -> None:
    run = tools.sections.Run("captious score - --quiet < hasty.jsonl")
    shown = tools.page.render_run(run, lambda arguments, piped: f"{arguments} {piped}", Path("/b"))
    assert shown.splitlines()[1:3] == [
        "$ captious score - --quiet < hasty.jsonl",
        "['score', '-', '--quiet'] hasty.jsonl",
    ]
