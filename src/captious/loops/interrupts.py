"""Where long loops let Ctrl-C in: compiled code alone would let it wait until all is done."""

from __future__ import annotations


def let_interrupts_in() -> None:
    """Do nothing: Python looks for interrupts whenever a function of plain Python is entered."""
