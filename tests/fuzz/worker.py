"""A process that tries inputs one after another, and says where it is in case it dies."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from tests.fuzz.catalogue import KINDS
from tests.fuzz.kind import Case
from tests.fuzz.oracle import SECONDS
from tests.fuzz.shrinking import fails_with_same_signature, kills_process, shrink
from tests.fuzz.trial import FAILED, SECONDS_TO_SHRINK, isolate_environment, try_input


class Failure(NamedTuple):
    """An input that failed, as small as it could be made."""

    kind: str
    number: int
    signature: str
    detail: str
    case: Case


class Report(NamedTuple):
    """What came of a unit of work: outcomes by name, and failures not seen before here."""

    kind: str
    outcomes: dict[str, int]
    failures: list[Failure]
    repeated: dict[str, int]  # of signatures
    seconds: float  # of a processor that inputs took, without making failures smaller


class Worker:
    """A process of our own and how to talk to it."""

    def __init__(self, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.place = context.RawValue("q", -1)  # the number that is being tried
        with tempfile.NamedTemporaryFile(delete=False, suffix=".trace") as file:
            self.trace = Path(file.name)
        self.here, there = context.Pipe()
        self.process = context.Process(
            target=_work, args=(there, self.place, seed, str(self.trace)), daemon=True
        )
        # Tiny inputs gain nothing by threads, and two processes would fight for two processors.
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        self.process.start()
        there.close()

    def close(self) -> None:
        """End the process, if it has not ended by itself."""
        self.here.close()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.trace.unlink(missing_ok=True)


def _work(pipe: Connection, place: Any, seed: int, trace: str) -> None:
    isolate_environment()
    known: set[str] = set()
    with Path(trace).open("w") as log, tempfile.TemporaryDirectory(prefix="fuzz-") as scratch:
        faulthandler.enable(log, all_threads=False)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)  # libraries in C complain there of what Captious refuses in its own words
        while True:
            try:
                message = pipe.recv()
            except EOFError:
                return
            if len(message) == 4:
                pipe.send(_try_unit(message, seed, place, known, Path(scratch), log))
            else:
                name, case = message
                kind = KINDS[name]
                smaller = shrink(kind, case, kills_process(kind, Path(scratch)), SECONDS_TO_SHRINK)
                pipe.send(smaller)


def _try_unit(
    unit: tuple[str, int, int, float],
    seed: int,
    place: Any,
    known: set[str],
    scratch: Path,
    log: Any,
) -> Report:
    name, start, stop, end = unit
    kind = KINDS[name]
    outcomes: Counter[str] = Counter()
    failures: list[Failure] = []
    repeated: Counter[str] = Counter()
    seconds = 0.0
    for number in range(start, stop):
        if time.monotonic() > end:
            break
        place.value = number
        # Where no exception can get through, as in a compiled loop, the process ends instead.
        faulthandler.dump_traceback_later(SECONDS + 10, exit=True, file=log)
        began = time.process_time()
        case = kind.case(seed, number)
        verdict = try_input(kind, case, scratch)
        seconds += time.process_time() - began
        faulthandler.cancel_dump_traceback_later()
        outcomes[verdict.outcome] += 1
        if verdict.outcome == FAILED:
            repeated[verdict.signature] += 1
            if verdict.signature not in known:
                known.add(verdict.signature)
                if "Hang" not in verdict.signature:
                    alike = fails_with_same_signature(kind, verdict.signature, scratch)
                    left = max(0.0, min(SECONDS_TO_SHRINK, end - time.monotonic()))
                    case = shrink(kind, case, alike, left)
                failures.append(Failure(name, number, verdict.signature, verdict.detail, case))
    place.value = -1
    return Report(name, dict(outcomes), failures, dict(repeated), seconds)
