"""A fuzzing campaign: work units for a few processes, crashes counted, and a table at the end."""

from __future__ import annotations

import math
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection

from tabulate import tabulate

from tests.fuzz.catalogue import KINDS, Unit
from tests.fuzz.kind import ACCEPTED, REFUSED
from tests.fuzz.trial import FAILED
from tests.fuzz.worker import Failure, Report, Worker

PROGRESS_INTERVAL_S = 20.0  # seconds between two lines of progress
SHRINK_TIMEOUT_S = 60.0  # seconds
UNKNOWN = "unknown"  # outcome of an input whose process died of a later one, before its report


@dataclass
class Campaign:
    """The inputs tried so far and their outcomes."""

    seed: int
    log: Callable[[str], None] = print
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)  # by kind and signature
    times: Counter[str] = field(default_factory=Counter)  # each was met
    seconds: Counter[str] = field(default_factory=Counter)  # by kind
    started: float = field(default_factory=time.monotonic)

    @property
    def inputs(self) -> int:
        """How many inputs were tried."""
        return sum(sum(counted.values()) for counted in self.outcomes.values())

    def run(self, units: Iterator[Unit], jobs: int, seconds: float | None) -> None:
        """Work through the units, or as many as there is time for."""
        end = math.inf if seconds is None else self.started + seconds
        busy: dict[Worker, Unit] = {}
        idle = [Worker(self.seed) for _ in range(jobs)]
        last_progress = self.started
        try:
            while True:
                while idle and time.monotonic() < end:
                    unit = next(units, None)
                    if unit is None:
                        break
                    worker = idle.pop()
                    worker.here.send((*unit, end))
                    busy[worker] = unit
                if not busy:
                    return
                for ready in connection.wait([worker.here for worker in busy], PROGRESS_INTERVAL_S):
                    worker = next(each for each in busy if each.here is ready)
                    unit = busy.pop(worker)
                    idle.append(
                        worker if self._receive(worker, unit) else self._restart(worker, unit)
                    )
                if time.monotonic() - last_progress > PROGRESS_INTERVAL_S:
                    last_progress = time.monotonic()
                    self.log(self.progress())
        finally:
            for worker in (*busy, *idle):
                worker.close()

    def _receive(self, worker: Worker, unit: Unit) -> bool:
        """Receive a report or, if the process died, record the crash."""
        try:
            self._add(worker.here.recv())
        except EOFError:
            worker.process.join()
            number, died = worker.place.value, _death(worker)
            if number < 0:
                raise RuntimeError(f"a process ended before its work ({unit[0]}): {died}") from None
            self._note_death(unit[0], number, died)
            return False
        return True

    def _restart(self, dead: Worker, unit: Unit) -> Worker:
        """Start another process, which continues after the input that killed the dead one.

        What came before in the unit is not tried again: it did not kill, and its report is lost.
        """
        name, start, stop = unit
        number = dead.place.value
        self.outcomes[name][UNKNOWN] += number - start
        dead.close()
        worker = Worker(self.seed)
        if number + 1 < stop:
            rest = (name, number + 1, stop)
            worker.here.send((*rest, math.inf))
            if not self._receive(worker, rest):
                return self._restart(worker, rest)
        return worker

    def _note_death(self, name: str, number: int, died: str) -> None:
        self.outcomes.setdefault(name, Counter())[FAILED] += 1
        self.times[f"{name}\n{died}"] += 1
        if f"{name}\n{died}" in self.failures:
            return
        case = KINDS[name].case(self.seed, number)
        if "killed by its watch" not in died:
            case = self._smaller_death(name, case)
        self._new(Failure(name, number, died, died, case))

    def _smaller_death(self, name: str, case: dict[str, object]) -> dict[str, object]:
        """Shrink a deadly input in a separate process."""
        worker = Worker(self.seed)
        try:
            worker.here.send((name, case))
            if worker.here.poll(SHRINK_TIMEOUT_S):
                smaller: dict[str, object] = worker.here.recv()
                return smaller
        except EOFError:
            pass
        finally:
            worker.close()
        return case

    def _add(self, report: Report) -> None:
        counted = self.outcomes.setdefault(report.kind, Counter())
        counted.update(report.outcomes)
        self.seconds[report.kind] += report.seconds  # type: ignore[assignment]
        for signature, number in report.repeated.items():
            self.times[f"{report.kind}\n{signature}"] += number
        for failure in report.failures:
            self._new(failure)

    def _new(self, failure: Failure) -> None:
        key = f"{failure.kind}\n{failure.signature}"
        if key not in self.failures:
            self.failures[key] = failure
            self.log(f"FAILED {failure.kind} {failure.number}: {failure.signature}")

    def progress(self) -> str:
        """Return one line about the progress."""
        seconds = time.monotonic() - self.started
        return (
            f"{self.inputs:,} inputs in {seconds:.0f} s ({self.inputs / max(seconds, 1e-9):.0f} a "
            f"second), {len(self.failures)} different failures"
        )

    def table(self) -> str:
        """Return the table of outcomes by kind."""
        rows = [
            (name, sum(counted.values()), counted[REFUSED], counted[ACCEPTED], counted[FAILED],
             sum(key.startswith(f"{name}\n") for key in self.failures),
             round(1000 * self.seconds[name] / max(1, sum(counted.values())), 1))
            for name, counted in sorted(self.outcomes.items())
        ]  # fmt: skip
        total = ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:-1]))
        header = ("kind", "inputs", "refused", "accepted", "failed", "different", "ms each")
        return tabulate([*rows, total], header, intfmt=",")


def _death(worker: Worker) -> str:
    """Describe the death of a process: signal or exit code, and the place in Captious."""
    code = worker.process.exitcode
    trace = worker.trace.read_text(errors="replace")
    how = "killed by its watch" if "Timeout" in trace else f"exit code {code}"
    if code is not None and code < 0:
        how = signal.Signals(-code).name
    found = re.search(r'src/captious/(\S+?)", line \d+ in (\S+)', trace)
    return f"died ({how})" + (f" in {found[1]}:{found[2]}" if found else "")
