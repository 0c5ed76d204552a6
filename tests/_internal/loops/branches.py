"""Which way every condition of a plain loop went: what shows that a test reached all of it."""

import dis
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, ModuleType
from typing import Any

Place = tuple[str, int, int]  # a function, and the line and column of a condition in it
Way = tuple[Place, bool]


class Branches:
    """Watches modules of plain Python; every condition and every loop should go both ways.

    Conditions are the interpreter's own, so that each part of `a and b` counts, and each side of
    `a if b else c`. A loop that Python compiles twice counts as the one that was written.
    """

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        self.codes = {code for module in modules for code in _codes(module)}
        self.jumps = {code: _jumps(code) for code in self.codes}
        self.lines = {
            (code.co_name, line)
            for code in self.codes
            for _, _, line in code.co_lines()
            if line is not None and line > code.co_firstlineno
        }
        self.reached: set[tuple[str, int]] = set()
        self.taken: set[Way] = set()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch what runs meanwhile."""
        before = sys.gettrace()
        # From 3.12 on, instructions are only traced if some frame asked for it before.
        sys._getframe().f_trace_opcodes = True
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def missed(self) -> list[str]:
        """What was never reached, in words."""
        lines = [f"{name}, line {line}" for name, line in self.lines - self.reached]
        ways = {
            (place, outcome)
            for jumps in self.jumps.values()
            for place, _, _ in jumps.values()
            for outcome in (False, True)
        }
        return sorted(lines) + sorted(
            f"{name}, line {line}, column {column}: never {outcome}"
            for (name, line, column), outcome in ways - self.taken
        )

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code not in self.codes:
            return None
        frame.f_trace_opcodes = True
        jumps, name = self.jumps[frame.f_code], frame.f_code.co_name
        last = -1

        def follow(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "line":
                self.reached.add((name, frame.f_lineno))
            elif event == "opcode":
                if last in jumps:
                    place, following, outcome = jumps[last]
                    if not last < frame.f_lasti < following:  # else it is the same instruction
                        self.taken.add((place, outcome == (frame.f_lasti != following)))
                last = frame.f_lasti
            return follow

        return follow


def _codes(module: ModuleType) -> Iterator[CodeType]:
    """The code of every function and method that a module defines."""
    for thing in vars(module).values():
        for member in (thing, *vars(thing).values()) if isinstance(thing, type) else (thing,):
            code = getattr(member, "__code__", None)
            if code is not None and getattr(member, "__module__", None) == module.__name__:
                yield code


def _jumps(code: CodeType) -> dict[int, tuple[Place, int, bool]]:
    """By offset: where a condition stands, the offset behind it, and what it is if one jumps.

    A `for` is true while there is another item. A condition stands where its value was made: Python
    gives the jumps of `a and b` one place. Whether a `with` keeps an exception to itself is no
    condition that was written.
    """
    found = {}
    is_end_of_with = False
    begin = 0  # of an instruction with its prefixes, which are all that a tracer may see of it
    made = None
    instructions = list(dis.get_instructions(code))
    for before, one, following in zip(
        instructions, instructions[1:], instructions[2:], strict=False
    ):
        if before.opname != "EXTENDED_ARG":
            begin, made = one.offset, before.positions
        if before.opname != "TO_BOOL":
            is_end_of_with = before.opname == "WITH_EXCEPT_START"
        is_for = one.opname == "FOR_ITER"
        if is_for or ("_IF_" in one.opname and not is_end_of_with):
            at = one.positions if is_for else made
            assert at is not None
            assert at.lineno is not None
            place = (code.co_name, at.lineno, at.col_offset or 0)
            way = (place, following.offset, not is_for and "IF_TRUE" in one.opname)
            found[begin] = found[one.offset] = way
    return found
