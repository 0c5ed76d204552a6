"""Chunks worked on in several processes of this machine, and handed back in their order.

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
from captious.streaming.work import THREADS_OF_A_PROCESS, Done, Given, Hand, Hearing, Task

MOST_DEATHS = 2  # of processes at one item
AHEAD = 2  # items for each process that may be done before an earlier one is
PATIENCE = 5.0  # seconds in which a process that is told to end does so


@dataclass(frozen=True)
class InProcesses:
    """An engine: so many processes of this machine.

    Even one job is a process of its own, so that numbers come of the same libraries with as many
    threads, however many jobs there are. What a process warns of is warned of here, once.
    """

    jobs: int

    def __call__(
        self, task: Task[Given, Done], items: Iterable[Given]
    ) -> Iterator[tuple[Given, Done]]:
        """What the task makes of each item, in their order."""
        with _Crew(task, self.jobs) as crew:
            yield from crew.work(iter(items))


@dataclass(eq=False)
class _Worker(Generic[Given]):
    """A process, the line to it, and the item that it works on."""

    process: BaseProcess
    line: Connection
    item: Given | None = None


@dataclass
class _Crew(Generic[Given, Done]):
    """Processes that take items."""

    task: Task[Given, Done]
    jobs: int
    workers: list[_Worker[Given]] = field(default_factory=list)
    deaths: dict[int, int] = field(default_factory=dict)  # by the number of the item
    hearing: Hearing = field(default_factory=Hearing)

    def __enter__(self) -> _Crew[Given, Done]:
        return self

    def __exit__(self, *about: object) -> None:
        for worker in self.workers:
            worker.line.close()  # on which it ends
        for worker in self.workers:
            # Who was interrupted does not wait for items that nobody will read.
            if worker.item is not None:
                worker.process.terminate()
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def work(self, items: Iterator[Given]) -> Iterator[tuple[Given, Done]]:
        """Hand out items and hand back what comes of them."""
        done: dict[int, tuple[Given, Done]] = {}
        following = next_number = 0  # to be handed back; to be handed out
        item = next(items, None)
        while item is not None or following < next_number:
            while item is not None and next_number - following < AHEAD * self.jobs:
                worker = self._idle()
                if worker is None:
                    break
                self._give(worker, item)
                next_number += 1
                item = next(items, None)
            for finished, result in self._heard():
                done[finished.number] = finished, result
            while done and (first := min(done)) == self._first_open(done):
                yield done.pop(first)
                following += 1

    def _first_open(self, done: dict[int, Any]) -> int:
        """The number of the earliest item that was handed out and not handed back."""
        working = [worker.item.number for worker in self.workers if worker.item is not None]
        return min([*done, *working])

    def _idle(self) -> _Worker[Given] | None:
        """A process without work; a new one as long as there are fewer than jobs."""
        found = next((worker for worker in self.workers if worker.item is None), None)
        if found is None and len(self.workers) < self.jobs:
            found = self._hired()
        return found

    def _hired(self) -> _Worker[Given]:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.task), daemon=True)
        with limit_threads_in_environment(THREADS_OF_A_PROCESS):
            process.start()
        there.close()
        worker: _Worker[Given] = _Worker(process, here)
        self.workers.append(worker)
        return worker

    def _give(self, worker: _Worker[Given], item: Given) -> None:
        worker.item = item
        try:
            worker.line.send(item)
        except OSError:
            self._replace(worker)

    def _heard(self) -> Iterator[tuple[Given, Done]]:
        """What came of items since it was asked; waits until there is something."""
        working = {worker.line: worker for worker in self.workers if worker.item is not None}
        for line in wait(list(working)):
            worker = working[line]  # type: ignore[index]
            item = worker.item
            assert item is not None
            try:
                outcome = worker.line.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            worker.item = None
            yield item, self.hearing.result(outcome)

    def _replace(self, dead: _Worker[Given]) -> None:
        """Give the item of a process that died to a new one, once."""
        self.workers.remove(dead)
        dead.line.close()
        dead.process.join(PATIENCE)
        item = dead.item
        assert item is not None
        self.deaths[item.number] = self.deaths.get(item.number, 0) + 1
        if self.deaths[item.number] == MOST_DEATHS:
            raise CaptiousError(
                f"{item.place}: {MOST_DEATHS} processes died at these rows, the last "
                f"{_how(dead.process.exitcode)}; look at them, or give fewer --jobs or --chunk rows"
            )
        self._give(self._hired(), item)


def _how(code: int | None) -> str:
    """Why a process ended, in words."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"by signal {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"with exit code {code}"


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _end_with_parent() -> None:
    """End where whoever handed out the work was killed: nobody else may write after its death."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _serve(line: Connection, task: Task[Any, Any]) -> None:
    """The life of a process: it begins, takes item after item, and ends with the line."""
    # Ctrl-C reaches all processes of a terminal; the one that reads it ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)  # so that a file that is being written is not left behind
    threading.Thread(target=_end_with_parent, daemon=True).start()
    hand = Hand(task)
    while True:
        try:
            item = line.recv()
        except (EOFError, OSError):
            return
        outcome = hand(item)
        try:
            line.send(outcome)
        except OSError:  # whoever asked is gone
            return


def usual_jobs() -> int:
    """As many as there are cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
