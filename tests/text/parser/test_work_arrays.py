"""Arrays that a thread uses again."""

from __future__ import annotations

import threading

import numpy as np

from captious.text.parser.work_arrays import WorkArrays


def test_the_memory_of_a_name_is_used_again_for_shapes_that_fit() -> None:
    arrays = WorkArrays()
    first = arrays.get("states", (3, 4))
    assert first.shape == (3, 4)
    assert first.dtype == np.float32
    assert np.shares_memory(first, arrays.get("states", (2, 5)))
    assert not np.shares_memory(first, arrays.get("scores", (3, 4)))
    assert arrays.get("states", (7, 2)).shape == (7, 2)
    assert not np.shares_memory(first, arrays.get("states", (7, 2)))


def test_every_thread_has_arrays_of_its_own() -> None:
    arrays = WorkArrays()
    first, others = arrays.get("states", (3, 4)), []
    thread = threading.Thread(target=lambda: others.append(arrays.get("states", (3, 4))))
    thread.start()
    thread.join()
    assert not np.shares_memory(first, others[0])
