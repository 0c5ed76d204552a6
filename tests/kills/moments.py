"""A command run in a process that ends itself at a chosen moment: the n-th time it touches a file.

`python -m tests.kills.moments N SIGNAL FOLDER ARGUMENTS...` runs `captious ARGUMENTS` where it is
called, and says in the other folder when it began and how many moments there were. Python tells us
of every file that is opened, renamed or removed before it happens, so that the moments between the
steps of a write are hit every time, and not once in a thousand.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from importlib import metadata
from typing import Any

# What a file's contents or name go through, as Python calls it.
EVENTS = (
    "open",
    "os.rename",
    "os.remove",
    "os.chmod",
    "os.truncate",
    "os.mkdir",
    "sqlite3.connect",
)


def watch(folder: str, wanted: int, what: signal.Signals, counted: str) -> None:
    """Count what happens to files in the folder; at the wanted moment comes a signal."""
    moments = 0

    def happened(event: str, given: tuple[Any, ...]) -> None:
        nonlocal moments
        if event in EVENTS and given and _is_inside(given[0], folder):
            moments += 1
            if moments == wanted:
                os.kill(os.getpid(), what)

    sys.addaudithook(happened)
    atexit.register(lambda: _write(counted, str(moments)))


def _is_inside(path: Any, folder: str) -> bool:
    try:
        # Not resolved, which would touch files itself.
        return os.path.abspath(os.fsdecode(path)).startswith(folder)  # noqa: PTH100
    except TypeError:  # a number of an open file
        return False


def _write(path: str, text: str) -> None:
    with open(path, "w") as stream:  # noqa: PTH123 - by the time it counts, little is left to import
        stream.write(text)


def main() -> int:
    """Run the command under watch, from the import of its first module on, as its script does."""
    wanted, what, said, *arguments = sys.argv[1:]
    (script,) = metadata.entry_points(group="console_scripts", name="captious")
    watch(os.getcwd(), int(wanted), signal.Signals(int(what)), f"{said}/moments")  # noqa: PTH109
    sys.argv = ["captious", *arguments]
    _write(f"{said}/began", "")
    code: int = script.load()()
    return code


if __name__ == "__main__":
    sys.exit(main())
