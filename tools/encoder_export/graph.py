"""An ONNX graph that is written node by node, its weights in float32 or rounded to eight bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Floats = NDArray[np.float32]


class Graph:
    """An ONNX graph that is written node by node, of a network's weights by their names."""

    def __init__(self, weights: Mapping[str, Floats], quantized: bool, epsilon: float) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.quantized = quantized
        self.epsilon = epsilon  # of layer normalization
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

    def quantize(self, array: Floats, axis: int) -> tuple[str, str]:
        """A matrix in eight bits and the scales along an axis (1 for rows, 0 for columns)."""
        scales = np.abs(array).max(axis=axis, keepdims=True) / np.float32(127)
        scales[scales == 0] = 1
        return (
            self.constant(np.rint(array / scales).astype(np.int8)),
            self.constant(scales.astype(np.float32)),
        )

    def matrix(self, array: Floats) -> str:
        """A matrix to multiply by; ONNX Runtime works the product of constants out once."""
        if not self.quantized:
            return self.constant(array)
        values, scales = self.quantize(array, axis=0)
        return self.add("Mul", self.add("Cast", values, to=TensorProto.FLOAT), scales)

    def lookup(self, array: Floats, rows: str) -> str:
        """Rows of a table; only those that are asked for are turned back to float32."""
        if not self.quantized:
            return self.add("Gather", self.constant(array), rows)
        values, scales = (self.add("Gather", part, rows) for part in self.quantize(array, axis=1))
        return self.add("Mul", self.add("Cast", values, to=TensorProto.FLOAT), scales)

    def layer_norm(self, values: str, name: str) -> str:
        """Layer normalization."""
        scale, shift = (self.constant(self.weights[f"{name}.{p}"]) for p in ("weight", "bias"))
        return self.add("LayerNormalization", values, scale, shift, axis=-1, epsilon=self.epsilon)

    def dense(self, values: str, name: str) -> str:
        """A linear layer by its name."""
        return self.multiply(values, *self.linear(name))

    def linear(self, name: str) -> tuple[Floats, Floats]:
        """The matrix of a linear layer, to multiply by from the right, and its bias."""
        return self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"]

    def multiply(self, values: str, matrix: Floats, bias: Floats) -> str:
        """A linear layer by its matrix and bias."""
        return self.add("Add", self.add("MatMul", values, self.matrix(matrix)), self.constant(bias))
