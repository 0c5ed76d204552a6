"""A frozen graph of TensorFlow's as a model of ONNX's, without either library.

Networks of convolutions, whose pictures are rows of pixels of channels there and channels of rows
of pixels here. What is not needed for the output that is asked for is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from captious._internal.backends.protobuf import fields, message, packed_numbers

OPSET, IR_VERSION = 13, 8  # of ONNX, which every runtime since 1.8 knows
FLOATS, WHOLES = 1, 7  # its numbers for what a tensor has
PIXELS, SCORES = "pixels", "scores"  # what the model calls its input and its output
_NUMPY_TYPES = {1: "<f4", 3: "<i4"}  # by TensorFlow's numbers
_ATTRIBUTE_OF_FLOAT, _ATTRIBUTE_OF_INT, _ATTRIBUTE_OF_TEXT, _ATTRIBUTE_OF_INTS = 1, 2, 3, 7

Tensor = NDArray[np.float32] | NDArray[np.int64]
Setting = float | int | str | list[int]


@dataclass(frozen=True)
class Node:
    """One operation of TensorFlow's."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    attributes: dict[str, bytes]

    @classmethod
    def read(cls, content: bytes) -> Node:
        """From the message that it is in a file."""
        name = kind = ""
        inputs: list[str] = []
        attributes: dict[str, bytes] = {}
        for number, value in fields(content):
            if not isinstance(value, bytes):
                continue
            if number == 1:
                name = value.decode()
            elif number == 2:
                kind = value.decode()
            elif number == 3:
                inputs.append(value.decode())
            elif number == 5:
                entry = dict(fields(value))
                attributes[_bytes(entry[1]).decode()] = _bytes(entry[2])
        return cls(name, kind, tuple(inputs), attributes)

    def setting(self, name: str, otherwise: int | bytes = 0) -> int | bytes:
        """An attribute that is one value."""
        return next((value for _, value in fields(self.attributes.get(name, b""))), otherwise)

    def whole_numbers(self, name: str) -> list[int]:
        """An attribute that is a list of whole numbers."""
        numbers: list[int] = []
        for number, value in fields(_bytes(self.setting(name, b""))):
            if number == 3:
                numbers += [value] if isinstance(value, int) else packed_numbers(value)
        return numbers

    @cached_property
    def tensor(self) -> NDArray[np.generic]:
        """What a constant is."""
        shape: list[int] = []
        kind, content, several = 0, b"", []
        for number, value in fields(_bytes(self.setting("value", b""))):
            if number == 1:
                kind = int(value)
            elif number == 2:
                shape = [_size(each) for part, each in fields(_bytes(value)) if part == 2]
            elif number in (4, 5):  # as in memory, or floats in a row: both the same bytes
                content += _bytes(value)
            elif number == 7:
                several += [value] if isinstance(value, int) else packed_numbers(value)
        if several:
            # Whole numbers below 0 are written as 64 bits without a sign.
            values = np.array(several, np.uint64).astype(np.int64).astype(_NUMPY_TYPES[kind])
        else:
            values = np.frombuffer(content, _NUMPY_TYPES[kind])
        count = int(np.prod(shape))
        return (np.repeat(values, count) if len(values) == 1 else values).reshape(shape)


class FrozenGraph:
    """The operations in a file, by name."""

    def __init__(self, content: bytes) -> None:
        read = (Node.read(_bytes(each)) for number, each in fields(content) if number == 1)
        self.nodes = {node.name: node for node in read}

    def as_onnx(self, picture: str, side: int, output: str) -> bytes:
        """A model that gives, for pixels of one picture, the most that each column of rows has.

        `picture` is the input of a square picture, `output` has rows of as many columns.
        """
        made = _Model(self, picture)
        made.add("ReduceMax", [made.value(output)], SCORES, axes=[1], keepdims=0)
        return made.written(side)

    def behind(self, name: str) -> Node:
        """The operation of a name, whatever hands its result on."""
        node = self.nodes[name.removeprefix("^").partition(":")[0]]
        while node.kind == "Identity":
            node = self.nodes[node.inputs[0]]
        return node


@dataclass
class _Model:
    """Operations of ONNX's, each after those it needs."""

    graph: FrozenGraph
    picture: str
    operations: list[bytes] = field(default_factory=list)
    tensors: dict[str, bytes] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)

    def value(self, name: str) -> str:
        """The name here of what an operation gives, which is added where it is new."""
        node = self.graph.behind(name)
        if node.name == self.picture:
            return PIXELS
        if node.name not in self.done:
            if node.kind not in _MAKERS:
                raise ValueError(f"the operation {node.kind} ({node.name}) is not known")
            _MAKERS[node.kind](self, node)
            self.done.add(node.name)
        return node.name

    def constant(self, name: str) -> NDArray[np.generic]:
        """A tensor that does not depend on the picture."""
        return self.graph.behind(name).tensor

    def tensor(self, name: str, values: Tensor) -> str:
        """A tensor of its own, under a name."""
        kind, written = (WHOLES, "<i8") if values.dtype.kind == "i" else (FLOATS, "<f4")
        content = np.ascontiguousarray(values, written).tobytes()
        sizes = [(1, size) for size in values.shape]
        self.tensors[name] = message(*sizes, (2, kind), (8, name), (9, content))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **settings: Setting) -> None:
        """An operation."""
        named = [(1, each) for each in inputs]
        given = [(5, _attribute(name, value)) for name, value in settings.items()]
        self.operations.append(message(*named, (2, output), (4, kind), *given))

    def written(self, side: int) -> bytes:
        """The whole model as a file has it."""
        graph = message(
            *((1, operation) for operation in self.operations),
            (2, "graph"),
            *((5, tensor) for tensor in self.tensors.values()),
            (11, _described(PIXELS, [1, 3, side, side])),
            (12, _described(SCORES, [1, None])),
        )
        return message((1, IR_VERSION), (7, graph), (8, message((1, ""), (2, OPSET))))


def _convolution(model: _Model, node: Node) -> None:
    kernel = model.constant(node.inputs[1]).astype(np.float32)
    height, width, channels, several = kernel.shape
    groups = 1
    if node.kind == "DepthwiseConv2dNative":  # a kernel of its own for every channel
        groups = channels
        kernel = kernel.reshape(height, width, 1, channels * several)
    if node.setting("padding") != b"SAME":
        raise ValueError(f"{node.name}: pads otherwise than SAME")
    _, down, across, _ = node.whole_numbers("strides")
    name = model.tensor(f"{node.name}/kernel", kernel.transpose(3, 2, 0, 1))
    model.add(
        "Conv",
        [model.value(node.inputs[0]), name],
        node.name,
        auto_pad="SAME_UPPER",  # of an odd margin, the larger part is behind
        group=groups,
        strides=[down, across],
    )


def _normalisation(model: _Model, node: Node) -> None:
    tables = [
        model.tensor(f"{node.name}/{place}", model.constant(name).astype(np.float32))
        for place, name in enumerate(node.inputs[1:])
    ]
    epsilon = float(np.frombuffer(_bytes(node.setting("epsilon", b"\0" * 4)), "<f4")[0])
    inputs = [model.value(node.inputs[0]), *tables]
    model.add("BatchNormalization", inputs, node.name, epsilon=epsilon)


def _arithmetic(model: _Model, node: Node) -> None:
    """Two results, or one and a constant: a number, or one for each channel."""
    inputs = []
    for place, name in enumerate(node.inputs):
        behind = model.graph.behind(name)
        if behind.kind != "Const":
            inputs.append(model.value(name))
            continue
        values = behind.tensor.astype(np.float32)
        if values.size > 1:
            values = values.reshape(-1, 1, 1)
        inputs.append(model.tensor(f"{node.name}/{place}", values))
    kinds = {"AddV2": "Add", "BiasAdd": "Add", "Mul": "Mul", "RealDiv": "Div"}
    model.add(kinds[node.kind], inputs, node.name)


def _bounded(model: _Model, node: Node) -> None:
    bounds = [
        model.tensor(f"{node.name}/{bound}", np.array(bound, np.float32)) for bound in (0.0, 6.0)
    ]
    model.add("Clip", [model.value(node.inputs[0]), *bounds], node.name)


def _mean_of_picture(model: _Model, node: Node) -> None:
    if sorted(model.constant(node.inputs[1]).tolist()) != [1, 2]:
        raise ValueError(f"{node.name}: a mean of something else than rows and columns")
    kept = int(node.setting("keep_dims"))
    model.add("ReduceMean", [model.value(node.inputs[0])], node.name, axes=[2, 3], keepdims=kept)


def _rows(model: _Model, node: Node) -> None:
    """Channels last again, and then as many columns as are asked for."""
    model.add("Transpose", [model.value(node.inputs[0])], f"{node.name}/last", perm=[0, 2, 3, 1])
    shape = model.constant(node.inputs[1]).astype(np.int64)
    name = model.tensor(f"{node.name}/shape", shape)
    model.add("Reshape", [f"{node.name}/last", name], node.name)


def _joined(model: _Model, node: Node) -> None:
    *parts, axis = node.inputs
    inputs = [model.value(part) for part in parts]
    model.add("Concat", inputs, node.name, axis=int(model.constant(axis)))


def _plain(model: _Model, node: Node) -> None:
    model.add(node.kind, [model.value(node.inputs[0])], node.name)


_MAKERS: dict[str, Callable[[_Model, Node], None]] = {
    "Conv2D": _convolution,
    "DepthwiseConv2dNative": _convolution,
    "FusedBatchNormV3": _normalisation,
    "AddV2": _arithmetic,
    "BiasAdd": _arithmetic,
    "Mul": _arithmetic,
    "RealDiv": _arithmetic,
    "Relu": _plain,
    "Relu6": _bounded,
    "Sigmoid": _plain,
    "Mean": _mean_of_picture,
    "Reshape": _rows,
    "ConcatV2": _joined,
}


def _attribute(name: str, value: Setting) -> bytes:
    if isinstance(value, float):
        # Its kind on the wire is one that nothing else here needs.
        number = bytes([2 << 3 | 5]) + np.float32(value).tobytes()
        return message((1, name), (20, _ATTRIBUTE_OF_FLOAT)) + number
    if isinstance(value, int):
        return message((1, name), (3, value), (20, _ATTRIBUTE_OF_INT))
    if isinstance(value, str):
        return message((1, name), (4, value), (20, _ATTRIBUTE_OF_TEXT))
    return message((1, name), *((8, each) for each in value), (20, _ATTRIBUTE_OF_INTS))


def _described(name: str, shape: list[int | None]) -> bytes:
    """An input or an output of floats: its name, and its sizes as far as they are known."""
    sizes = message(*((1, b"" if size is None else message((1, size))) for size in shape))
    return message((1, name), (2, message((1, message((1, FLOATS), (2, sizes))))))


def _bytes(value: int | bytes) -> bytes:
    assert isinstance(value, bytes)
    return value


def _size(dimension: int | bytes) -> int:
    return int(dict(fields(_bytes(dimension))).get(1, 0))
