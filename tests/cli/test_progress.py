"""The bar of a training: where it is, and how good the best epoch was."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from typing import Any

import pytest

from captious._internal.progress import report_progress
from captious.cli.progress import reading_bar, training_bar, work_bars
from captious.training.loop import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def bars_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every bar that will be made, on what looks like a terminal."""
    tqdm = pytest.importorskip("tqdm")
    made: list[Any] = []

    class Bar(tqdm.tqdm):  # type: ignore[misc, name-defined]
        def __init__(self, **options: object) -> None:
            super().__init__(**{**options, "delay": 0, "mininterval": 0})
            made.append(self)

    monkeypatch.setattr(tqdm, "tqdm", Bar)
    monkeypatch.setattr(sys, "stderr", Terminal())
    return made


def test_one_bar_for_all_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = bars_on_a_terminal(monkeypatch)
    with training_bar(Namespace(quiet=False)) as progress:
        assert progress is not None
        assert not bars  # the clock starts with the first epoch, not with what comes before it
        progress(Progress(3, 10, 5, 20, "validation_loss", 0.25))  # two epochs were done before
        (bar,) = bars
        assert (bar.initial, bar.n, bar.total) == (40, 45, 200)
        assert bar.desc == "epoch 3 of 10, validation loss 0.2500: "
        progress(Progress(4, 10, 20, 20, "tau", None))
        assert (bar.initial, bar.n, bar.desc) == (40, 80, "epoch 4 of 10: ")


def test_a_bar_of_features_begins_again_with_every_set_of_captions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bars = bars_on_a_terminal(monkeypatch)
    with reading_bar(Namespace(quiet=False)) as reading:
        assert reading is not None and not bars
        for done, total in ((2, 5), (5, 5), (1, 3)):
            reading(done, total)
        assert [(bar.n, bar.total, bar.unit) for bar in bars] == [
            (5, 5, " captions"),
            (1, 3, " captions"),
        ]
        assert [bar.disable for bar in bars] == [True, False]  # the first is closed


def test_no_bar_without_a_terminal_or_when_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    with training_bar(Namespace(quiet=False)) as progress:
        assert progress is None
    monkeypatch.setattr(sys, "stderr", Terminal())
    with training_bar(Namespace(quiet=True)) as progress:
        assert progress is None


def test_a_bar_for_each_piece_of_work_while_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = bars_on_a_terminal(monkeypatch)
    with work_bars(Namespace(quiet=False)):
        report_progress("scores", 0, 4)
        for done in range(4):
            report_progress("sentences parsed", done, 3)
        report_progress("scores", 4, 4)
        report_progress("sentences parsed", 0, 20_000)
        assert [(bar.desc, bar.n, bar.total) for bar in bars] == [
            ("scores", 4, 4),
            ("sentences parsed", 3, 3),
            ("sentences parsed", 0, 20_000),
        ]
        assert [bar.disable for bar in bars] == [True, True, False]
    assert bars[-1].disable  # none is left behind
    report_progress("nobody listens", 0, 1)
    assert len(bars) == 3


def test_bars_end_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    bars = bars_on_a_terminal(monkeypatch)
    with pytest.raises(ValueError, match="stop"), work_bars(Namespace(quiet=False)):
        report_progress("work", 1, 2)
        raise ValueError("stop")
    assert [bar.disable for bar in bars] == [True]
    report_progress("work", 2, 2)
