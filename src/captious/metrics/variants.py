"""Variants: where a paper and its released code differ, which of the two is followed."""

PAPER, RELEASED = VARIANTS = ("paper", "released")
