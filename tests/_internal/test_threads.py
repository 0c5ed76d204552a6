"""Work side by side in threads."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import warnings

import pytest
from threadpoolctl import threadpool_info

from captious._internal.loops.interrupts import let_interrupts_in
from captious._internal.threads import (
    THREAD_LIMIT_VARIABLE,
    available_cores,
    limit_threads,
    run_in_parallel,
    thread_pool,
)
from captious.errors import InputError, warn


def test_results_are_in_order_and_the_first_is_computed_in_the_caller() -> None:
    here = threading.get_ident()
    assert run_in_parallel([]) == []
    made = run_in_parallel([threading.get_ident, threading.get_ident, lambda: 7])
    assert made[0] == here
    assert made[1] != here
    assert made[2] == 7


def test_tasks_run_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)
    assert sorted(run_in_parallel([both.wait, both.wait])) == [0, 1]


def test_caller_gets_warnings_in_order() -> None:
    def slowly() -> None:
        time.sleep(0.05)
        warn("second")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run_in_parallel([lambda: warn("first"), slowly, lambda: warn("third")])
    assert [str(each.message) for each in caught] == ["first", "second", "third"]


def test_a_warning_of_another_thread_points_at_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import captious

    monkeypatch.setattr("captious.scorer.available_cores", lambda: 2)
    monkeypatch.setattr("captious.scorer.MIN_SAMPLES_FOR_THREADS", 1)
    monkeypatch.setattr("captious.text.meteor.alignment.MAX_ALIGNED_WORDS", 3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        captious.score(["a dog on grass"], [["a dog on the grass"]], ["bleu", "meteor"])
    (said,) = [each for each in caught if "more than 3 words" in str(each.message)]
    assert said.filename == __file__


def test_the_first_error_is_raised_after_all_have_ended() -> None:
    ended = []

    def fail() -> None:
        raise InputError("wrong")

    def slowly() -> None:
        time.sleep(0.05)
        ended.append(True)

    for tasks in ([fail, slowly], [slowly, fail, slowly]):
        ended.clear()
        with pytest.raises(InputError, match="wrong"):
            run_in_parallel(tasks)
        assert ended


def test_an_interrupt_stops_loops_in_other_threads() -> None:
    seen: list[str] = []

    def loop() -> None:
        end = time.monotonic() + 30
        try:
            while time.monotonic() < end:
                let_interrupts_in()
                time.sleep(0.001)
        except KeyboardInterrupt:
            seen.append("stopped")
            raise

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_in_parallel([interrupted, loop])
    assert seen == ["stopped"]
    let_interrupts_in()  # nobody told this thread to stop


def test_number_of_threads_can_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREAD_LIMIT_VARIABLE, raising=False)
    available = available_cores()
    assert available >= 1
    for limit, expected in (
        ("1", 1),
        ("1000000", available),
        ("0", 1),
        ("", available),
        ("x", available),
    ):
        monkeypatch.setenv(THREAD_LIMIT_VARIABLE, limit)
        assert available_cores() == expected


def test_limit_applies_to_libraries_inside_the_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(THREAD_LIMIT_VARIABLE, "7")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    before = threads_of_libraries()
    assert before
    with limit_threads(1):
        assert available_cores() == 1
        assert os.environ[THREAD_LIMIT_VARIABLE] == os.environ["OPENBLAS_NUM_THREADS"] == "1"
        assert set(threads_of_libraries()) == {1}
        with thread_pool() as threads:
            both = [threads.submit(threading.get_ident) for _ in range(20)]
            assert len({each.result() for each in both}) == 1
    assert os.environ[THREAD_LIMIT_VARIABLE] == "7" and "OPENBLAS_NUM_THREADS" not in os.environ
    assert threads_of_libraries() == before


def threads_of_libraries() -> list[int]:
    return [each["num_threads"] for each in threadpool_info()]


def test_worker_process_uses_one_core() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(available_cores) == 1
