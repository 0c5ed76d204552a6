"""Numbers on the command line: read, and refused where they are not what the option takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from captious.checks.bounds import Bounds
from captious.shown import shown


def number(bounds: Bounds) -> Callable[[str], Any]:
    """What reads an option's number: a whole one or any, as its bounds say."""

    def read(text: str) -> float:
        try:
            value = int(text) if bounds.whole else float(text)
        except ValueError:
            value = None
        if value is None or not bounds.allow(value):
            raise argparse.ArgumentTypeError(f"{bounds}, not {shown(text)}")
        return value

    return read
