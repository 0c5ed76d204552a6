"""Ctrl-C reaches every loop whose work grows with the product of two captions' lengths."""

from __future__ import annotations

import signal
import traceback
from types import FrameType
from typing import Any

import numpy as np
import pytest

from captious._internal.loops import is_compiled, step_counter
from tests._internal.loops.differential import transport
from tests._internal.loops.differential.lcs import Lcs
from tests._internal.loops.differential.meteor import Aligned, Meteor
from tests._internal.loops.differential.mover import Mover, Scored
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.differential.vectors import Support, drawn
from tests._internal.loops.drawn import Sample
from tests._internal.loops.uncompiled import usual_loops

pytestmark = pytest.mark.skipif(
    not is_compiled(step_counter), reason="Python itself lets interrupts into plain loops"
)
# Each takes some tenths of a second and more than a stretch of steps.
DIFFERENT = [f"w{number}" for number in range(300)]
LARGE: dict[str, tuple[Trial, Any]] = {
    "lcs": (Lcs(), [Sample(["dog"] * 50_000, [["dog"] * 50_000])]),
    "meteor_aligner": (Meteor(), Aligned([Sample(["dog"] * 1000, [["dog"] * 999])])),
    "mover": (
        Mover(),
        Scored([Sample(DIFFERENT, [["man", *DIFFERENT[::2]]] * 400)], "mean"),
    ),
    "word_support": (Support(), drawn((1500,), 16)),
    "transport": (
        transport.Transport(),
        transport.drawn(np.random.default_rng(0), 1600, 1600, 0),
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_an_interrupt_leaves_the_loop(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(step_counter, "let_interrupts_in", interrupt)
    trial, problem = LARGE[name]
    with pytest.raises(KeyboardInterrupt):
        trial.answer(usual_loops(), problem)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_signal_is_answered_inside_the_loop() -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    problem = LARGE["transport"][1]
    room = transport.filled(usual_loops()["transport"], problem)
    room.bound(*problem.costs.shape)
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            room.solve(*problem.costs.shape)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    frames = [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert "let_interrupts_in" in frames
