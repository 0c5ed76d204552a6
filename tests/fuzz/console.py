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
    """Run `captious` with these arguments; exceptions other than an exit propagate."""
    with (
        mock.patch.object(command, "make_parser", _parser),
        _capture_stream("stdout") as output,
        _capture_stream("stderr") as errors,
    ):
        try:
            code = command.main(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except CaptiousError as error:
            raise Fault("an error that the command line did not catch", str(error)) from error
        return CommandResult(code, _read_captured(output), _read_captured(errors))


def _partial_output(folder: Path, written: Sequence[str]) -> set[str]:
    """Return the files that a failed command may leave: finished parts, to resume from."""
    works = [folder / f"{name}.parts" for name in written]
    return {
        path.relative_to(folder).as_posix()
        for work in works
        if any(work.glob("unfinished/noted-*.json"))
        for path in (work, *work.rglob("*"))
    }


def judge(arguments: Sequence[str], folder: Path, written: Sequence[str] | None = ()) -> str:
    """Run a command in a folder; return whether it accepted its input, or raise a fault.

    `written` are the files that it must write if it accepts its input; with None it may write any,
    save temporary ones.
    """
    before = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    with no_processes():  # those that try inputs may start none
        result = run_command(arguments)
    if result.code not in EXIT_CODES:
        raise Fault(f"exit code {result.code}", result.errors[-500:])
    if "Traceback (most recent call last)" in result.errors + result.output:
        raise Fault("a traceback", result.errors[-1000:])
    _check_lines(result)
    if result.code == 0 and written is None:
        found = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
        written = [name for name in found - before if not Path(name).name.startswith(".")]
    check_folder(
        folder,
        before
        | (set(written or ()) if result.code == 0 else _partial_output(folder, written or ())),
    )
    if result.code == 0 and not set(HELP).intersection(arguments):
        if _asks_for_json(arguments) and result.output:
            check_json(result.output, "the output")
        for name in written or ():
            if not (folder / name).is_dir():  # a folder of plots may be named anything
                _check_written(folder / name, _input_rows(folder, before))
    return ACCEPTED if result.code == 0 else REFUSED


def _check_lines(result: CommandResult) -> None:
    """Check that every line of errors begins with our prefix, and that a failure has one error."""
    lines = (
        result.errors.split("\n")[:-1]
        if result.errors.endswith("\n")
        else result.errors.split("\n")
    )
    lines = [] if lines == [""] else lines
    unknown = [line for line in lines if not line.startswith("captious")]
    if unknown:
        raise Fault("a line of errors that is not ours", repr(result.errors[-500:]))
    error_lines = [line for line in lines if ": error: " in line]
    if len(error_lines) != (result.code == 2):
        raise Fault(
            f"{len(error_lines)} errors with exit code {result.code}", repr(result.errors[-500:])
        )


def _asks_for_json(arguments: Sequence[str]) -> bool:
    asked = [value for option, value in pairwise(arguments) if option == "--format"]
    return bool(asked) and asked[-1] == "json"


def _input_rows(folder: Path, names: Iterable[str]) -> set[str]:
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
def _capture_stream(name: str) -> Iterator[IO[bytes]]:
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


def _read_captured(kept: IO[bytes]) -> str:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept.seek(0)
    return kept.read().decode("utf-8", "replace")
