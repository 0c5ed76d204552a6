"""The network of a learned metric in NumPy: scaled features in, a probability out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import FloatArray, logistic
from captious._internal.loops.mean_vectors import weighted_sums
from captious.errors import InputError

CLASSES = 2  # machine, person
MAX_HIDDEN_LAYERS = 2  # layers


@dataclass(frozen=True, eq=False)
class Network:
    """Zero, one or two hidden layers with ReLU, and a softmax over machine and person.

    `weights` has one matrix a layer, (inputs, outputs), and `biases` one row a layer.
    """

    weights: tuple[FloatArray, ...]
    biases: tuple[FloatArray, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.weights) <= MAX_HIDDEN_LAYERS + 1 or len(self.weights) != len(
            self.biases
        ):
            raise InputError("a network has one to three layers, each of weights and a bias")
        widths = self.widths
        shapes = [(matrix.shape, bias.shape) for matrix, bias in self.layers]
        expected_shapes = [
            ((widths[place], widths[place + 1]), (widths[place + 1],))
            for place in range(len(self.weights))
        ]
        if shapes != expected_shapes or widths[-1] != CLASSES:
            raise InputError(f"the layers of a network do not fit each other: {shapes}")
        if not all(np.isfinite(array).all() for array in (*self.weights, *self.biases)):
            raise InputError("a network has a weight that is not a number")

    @property
    def layers(self) -> list[tuple[FloatArray, FloatArray]]:
        """Weights and bias of each layer."""
        return list(zip(self.weights, self.biases, strict=True))

    @property
    def widths(self) -> tuple[int, ...]:
        """Numbers of inputs, of units in each hidden layer, and of outputs."""
        return (self.weights[0].shape[0], *(matrix.shape[-1] for matrix in self.weights))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all weights."""
        digest = hashlib.sha256()
        for array in (*self.weights, *self.biases):
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array, "<f8").tobytes())
        return digest.hexdigest()[:12]

    def probabilities(self, features: FloatArray) -> FloatArray:
        """Return the probability of the human class for each row of scaled features."""
        return logistic(self.margins(features))

    def margins(self, features: FloatArray) -> FloatArray:
        """Return the logit of the human class for each row of scaled features."""
        if features.ndim != 2 or features.shape[1] != self.widths[0]:
            raise InputError(
                f"the network reads {self.widths[0]} features a sample, not an array of shape "
                f"{features.shape}"
            )
        values = features.astype(np.float64)
        *hidden, (matrix, bias) = self.layers
        for inner, shift in hidden:
            values = _multiply_rows(values, inner)
            values += shift
            np.maximum(values, 0.0, out=values)
        # Softmax needs no more than the difference of the two scores.
        margins: FloatArray = (values * (matrix[:, 1] - matrix[:, 0])).sum(axis=1)
        margins += bias[1] - bias[0]
        return margins


def _multiply_rows(rows: FloatArray, matrix: FloatArray) -> FloatArray:
    """`rows @ matrix`, each sum in the order of the matrix's rows.

    A BLAS may choose another order for another batch or processor.
    """
    count, depth = rows.shape
    products = np.zeros((count, matrix.shape[1]))
    weighted_sums(
        np.tile(np.arange(depth), count).data,
        np.ascontiguousarray(rows).reshape(-1).data,
        (np.arange(count + 1) * depth).data,
        np.ascontiguousarray(matrix, np.float64).data,
        products.data,
    )
    return products


def new_network(inputs: int, hidden: Sequence[int], seed: int) -> Network:
    """Initialize a network: weights drawn uniformly after Glorot and Bengio, biases 0."""
    if len(hidden) > MAX_HIDDEN_LAYERS or not all(isinstance(n, int) and n > 0 for n in hidden):
        raise InputError(
            f"hidden layers: at most {MAX_HIDDEN_LAYERS}, each of one unit or more, not "
            f"{list(hidden)}"
        )
    rng = np.random.default_rng(seed)
    widths = [inputs, *hidden, CLASSES]
    weights = []
    for before, after in pairwise(widths):
        limit = float(np.sqrt(6.0 / (before + after)))
        weights.append(rng.uniform(-limit, limit, (before, after)))
    return Network(tuple(weights), tuple(np.zeros(width) for width in widths[1:]))
