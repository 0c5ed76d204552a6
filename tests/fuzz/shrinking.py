"""Failures made smaller, greedily, for as long as they stay the same failure."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.kind import Case, Kind
from tests.fuzz.trial import try_input


def shrink(kind: Kind, case: Case, still_fails: Callable[[Case], bool], seconds: float) -> Case:
    """Shrink a failing input for at most so many seconds; return the smallest that still fails."""
    end = time.monotonic() + seconds
    found = True
    while found:
        found = False
        for smaller in kind.smaller(case):
            if time.monotonic() > end:
                return case
            if still_fails(smaller):
                case, found = smaller, True
                break
    return case


def fails_with_same_signature(kind: Kind, signature: str, scratch: Path) -> Callable[[Case], bool]:
    """Whether an input fails with this signature, tried in this process."""
    return lambda case: try_input(kind, case, scratch).signature == signature


def kills_process(kind: Kind, scratch: Path, seconds: float = 30.0) -> Callable[[Case], bool]:
    """Whether a process dies of an input, tried in a copy of this one."""

    def died(case: Case) -> bool:
        child = os.fork()
        if not child:
            signal.alarm(int(seconds))
            try_input(kind, case, scratch)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)

    return died
