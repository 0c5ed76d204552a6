"""What counts as a failure, and the limits that an input is run under.

Input may be accepted, or refused by a CaptiousError of one line (on the command line: exit code 2
and one line of error). All else is a failure: another exception, a warning that is not ours, a
traceback, another exit code, output that is no JSON where JSON was asked for, a file left behind or
half-written, a hang, memory beyond a limit, a process that dies.
"""

from __future__ import annotations

import json
import resource
import signal
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import captious
from captious.errors import CaptiousError, CaptiousWarning

SECONDS = 20.0  # that one input may take
GROWTH = 1 << 30  # bytes that one input may need
ROOM = 3 << 30  # bytes of addresses that one input may ask for, used or not
SOURCES = str(Path(captious.__file__).parent)


class Fault(Exception):  # noqa: N818 - it says what is wrong with Captious, not with us
    """A fault without an exception; `what` is the same for the same fault."""

    def __init__(self, what: str, detail: str = "") -> None:
        super().__init__(f"{what}: {detail}" if detail else what)
        self.what = what


class Hang(BaseException):
    """No end after SECONDS; no handler of exceptions can swallow it."""


def signature_of(error: BaseException) -> str:
    """What failures of one cause have in common: the error, and where in Captious it arose."""
    what = error.what if isinstance(error, Fault) else type(error).__name__
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(SOURCES)
    ]
    if isinstance(error, Fault) or not frames:
        return what
    return f"{what} in {Path(frames[-1].filename).relative_to(SOURCES)}:{frames[-1].name}"


def check_refusal(error: CaptiousError) -> None:
    """Stop at an error that the user would not see as one line."""
    message = str(error)
    if len(message.splitlines()) != 1 or not message.strip():
        raise Fault(
            f"an error of {len(message.splitlines())} lines", repr(message[:300])
        ) from error


def check_json(text: str, where: str) -> Any:
    """The value of a text, which must be JSON as the standard has it."""

    def refuse(constant: str) -> Any:
        raise Fault(f"{constant} in {where}", text[:300])

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise Fault(f"no JSON in {where}", f"{error}: {text[:300]!r}") from None


def check_folder(folder: Path, allowed: set[str]) -> None:
    """Fail on unexpected files: temporary ones, or output of a command that failed."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    if odd := sorted(found - allowed):
        kind = "temporary" if any(Path(name).name.startswith(".") for name in odd) else "unasked"
        raise Fault(f"a {kind} file is left behind", ", ".join(odd[:5]))


@contextmanager
def limits(seconds: float = SECONDS) -> Iterator[None]:
    """Time and memory for one input, and warnings that are not ours as errors.

    Ours are recorded, not printed: to warn of odd input is right.
    """
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    allowed = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_addresses() + ROOM, allowed[1]))
    was = signal.signal(signal.SIGALRM, _hang)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("error")
            warnings.simplefilter("always", CaptiousWarning)
            # Said whenever the collector comes by, and so of any earlier input.
            warnings.simplefilter("ignore", ResourceWarning)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, was)
        resource.setrlimit(resource.RLIMIT_AS, allowed)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    if grown > GROWTH:
        raise Fault("memory beyond the limit", f"{grown / 1e6:.0f} MB for one input")


def _hang(number: int, frame: Any) -> None:
    raise Hang(f"no end after {SECONDS:g} seconds")


def _addresses() -> int:
    """How many bytes of addresses this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()
