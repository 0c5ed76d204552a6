"""Layers and thresholds compared: wrong captions, shares of pairs, states kept on disk."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.metrics.bertscore.bertscore import BertScore
from captious.text.encoder.encoder import load_encoder
from tests.places import ROOT

POOL = [
    [f"a {noun} {verb} on the {place}", f"the {noun} at the {place}", f"one {noun} is {verb}"]
    for noun, verb, place in (
        ("dog", "running", "beach"),
        ("cat", "sleeping", "sofa"),
        ("horse", "jumping", "field"),
        ("dog", "running", "shore"),
        ("cat", "sleeping", "bed"),
    )
] + [["hello there", "nothing in common", "quite other words"]]


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def test_the_share_of_pairs_counts_ties_half() -> None:
    above = importlib.import_module("choose_encoder_settings").win_rate
    assert above(np.array([1.0, 2.0]), np.array([0.0, 1.0, 3.0])) == pytest.approx(3.5 / 6)
    assert above(np.array([1.0, 1.0]), np.array([1.0])) == 0.5


@pytest.mark.slow
def test_wrong_captions_are_of_another_image_a_near_one_or_one_word_off() -> None:
    sweep = importlib.import_module("encoder_sweep.wrong_captions")
    trial = sweep.build_trial(POOL, len(POOL))
    assert len(trial.right) == 5  # the last image has no word that another caption confirms
    for place, (right, replaced) in enumerate(
        zip(trial.right, trial.wrong["replaced"], strict=True)
    ):
        [(old, new)] = [
            pair for pair in zip(right.split(), replaced.split(), strict=True) if pair[0] != pair[1]
        ]
        confirmed = " ".join(trial.references[place]).split()
        assert old in confirmed and new not in confirmed and new not in right.split()
    assert trial.wrong["near"][0] == "a dog running on the shore"
    assert trial.wrong["near"][4] == "a cat sleeping on the sofa"
    assert trial.wrong["other"][:2] == trial.right[1:3]
    assert trial.wrong == sweep.build_trial(POOL, len(POOL)).wrong


@pytest.mark.slow
def test_states_are_kept_and_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    cached_states = importlib.import_module("encoder_sweep.cached_states")
    monkeypatch.setattr(cached_states, "BATCH_CAPTIONS", 2)
    shipped = load_encoder()
    captions = ["a dog runs", "two men cook in a kitchen", "a cat", "", "a dog runs"]
    encoder: Any = cached_states.CachedStates(shipped, tmp_path, [3, 6])
    encoder.cache(captions)
    again: Any = cached_states.CachedStates(shipped, tmp_path, [3])

    def encodes(*_: object) -> None:
        raise AssertionError("encoded again")

    monkeypatch.setattr(shipped, "states_of_layers", encodes, raising=True)
    again.cache(captions[::-1])
    monkeypatch.undo()
    for layer, kept in ((3, encoder), (6, encoder), (3, again)):
        states = kept.token_states(captions[1:], layer)
        plain = shipped.token_states(captions[1:], layer)
        assert states.pieces.values.tolist() == plain.pieces.values.tolist()
        assert states.states.tolist() == plain.states.tolist()
    assert BertScore(model=encoder).depends_on()["model"] == BertScore().depends_on()["model"]
