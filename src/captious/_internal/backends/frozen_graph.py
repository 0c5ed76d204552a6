"""Conversion of frozen TensorFlow graphs to ONNX models, without either library.

For convolutional networks, whose images are rows of pixels of channels in TensorFlow, and channels
of rows of pixels in ONNX. Nodes that the requested output does not need are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

OPSET, IR_VERSION = 13, 8  # of ONNX, supported by every runtime since 1.8
FLOATS, INTEGERS = 1, 7  # data types of ONNX tensors
PIXELS, SCORES = "pixels", "scores"  # names of the input and the output of the model
_NUMPY_TYPES = {1: "<f4", 3: "<i4"}  # by data type of TensorFlow
_ATTRIBUTE_OF_FLOAT, _ATTRIBUTE_OF_INT, _ATTRIBUTE_OF_TEXT, _ATTRIBUTE_OF_INTS = 1, 2, 3, 7

Tensor = NDArray[np.float32] | NDArray[np.int64]
Setting = float | int | str | list[int]
# Wire types of protocol buffers: how a field is written.
VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5
_SIZES = {FIXED_64: 8, FIXED_32: 4}

Value = int | bytes | str


@dataclass(frozen=True)
class Node:
    """Node of a TensorFlow graph: one operation."""

    name: str
    kind: str
    inputs: tuple[str, ...]
    attributes: dict[str, bytes]

    @classmethod
    def parse(cls, content: bytes) -> Node:
        """Parse the protocol buffer message of a node."""
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

    def attribute(self, name: str, default: int | bytes = 0) -> int | bytes:
        """Return an attribute of one value."""
        return next((value for _, value in fields(self.attributes.get(name, b""))), default)

    def integers(self, name: str) -> list[int]:
        """Return an attribute that is a list of integers."""
        numbers: list[int] = []
        for number, value in fields(_bytes(self.attribute(name, b""))):
            if number == 3:
                numbers += [value] if isinstance(value, int) else packed_numbers(value)
        return numbers

    @cached_property
    def tensor(self) -> NDArray[np.generic]:
        """The value of a constant."""
        shape: list[int] = []
        kind, content, integers = 0, b"", []
        for number, value in fields(_bytes(self.attribute("value", b""))):
            if number == 1:
                kind = int(value)
            elif number == 2:
                shape = [_size(each) for part, each in fields(_bytes(value)) if part == 2]
            elif number in (4, 5):  # raw bytes, or packed floats, which have the same bytes
                content += _bytes(value)
            elif number == 7:
                integers += [value] if isinstance(value, int) else packed_numbers(value)
        if integers:
            # Negative integers are written as unsigned 64-bit numbers.
            values = np.array(integers, np.uint64).astype(np.int64).astype(_NUMPY_TYPES[kind])
        else:
            values = np.frombuffer(content, _NUMPY_TYPES[kind])
        count = int(np.prod(shape))
        return (np.repeat(values, count) if len(values) == 1 else values).reshape(shape)


class FrozenGraph:
    """Nodes of a frozen graph, by name."""

    def __init__(self, content: bytes) -> None:
        read = (Node.parse(_bytes(each)) for number, each in fields(content) if number == 1)
        self.nodes = {node.name: node for node in read}

    def to_onnx(self, picture: str, side: int, output: str) -> bytes:
        """Return an ONNX model from the pixels of an image to the maxima of an output's columns.

        `picture` is the input node of a square image; `output` is a node of rows and columns.
        """
        model = _ModelBuilder(self, picture)
        model.add("ReduceMax", [model.value(output)], SCORES, axes=[1], keepdims=0)
        return model.serialize(side)

    def resolve(self, name: str) -> Node:
        """Return the node of a name; identity nodes are replaced by their input."""
        node = self.nodes[name.removeprefix("^").partition(":")[0]]
        while node.kind == "Identity":
            node = self.nodes[node.inputs[0]]
        return node


@dataclass
class _ModelBuilder:
    """Builder of an ONNX model: nodes, each after those it needs, and constant tensors."""

    graph: FrozenGraph
    picture: str
    operations: list[bytes] = field(default_factory=list)
    tensors: dict[str, bytes] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)

    def value(self, name: str) -> str:
        """Return the ONNX name of a node's output; a new node is converted first."""
        node = self.graph.resolve(name)
        if node.name == self.picture:
            return PIXELS
        if node.name not in self.done:
            if node.kind not in _CONVERTERS:
                raise ValueError(f"the operation {node.kind} ({node.name}) is not known")
            _CONVERTERS[node.kind](self, node)
            self.done.add(node.name)
        return node.name

    def constant(self, name: str) -> NDArray[np.generic]:
        """Return a tensor that does not depend on the image."""
        return self.graph.resolve(name).tensor

    def tensor(self, name: str, values: Tensor) -> str:
        """Add a constant tensor and return its name."""
        kind, dtype = (INTEGERS, "<i8") if values.dtype.kind == "i" else (FLOATS, "<f4")
        content = np.ascontiguousarray(values, dtype).tobytes()
        sizes = [(1, size) for size in values.shape]
        self.tensors[name] = message(*sizes, (2, kind), (8, name), (9, content))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **settings: Setting) -> None:
        """Add an ONNX node."""
        input_fields = [(1, each) for each in inputs]
        attributes = [(5, _attribute(name, value)) for name, value in settings.items()]
        self.operations.append(message(*input_fields, (2, output), (4, kind), *attributes))

    def serialize(self, side: int) -> bytes:
        """Return the model as the bytes of an ONNX file."""
        graph = message(
            *((1, operation) for operation in self.operations),
            (2, "graph"),
            *((5, tensor) for tensor in self.tensors.values()),
            (11, _tensor_info(PIXELS, [1, 3, side, side])),
            (12, _tensor_info(SCORES, [1, None])),
        )
        return message((1, IR_VERSION), (7, graph), (8, message((1, ""), (2, OPSET))))


def _convert_convolution(model: _ModelBuilder, node: Node) -> None:
    kernel = model.constant(node.inputs[1]).astype(np.float32)
    height, width, channels, multiplier = kernel.shape
    groups = 1
    if node.kind == "DepthwiseConv2dNative":  # one kernel per channel
        groups = channels
        kernel = kernel.reshape(height, width, 1, channels * multiplier)
    if node.attribute("padding") != b"SAME":
        raise ValueError(f"{node.name}: pads default than SAME")
    _, down, across, _ = node.integers("strides")
    name = model.tensor(f"{node.name}/kernel", kernel.transpose(3, 2, 0, 1))
    model.add(
        "Conv",
        [model.value(node.inputs[0]), name],
        node.name,
        auto_pad="SAME_UPPER",  # the larger part of an odd margin comes last
        group=groups,
        strides=[down, across],
    )


def _convert_normalization(model: _ModelBuilder, node: Node) -> None:
    tables = [
        model.tensor(f"{node.name}/{place}", model.constant(name).astype(np.float32))
        for place, name in enumerate(node.inputs[1:])
    ]
    epsilon = float(np.frombuffer(_bytes(node.attribute("epsilon", b"\0" * 4)), "<f4")[0])
    inputs = [model.value(node.inputs[0]), *tables]
    model.add("BatchNormalization", inputs, node.name, epsilon=epsilon)


def _convert_arithmetic(model: _ModelBuilder, node: Node) -> None:
    """Convert an operation on two tensors, or on one and a constant (one, or one per channel)."""
    inputs = []
    for place, name in enumerate(node.inputs):
        behind = model.graph.resolve(name)
        if behind.kind != "Const":
            inputs.append(model.value(name))
            continue
        values = behind.tensor.astype(np.float32)
        if values.size > 1:
            values = values.reshape(-1, 1, 1)
        inputs.append(model.tensor(f"{node.name}/{place}", values))
    kinds = {"AddV2": "Add", "BiasAdd": "Add", "Mul": "Mul", "RealDiv": "Div"}
    model.add(kinds[node.kind], inputs, node.name)


def _convert_relu6(model: _ModelBuilder, node: Node) -> None:
    bounds = [
        model.tensor(f"{node.name}/{bound}", np.array(bound, np.float32)) for bound in (0.0, 6.0)
    ]
    model.add("Clip", [model.value(node.inputs[0]), *bounds], node.name)


def _convert_mean(model: _ModelBuilder, node: Node) -> None:
    if sorted(model.constant(node.inputs[1]).tolist()) != [1, 2]:
        raise ValueError(f"{node.name}: a mean of something else than rows and columns")
    keep_dimensions = int(node.attribute("keep_dims"))
    model.add(
        "ReduceMean",
        [model.value(node.inputs[0])],
        node.name,
        axes=[2, 3],
        keepdims=keep_dimensions,
    )


def _convert_reshape(model: _ModelBuilder, node: Node) -> None:
    """Put channels last again, then reshape."""
    model.add("Transpose", [model.value(node.inputs[0])], f"{node.name}/last", perm=[0, 2, 3, 1])
    shape = model.constant(node.inputs[1]).astype(np.int64)
    name = model.tensor(f"{node.name}/shape", shape)
    model.add("Reshape", [f"{node.name}/last", name], node.name)


def _convert_concatenation(model: _ModelBuilder, node: Node) -> None:
    *parts, axis = node.inputs
    inputs = [model.value(part) for part in parts]
    model.add("Concat", inputs, node.name, axis=int(model.constant(axis)))


def _convert_elementwise(model: _ModelBuilder, node: Node) -> None:
    model.add(node.kind, [model.value(node.inputs[0])], node.name)


_CONVERTERS: dict[str, Callable[[_ModelBuilder, Node], None]] = {
    "Conv2D": _convert_convolution,
    "DepthwiseConv2dNative": _convert_convolution,
    "FusedBatchNormV3": _convert_normalization,
    "AddV2": _convert_arithmetic,
    "BiasAdd": _convert_arithmetic,
    "Mul": _convert_arithmetic,
    "RealDiv": _convert_arithmetic,
    "Relu": _convert_elementwise,
    "Relu6": _convert_relu6,
    "Sigmoid": _convert_elementwise,
    "Mean": _convert_mean,
    "Reshape": _convert_reshape,
    "ConcatV2": _convert_concatenation,
}


def _attribute(name: str, value: Setting) -> bytes:
    if isinstance(value, float):
        # The only field of the wire type FIXED_32.
        number = bytes([2 << 3 | 5]) + np.float32(value).tobytes()
        return message((1, name), (20, _ATTRIBUTE_OF_FLOAT)) + number
    if isinstance(value, int):
        return message((1, name), (3, value), (20, _ATTRIBUTE_OF_INT))
    if isinstance(value, str):
        return message((1, name), (4, value), (20, _ATTRIBUTE_OF_TEXT))
    return message((1, name), *((8, each) for each in value), (20, _ATTRIBUTE_OF_INTS))


def _tensor_info(name: str, shape: list[int | None]) -> bytes:
    """Return the ONNX description of an input or output of floats: its name and known sizes."""
    sizes = message(*((1, b"" if size is None else message((1, size))) for size in shape))
    return message((1, name), (2, message((1, message((1, FLOATS), (2, sizes))))))


def _bytes(value: int | bytes) -> bytes:
    assert isinstance(value, bytes)
    return value


def _size(dimension: int | bytes) -> int:
    return int(dict(fields(_bytes(dimension))).get(1, 0))


# --- protocol buffers ---------------------------------------------------------------------------
def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the value of each field, in order; values are integers or bytes."""
    place = 0
    while place < len(message):
        key, place = _decode_varint(message, place)
        kind = key & 7
        value: int | bytes
        if kind == VARINT:
            value, place = _decode_varint(message, place)
        else:
            size = _SIZES.get(kind)
            if size is None:
                if kind != BYTES:
                    raise ValueError(f"a field of the unknown kind {kind}")
                size, place = _decode_varint(message, place)
            if place + size > len(message):
                raise ValueError("cut off within a field")
            value, place = message[place : place + size], place + size
        yield key >> 3, value


def packed_numbers(packed: bytes) -> list[int]:
    """Return the varints of a packed field."""
    numbers, place = [], 0
    while place < len(packed):
        number, place = _decode_varint(packed, place)
        numbers.append(number)
    return numbers


def message(*items: tuple[int, Value]) -> bytes:
    """Serialize fields, given by their numbers; integers must not be negative."""
    parts = []
    for number, value in items:
        if isinstance(value, int):
            parts += [_encode_varint(number << 3 | VARINT), _encode_varint(value)]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [_encode_varint(number << 3 | BYTES), _encode_varint(len(content)), content]
    return b"".join(parts)


def _decode_varint(content: bytes, place: int) -> tuple[int, int]:
    """Return the varint at a position, and the position after it."""
    number = shift = 0
    while place < len(content):
        byte = content[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
    raise ValueError("cut off within a number")


def _encode_varint(number: int) -> bytes:
    content = bytearray()
    while number > 127:
        content.append(number & 127 | 128)
        number >>= 7
    return bytes([*content, number])
