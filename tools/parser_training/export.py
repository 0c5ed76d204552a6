"""The weights as the NumPy forward pass reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .data import Vocabulary
from .network import ParserNetwork


def weights_of(network: ParserNetwork, vocabulary: Vocabulary, lemmas: list[str]) -> dict[str, Any]:
    """Name the arrays as the NumPy forward pass reads them: inputs to the left of matrices."""
    state = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    arrays: dict[str, Any] = {"word": state["word.weight"], "subword": state["subword.weight"]}
    for layer in ("lower", "upper"):
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            name = f"{layer}_{direction}"
            arrays[f"{name}_input"] = state[f"{layer}.weight_ih_l0{suffix}"].T
            arrays[f"{name}_state"] = state[f"{layer}.weight_hh_l0{suffix}"].T
            arrays[f"{name}_bias"] = (
                state[f"{layer}.bias_ih_l0{suffix}"] + state[f"{layer}.bias_hh_l0{suffix}"]
            )
    for name in ("lower_tag", "tag", "arc_dependent", "arc_head", "label_dependent", "label"):
        arrays[name] = state[f"{name}.weight"].T
        arrays[f"{name}_bias"] = state[f"{name}.bias"]
    for name in ("arc", "arc_prior", "label_head"):
        arrays[name] = state[f"{name}.weight"].T
    arrays["arc_root"] = state["arc_root"]
    arrays["label_root"] = state["label_root"]
    arrays = {name: np.ascontiguousarray(array, np.float16) for name, array in arrays.items()}
    for name, strings in (
        ("words", vocabulary.words),
        ("tags", vocabulary.tags),
        ("labels", vocabulary.labels),
        ("lemmas", lemmas),
    ):
        arrays[name] = np.frombuffer("\n".join(strings).encode(), np.uint8)
    return arrays


def narrow_weights(arrays: dict[str, Any], inputs: np.ndarray, width: int) -> dict[str, Any]:
    """The weights with a narrow layer before the upper LSTM, which saves a quarter of the time.

    Of what the upper LSTM's gates are given (for `inputs`, some of the training data), only the
    `width` directions of greatest variance are kept; the rest is replaced by its mean.
    """
    names = ("upper_forward", "upper_backward")
    matrix = np.concatenate([arrays[f"{name}_input"] for name in names], 1).astype(np.float64)
    gates = inputs.astype(np.float64) @ matrix
    mean = gates.mean(axis=0)
    directions = np.linalg.eigh(np.cov(gates, rowvar=False))[1][:, -width:]
    left_out = np.split(mean - (mean @ directions) @ directions.T, len(names))
    changed = {"upper_projection": matrix @ directions}
    for name, back, shift in zip(names, np.split(directions, len(names)), left_out, strict=True):
        changed[f"{name}_input"] = back.T
        changed[f"{name}_bias"] = arrays[f"{name}_bias"] + shift
    halves = {name: np.ascontiguousarray(array, np.float16) for name, array in changed.items()}
    return {**arrays, **halves}
