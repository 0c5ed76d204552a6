"""Every command is a declaration: a module with its texts, its arguments and what it runs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from captious.cli.main import COMMANDS, main
from captious.cli.options import ROWS_PER_CHUNK
from captious.streaming import chunks

SUBCOMMANDS = [
    (command, subcommand)
    for command in COMMANDS
    for subcommand in getattr(import_module(f"captious.cli.{command}"), "SUBCOMMANDS", ())
]
NEEDED_TO_START = "cli cli.main cli.terminal errors version __main__"
IMPORTED = """
import sys
from captious.__main__ import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def modules_imported_by(*arguments: str) -> list[str]:
    """The modules that a process has imported when `captious` with these arguments has ended."""
    command = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1].split()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_declared_by_its_module(name: str) -> None:
    command = import_module(f"captious.cli.{name}")
    assert str(command.__doc__).startswith(f"captious {name}: ")
    assert command.DESCRIPTION.endswith(".")
    assert f"\n  captious {name}" in command.EXAMPLES
    if hasattr(command, "SUBCOMMANDS"):
        assert all(callable(part) for _, *parts in command.SUBCOMMANDS.values() for part in parts)
    else:
        assert callable(command.run)


@pytest.mark.parametrize("names", [*((name,) for name in COMMANDS), *SUBCOMMANDS], ids=" ".join)
def test_help_of_every_command(names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*names, "--help"]) == 0
    told, complaints = capsys.readouterr()
    assert told.startswith(f"usage: captious {' '.join(names)} ") and complaints == ""
    if names in SUBCOMMANDS or not any(names[0] == command for command, _ in SUBCOMMANDS):
        command = import_module(f"captious.cli.{names[0]}")
        assert ("--format" in told) == getattr(command, "PRINTS_TABLES", True)
        assert "--quiet" in told and "--verbose" in told


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_nothing_is_imported_that_no_command_needs(option: str) -> None:
    imported = modules_imported_by(option)
    assert "numpy" not in imported
    ours = {name for name in imported if name.startswith("captious.")}
    assert ours == {f"captious.{name}" for name in NEEDED_TO_START.split()}


MAX_MODULES_OF_BLEU = 110
SLOW_PACKAGES = ("streaming", "images", "diagnostics.diversity")


def test_scoring_bleu_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    candidates = tmp_path / "candidates.jsonl"
    candidates.write_text('{"id": 1, "candidate": "a dog", "references": ["a brown dog"]}\n')
    imported = modules_imported_by("score", str(candidates), "--metrics", "bleu")
    ours = {name for name in imported if name.startswith("captious.")}
    assert len(ours) <= MAX_MODULES_OF_BLEU
    slow = [f"captious.{package}" for package in SLOW_PACKAGES]
    assert not [name for name in ours if name.startswith(tuple(slow))]


def test_the_chunk_size_in_the_help_is_that_of_streams() -> None:
    assert ROWS_PER_CHUNK == chunks.ROWS_PER_CHUNK
