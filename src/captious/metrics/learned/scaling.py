"""Scaling: how features come into the range that a network was trained on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.learned.features import FIXED, FeatureSet


@dataclass(frozen=True, eq=False)
class Scaling:
    """A network reads (feature + shift) · factor, one shift and one factor a feature."""

    shift: FloatArray
    factor: FloatArray

    @classmethod
    def of(cls, feature_set: FeatureSet, training: FloatArray) -> Scaling:
        """Fixed as the set has it, or fitted: the training features' range becomes -1 to 1."""
        if feature_set.scaling == FIXED:
            return cls(
                np.array([feature.shift for feature in feature_set.features]),
                np.array([1.0 / feature.divisor for feature in feature_set.features]),
            )
        low, high = training.min(axis=0), training.max(axis=0)
        # A feature that never varies says nothing: it becomes 0.
        factor = np.divide(2.0, high - low, out=np.zeros(len(low)), where=high > low)
        return cls(-(low + high) / 2.0, factor)

    def apply(self, features: FloatArray) -> FloatArray:
        """Scaled features; what lies outside the training data's range stays outside."""
        scaled: FloatArray = (features + self.shift) * self.factor
        return scaled
