"""The learning rate, step by step."""

from __future__ import annotations

import math


def learning_rate(step: int, steps: int, peak: float) -> float:
    """Rise for a twentieth of the steps, then fall along a cosine."""
    warm = max(1, steps // 20)
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm))))
