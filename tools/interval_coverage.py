"""How often 95 % intervals hold the truth, by method, where statistics are skewed and images few.

python tools/interval_coverage.py --images 30 --repetitions 2000
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.intervals import METHODS, ResampledSums
from captious.tables import render_table

CORRELATION = 0.9


def mean(sums: FloatArray) -> dict[str, FloatArray]:
    """The mean of the first column."""
    return {"value": sums[..., 1] / sums[..., 0]}


def variance(sums: FloatArray) -> dict[str, FloatArray]:
    """The variance of the first column."""
    count, x, _, xx, _, _ = np.moveaxis(sums, -1, 0)
    return {"value": xx / count - (x / count) ** 2}


def r2(sums: FloatArray) -> dict[str, FloatArray]:
    """The square of both columns' correlation."""
    count, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    covariance, spread = xy - x * y / count, (xx - x * x / count) * (yy - y * y / count)
    return {"value": covariance**2 / spread}


def exponential(rng: np.random.Generator, n: int) -> FloatArray:
    """Skewed scores with a mean of 1."""
    return rng.exponential(size=(n, 2))


def normal(rng: np.random.Generator, n: int) -> FloatArray:
    """Two columns with a variance of 1 that go together."""
    x, noise = rng.normal(size=(2, n))
    return np.column_stack([x, CORRELATION * x + math.sqrt(1 - CORRELATION**2) * noise])


Statistic = Callable[[FloatArray], dict[str, FloatArray]]
Source = Callable[[np.random.Generator, int], FloatArray]
CASES: dict[str, tuple[Source, Statistic, float]] = {
    "mean, exponential": (exponential, mean, 1.0),
    "variance, normal": (normal, variance, 1.0),
    "R² of .81, normal": (normal, r2, CORRELATION**2),
}


def main() -> None:
    """Draw samples, make intervals, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=30)
    parser.add_argument("--repetitions", type=int, default=2000)
    options = parser.parse_args()
    rows = []
    for case, (source, statistic, truth) in CASES.items():
        rng = np.random.default_rng(0)
        missed = dict.fromkeys(METHODS, np.zeros(2))
        for seed in range(options.repetitions):
            x, y = source(rng, options.images).T
            sums = np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])
            estimate = ResampledSums(sums, statistic, seed=seed)["value"]
            for method in METHODS:
                low, high = estimate.interval(method=method)
                missed[method] = missed[method] + [truth < low, truth > high]
        for method, counts in missed.items():
            below, above = 100 * counts / options.repetitions
            shares = (100 - below - above, below, above)
            rows.append([case, method, *(f"{share:.1f}" for share in shares)])
    header = ["statistic", "method", "covered, %", "truth below, %", "truth above, %"]
    print(render_table(header, rows, "markdown", 2))


if __name__ == "__main__":
    main()
