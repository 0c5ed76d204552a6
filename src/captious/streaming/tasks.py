"""Tasks, work items and engines: what is done to chunks, and where it runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

from captious.errors import CaptiousWarning, warn


class Item(Protocol):
    """Unit of work: a chunk, or some of its rows; numbers ascend."""

    @property
    def number(self) -> int:
        """By which items are kept in order."""

    @property
    def place(self) -> str:
        """Where its rows stand, for messages."""


ItemT = TypeVar("ItemT", bound=Item)
ResultT = TypeVar("ResultT")
ItemContravariant = TypeVar("ItemContravariant", bound=Item, contravariant=True)
ResultCovariant = TypeVar("ResultCovariant", covariant=True)

# Libraries would use threads of their own: work is spread over processes, and sums of products must
# not depend on how many threads share them.
THREADS_PER_PROCESS = 1


class Outcome(NamedTuple):
    """Outcome of an item: a result or an error, and warnings."""

    result: Any
    error: Exception | None
    messages: tuple[str, ...]


class Task(Protocol[ItemContravariant, ResultCovariant]):
    """Settings of a piece of work, small enough to be sent to any process."""

    def begin(self) -> Callable[[ItemContravariant], ResultCovariant]:
        """Load what the work needs; return a function that processes an item."""


class TaskRunner:
    """Runs a task in a worker process, begun with the first item; records warnings and errors."""

    def __init__(self, task: Task[Any, Any]) -> None:
        self._task = task
        self._work: Callable[[Any], Any] | None = None

    def __call__(self, item: Any) -> Outcome:
        """Process an item; return its result or error, and the warnings."""
        result, error = None, None
        with warnings.catch_warnings(record=True) as messages:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", CaptiousWarning)
            try:
                self._work = self._work or self._task.begin()
                result = self._work(item)
            except Exception as raised:
                error = raised
        return Outcome(result, error, tuple(str(each.message) for each in messages))


class OutcomeCollector:
    """Collects outcomes of workers: repeats each warning once, raises errors, returns results."""

    def __init__(self) -> None:
        self._warned: set[str] = set()

    def result(self, outcome: Outcome) -> Any:
        """The result; an error is raised here."""
        for message in outcome.messages:
            if message not in self._warned:
                self._warned.add(message)
                warn(message)
        if outcome.error is not None:
            raise outcome.error
        return outcome.result


class Engine(Protocol):
    """Runs a task on items and yields each item with its result, in any order."""

    def __call__(
        self, task: Task[ItemT, ResultT], items: Iterable[ItemT]
    ) -> Iterator[tuple[ItemT, ResultT]]:
        """Begin."""
