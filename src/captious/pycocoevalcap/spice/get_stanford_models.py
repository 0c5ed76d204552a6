"""Where the toolkit downloads CoreNLP for SPICE: nothing is needed here."""

from __future__ import annotations


def get_stanford_models() -> None:
    """Nothing: SPICE's parser ships with the package."""


def print_progress(transferred_blocks: int, block_size: int, total_size: int) -> None:
    """Nothing: there is no download."""
