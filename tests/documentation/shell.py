"""Commands of the documentation, run as they are written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.cli.command import captious
from tests.streaming.here import no_processes

ANYTHING = "[...]"  # in what a command prints


def commands_of(text: str) -> Iterator[str]:
    """The commands of a block without prompts: a line each, with the lines that it goes on."""
    pattern = r"^.*<<'END'\n(?s:.*?)^END$|^(?:.*\\\n)*.*$"
    for command in re.findall(pattern, text, re.MULTILINE):
        if command.strip() and not command.startswith("#"):
            yield command


def transcript_of(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a block with prompts, and what each prints."""
    for run in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n?", run)
        assert command is not None
        yield command[0].strip(), run[command.end() :].strip()


def run(command: str, folder: Path) -> tuple[int, str, str]:
    """A command's exit code, what it printed, and what it said beside that."""
    words = _words(command)
    if words and words[0] == "captious" and not _needs_a_shell(words):
        with no_processes():
            done = captious(*words[1:], cwd=folder)
    else:
        done = _in_a_shell(command, folder)
    return done.returncode, done.stdout, done.stderr


def _words(command: str) -> list[str]:
    return shlex.split(command.replace("\\\n", " "), comments=True) if "<<" not in command else []


def _needs_a_shell(words: list[str]) -> bool:
    return any(word in ("|", "<", ">", "&&") or word.endswith("/*") for word in words)


def _in_a_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Where `captious` is the one that is tested."""
    programs = folder / ".programs"
    programs.mkdir(exist_ok=True)
    for name, module in (("captious", "-m captious"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {module} "$@"\n')
        program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-ec", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def matches(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    pattern = ".*".join(map(re.escape, shown.split(ANYTHING)))
    return re.fullmatch(rf"\s*{pattern}\s*", _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    """Without blanks at the ends of lines, which pages do not have."""
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
