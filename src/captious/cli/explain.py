"""captious explain: why a caption scores as it does beside its references."""

from __future__ import annotations

import argparse

from captious.cli.options import Add
from captious.cli.output import print_table
from captious.explanation import Explanation, explain

DESCRIPTION = """Say what `captious` makes of a caption beside its references: what pulled the score
up or down, which words no reference supports, and what of the references is missing."""
EXAMPLES = """examples:
  captious explain "a cat on a bench" "a dog sits on a bench" "a brown dog on a park bench"
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("candidate", "the caption to explain, in quotes", metavar="CAPTION")
    add("references", "captions beside it", nargs="+", metavar="REFERENCE")
    metric = "captious or captious_full, with parameters as in captious(weights=mine.npz)"
    add("--metric", metric, default="captious")


def run(options: argparse.Namespace) -> None:
    """Explain, and print."""
    reasons = explain(options.candidate, options.references, options.metric)
    rows = _rows(reasons, options.references)
    print_table(options.format, ("what", "why", "value"), rows, reasons.to_dict(), 2)


def _rows(reasons: Explanation, references: list[str]) -> list[tuple[str, str, str]]:
    nearest = " ".join(references[reasons.nearest].split())
    return [
        ("score", "chance times form", f"{reasons.score:.3f}"),
        ("chance", "that it was written for this image, not for another", f"{reasons.chance:.3f}"),
        ("form", "1 unless words are shuffled, repeated or cut off", f"{reasons.form:.3f}"),
        *(
            (part.feature, f"usual {part.usual:.3f}: {_pull(part.pull)}", f"{part.value:.3f}")
            for part in reasons.parts
        ),
        ("nearest", nearest, f"{reasons.similarities[reasons.nearest]:.3f}"),
        ("unsupported", ", ".join(reasons.unsupported), str(len(reasons.unsupported))),
        ("missing", ", ".join(reasons.missing), str(len(reasons.missing))),
    ]


def _pull(nats: float) -> str:
    return f"{'down' if nats < 0 else 'up'} by {abs(nats):.2f}"
