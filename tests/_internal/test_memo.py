"""Values that are computed once."""

from __future__ import annotations

import pickle
import threading

from captious._internal.memo import Memo
from captious._internal.threads import run_in_parallel


def test_different_values_are_computed_concurrently() -> None:
    memo = Memo()
    both = threading.Barrier(2, timeout=30)
    tasks = [lambda key=key: memo.get_or_compute(key, both.wait) for key in "ab"]
    assert sorted(run_in_parallel(tasks)) == [0, 1]


def test_value_is_computed_once_by_many_threads() -> None:
    memo, made = Memo(), []

    def ask() -> int:
        return memo.get_or_compute("key", lambda: made.append(1) or len(made))  # type: ignore[func-returns-value]

    assert run_in_parallel([ask] * 8) == [1] * 8


def test_nested_values_and_retry_after_failure() -> None:
    memo = Memo()
    assert memo.get_or_compute("b", lambda: memo.get_or_compute("a", lambda: 1) + 1) == 2

    def fail() -> int:
        raise ValueError

    for _ in range(2):
        try:
            memo.get_or_compute("c", fail)
        except ValueError:
            continue
    assert not memo.has("c")
    again = pickle.loads(pickle.dumps(memo))
    assert again.get_or_compute("b", fail) == 2
    assert again.get_or_compute("c", lambda: 3) == 3
