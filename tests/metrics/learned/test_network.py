"""The network: the formula, determinism, speed, and files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from captious._internal.arrays.ragged import logistic
from captious.errors import InputError
from captious.metrics.learned.network import Network, new_network
from captious.metrics.learned.published import NNEVAL
from captious.metrics.learned.weights import LearnedModel, Scaling, load_model

HIDDEN = [(), (12,), (72, 72)]


def rows(number: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(number, 8))


@pytest.mark.parametrize("hidden", HIDDEN)
def test_probabilities_are_the_softmax_of_the_layers(hidden: tuple[int, ...]) -> None:
    network = new_network(8, hidden, seed=3)
    values = rows(50)
    for place, (matrix, bias) in enumerate(network.layers):
        values = values @ matrix + bias
        if place < len(hidden):
            values = np.maximum(values, 0)
    scores = np.exp(values)
    expected = scores[:, 1] / scores.sum(axis=1)
    assert network.probabilities(rows(50)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_score_is_bit_identical_in_any_batch(hidden: tuple[int, ...]) -> None:
    network, features = new_network(8, hidden, seed=1), rows(1500)
    scores = network.probabilities(features)
    order = np.random.default_rng(5).permutation(len(features))
    assert (network.probabilities(features[order]) == scores[order]).all()
    for place in (0, 7, 511, 512, 1499):
        assert network.probabilities(features[place : place + 1])[0] == scores[place]
    assert network.probabilities(features[3:700]).tolist() == scores[3:700].tolist()


def test_extreme_margins_neither_overflow_nor_leave_the_range() -> None:
    chances = logistic(np.array([-1e308, -800.0, -1.0, 0.0, 1.0, 800.0, 1e308]))
    assert chances[[0, 3, 6]].tolist() == [0.0, 0.5, 1.0]
    assert chances[2] + chances[4] == pytest.approx(1.0)


def test_no_samples_have_no_scores() -> None:
    assert new_network(8, (4,), 0).probabilities(np.empty((0, 8))).shape == (0,)


def model(seed: int = 0) -> LearnedModel:
    scaling = Scaling(np.linspace(-1, 1, 8), np.linspace(0.5, 2, 8))
    return LearnedModel(NNEVAL, scaling, new_network(8, (5,), seed), {"made": "by hand"})


def test_model_is_unchanged_by_save_and_load(tmp_path: Path) -> None:
    before = model()
    before.save(tmp_path / "model.npz")
    after = load_model(tmp_path / "model.npz")
    assert after.feature_set == NNEVAL
    assert after.notes == {"made": "by hand"}
    assert after.network.fingerprint == before.network.fingerprint
    assert after.scores(rows(9)).tolist() == before.scores(rows(9)).tolist()
    model().save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()


def test_different_networks_have_different_fingerprints() -> None:
    assert model(0).network.fingerprint == model(0).network.fingerprint
    assert model(0).network.fingerprint != model(1).network.fingerprint


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    model().save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as file:
        arrays = dict(file)
    arrays["weights_0"][0, 0] += 1e-9
    np.savez(tmp_path / "changed.npz", **arrays)
    with pytest.raises(InputError, match="damaged"):
        load_model(tmp_path / "changed.npz")


@pytest.mark.parametrize("name", ["shift", "factor", "weights_0", "bias_1"])
@pytest.mark.parametrize("number", [np.nan, np.inf, 1e300])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, name: str, number: float) -> None:
    model().save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as file:
        arrays = dict(file)
    arrays[name].reshape(-1)[0] = number
    np.savez(tmp_path / "changed.npz", **arrays)
    with pytest.raises(
        InputError, match=rf"changed\.npz: .*{name}': (nan|inf|1e\+300) lies outside"
    ):
        load_model(tmp_path / "changed.npz")


def test_features_stated_in_a_file_are_checked(tmp_path: Path) -> None:
    for entry, message in {
        "options": "option 'n' is a number or a text",
        "shift": "meteor: shift: a number",
    }.items():
        model().save(tmp_path / "model.npz")
        with np.load(tmp_path / "model.npz") as file:
            arrays = dict(file)
        table = json.loads(str(arrays["about"]))
        wrong = {"options": {"n": [1]}, "shift": 10**400}[entry]
        table["features"]["feature"][0][entry] = wrong
        np.savez(tmp_path / f"{entry}.npz", **arrays | {"about": np.array(json.dumps(table))})
        with pytest.raises(InputError, match=rf"{entry}\.npz: .*{message}"):
            load_model(tmp_path / f"{entry}.npz")


@pytest.mark.parametrize("contents", [b"", b"PK\x03\x04 not a zip", b"text"])
def test_other_files_are_refused(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "model.npz").write_bytes(contents)
    with pytest.raises(InputError, match=r"model\.npz"):
        load_model(tmp_path / "model.npz")
    with pytest.raises(InputError, match="cannot be read"):
        load_model(tmp_path / "absent.npz")


def test_pickles_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "model.npz", about=np.array([{"format": 1}], dtype=object))
    with pytest.raises(InputError, match="not a weights file"):
        load_model(tmp_path / "model.npz")


def test_layers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="do not fit"):
        Network((np.ones((8, 4)), np.ones((5, 2))), (np.ones(4), np.ones(2)))
    with pytest.raises(InputError, match="one to three layers"):
        Network((), ())
    with pytest.raises(InputError, match="not a number"):
        Network((np.full((8, 2), np.nan),), (np.ones(2),))
    with pytest.raises(InputError, match="8 features"):
        new_network(8, (), 0).probabilities(np.ones((3, 7)))
    with pytest.raises(InputError, match="inputs"):
        LearnedModel(NNEVAL, Scaling(np.zeros(7), np.ones(7)), new_network(7, (), 0))
    with pytest.raises(InputError, match="at most 2"):
        new_network(8, (3, 3, 3), 0)
