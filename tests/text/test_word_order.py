"""Classes of words, and how usual their order is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.word_order import (
    END,
    FIRST_KNOWN,
    FIRST_UNKNOWN,
    START,
    STEP,
    WordOrder,
    class_of_unknown_word,
    disorder,
    surprisal_features,
)

DOG, RUNS = FIRST_KNOWN, FIRST_KNOWN + 1


def an_order() -> WordOrder:
    """Everything surprises by 160 steps, ten nats, but `dog runs dog` as a whole caption."""
    table = np.full((FIRST_KNOWN + 2,) * 3, 160, np.uint8)
    words = [START, START, DOG, RUNS, DOG, END]
    for place in range(len(words) - 2):
        table[tuple(words[place : place + 3])] = 16
    limits = np.array([1.0, 0.0, 0.0, 2.0, 1.5])
    return WordOrder.of({"dog": DOG, "runs": RUNS}, table, limits)


def test_surprisal_features_of_known_captions() -> None:
    captions = ["dog runs dog", "dog dog dog", "runs dog runs dog runs", "dog", ""]
    found = surprisal_features(Analysis(captions), an_order())
    assert found[0].tolist() == [1.0, 1.0, 1.0, 0.0]
    # Beginning with `dog` is usual, all that follows is not; no run of three occurs twice.
    assert found[1].tolist() == pytest.approx([(1 + 3 * 10) / 4, 10.0, 10.0, 0.0])
    # `runs dog runs` occurs twice among three runs.
    assert found[2, 3] == pytest.approx(1 / 3)
    assert not found[3:].any()  # too few words to have an order
    assert surprisal_features(Analysis(["dog runs dog"]), an_order())[0, 0] == 16 * STEP


def test_disorder_is_surprise_beyond_the_limit() -> None:
    found = disorder(Analysis(["dog runs dog", "dog dog dog"]), an_order())
    assert found.tolist() == pytest.approx([0.0, 31 / 4 - 1.5])


def test_words_of_the_base_have_their_classes_too() -> None:
    base = Analysis(["dog runs dog"])
    order = an_order()
    alone = surprisal_features(Analysis(["dog runs zebras"]), order)
    assert (
        surprisal_features(Analysis(["dog runs zebras"], base=base), order).tolist()
        == alone.tolist()
    )


def test_unknown_words_are_classed_by_their_ending() -> None:
    words = ["4th", "zorbing", "zorbed", "zorbs", "zorbly", "zorb"]
    assert [class_of_unknown_word(word) for word in words] == list(
        range(FIRST_UNKNOWN, FIRST_KNOWN)
    )


def test_saved_and_loaded_word_order_are_equal(tmp_path: Path) -> None:
    order = an_order()
    order.save(tmp_path / "order.npz")
    again = WordOrder.load(tmp_path / "order.npz")
    assert again.fingerprint == order.fingerprint
    assert dict(again.class_of) == dict(order.class_of)
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match=r"bad\.npz: not a file of word order"):
        WordOrder.load(tmp_path / "bad.npz")
