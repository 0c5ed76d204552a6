"""python -m tests.kills.engines: streams whose driver, workers, actors or nodes are killed.

Whatever is killed and whenever: the output has the bytes of an undisturbed run in one process. The
driver is begun again; for a worker, an actor or a node others must do the work unasked.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.kills import descendants
from tests.streaming.rows import captions_of, write_rows

SECONDS = 600.0  # that a run may take
DRIVER, WORKER, ACTOR, NODE = "driver", "worker", "actor", "node"
LOCAL, RAY = "local", "ray"
VICTIMS = {LOCAL: (DRIVER, WORKER), RAY: (DRIVER, ACTOR, NODE)}
COMMANDS = {
    "score": "score rows.jsonl --stream --metrics bleu,cider_d --resamples 20",
    "filter": "filter rows.jsonl --where form>.01",
    "filter, chosen": "filter rows.jsonl --where words>1 --dedup text --top 200 --by rouge_l",
    "filter, near": "filter rows.jsonl --dedup .9 --per-image 1 --by cider_d",
}
COMMON = "--chunk 12 --quiet --format json --output"
NAMES = {WORKER: descendants.WORKER, ACTOR: descendants.ACTOR}


class BrokenPromise(AssertionError):  # noqa: N818 - as in a promise
    """A guarantee about killed streams is broken."""


@dataclass(frozen=True)
class Kill:
    """The victim of a kill, its command and engine, and the share of the run time after which."""

    command: str
    engine: str
    victim: str
    share: float

    @classmethod
    def draw(cls, random: Random, engine: str) -> Kill:
        """Draw a random kill."""
        victim = random.choice(VICTIMS[engine])
        return cls(random.choice(list(COMMANDS)), engine, victim, random.random())


class Trials:
    """A folder of rows, the undisturbed outcome of each command, and perhaps a cluster."""

    def __init__(self, folder: Path, cluster: Any = None) -> None:
        self.folder, self.cluster = folder, cluster
        write_rows(folder / "rows.jsonl", captions_of(600))
        self._usual: dict[tuple[str, str], float] = {}
        self._expected: dict[str, tuple[bytes, dict[str, bytes]]] = {}
        self._number = 0

    def survive(self, kill: Kill) -> str:
        """Kill, run again if that is needed, and compare: `killed` or `was done already`."""
        expected = self.expected(kill.command)
        usual = self.usual(kill.command, kill.engine)
        if kill.victim == NODE:
            self.cluster.add_node(num_cpus=1)
            self.cluster.wait_for_nodes()
        outcome = self._run(kill.command, kill.engine, lambda *at: self._harm(kill, usual, *at))
        if outcome.was_killed and kill.victim == DRIVER:
            if outcome.code == 0:
                raise BrokenPromise(f"{kill}: killed, and yet done")
            outcome = self._run(kill.command, kill.engine, None, outcome.output)
        if outcome.code != 0:
            raise BrokenPromise(f"{kill}: exit code {outcome.code}: {outcome.errors[-1500:]!r}")
        printed, files = expected
        if outcome.printed != printed:
            raise BrokenPromise(f"{kill}: prints {outcome.printed[-1500:]!r}, not {printed!r}")
        if (found := _files(outcome.output)) != files:
            odd = [name for name in {*found, *files} if found.get(name) != files.get(name)]
            raise BrokenPromise(f"{kill}: other bytes in {sorted(odd)}")
        return "killed" if outcome.was_killed or kill.victim == DRIVER else "was done already"

    def expected(self, command: str) -> tuple[bytes, dict[str, bytes]]:
        """The output and files of an undisturbed run in one process."""
        if command not in self._expected:
            outcome = self._run(command, LOCAL, None, more="--jobs 1")
            if outcome.code != 0:
                raise BrokenPromise(f"{command}: does not work: {outcome.errors!r}")
            self._expected[command] = outcome.printed, _files(outcome.output)
        return self._expected[command]

    def usual(self, command: str, engine: str) -> float:
        """Measure an undisturbed run in seconds, and check its output."""
        if (command, engine) not in self._usual:
            began = time.monotonic()
            outcome = self._run(command, engine, None)
            self._usual[command, engine] = time.monotonic() - began
            if (outcome.printed, _files(outcome.output)) != self.expected(command):
                raise BrokenPromise(f"{command}, {engine}: other bytes without a kill")
        return self._usual[command, engine]

    def _run(
        self,
        command: str,
        engine: str,
        harm: Callable[[subprocess.Popen[bytes], Path], bool] | None,
        output: Path | None = None,
        more: str = "--jobs 2",
    ) -> _Outcome:
        self._number += 1
        output = output or self.folder / f"out-{self._number}"
        where = f"--engine ray --address {self.cluster.address}" if engine == RAY else more
        line = f"{COMMANDS[command]} {where} {COMMON} {output}".split()
        with (
            tempfile.TemporaryFile() as printed,
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                [sys.executable, "-m", "captious", *line],
                cwd=self.folder,
                stdout=printed,
                stderr=errors,
            ) as process,
        ):
            was_killed = harm is not None and harm(process, output)
            code = process.wait(SECONDS)
            for stream in (printed, errors):
                stream.seek(0)
            return _Outcome(code, printed.read(), errors.read(), output, was_killed)

    def _harm(
        self, kill: Kill, usual: float, driver: subprocess.Popen[bytes], output: Path
    ) -> bool:
        """Wait for the moment, and kill; whether there was anything to kill."""
        time.sleep(kill.share * usual if kill.victim == DRIVER else 0)
        if kill.victim == DRIVER:
            if driver.poll() is None:
                driver.send_signal(signal.SIGKILL)
            return driver.wait() == -signal.SIGKILL
        work = output / "unfinished"
        while driver.poll() is None and not work.exists():
            time.sleep(0.02)
        began = time.monotonic()
        while driver.poll() is None and time.monotonic() - began < kill.share * usual / 2:
            time.sleep(0.02)
        while driver.poll() is None:
            if kill.victim == NODE:
                self.cluster.remove_node(list(self.cluster.worker_nodes)[-1], allow_graceful=False)
                return True
            above = driver.pid if kill.victim == WORKER else os.getpid()
            for process in descendants.find_descendants(above, NAMES[kill.victim]):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    return True
            time.sleep(0.02)
        return False


@dataclass(frozen=True)
class _Outcome:
    code: int
    printed: bytes
    errors: bytes
    output: Path
    was_killed: bool


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def local_cluster() -> Iterator[Any]:
    """A cluster with one permanent node, in this process; other nodes come and go."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    try:
        yield cluster
    finally:
        cluster.shutdown()


def main() -> int:
    """Kill so many times; 1 if anything broke."""
    parser = argparse.ArgumentParser("python -m tests.kills.engines", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (default: 0)")
    parser.add_argument("--engine", action="append", choices=(LOCAL, RAY), help="only this one")
    options = parser.parse_args()
    engines = options.engine or [LOCAL, RAY]
    if RAY in engines and importlib.util.find_spec("ray") is None:
        print("left out, for want of Ray: its engine")
        engines.remove(RAY)
    counted: Counter[tuple[str, str, str]] = Counter()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kills-")))
        cluster = stack.enter_context(local_cluster()) if RAY in engines else None
        trials = Trials(folder.resolve(), cluster)
        for number in range(options.kills):
            kill = Kill.draw(Random(f"{options.seed}/{number}"), engines[number % len(engines)])
            try:
                outcome = trials.survive(kill)
            except BrokenPromise as error:
                outcome = "broken"
                print(f"BROKEN {number}: {error}", flush=True)
            counted[kill.engine, kill.victim, outcome] += 1
            print(f"{number}: {kill}: {outcome}", flush=True)
    for (engine, victim, outcome), times in sorted(counted.items()):
        print(f"{engine:6} {victim:7} {outcome:17} {times}")
    return 1 if any(outcome == "broken" for _, _, outcome in counted) else 0


if __name__ == "__main__":
    sys.exit(main())
