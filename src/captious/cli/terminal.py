"""Standard output, for results, and standard error, for notes, warnings and errors."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from captious.errors import OutputError, escape_control_chars

# Sparingly: what went wrong, who speaks, and what a table or a list is about.
COLOURS = {"error": "1;31", "warning": "1;33", "note": "36", "heading": "1"}
# A line above a rule, or one that ends with a colon above lines that are set in.
HEADINGS = re.compile(r"^\S.*(?=\n-[- ]*$)|^\S.*:(?=\n  \S)", re.MULTILINE)
MAX_LINE_CHARS = 2000  # characters of an error or a note; the middle of a longer one is left out


def prepare_streams() -> None:
    """Make both streams usable; raise OutputError if standard output is closed."""
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


def show(text: str, end: str = "\n", *, is_safe: bool = False) -> None:
    """Print a result; on a terminal, its headings stand out.

    Text that `is_safe` has marks for a terminal, and of others nothing that could be one.
    """
    text = text if is_safe else escape_control_chars(text, "\n")
    if has_colours(sys.stdout):
        text = HEADINGS.sub(lambda heading: add_colour(heading[0], "heading"), text)
    try:
        print(text, end=end, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output(sys.stdout)
        raise OutputError(
            f"standard output: cannot be written ({error.strerror or error})"
        ) from None


def say(text: str, kind: str = "note", who: str = "captious") -> None:
    """Print one line that is not part of the result; a closed stream is ignored.

    A line of another kind than a note says so: `error`, `warning`.
    """
    head = f"{who}:" if kind == "note" else f"{who}: {kind}:"
    if has_colours(sys.stderr):
        head = add_colour(head, kind)
    try:
        with _pause_progress_bars():
            print(f"{head} {one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        discard_output(sys.stderr)


def _pause_progress_bars() -> contextlib.AbstractContextManager[Any]:
    """Hide progress bars while a line is printed."""
    if "tqdm" not in sys.modules:
        return contextlib.nullcontext()
    mode: contextlib.AbstractContextManager[Any] = sys.modules["tqdm"].tqdm.external_write_mode(
        file=sys.stderr
    )
    return mode


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream shows colours: a terminal, unless the environment says otherwise."""
    variable = os.environ.get
    if variable("NO_COLOR"):
        return False
    if variable("FORCE_COLOR", "0") not in ("", "0"):
        return True
    # Consoles of Windows before its Terminal print the marks themselves.
    is_plain = variable("TERM") == "dumb" or (os.name == "nt" and "WT_SESSION" not in os.environ)
    return not is_plain and stream.isatty()


def add_colour(text: str, kind: str) -> str:
    """Add the terminal codes of a colour to text."""
    return f"\x1b[{COLOURS[kind]}m{text}\x1b[0m"


@contextlib.contextmanager
def log_to_stderr(is_enabled: bool) -> Iterator[None]:
    """Print log messages as notes on standard error, each with the seconds since the start."""
    if not is_enabled:
        yield
        return
    import logging
    import time

    start = time.time()

    class StderrHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(f"{record.created - start:.2f} s: {record.getMessage()}")

    logger, handler = logging.getLogger("captious"), StderrHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def one_line(text: str) -> str:
    """Return a message as one line of limited length without control characters."""
    line = escape_control_chars(" ".join(text.split()))
    half = MAX_LINE_CHARS // 2
    return line if len(line) <= MAX_LINE_CHARS else f"{line[:half]} [...] {line[-half:]}"


def discard_output(stream: TextIO) -> None:
    """Discard unwritten output, of which the interpreter would complain when it exits."""
    with contextlib.suppress(io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
