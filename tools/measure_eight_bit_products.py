"""Speed and accuracy of the encoder if its products were computed in eight bits.

Its weights are kept in eight bits and computed with in float32. Here they are multiplied as they
are kept: every row of numbers that meets them is rounded to eight bits with a scale of its own, so
that a caption's vectors still depend on nothing beside it. Prints captions a second on one core and
how far scores move. Needs onnx and ONNX Runtime.

    python tools/measure_eight_bit_products.py CANDIDATES REFERENCES
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tabulate import tabulate

import captious
from captious.io.captions import read_corpus
from captious.text.encoder.encoder import load_encoder
from captious.text.encoder.onnx_encoder import OnnxEncoder

METRICS = ["bertscore", "bertscore_multiref", "captious_full"]
ROWS, PIECES, ROUNDS = 4, 14, 50  # a batch as the encoder has them
CONSTANTS: dict[str, Any] = {
    "last_axis": np.array([-1], np.int64),
    "tiny": np.array(1e-9, np.float32),
    "largest": np.array(127, np.float32),
    "middle": np.array(128, np.float32),
    "zero": np.array(128, np.uint8),
}


def quantize_products(model: Any) -> bytes:
    """The graph with every product with weights computed in eight bits."""
    made_by = {name: node for node in model.graph.node for name in node.output}
    nodes: list[Any] = []
    for node in model.graph.node:
        scaled = made_by.get(node.input[1]) if node.op_type == "MatMul" else None
        cast = made_by.get(scaled.input[0]) if scaled is not None else None
        if scaled is None or cast is None or (scaled.op_type, cast.op_type) != ("Mul", "Cast"):
            nodes.append(node)
            continue
        nodes += _product(node.input[0], cast.input[0], scaled.input[1], node.output[0])
    new_nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del model.graph.node[:]
    model.graph.node.extend(new_nodes)
    model.graph.initializer.extend(
        numpy_helper.from_array(value, name) for name, value in CONSTANTS.items()
    )
    graph: bytes = model.SerializeToString()
    return graph


def _product(rows: str, weights: str, scales: str, product: str) -> list[Any]:
    """Rows rounded with a scale each, times weights, times both scales."""
    steps: list[tuple[str, list[str], dict[str, Any]]] = [
        ("Abs", [rows], {}),
        ("ReduceMax", ["Abs", "last_axis"], {"keepdims": 1}),
        ("Max", ["ReduceMax", "tiny"], {}),
        ("Div", ["Max", "largest"], {}),
        ("Div", [rows, "Div"], {}),
        ("Round", ["Div/"], {}),
        ("Add", ["Round", "middle"], {}),
        ("Cast", ["Add"], {"to": TensorProto.UINT8}),
        ("MatMulInteger", ["Cast", weights, "zero"], {}),
        ("Cast", ["MatMulInteger"], {"to": TensorProto.FLOAT}),
        ("Mul", ["Cast/", "Div"], {}),
    ]
    nodes, names = [], dict[str, str]()
    for kind, given, attributes in steps:
        name = f"{kind}/" if kind in names else kind
        names[name] = f"{product}/{name}"
        inputs = [names.get(each, each) for each in given]
        nodes.append(helper.make_node(kind, inputs, [names[name]], **attributes))
    return [*nodes, helper.make_node("Mul", [names["Mul"], scales], [product])]


def captions_a_second(session: Any) -> float:
    """Of one length, a batch at a time, on one core."""
    ids = np.random.default_rng(0).integers(1000, 20000, (ROWS, PIECES))
    session.run(None, {"ids": ids})
    start = time.perf_counter()
    for _ in range(ROUNDS):
        session.run(None, {"ids": ids})
    return ROWS * ROUNDS / (time.perf_counter() - start)


def main() -> None:
    """Measure, and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("candidates", type=Path)
    parser.add_argument("references", type=Path)
    parser.add_argument("--size", type=int, default=300, help="candidates, from the first on")
    options = parser.parse_args()

    encoder = load_encoder()
    assert isinstance(encoder, OnnxEncoder)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    usual = encoder._graph()
    sessions = {
        name: onnxruntime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        for name, graph in (
            ("float32", usual),
            ("eight bits", quantize_products(onnx.load_from_string(usual))),
        )
    }
    speeds = [[name, f"{captions_a_second(each):.0f}"] for name, each in sessions.items()]
    print(tabulate(speeds, ["products in", "captions a second on one core"]), end="\n\n")

    corpus = read_corpus(options.candidates, options.references).take(range(options.size))
    results = []
    for session in sessions.values():
        with mock.patch.dict(encoder.__dict__, {"_session": session}):
            results.append(captious.score(corpus, metrics=METRICS, cache=False))
    rows = []
    for name in results[0].columns:
        scores = [result.corpus[name] for result in results]
        apart = np.abs(results[0].samples[name] - results[1].samples[name])
        numbers = (*scores, abs(scores[0] - scores[1]), apart.mean(), apart.max())
        rows.append([name, *(f"{number:.4f}" for number in numbers)])
    header = ["", "float32", "eight bits", "corpus differs by", "samples by, mean", "most"]
    print(tabulate(rows, header))


if __name__ == "__main__":
    main()
