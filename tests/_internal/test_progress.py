"""Progress reports reach the listeners of their own thread only."""

from __future__ import annotations

import threading

from captious._internal.progress import progress_listener, report_progress, track

Steps = list[tuple[str, int, int]]


def test_listener_is_called_only_inside_its_block() -> None:
    outer: Steps = []
    inner: Steps = []
    report_progress("nothing", 0, 1)
    with progress_listener(lambda *step: outer.append(step)):
        report_progress("first", 0, 1)
        with progress_listener(lambda *step: inner.append(step)):
            report_progress("second", 1, 2)
        with progress_listener(None):
            report_progress("third", 2, 3)
    report_progress("nothing", 0, 1)
    assert (outer, inner) == ([("first", 0, 1), ("third", 2, 3)], [("second", 1, 2)])


def test_listener_is_removed_after_an_error() -> None:
    heard: Steps = []
    try:
        with progress_listener(lambda *step: heard.append(step)):
            raise ValueError
    except ValueError:
        report_progress("nothing", 0, 1)
    assert heard == []


def test_items_are_counted_by_size_after_use() -> None:
    heard: Steps = []
    with progress_listener(lambda *step: heard.append(step)):
        used = [(item, len(heard)) for item in track("words", ["ab", "c"], len, 3)]
    assert used == [("ab", 1), ("c", 2)]
    assert heard == [("words", 0, 3), ("words", 2, 3), ("words", 3, 3)]


def test_other_threads_do_not_report_to_the_listener() -> None:
    heard: Steps = []
    with progress_listener(lambda *step: heard.append(step)):
        thread = threading.Thread(target=report_progress, args=("elsewhere", 0, 1))
        thread.start()
        thread.join()
    assert heard == []
