"""Work side by side in threads: loops give the interpreter's lock back, so that cores share it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from captious._internal.loops.interrupts import stoppable
from captious.errors import warn, warnings_kept

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Made = TypeVar("Made")

LIMIT = "OMP_NUM_THREADS"  # by which threads are bounded nearly everywhere, on clusters as well
LIMITS_OF_LIBRARIES = (
    LIMIT,
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
MOST_OF_A_POOL = 8  # more of them wait for the interpreter's lock rather than work


def cores() -> int:
    """How many threads can work at once: as many as this process has cores, or as it is allowed."""
    multiprocessing = sys.modules.get("multiprocessing.process")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        return 1  # one of several processes, which share the cores already
    everywhere = hasattr(os, "sched_getaffinity")
    available = len(os.sched_getaffinity(0)) if everywhere else os.cpu_count() or 1
    limit = os.environ.get(LIMIT, "")
    return max(1, min(available, int(limit))) if limit.isdecimal() else available


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Work within has no more threads than that, of our own or of libraries that multiply."""
    from threadpoolctl import threadpool_limits  # for libraries that are loaded already

    with limits_in_environment(threads), threadpool_limits(threads):
        yield


@contextmanager
def limits_in_environment(threads: int) -> Iterator[None]:
    """Libraries that are loaded within, and processes that are started, have so many threads."""
    before = {name: os.environ.get(name) for name in LIMITS_OF_LIBRARIES}
    os.environ.update(limits(threads))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def limits(threads: int) -> dict[str, str]:
    """Variables of an environment in which libraries have so many threads."""
    return dict.fromkeys(LIMITS_OF_LIBRARIES, str(threads))


def pool() -> ThreadPoolExecutor:
    """Threads for pieces of work that come in any number."""
    from concurrent.futures import ThreadPoolExecutor  # takes its time, and most have no need

    return ThreadPoolExecutor(min(MOST_OF_A_POOL, cores()))


def side_by_side(tasks: Sequence[Callable[[], Made]]) -> list[Made]:
    """What each task returns: the first one's work is done here, the others' in threads.

    All is as if one task had been done after the other: whoever called is warned of the same, in
    the same order, and the first error is raised. An interrupt stops all of them.
    """
    stop = threading.Event()
    others = [_Task(task, stop) for task in tasks[1:]]
    for other in others:
        other.start()
    try:
        made = [task() for task in tasks[:1]]
        for other in others:
            other.join()
    except BaseException:
        stop.set()
        for other in others:
            other.join()
        raise
    return made + [other.result() for other in others]


class _Task(threading.Thread, Generic[Made]):
    """A task in a thread of its own, and what came of it."""

    def __init__(self, work: Callable[[], Made], told_to_stop: threading.Event) -> None:
        super().__init__(name="captious")
        self._work = work
        self._told_to_stop = told_to_stop
        self._made: list[Made] = []
        self._error: BaseException | None = None
        self._warnings: list[tuple[str, str | None]] = []

    def run(self) -> None:
        """Do the work."""
        try:
            with warnings_kept(self._warnings), stoppable(self._told_to_stop):
                self._made.append(self._work())
        except BaseException as error:  # raised where somebody waits for it
            self._error = error

    def result(self) -> Made:
        """What the work returned or raised, after its warnings."""
        for message, about in self._warnings:
            warn(message, about)
        if self._error is not None:
            raise self._error
        return self._made[0]
