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

# Audit events of operations on a file's content or name.
EVENTS = (
    "open",
    "os.rename",
    "os.remove",
    "os.chmod",
    "os.truncate",
    "os.mkdir",
    "sqlite3.connect",
)


def watch(folder: str, moment: int, signal_number: signal.Signals, count_file: str) -> None:
    """Count file operations in the folder, and send this process a signal at the n-th."""
    moments = 0

    def count_event(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal moments
        if event in EVENTS and arguments and _is_inside(arguments[0], folder):
            moments += 1
            if moments == moment:
                os.kill(os.getpid(), signal_number)

    sys.addaudithook(count_event)
    atexit.register(lambda: _write(count_file, str(moments)))


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
    moment, number, log_folder, *arguments = sys.argv[1:]
    (script,) = metadata.entry_points(group="console_scripts", name="captious")
    watch(os.getcwd(), int(moment), signal.Signals(int(number)), f"{log_folder}/moments")  # noqa: PTH109
    sys.argv = ["captious", *arguments]
    _write(f"{log_folder}/began", "")
    code: int = script.load()()
    return code


if __name__ == "__main__":
    sys.exit(main())
