"""A process that is forked while another thread works finds no lock taken."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious._internal.locks import ForkSafeLock
from captious._internal.memo import Memo, RecentCache
from captious.images.reading import _ignore_pillow_warnings
from captious.io.cache import AnalysisCache
from captious.text.vectors.caption_vectors import WordCache
from captious.text.vocabulary import Vocabulary

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    # Python 3.12 and later warn of any fork beside threads, which is what is tested here.
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]
SECONDS_FOR_CHILD = 10

Pause = Callable[[], None]


def ends_in_child(work: Callable[[], Any]) -> bool:
    """Whether work ends without an error in a process forked now."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS_FOR_CHILD)
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@contextmanager
def another_thread_within(work: Callable[[Pause], Any]) -> Iterator[None]:
    """Another thread is within `work`, at the place where that calls its argument."""
    arrived, may_end = threading.Event(), threading.Event()

    def pause() -> None:
        arrived.set()
        may_end.wait(60)

    thread = threading.Thread(target=work, args=(pause,))
    thread.start()
    assert arrived.wait(60)
    try:
        yield
    finally:
        may_end.set()
        thread.join()


def memo() -> Callable[[Pause], Any]:
    made = Memo()
    return lambda pause: made.get_or_compute("key", pause)


def recent_cache() -> Callable[[Pause], Any]:
    made = RecentCache(2)
    return lambda pause: made.get_or_compute((1,), pause)


def word_cache_of() -> Callable[[Pause], Any]:
    words = WordCache()

    def look_up(pause: Pause) -> None:
        def work_out(new: Any) -> Any:
            pause()
            return np.ones((len(new), 3), np.float32)

        words.look_up(["dog"], work_out)

    return look_up


def image_remarks() -> Callable[[Pause], Any]:
    def read(pause: Pause) -> None:
        with _ignore_pillow_warnings():
            pause()

    return read


def cached_property() -> Callable[[Pause], Any]:
    class Words(tuple[str, ...]):
        pause: Pause

        def __iter__(self) -> Iterator[str]:
            self.pause()
            return super().__iter__()

    def number(pause: Pause) -> None:
        words = Words(["dog"])
        words.pause = pause
        Vocabulary(words)._ids  # noqa: B018

    return number


@pytest.mark.parametrize(
    "make", [memo, recent_cache, word_cache_of, image_remarks, cached_property]
)
def test_work_that_another_thread_is_within_can_be_done_in_forked_process(
    make: Callable[[], Callable[[Pause], Any]],
) -> None:
    work = make()
    with another_thread_within(work):
        assert ends_in_child(lambda: work(lambda: None))


@pytest.mark.parametrize("reentrant", [False, True])
def test_lock_held_by_another_thread_is_free_in_forked_process(reentrant: bool) -> None:
    lock = ForkSafeLock(reentrant=reentrant)

    def hold(pause: Pause) -> None:
        with lock:
            pause()

    with another_thread_within(hold):
        assert ends_in_child(lambda: hold(lambda: None))
    hold(lambda: None)


@pytest.mark.parametrize("reentrant", [False, True])
def test_lock_held_by_the_forking_thread_can_be_released(reentrant: bool) -> None:
    lock = ForkSafeLock(reentrant=reentrant)
    with lock:
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS_FOR_CHILD)
            with lock:
                pass
    if child == 0:
        with lock:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_fork_waits_for_a_lock_that_delays_it() -> None:
    lock = ForkSafeLock(delays_fork=True)
    is_within = threading.Event()

    def hold() -> None:
        with lock:
            is_within.set()
            time.sleep(0.2)
            is_within.clear()

    def take() -> None:
        assert not is_within.is_set()
        with lock, lock:
            pass

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_within.wait(60)
    assert ends_in_child(take)
    thread.join()
    with lock:
        assert ends_in_child(take)  # the thread that holds it does not wait for itself


@pytest.mark.slow
def test_processes_forked_while_threads_use_the_cache_go_on(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    captions = [f"caption {number}" for number in range(50)]
    values = dict.fromkeys(captions, b"value" * 20)
    cache.put("a", values)
    stop = threading.Event()

    def use() -> None:
        while not stop.is_set():
            cache.put("a", values)
            assert cache.get("a", captions) == values

    def use_once() -> None:
        assert cache.get("a", captions) == values
        cache.put("a", {"new": b"value"})

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert all(ends_in_child(use_once) for _ in range(40))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
