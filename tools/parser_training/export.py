"""The weights as the file of a parser holds them: inputs to the left of matrices, as float16."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch import nn

from .data import Vocabulary
from .network import ParserNetwork, TreeScorers
from .student import Student

BIASED_SCORERS = ("arc_dependent", "arc_head", "label_dependent", "label")
UNBIASED_SCORERS = ("arc", "arc_prior", "label_head")
Arrays = dict[str, np.ndarray]


def weights_of_teacher(network: ParserNetwork, inputs: np.ndarray, width: int) -> Arrays:
    """The large network's weights, with a narrow layer before the upper LSTM.

    That layer saves a quarter of the time. Of what the upper LSTM's gates are given (for `inputs`,
    some of the training data), only the `width` directions of greatest variance are kept; the rest
    is replaced by its mean.
    """
    arrays = {
        **_embedding(network),
        **_lstm("lower", network.lower),
        **_lstm("upper", network.upper),
        **_linear("lower_tag", network.lower_tag),
        **_linear("tag", network.tag),
        **_scorers(network.scorers),
    }
    names = ("upper_forward", "upper_backward")
    matrix = np.concatenate([arrays[f"{name}_input"] for name in names], 1).astype(np.float64)
    gates = inputs.astype(np.float64) @ matrix
    mean = gates.mean(axis=0)
    directions = np.linalg.eigh(np.cov(gates, rowvar=False))[1][:, -width:]
    left_out = np.split(mean - (mean @ directions) @ directions.T, len(names))
    arrays["upper_projection"] = matrix @ directions
    for name, back, shift in zip(names, np.split(directions, len(names)), left_out, strict=True):
        arrays[f"{name}_input"] = back.T
        arrays[f"{name}_bias"] = arrays[f"{name}_bias"] + shift
    return arrays


def weights_of_student(network: Student) -> Arrays:
    """The small network's weights; the bias of its narrow layer goes into the LSTM's."""
    lstm = _lstm("lstm", network.lstm)
    projection = _linear("projection", network.projection)
    shift = projection.pop("projection_bias")
    for way in ("forward", "backward"):
        lstm[f"lstm_{way}_bias"] = lstm[f"lstm_{way}_bias"] + shift @ lstm[f"lstm_{way}_input"]
    return {
        **_embedding(network),
        **_linear("own_gates", network.word_layer.own),
        **_linear("next_gates", network.word_layer.before),
        **projection,
        **lstm,
        **_linear("tag", network.tag),
        **_scorers(network.scorers),
    }


def pack_weights(arrays: Arrays, vocabulary: Vocabulary, lemmas: list[str]) -> dict[str, Any]:
    """Round the weights to float16, and put words, tags, labels and lemmas beside them."""
    packed = {name: np.ascontiguousarray(array, np.float16) for name, array in arrays.items()}
    for name, strings in (
        ("words", vocabulary.words),
        ("tags", vocabulary.tags),
        ("labels", vocabulary.labels),
        ("lemmas", lemmas),
    ):
        packed[name] = np.frombuffer("\n".join(strings).encode(), np.uint8)
    return packed


def _state(module: nn.Module) -> Arrays:
    return {name: value.detach().numpy() for name, value in module.state_dict().items()}


def _embedding(network: ParserNetwork | Student) -> Arrays:
    state = _state(network.embedding)
    return {"word": state["word.weight"], "subword": state["subword.weight"]}


def _linear(name: str, layer: nn.Linear) -> Arrays:
    state = _state(layer)
    arrays = {name: state["weight"].T}
    if "bias" in state:
        arrays[f"{name}_bias"] = state["bias"]
    return arrays


def _lstm(name: str, layer: nn.LSTM) -> Arrays:
    state = _state(layer)
    arrays = {}
    for way, suffix in (("forward", ""), ("backward", "_reverse")):
        arrays[f"{name}_{way}_input"] = state[f"weight_ih_l0{suffix}"].T
        arrays[f"{name}_{way}_state"] = state[f"weight_hh_l0{suffix}"].T
        biases = state[f"bias_ih_l0{suffix}"], state[f"bias_hh_l0{suffix}"]
        arrays[f"{name}_{way}_bias"] = biases[0] + biases[1]
    return arrays


def _scorers(scorers: TreeScorers) -> Arrays:
    state = _state(scorers)
    arrays = {"arc_root": state["arc_root"], "label_root": state["label_root"]}
    for name in (*BIASED_SCORERS, *UNBIASED_SCORERS):
        arrays |= _linear(name, getattr(scorers, name))
    return arrays
