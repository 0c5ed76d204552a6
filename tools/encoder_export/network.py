"""Transformers as graphs: BERT, and MPNet, which also weighs how far apart two pieces stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, checker, helper

from encoder_export.graph import Floats, Graph

OPSET = 20  # the first with GELU
IR_VERSION = 9
MAX_DISTANCE = 128  # places: MPNet tells no distances beyond apart


@dataclass(frozen=True)
class Names:
    """What a kind of network calls its weights, inside a layer."""

    query: str
    key: str
    value: str
    attended: str
    attended_norm: str


BERT = Names(
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
)
MPNET = Names(
    "attention.attn.q",
    "attention.attn.k",
    "attention.attn.v",
    "attention.attn.o",
    "attention.LayerNorm",
)


@dataclass(frozen=True)
class Network:
    """A transformer's measures, as its configuration has them, and the names of its weights."""

    name: str
    names: Names
    layers: int
    width: int
    heads: int
    window: int  # pieces that sentence-transformers lets it read
    epsilon: float  # of layer normalization
    first_place: int = 0  # MPNet keeps two of its places for itself

    def build(self, weights: Mapping[str, Floats], quantized: bool = True) -> ModelProto:
        """The whole graph: ids of one length in, the states after every layer out."""
        graph = Graph(weights, quantized, self.epsilon)
        states = self._embedded(graph)
        distances = self._distances(graph)
        outputs = [states]
        for layer in range(self.layers):
            states = self._layer(graph, states, distances, f"encoder.layer.{layer}")
            outputs.append(states)
        for layer, name in enumerate(outputs):
            graph.nodes.append(helper.make_node("Identity", [name], [f"states_{layer}"]))
        model = helper.make_model(
            helper.make_graph(
                graph.nodes,
                self.name,
                [helper.make_tensor_value_info("ids", TensorProto.INT64, ["captions", "pieces"])],
                [
                    helper.make_tensor_value_info(
                        f"states_{layer}", TensorProto.FLOAT, ["captions", "pieces", self.width]
                    )
                    for layer in range(self.layers + 1)
                ],
                graph.constants,
            ),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="captious tools/export_encoder.py",
        )
        checker.check_model(model, full_check=True)
        return model

    def _embedded(self, graph: Graph) -> str:
        """The sum of what a piece, its place and its sentence (always the first) stand for."""
        length = graph.add("Shape", "ids", start=1, end=2)
        of_place = graph.weights["embeddings.position_embeddings.weight"]
        of_place = of_place[self.first_place :][: self.window]
        of_sentence = graph.weights.get("embeddings.token_type_embeddings.weight")
        if of_sentence is not None:
            of_place = of_place + of_sentence[0]
        pieces = graph.lookup(graph.weights["embeddings.word_embeddings.weight"], "ids")
        first = graph.constant(np.array([0]))
        # The few places are kept as they are.
        places = graph.add("Slice", graph.constant(of_place), first, length, first)
        total = graph.add("Add", pieces, places)
        return graph.layer_norm(total, "embeddings.LayerNorm")

    def _distances(self, graph: Graph) -> str | None:
        """What each head adds for the distance of two pieces; BERT adds nothing."""
        table = graph.weights.get("encoder.relative_attention_bias.weight")
        if table is None:
            return None
        length = graph.add("Shape", "ids", start=1, end=2)
        both = graph.add("Concat", length, length, axis=0)
        kinds = graph.constant(kinds_of_distance(self.window, len(table)))
        starts, axes = graph.constant(np.array([0, 0])), graph.constant(np.array([0, 1]))
        near = graph.add("Slice", kinds, starts, both, axes)
        added = graph.add("Gather", graph.constant(table), near)
        return graph.add("Transpose", added, perm=[2, 0, 1])

    def _layer(self, graph: Graph, states: str, distances: str | None, name: str) -> str:
        """Attention and the two linear layers after it, each with what came before added."""
        attended = self._attention(graph, states, distances, name)
        attended = graph.dense(attended, f"{name}.{self.names.attended}")
        total = graph.add("Add", attended, states)
        states = graph.layer_norm(total, f"{name}.{self.names.attended_norm}")
        wide = graph.dense(states, f"{name}.intermediate.dense")
        narrow = graph.dense(graph.add("Gelu", wide), f"{name}.output.dense")
        return graph.layer_norm(graph.add("Add", narrow, states), f"{name}.output.LayerNorm")

    def _attention(self, graph: Graph, states: str, distances: str | None, name: str) -> str:
        """Every head's mixture of all pieces' values."""
        names = self.names
        parts = [graph.linear(f"{name}.{n}") for n in (names.query, names.key, names.value)]
        # The division by the root of a head's width is done once, in the weights.
        share = np.float32((self.width // self.heads) ** -0.5)
        parts[0] = (parts[0][0] * share, parts[0][1] * share)
        matrix = np.concatenate([matrix for matrix, _ in parts], axis=1)
        bias = np.concatenate([bias for _, bias in parts])
        split = graph.constant(np.array([0, 0, 3 * self.heads, self.width // self.heads]))
        heads = graph.add("Reshape", graph.multiply(states, matrix, bias), split)
        heads = graph.add("Transpose", heads, perm=[0, 2, 1, 3])
        query, key, value = graph.split("Split", heads, outputs=3, axis=1, num_outputs=3)
        scores = graph.add("MatMul", query, graph.add("Transpose", key, perm=[0, 1, 3, 2]))
        if distances is not None:
            scores = graph.add("Add", scores, distances)
        mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
        mixed = graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
        return graph.add("Reshape", mixed, graph.constant(np.array([0, 0, self.width])))


def kinds_of_distance(window: int, kinds: int) -> NDArray[np.int64]:
    """Which of MPNet's kinds of distance lies between every two places.

    Half of the kinds are for pieces to the right; of each half, half stand for one distance each,
    and the others for stretches that grow with the logarithm.
    """
    places = np.arange(window)
    right = places[None, :] - places[:, None]
    half = kinds // 2
    exact = half // 2
    distance = np.abs(right)
    growth = np.log(np.maximum(distance, 1).astype(np.float32) / np.float32(exact))
    stretch = exact + (growth / np.log(MAX_DISTANCE / exact) * (half - exact)).astype(np.int64)
    kind: NDArray[np.int64] = np.where(distance < exact, distance, np.minimum(stretch, half - 1))
    kind += half * (right > 0)
    return kind
