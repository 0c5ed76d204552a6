# cython: annotation_typing=False
"""How long a loop may work before it lets Ctrl-C in."""

from __future__ import annotations

from typing import Any

from captious._internal.loops.interrupts import let_interrupts_in

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import gil
except ImportError:
    from captious._internal.loops.interrupts import gil

STRETCH = 1 << 25  # steps, a nanosecond or a few each: some tenth of a second


class Patience:
    """Counts the steps of a loop, and lets interrupts in after a stretch of them."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self, steps: Any) -> int:
        """Count steps that were done or are to be done next; an interrupt leaves from here."""
        self.spent += steps
        if self.spent >= STRETCH:
            self.spent = 0
            with gil:
                let_interrupts_in()
        return 0  # declared: an exception is told from it without the interpreter's lock
