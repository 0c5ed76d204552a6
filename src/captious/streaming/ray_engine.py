"""Engine that runs a task on a Ray cluster, begun once in each actor.

Items are handed out by Ray Data, which gives those of an actor or a node that died to others. What
is done twice is done alike: parts are written whole, under the same name and with the same bytes.
"""

from __future__ import annotations

import logging
import os
import pickle
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious._internal.threads import thread_limit_environment
from captious.errors import CaptiousError, MissingDependencyError
from captious.streaming.tasks import (
    THREADS_PER_PROCESS,
    ItemT,
    OutcomeCollector,
    ResultT,
    Task,
    TaskRunner,
)

NUMBER, ITEM, OUTCOME = "number", "item", "outcome"


@dataclass(frozen=True)
class RayEngine:
    """Engine on the Ray cluster at an address, or on one that this machine starts."""

    address: str | None = None
    actors: int | None = None  # as many as the cluster has processors, unless told

    def __call__(
        self, task: Task[ItemT, ResultT], items: Iterable[ItemT]
    ) -> Iterator[tuple[ItemT, ResultT]]:
        """The task's result for each item, in the order in which they finish."""
        ray = _import_ray()
        by_number = {item.number: item for item in items}
        if not by_number:
            return
        self._connect(ray)
        rows = [{NUMBER: number, ITEM: pickle.dumps(item)} for number, item in by_number.items()]
        done = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            Actor,
            fn_constructor_args=(pickle.dumps(task), str(Path.cwd())),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=self._actor_count(ray)),
            num_cpus=1,
            runtime_env={"env_vars": thread_limit_environment(THREADS_PER_PROCESS)},
        )
        outcomes = OutcomeCollector()
        for row in done.iter_rows():
            yield by_number[row[NUMBER]], outcomes.result(pickle.loads(row[OUTCOME]))

    def _connect(self, ray: Any) -> None:
        if ray.is_initialized():
            return
        try:
            ray.init(address=self.address, log_to_driver=False, logging_level="error")
            if not isinstance(sys.stdout, StdoutWithoutRay):
                sys.stdout = StdoutWithoutRay(sys.stdout)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise CaptiousError(
                f"no Ray cluster at {self.address} ({reason}); start one with `ray start --head`"
            ) from None

    def _actor_count(self, ray: Any) -> int:
        return self.actors or max(1, int(ray.cluster_resources().get("CPU", 1)))


class StdoutWithoutRay:
    """Standard output without Ray's messages: that a node was lost is no part of a result.

    Ray's threads print it at any time, long after the work as well; it goes to standard error.
    """

    def __init__(self, printed: Any) -> None:
        self._printed = printed

    def write(self, text: str) -> int:
        """Write text of Ray's threads to standard error, other text to standard output."""
        is_rays = threading.current_thread().name.startswith("ray_")
        written: int = (sys.stderr if is_rays else self._printed).write(text)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._printed, name)


class Actor:
    """Ray actor that runs the task in the driver's working directory: relative paths agree."""

    def __init__(self, task: bytes, folder: str) -> None:
        with suppress(OSError):  # a machine may lack it: then paths must not depend on it
            os.chdir(folder)
        self._run_task = TaskRunner(pickle.loads(task))

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Process a batch of items from Ray Data."""
        outcomes = [pickle.dumps(self._run_task(pickle.loads(item))) for item in batch[ITEM]]
        return {NUMBER: list(batch[NUMBER]), OUTCOME: outcomes}


def _import_ray() -> Any:
    # Ray would keep back what resembles what it said before, and print it on standard output from
    # our own thread in the end; it reads this when it is imported.
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    # Its C++ part would print an error about `max_restarts` of an actor of Ray Data's own, which is
    # no concern of ours. What goes wrong is raised as an exception all the same.
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingDependencyError(
            "a Ray cluster needs Ray: pip install 'captious[ray]'"
        ) from None
    ray.data.DataContext.get_current().enable_progress_bars = False
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray
