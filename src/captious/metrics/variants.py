"""Variants: where a paper and its released code differ, which of the two is followed."""

from __future__ import annotations

from typing import Any

from captious.metrics.parameters import parameter

PAPER, RELEASED = VARIANTS = ("paper", "released")


def variant_parameter() -> Any:
    """The parameter of metrics whose paper and released code differ."""
    return parameter(
        PAPER, "follow the paper, or the code that its authors released", choices=VARIANTS
    )
