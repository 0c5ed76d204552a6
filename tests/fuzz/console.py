"""Run a command line in this process, and check its output as a user would see it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import IO, NamedTuple
from unittest import mock

import captious.cli.main as command
from captious.errors import CaptiousError
from tests.fuzz.kind import ACCEPTED, REFUSED
from tests.fuzz.oracle import Fault, check_folder, check_json
from tests.streaming.here import no_processes

# Half of a small command's time goes into declaring the options of all of them, which never change.
_parser = cache(command.make_parser)

EXIT_CODES = (0, 2, 130)
HELP = ("--help", "-h", "--version")


class CommandResult(NamedTuple):
    """A command's exit code and both of its output streams."""

    code: int
    output: str
    errors: str


def run_command(arguments: Sequence[str]) -> CommandResult:
    """Run `captious` with these arguments; whatever it raises beside an exit is raised here."""
    with (
        mock.patch.object(command, "make_parser", _parser),
        _captured("stdout") as output,
        _captured("stderr") as errors,
    ):
        try:
            code = command.main(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except CaptiousError as error:
            raise Fault("an error that the command line did not catch", str(error)) from error
        return CommandResult(code, _text(output), _text(errors))


def _is_partial_output(folder: Path, written: Sequence[str]) -> set[str]:
    """What a command that failed may leave: parts that were done, to go on with."""
    works = [folder / f"{name}.parts" for name in written]
    return {
        path.relative_to(folder).as_posix()
        for work in works
        if any(work.glob("unfinished/noted-*.json"))
        for path in (work, *work.rglob("*"))
    }


def judge(arguments: Sequence[str], folder: Path, written: Sequence[str] | None = ()) -> str:
    """Run a command in a folder, and say whether it took its input; all else is raised.

    `written` are the files that it must write if it takes it; with None it may write any, save
    temporary ones.
    """
    before = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    with no_processes():  # those that try inputs may start none
        said = run_command(arguments)
    if said.code not in EXIT_CODES:
        raise Fault(f"exit code {said.code}", said.errors[-500:])
    if "Traceback (most recent call last)" in said.errors + said.output:
        raise Fault("a traceback", said.errors[-1000:])
    _check_lines(said)
    if said.code == 0 and written is None:
        found = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
        written = [name for name in found - before if not Path(name).name.startswith(".")]
    check_folder(
        folder,
        before
        | (set(written or ()) if said.code == 0 else _is_partial_output(folder, written or ())),
    )
    if said.code == 0 and not set(HELP).intersection(arguments):
        if _asks_for_json(arguments) and said.output:
            check_json(said.output, "the output")
        for name in written or ():
            if not (folder / name).is_dir():  # a folder of plots may be named anything
                _check_written(folder / name, _lines(folder, before))
    return ACCEPTED if said.code == 0 else REFUSED


def _check_lines(said: CommandResult) -> None:
    """Every line of errors begins as ours do, and one of them is the error, if there is any."""
    lines = said.errors.split("\n")[:-1] if said.errors.endswith("\n") else said.errors.split("\n")
    lines = [] if lines == [""] else lines
    odd = [line for line in lines if not line.startswith("captious")]
    if odd:
        raise Fault("a line of errors that is not ours", repr(said.errors[-500:]))
    failed = [line for line in lines if ": error: " in line]
    if len(failed) != (said.code == 2):
        raise Fault(f"{len(failed)} errors with exit code {said.code}", repr(said.errors[-500:]))


def _asks_for_json(arguments: Sequence[str]) -> bool:
    asked = [value for option, value in pairwise(arguments) if option == "--format"]
    return bool(asked) and asked[-1] == "json"


def _lines(folder: Path, names: Iterable[str]) -> set[str]:
    """The rows that were given, which may be written as they stood whatever is in them."""
    files = (folder / name for name in names if name.endswith(".jsonl"))
    texts = (file.read_bytes().decode("utf-8", "replace") for file in files if file.is_file())
    return {line for text in texts for line in text.split("\n")}


def _check_written(path: Path, given: set[str]) -> None:
    """What was written is whole, as far as its format tells."""
    if not path.exists():
        raise Fault("the output was not written", path.name)
    if path.suffix == ".json":
        check_json(path.read_text(encoding="utf-8"), "the output file")
    elif path.suffix == ".jsonl":
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            if line not in given:
                check_json(line, "the output file")


@contextmanager
def _captured(name: str) -> Iterator[IO[bytes]]:
    """A standard stream as a file with a number of its own, which a command may even redirect."""
    with tempfile.TemporaryFile() as kept:
        # A copy of the number: what is put in its place does not lose what was written before.
        stream = os.fdopen(os.dup(kept.fileno()), "w", encoding="utf-8", errors="backslashreplace")
        was = getattr(sys, name)
        setattr(sys, name, stream)
        try:
            yield kept
        finally:
            setattr(sys, name, was)
            stream.close()


def _text(kept: IO[bytes]) -> str:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept.seek(0)
    return kept.read().decode("utf-8", "replace")
