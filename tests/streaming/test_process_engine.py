"""Processes that work, die, warn and fail."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from captious.errors import CaptiousError, CaptiousWarning, InputError, warn
from captious.streaming.process_engine import ProcessEngine


@dataclass(frozen=True)
class RawRows:
    """Something to work on."""

    number: int

    @property
    def place(self) -> str:
        return f"piece {self.number}"


@dataclass(frozen=True)
class Squared:
    """The square of a piece's number, after mishaps; marks of what happened lie in a folder."""

    folder: str = ""
    kills: tuple[int, ...] = ()  # pieces at which a process dies, once
    always: int = -1  # the piece at which all die
    wrong: int = -1  # the piece that is no good

    def begin(self) -> Callable[[RawRows], tuple[int, int, str]]:
        if self.folder:
            (Path(self.folder) / f"begun-{os.getpid()}").touch()
        return self._squared

    def _squared(self, piece: RawRows) -> tuple[int, int, str]:
        if piece.number == self.always:
            os.kill(os.getpid(), signal.SIGKILL)
        if piece.number in self.kills:
            mark = Path(self.folder) / f"killed-{piece.number}"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        if piece.number == self.wrong:
            raise InputError(f"{piece.place}: no good")
        warn("squares are large")
        time.sleep(0.02 * (piece.number % 3 == 0))  # later pieces are done before earlier ones
        return piece.number**2, os.getpid(), os.environ["OPENBLAS_NUM_THREADS"]


def pieces(count: int, start: int = 0) -> Iterator[RawRows]:
    return map(RawRows, range(start, start + count))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
@pytest.mark.parametrize("jobs", [1, 3])
def test_results_are_in_order_for_any_number_of_processes(tmp_path: Path, jobs: int) -> None:
    before = dict(os.environ)
    found = list(ProcessEngine(jobs)(Squared(str(tmp_path)), pieces(20, 5)))
    assert [piece.number for piece, _ in found] == list(range(5, 25))
    assert [done[0] for _, done in found] == [number**2 for number in range(5, 25)]
    assert {done[2] for _, done in found} == {"1"}
    processes = {done[1] for _, done in found}
    assert os.getpid() not in processes and len(processes) <= jobs
    assert len(list(tmp_path.glob("begun-*"))) == len(processes)  # each began once
    assert dict(os.environ) == before


def test_no_items_start_no_process() -> None:
    assert list(ProcessEngine(4)(Squared("/nowhere"), iter(()))) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_killed_worker_is_replaced(tmp_path: Path) -> None:
    task = Squared(str(tmp_path), kills=(0, 4, 7))
    found = list(ProcessEngine(2)(task, pieces(10)))
    assert [done[0] for _, done in found] == [number**2 for number in range(10)]
    assert len(list(tmp_path.glob("killed-*"))) == 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_item_at_which_two_processes_die_is_named() -> None:
    with pytest.raises(CaptiousError, match=r"piece 3: 2 processes died .* SIGKILL"):
        list(ProcessEngine(2)(Squared(always=3), pieces(6)))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_worker_error_is_raised_and_ends_other_workers() -> None:
    with pytest.raises(InputError, match="piece 4: no good"):
        list(ProcessEngine(2)(Squared(wrong=4), pieces(100)))


@pytest.mark.slow
def test_warnings_are_repeated_once() -> None:
    with pytest.warns(CaptiousWarning, match="squares are large") as said:
        list(ProcessEngine(2)(Squared(), pieces(8)))
    assert len(said) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_closing_the_iterator_leaves_no_process() -> None:
    found = cast(
        Generator[tuple[RawRows, Any], None, None], ProcessEngine(2)(Squared(), pieces(1000))
    )
    _, (_, process, _) = next(found)
    found.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
