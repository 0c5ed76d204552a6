# cython: annotation_typing=False
"""Step counter of long loops, which lets Ctrl-C interrupt them."""

from __future__ import annotations

from typing import Any

from captious._internal.loops.interrupts import let_interrupts_in

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import gil
except ImportError:
    from captious._internal.loops.interrupts import gil

MAX_UNCHECKED_STEPS = 1 << 25  # a nanosecond or a few each: some tenth of a second


class StepCounter:
    """Counter of a loop's steps that checks for interrupts every `MAX_UNCHECKED_STEPS`."""

    def __init__(self) -> None:
        self.unchecked = 0

    def count(self, steps: Any) -> int:
        """Count steps that were done or are to be done next; raise a pending interrupt."""
        self.unchecked += steps
        if self.unchecked >= MAX_UNCHECKED_STEPS:
            self.unchecked = 0
            with gil:
                let_interrupts_in()
        return 0  # declared in C, so that an exception is noticed without the interpreter's lock
