"""captious explain: why a caption scores as it does beside its references."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.cli.output import add_output_options, print_table

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from captious.explanation import Explanation

EXAMPLES = """examples:
  captious explain "a cat on a bench" "a dog sits on a bench" "a brown dog on a park bench"
"""


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "explain",
        help="say why a caption scores as it does",
        description=(
            "Say what `captious` makes of a caption beside its references: what pulled the score "
            "up or down, which words no reference supports, and what of the references is missing."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("candidate", metavar="CAPTION", help="the caption to explain, in quotes")
    parser.add_argument("references", nargs="+", metavar="REFERENCE", help="captions beside it")
    parser.add_argument(
        "--metric",
        choices=("captious", "captious_full"),
        default="captious",
        help="which metric to explain (default: %(default)s)",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Explain, and print."""
    from captious.explanation import explain

    found = explain(options.candidate, options.references, options.metric)
    rows = _rows(found, options.references)
    print_table(options.format, ("what", "why", "value"), rows, found.to_dict(), 2)


def _rows(found: Explanation, references: list[str]) -> list[tuple[str, str, str]]:
    nearest = " ".join(references[found.nearest].split())
    return [
        ("score", "chance times form", f"{found.score:.3f}"),
        ("chance", "that it was written for this image, not for another", f"{found.chance:.3f}"),
        ("form", "1 unless words are shuffled, repeated or cut off", f"{found.form:.3f}"),
        *(
            (part.feature, f"usual {part.usual:.3f}: {_pull(part.pull)}", f"{part.value:.3f}")
            for part in found.parts
        ),
        ("nearest", nearest, f"{found.similarities[found.nearest]:.3f}"),
        ("unsupported", ", ".join(found.unsupported), str(len(found.unsupported))),
        ("missing", ", ".join(found.missing), str(len(found.missing))),
    ]


def _pull(nats: float) -> str:
    return f"{'down' if nats < 0 else 'up'} by {abs(nats):.2f}"
