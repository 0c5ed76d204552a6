"""What the toolkit prints on the way: printed here too, unless `quiet()` was called."""

from __future__ import annotations

from types import TracebackType

_QUIET_CALLS = {"asked for": 0}


class quiet:  # noqa: N801 - called like a function
    """From now on nothing is printed; as `with quiet():`, only until the block ends."""

    def __init__(self) -> None:
        _QUIET_CALLS["asked for"] += 1

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _QUIET_CALLS["asked for"] -= 1


def print_line(line: object, *more: object) -> None:
    """Print a line of the toolkit's."""
    if not _QUIET_CALLS["asked for"]:
        print(line, *more)
