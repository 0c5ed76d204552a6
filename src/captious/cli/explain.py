"""captious explain: why a caption scores as it does beside its references."""

from __future__ import annotations

import argparse

from captious.cli.terminal import show
from captious.diagnostics.explanation import explain

DESCRIPTION = """Explain the `captious` score of a caption: what raised or lowered it, which words
no reference supports, and which words of the references are missing."""
EXAMPLES = """examples:
  captious explain "a cat on a bench" "a dog sits on a bench" "a brown dog on a park bench"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("candidate", metavar="CAPTION", help="the caption to explain, in quotes")
    parser.add_argument(
        "references", nargs="+", metavar="REFERENCE", help="its references, each in quotes"
    )
    parser.add_argument(
        "--metric",
        default="captious",
        help="captious or captious_full, with parameters as in captious(weights=mine.npz)",
    )


def run(options: argparse.Namespace) -> None:
    """Explain the score and print the reasons."""
    reasons = explain(options.candidate, options.references, options.metric)
    show(reasons.to_text(options.format))
