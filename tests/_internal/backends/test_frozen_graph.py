"""Frozen graphs of TensorFlow's: read from their bytes, and the same numbers by ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from captious._internal.backends.frozen_graph import (
    PIXELS,
    SCORES,
    FrozenGraph,
    fields,
    message,
    packed_numbers,
)

Floats = NDArray[np.float64]

SIDE = 7  # odd, so that a stride of 2 has margins on both sides; and 6, so that it has one
EPSILON = 0.25


def attribute(name: str, value: bytes) -> tuple[int, bytes]:
    return 5, message((1, name), (2, value))


def node(name: str, kind: str, *inputs: str, **settings: bytes) -> bytes:
    given = (attribute(key, value) for key, value in settings.items())
    return message((1, name), (2, kind), *((3, each) for each in inputs), *given)


def constant(name: str, values: Any, *, in_list: bool = False) -> bytes:
    values = np.asarray(values)
    whole = values.dtype.kind == "i"
    shape = message(*((2, message((1, size))) for size in values.shape))
    if whole and in_list:
        content = [(7, int(each) & (1 << 64) - 1) for each in values.ravel()]
    else:
        content = [(4, values.astype("<i4" if whole else "<f4").tobytes())]
    tensor = message((1, 3 if whole else 1), (2, shape), *content)
    return node(name, "Const", value=message((8, tensor)))


def strides(step: int) -> bytes:
    return message((1, message((3, bytes([1, step, step, 1])))))


SAME = message((2, "SAME"))


def fixed(number: int, value: float) -> bytes:
    return bytes([number << 3 | 5]) + np.float32(value).tobytes()


class Network:
    """One of all operations, as a frozen graph and in plain NumPy."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        # Small ones, so that no chance is so near 1 that all networks would agree.
        self.first = chance.normal(size=(3, 3, 3, 4), scale=0.2)
        self.depthwise = chance.normal(size=(3, 3, 4, 1), scale=0.2)
        self.gate = chance.normal(size=(1, 1, 4, 4), scale=0.2)
        self.scale, self.offset, self.mean = chance.normal(size=(3, 4))
        self.variance = chance.uniform(0.5, 2, 4)
        self.biases = chance.normal(size=4)

    def frozen(self) -> bytes:
        nodes = [
            node("picture", "Placeholder"),
            node("same", "Identity", "picture"),
            constant("first/weights", self.first),
            node("first/read", "Identity", "first/weights"),
            node("first", "Conv2D", "same", "first/read", strides=strides(2), padding=SAME),
            *(
                constant(name, values)
                for name, values in (
                    ("scale", self.scale),
                    ("offset", self.offset),
                    ("mean", self.mean),
                    ("variance", self.variance),
                )
            ),
            node(
                "normal",
                "FusedBatchNormV3",
                *("first", "scale", "offset", "mean", "variance"),
                epsilon=fixed(4, EPSILON),
            ),
            constant("three", 3.0),
            node("added", "AddV2", "normal", "three"),
            node("bounded", "Relu6", "added"),
            node("product", "Mul", "normal", "bounded"),
            constant("deep/weights", self.depthwise),
            node(
                "deep",
                "DepthwiseConv2dNative",
                *("product", "deep/weights"),
                strides=strides(1),
                padding=SAME,
            ),
            node("positive", "Relu", "deep"),
            constant("places", np.array([1, 2]), in_list=True),
            node("average", "Mean", "positive", "places", keep_dims=message((5, 1))),
            constant("gate/weights", self.gate),
            node("gate", "Conv2D", "average", "gate/weights", strides=strides(1), padding=SAME),
            constant("biases", self.biases),
            node("biased", "BiasAdd", "gate", "biases"),
            node("gated", "Mul", "positive", "biased"),
            constant("shape", np.array([1, -1, 2]), in_list=True),
            node("rows", "Reshape", "gated", "shape"),
            node("more rows", "Reshape", "average", "shape"),
            constant("axis", np.array(1)),
            node("all rows", "ConcatV2", "rows", "more rows", "axis"),
            constant("four", 4.0),
            node("smaller", "RealDiv", "all rows", "four"),
            node("chances", "Sigmoid", "smaller"),
            node("output", "Identity", "chances"),
            node("drawn", "DrawBoxes", "output"),  # not known, and not needed
        ]
        return message(*((1, each) for each in nodes))

    def scores(self, picture: Floats) -> Floats:
        """What it gives for rows of pixels of channels."""
        normal = (convolved(picture, self.first, 2) - self.mean) / np.sqrt(self.variance + EPSILON)
        normal = normal * self.scale + self.offset
        product = normal * np.clip(normal + 3, 0, 6)
        spread = np.zeros((3, 3, 4, 4))
        for channel in range(4):
            spread[:, :, channel, channel] = self.depthwise[:, :, channel, 0]
        positive = np.maximum(convolved(product, spread, 1), 0)
        average = positive.mean(axis=(0, 1), keepdims=True)
        gated = positive * (convolved(average, self.gate, 1) + self.biases)
        rows = np.concatenate([gated.reshape(-1, 2), average.reshape(-1, 2)])
        highest: Floats = (1 / (1 + np.exp(-rows / 4))).max(axis=0)
        return highest


def convolved(picture: Floats, kernel: Floats, stride: int) -> Floats:
    """A convolution whose picture is padded as TensorFlow's SAME says: more behind than before."""
    size = kernel.shape[0]
    side = picture.shape[0]
    places = -(-side // stride)
    margin = max((places - 1) * stride + size - side, 0)
    padded = np.pad(picture, [(margin // 2, margin - margin // 2)] * 2 + [(0, 0)])
    result = np.empty((places, places, kernel.shape[3]))
    for row in range(places):
        for column in range(places):
            top, left = row * stride, column * stride
            patch = padded[top : top + size, left : left + size]
            result[row, column] = np.tensordot(patch, kernel, 3)
    return result


@pytest.mark.parametrize("side", [SIDE, SIDE - 1])
@pytest.mark.parametrize("seed", range(3))
def test_converted_network_matches_numpy(side: int, seed: int) -> None:
    runtime = pytest.importorskip("onnxruntime")
    network = Network(seed)
    model = FrozenGraph(network.frozen()).to_onnx("picture", side, "output")
    session = runtime.InferenceSession(model, providers=["CPUExecutionProvider"])
    picture = np.random.default_rng(seed + 10).normal(size=(side, side, 3))
    pixels = picture.transpose(2, 0, 1)[None].astype(np.float32)
    (scores,) = session.run([SCORES], {PIXELS: pixels})
    assert scores.shape == (1, 2)
    expected = network.scores(picture)
    assert (expected < 0.99).all()
    assert scores[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_converted_model_is_valid_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    model = FrozenGraph(Network(0).frozen()).to_onnx("picture", SIDE, "output")
    read = onnx.load_from_string(model)
    onnx.checker.check_model(read, full_check=True)
    assert not any("Boxes" in each.op_type for each in read.graph.node)


def test_unknown_operations_are_errors() -> None:
    graph = FrozenGraph(Network(0).frozen())
    with pytest.raises(ValueError, match="the operation DrawBoxes"):
        graph.to_onnx("picture", SIDE, "drawn")
    with pytest.raises(KeyError, match="nothing"):
        graph.to_onnx("picture", SIDE, "nothing")


def test_fields_round_trip() -> None:
    written = message((1, 0), (2, 300), (3, "a dog"), (200, b"\x00\xff" * 99))
    assert list(fields(written)) == [(1, 0), (2, 300), (3, b"a dog"), (200, b"\x00\xff" * 99)]
    assert packed_numbers(b"\x01\xac\x02\x00") == [1, 300, 0]


@pytest.mark.parametrize(
    "content", [b"\x08", b"\x08\x80", b"\x12\x05abc", b"\x0d\x00", b"\x0b", b"\x09\x01\x02"]
)
def test_damaged_fields_are_an_error(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"cut off|unknown kind"):
        list(fields(content))
