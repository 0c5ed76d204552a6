"""Parallel work in threads: compiled loops release the GIL, so threads run on several cores."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from captious._internal.loops.interrupts import stop_loops_on
from captious.errors import collect_warnings, warn

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Value = TypeVar("Value")

THREAD_LIMIT_VARIABLE = (
    "OMP_NUM_THREADS"  # respected by most libraries and set by cluster schedulers
)
THREAD_LIMIT_VARIABLES = (
    THREAD_LIMIT_VARIABLE,
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
MAX_POOL_THREADS = 8  # more of them wait for the GIL rather than work


def available_cores() -> int:
    """Number of cores this process may use; 1 in a worker process."""
    multiprocessing = sys.modules.get("multiprocessing.process")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        return 1  # the worker processes share the cores already
    has_affinity = hasattr(os, "sched_getaffinity")
    available = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    limit = os.environ.get(THREAD_LIMIT_VARIABLE, "")
    return max(1, min(available, int(limit))) if limit.isdecimal() else available


@contextmanager
def limit_threads(threads: int) -> Iterator[None]:
    """Limit the number of threads inside the block, both ours and those of BLAS libraries."""
    from threadpoolctl import threadpool_limits  # for libraries that are loaded already

    with limit_threads_in_environment(threads), threadpool_limits(threads):
        yield


@contextmanager
def limit_threads_in_environment(threads: int) -> Iterator[None]:
    """Limit the threads of libraries loaded, and of processes started, inside the block."""
    before = {name: os.environ.get(name) for name in THREAD_LIMIT_VARIABLES}
    os.environ.update(thread_limit_environment(threads))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def thread_limit_environment(threads: int) -> dict[str, str]:
    """Environment variables that limit the threads of libraries."""
    return dict.fromkeys(THREAD_LIMIT_VARIABLES, str(threads))


def thread_pool() -> ThreadPoolExecutor:
    """Return an executor with at most one thread per core."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, rarely needed

    return ThreadPoolExecutor(min(MAX_POOL_THREADS, available_cores()))


def run_in_parallel(tasks: Sequence[Callable[[], Value]]) -> list[Value]:
    """Run the first task in this thread and the others in threads; return all results.

    The effect is that of running one task after the other: the caller gets the same warnings in
    the same order, and the first error is raised. An interrupt stops all of them.
    """
    stop_event = threading.Event()
    others = [_Task(task, stop_event) for task in tasks[1:]]
    for other in others:
        other.start()
    try:
        results = [task() for task in tasks[:1]]
        for other in others:
            other.join()
    except BaseException:
        stop_event.set()
        for other in others:
            other.join()
        raise
    return results + [other.result() for other in others]


class _Task(threading.Thread, Generic[Value]):
    """Thread that runs one task and keeps its result, error and warnings."""

    def __init__(self, work: Callable[[], Value], stop_event: threading.Event) -> None:
        super().__init__(name="captious")
        self._work = work
        self._stop_event = stop_event
        self._results: list[Value] = []
        self._error: BaseException | None = None
        self._warnings: list[tuple[str, str | None]] = []

    def run(self) -> None:
        """Run the task."""
        try:
            with collect_warnings(self._warnings), stop_loops_on(self._stop_event):
                self._results.append(self._work())
        except BaseException as error:  # raised by result()
            self._error = error

    def result(self) -> Value:
        """Return or raise what the task did, after issuing its warnings."""
        for message, topic in self._warnings:
            warn(message, topic)
        if self._error is not None:
            raise self._error
        return self._results[0]
