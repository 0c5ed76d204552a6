"""What watches the loops' conditions sees each part of them."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from tests._internal.loops.branches import Branches

if sys.version_info < (3, 11):
    pytest.skip("instructions have no columns before Python 3.11", allow_module_level=True)

SOURCE = """
def count(numbers, is_wanted):
    total = 0
    for number in numbers:
        if number > 2 and is_wanted:
            total += 1 if number < 9 else 2
        while total > 5:
            total -= 5
    return total
"""


def missed_after(*calls: tuple[list[int], bool]) -> list[str]:
    module = ModuleType("watched")
    exec(compile(SOURCE, "watched.py", "exec"), vars(module))
    module.count.__module__ = "watched"
    branches = Branches([module])
    with branches.watched():
        module.count([], False)
        for call in calls:
            module.count(*call)
    return branches.missed()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="conditions have no columns before 3.11")
def test_condition_that_was_never_false_is_reported() -> None:
    assert missed_after(([1, 3, 9] * 3, True)) == ["count, line 5, column 26: never False"]
    assert missed_after(([1, 3, 9] * 3, True), ([3], False)) == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="conditions have no columns before 3.11")
def test_lines_and_branches_that_were_not_reached_are_reported() -> None:
    assert missed_after(([1, 3], True), ([3], False)) == [
        "count, line 8",
        "count, line 6, column 26: never False",
        "count, line 7, column 14: never True",
    ]
