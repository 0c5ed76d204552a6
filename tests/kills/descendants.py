"""Find the descendants of a process in /proc: no other processes may be killed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ACTOR = "ray::MapWorker(MapBatches(Actor))"  # what Ray calls those that work for us
WORKER = "spawn_main"  # what Python calls processes of ours


def find_descendants(of: int, named: str) -> list[int]:
    """Return the ids of descendants of a process whose command line contains a text."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            number = int(folder.name)
            # The name in brackets may hold anything; the parent is the second word after it.
            parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines[number] = (folder / "cmdline").read_bytes().decode("utf-8", "replace")

    def is_below(number: int) -> bool:
        while number in parents:
            number = parents[number]
            if number == of:
                return True
        return False

    return [number for number, line in lines.items() if named in line and is_below(number)]


def find_children(named: str) -> list[int]:
    """Return the ids of such descendants of this process."""
    return find_descendants(os.getpid(), named)
