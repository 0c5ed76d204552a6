"""Least squares and logistic regression with non-negative weights."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray

PENALTY = 1e-3  # on the squares of weights of standardized features


def nonnegative_logistic(
    features: FloatArray, labels: FloatArray, importance: FloatArray, penalty: float = PENALTY
) -> tuple[FloatArray, float]:
    """Return weights and bias for unscaled features; `importance` weighs the rows."""
    from scipy.optimize import minimize

    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1
    scaled = (features - mean) / spread
    total = importance.sum()

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        weights, bias = parameters[:-1], parameters[-1]
        margins = scaled @ weights + bias
        cost = importance @ (np.logaddexp(0, margins) - labels * margins) / total
        slope = importance * (1 / (1 + np.exp(-margins)) - labels) / total
        gradient = np.append(scaled.T @ slope + 2 * penalty * weights, slope.sum())
        return float(cost + penalty * weights @ weights), gradient

    count = features.shape[1]
    solution = minimize(
        loss,
        np.zeros(count + 1),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * count + [(None, None)],
    ).x
    weights = solution[:-1] / spread
    return weights, float(solution[-1] - weights @ mean)


def nonnegative_least_squares(
    features: FloatArray, targets: FloatArray
) -> tuple[FloatArray, float]:
    """Return weights and constant for unscaled features."""
    from scipy.optimize import nnls

    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1
    weights = nnls((features - mean) / spread, targets - targets.mean())[0] / spread
    return weights, float(targets.mean() - weights @ mean)
