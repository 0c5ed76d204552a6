"""Every command is a declaration: a module with its texts, its arguments and what it runs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from captious.cli.main import COMMANDS, main

PARTS = [
    (command, part)
    for command in COMMANDS
    for part in getattr(import_module(f"captious.cli.{command}"), "PARTS", ())
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


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_declared_by_its_module(name: str) -> None:
    command = import_module(f"captious.cli.{name}")
    assert str(command.__doc__).startswith(f"captious {name}: ")
    assert command.DESCRIPTION.endswith(".")
    assert f"\n  captious {name}" in command.EXAMPLES
    parts = getattr(command, "PARTS", None)
    for _, declare, run in parts.values() if parts else [("", command.declare, command.run)]:
        assert callable(declare) and callable(run)


@pytest.mark.parametrize("names", [*((name,) for name in COMMANDS), *PARTS], ids=" ".join)
def test_help_of_every_command(names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*names, "--help"]) == 0
    told, complaints = capsys.readouterr()
    assert told.startswith(f"usage: captious {' '.join(names)} ") and complaints == ""
    if names in PARTS or not any(names[0] == command for command, _ in PARTS):
        command = import_module(f"captious.cli.{names[0]}")
        assert ("--format" in told) == getattr(command, "PRINTS_TABLES", True)
        assert "--quiet" in told and "--verbose" in told


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_nothing_is_imported_that_no_command_needs(option: str) -> None:
    arguments = [sys.executable, "-c", IMPORTED, option]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    imported = done.stderr.split()
    assert "numpy" not in imported
    ours = {name for name in imported if name.startswith("captious.")}
    assert ours == {f"captious.{name}" for name in NEEDED_TO_START.split()}
