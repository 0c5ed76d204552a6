"""Engine that runs a task in local processes and returns results in input order.

A process that dies (killed, or out of memory) is replaced and its item given to another; an item
that two processes died of is an error that names its rows.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from captious._internal.threads import limit_threads_in_environment
from captious.errors import CaptiousError
from captious.streaming.tasks import (
    THREADS_PER_PROCESS,
    ItemT,
    OutcomeCollector,
    ResultT,
    Task,
    TaskRunner,
)

MAX_DEATHS_PER_ITEM = 2  # of processes at one item
MAX_ITEMS_AHEAD = 2  # items for each process that may be done before an earlier one is
JOIN_TIMEOUT_S = 5.0  # for a process to end once its connection is closed


@dataclass(frozen=True)
class ProcessEngine:
    """Engine with so many processes of this machine.

    Even one job is a process of its own, so that numbers come of the same libraries with as many
    threads, however many jobs there are. Warnings of processes are repeated here, once.
    """

    jobs: int

    def __call__(
        self, task: Task[ItemT, ResultT], items: Iterable[ItemT]
    ) -> Iterator[tuple[ItemT, ResultT]]:
        """The task's result for each item, in their order."""
        with _WorkerPool(task, self.jobs) as pool:
            yield from pool.work(iter(items))


@dataclass(eq=False)
class _Worker(Generic[ItemT]):
    """A process, the connection to it, and the item that it works on."""

    process: BaseProcess
    connection: Connection
    item: ItemT | None = None


@dataclass
class _WorkerPool(Generic[ItemT, ResultT]):
    """Pool of worker processes that replaces those that die."""

    task: Task[ItemT, ResultT]
    jobs: int
    workers: list[_Worker[ItemT]] = field(default_factory=list)
    deaths: dict[int, int] = field(default_factory=dict)  # by the number of the item
    outcomes: OutcomeCollector = field(default_factory=OutcomeCollector)

    def __enter__(self) -> _WorkerPool[ItemT, ResultT]:
        return self

    def __exit__(self, *about: object) -> None:
        for worker in self.workers:
            worker.connection.close()  # on which it ends
        for worker in self.workers:
            # After an interrupt, do not wait for results that will not be read.
            if worker.item is not None:
                worker.process.terminate()
            worker.process.join(JOIN_TIMEOUT_S)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def work(self, items: Iterator[ItemT]) -> Iterator[tuple[ItemT, ResultT]]:
        """Hand out items and yield their results in order."""
        done: dict[int, tuple[ItemT, ResultT]] = {}
        following = next_number = 0  # to be handed back; to be handed out
        item = next(items, None)
        while item is not None or following < next_number:
            while item is not None and next_number - following < MAX_ITEMS_AHEAD * self.jobs:
                worker = self._idle_worker()
                if worker is None:
                    break
                self._send_item(worker, item)
                next_number += 1
                item = next(items, None)
            for finished, result in self._receive_results():
                done[finished.number] = finished, result
            while done and (first := min(done)) == self._first_open(done):
                yield done.pop(first)
                following += 1

    def _first_open(self, done: dict[int, Any]) -> int:
        """The number of the earliest item that was handed out and not yielded yet."""
        working = [worker.item.number for worker in self.workers if worker.item is not None]
        return min([*done, *working])

    def _idle_worker(self) -> _Worker[ItemT] | None:
        """A process without work; a new one as long as there are fewer than jobs."""
        idle = next((worker for worker in self.workers if worker.item is None), None)
        if idle is None and len(self.workers) < self.jobs:
            idle = self._start_worker()
        return idle

    def _start_worker(self) -> _Worker[ItemT]:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.task), daemon=True)
        with limit_threads_in_environment(THREADS_PER_PROCESS):
            process.start()
        there.close()
        worker: _Worker[ItemT] = _Worker(process, here)
        self.workers.append(worker)
        return worker

    def _send_item(self, worker: _Worker[ItemT], item: ItemT) -> None:
        worker.item = item
        try:
            worker.connection.send(item)
        except OSError:
            self._replace_worker(worker)

    def _receive_results(self) -> Iterator[tuple[ItemT, ResultT]]:
        """Results that have arrived since the last call; waits for at least one."""
        working = {worker.connection: worker for worker in self.workers if worker.item is not None}
        for connection in wait(list(working)):
            worker = working[connection]  # type: ignore[index]
            item = worker.item
            assert item is not None
            try:
                outcome = worker.connection.recv()
            except (EOFError, OSError):
                self._replace_worker(worker)
                continue
            worker.item = None
            yield item, self.outcomes.result(outcome)

    def _replace_worker(self, dead: _Worker[ItemT]) -> None:
        """Replace a process that died, and give its item to the new one, once."""
        self.workers.remove(dead)
        dead.connection.close()
        dead.process.join(JOIN_TIMEOUT_S)
        item = dead.item
        assert item is not None
        self.deaths[item.number] = self.deaths.get(item.number, 0) + 1
        if self.deaths[item.number] == MAX_DEATHS_PER_ITEM:
            raise CaptiousError(
                f"{item.place}: {MAX_DEATHS_PER_ITEM} processes died at these rows, the last "
                f"{_describe_exit(dead.process.exitcode)}; look at them, or give fewer --jobs "
                "or --chunk rows"
            )
        self._send_item(self._start_worker(), item)


def _describe_exit(code: int | None) -> str:
    """Describe how a process ended."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"by signal {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"with exit code {code}"


def _exit_on_signal(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _exit_with_parent() -> None:
    """Exit when the parent process dies, so that nothing is written after its death."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _serve(connection: Connection, task: Task[Any, Any]) -> None:
    """Run a worker process: handle items until the connection is closed."""
    # Ctrl-C reaches all processes of a terminal; the one that reads it ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(
        signal.SIGTERM, _exit_on_signal
    )  # so that a file that is being written is not left behind
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    run_task = TaskRunner(task)
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        outcome = run_task(item)
        try:
            connection.send(outcome)
        except OSError:  # the parent process is gone
            return


def default_jobs() -> int:
    """As many as there are cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
