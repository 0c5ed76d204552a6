"""Variants: where a paper, its released code and its figures differ, which of them is followed."""

from __future__ import annotations

from typing import Any

from captious.metrics.parameters import parameter

VARIANT = "variant"  # the name of the parameter
PAPER, RELEASED = VARIANTS = ("paper", "released")
PUBLISHED = "published"  # where a paper's figures follow neither from its text nor from its code


def variant_parameter(*, published: bool = False) -> Any:
    """The parameter of metrics whose paper and released code differ, and perhaps its figures."""
    if published:
        what = "follow the paper, the code that its authors released, or what fits its figures"
        return parameter(PAPER, what, choices=(*VARIANTS, PUBLISHED))
    return parameter(
        PAPER, "follow the paper, or the code that its authors released", choices=VARIANTS
    )
