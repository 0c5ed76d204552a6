"""The toolkit's progress output, which `quiet()` turns off."""

from __future__ import annotations

from types import TracebackType

_QUIET_CALLS = {"count": 0}


class quiet:  # noqa: N801 - called like a function
    """Turn output off; as `with quiet():`, only until the block ends."""

    def __init__(self) -> None:
        _QUIET_CALLS["count"] += 1

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _QUIET_CALLS["count"] -= 1


def print_line(line: object, *more: object) -> None:
    """Print a line of the toolkit's output, unless it is turned off."""
    if not _QUIET_CALLS["count"]:
        print(line, *more)
