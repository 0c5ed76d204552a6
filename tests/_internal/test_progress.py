"""Progress: told where work is done, heard by whoever listens, in this thread alone."""

from __future__ import annotations

import threading

from captious._internal.progress import tell, told, told_to

Steps = list[tuple[str, int, int]]


def test_only_who_listens_hears_and_only_meanwhile() -> None:
    outer: Steps = []
    inner: Steps = []
    tell("nothing", 0, 1)
    with told_to(lambda *step: outer.append(step)):
        tell("first", 0, 1)
        with told_to(lambda *step: inner.append(step)):
            tell("second", 1, 2)
        with told_to(None):
            tell("third", 2, 3)
    tell("nothing", 0, 1)
    assert (outer, inner) == ([("first", 0, 1), ("third", 2, 3)], [("second", 1, 2)])


def test_an_error_leaves_nobody_listening() -> None:
    heard: Steps = []
    try:
        with told_to(lambda *step: heard.append(step)):
            raise ValueError
    except ValueError:
        tell("nothing", 0, 1)
    assert heard == []


def test_items_are_counted_by_their_size_once_they_are_used() -> None:
    heard: Steps = []
    with told_to(lambda *step: heard.append(step)):
        used = [(item, len(heard)) for item in told("words", ["ab", "c"], len, 3)]
    assert used == [("ab", 1), ("c", 2)]
    assert heard == [("words", 0, 3), ("words", 2, 3), ("words", 3, 3)]


def test_another_thread_is_not_heard() -> None:
    heard: Steps = []
    with told_to(lambda *step: heard.append(step)):
        thread = threading.Thread(target=tell, args=("elsewhere", 0, 1))
        thread.start()
        thread.join()
    assert heard == []
