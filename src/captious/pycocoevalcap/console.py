"""What the toolkit prints on the way: printed here too, unless `quiet()` was called."""

from __future__ import annotations

from types import TracebackType

_SILENCE = {"asked for": 0}


class quiet:  # noqa: N801 - called like a function
    """From now on nothing is printed; as `with quiet():`, only until the block ends."""

    def __init__(self) -> None:
        _SILENCE["asked for"] += 1

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _SILENCE["asked for"] -= 1


def say(line: object, *more: object) -> None:
    """Print a line of the toolkit's."""
    if not _SILENCE["asked for"]:
        print(line, *more)
