"""The two streams of a command: results on standard output, all that is said on standard error."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

from captious.errors import OutputError
from captious.shown import visible

LONGEST_LINE = 2000  # characters of an error or a note; the middle of a longer one is left out


def prepare_streams() -> None:
    """Make both streams usable, or say that there is nowhere to print to."""
    for descriptor in (0, 1, 2):
        # A file opened in the place of a closed stream would get what is printed.
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (open to the end)
    if sys.stdout is None:
        raise OutputError(
            "standard output is closed; send it to a file, or to /dev/null if it is not wanted"
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a letter is no error
            stream.reconfigure(errors="backslashreplace")


def show(text: str, end: str = "\n") -> None:
    """Print a result."""
    try:
        print(visible(text, "\n"), end=end, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        forget(sys.stdout)
        raise OutputError(
            f"standard output: cannot be written ({error.strerror or error})"
        ) from None


def say(text: str, who: str = "captious") -> None:
    """Print one line that is not part of the result; where nobody can hear it, it is lost."""
    try:
        print(f"{who}: {one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def one_line(text: str) -> str:
    """A message in one line that is not endless and does nothing to a terminal."""
    line = visible(" ".join(text.split()))
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} [...] {line[-half:]}"


def forget(stream: TextIO) -> None:
    """Drop what is still to be written: the interpreter would complain of it when it exits."""
    with contextlib.suppress(io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
