"""Colours on terminals and nowhere else, unless the environment says so; --verbose."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from captious.cli import terminal
from captious.cli.main import main
from tests.cli.command import HASTY, REFERENCES, captious

MARK = "\x1b["


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("WT_SESSION", "1")  # as Windows has it where colours are shown


@pytest.mark.parametrize(
    ("given", "on_a_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colours_depend_on_terminal_and_environment(
    given: dict[str, str], on_a_terminal: bool, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert terminal.has_colours(Terminal()) is on_a_terminal
    assert terminal.has_colours(io.StringIO()) is elsewhere


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[str, str]:
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    main(arguments)
    return out.getvalue(), err.getvalue()


def test_errors_notes_and_headings_stand_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_a_terminal(monkeypatch, "scroe")[1].startswith("\x1b[1;31mcaptious: error:\x1b[0m ")
    shown, _ = on_a_terminal(monkeypatch, "doctor")
    assert shown.startswith("\x1b[1mwhat ") and shown.count(MARK) == 2
    told, _ = on_a_terminal(monkeypatch, "help")
    assert "\x1b[1mscore and compare:\x1b[0m\n  score " in told
    score = ("score", HASTY, "--references", REFERENCES, "--metrics", "cider_d")
    assert on_a_terminal(monkeypatch, *score)[1].startswith("\x1b[1;33mcaptious: warning:\x1b[0m c")


def test_files_and_pipes_have_no_marks(tmp_path: Path) -> None:
    for arguments in (("doctor",), ("help",), ("scroe",), ("metrics", "bleu")):
        done = captious(*arguments)
        assert MARK not in done.stdout + done.stderr


def test_a_caption_brings_no_colours_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, _ = on_a_terminal(monkeypatch, "graph", "a \x1b[31mred\x1b[0m dog", "--format", "json")
    assert MARK not in shown


def test_verbose_logs_files_read_and_time_of_each_stage() -> None:
    score = ("score", HASTY, "--references", REFERENCES, "--metrics", "rouge_l")
    plain, told = captious(*score), captious(*score, "--verbose")
    assert plain.stdout == told.stdout and plain.stderr == ""
    lines = told.stderr.splitlines()
    assert all(line.startswith("captious: ") and " s: " in line for line in lines)
    assert any(f"reads {HASTY} (" in line for line in lines)
    assert any("rouge_l: 30 candidates scored: " in line for line in lines)
    assert captious(*score).stderr == ""  # and nothing is told to who did not ask


def test_a_note_does_not_run_into_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm
    monkeypatch.setattr(sys, "stderr", Terminal())
    with tqdm(total=3, desc="work") as bar:
        bar.update()
        terminal.say("a note")
    assert isinstance(sys.stderr, Terminal)
    before, _, after = sys.stderr.getvalue().partition("captious:")
    assert before.rstrip("\x1b[36m").endswith("\r")  # the bar was wiped away
    assert after.partition("\n")[2].lstrip("\r").startswith("work:")  # and drawn anew below
