"""captious df: document frequencies for CIDEr, from references of the user's own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.cli.output import add_output_options, note, print_table
from captious.errors import InputError
from captious.files.text_files import check_writable
from captious.io.captions import read_references
from captious.metrics.cider.cider import FEW_IMAGES
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.text.analysis import TOKENIZERS

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "df",
        help="collect document frequencies for CIDEr",
        description=(
            "Count in how many images' references each n-gram occurs, and save it for "
            "`captious score --df FILE`. Several files are taken together."
        ),
    )
    parser.add_argument(
        "references",
        nargs="+",
        metavar="REFERENCES",
        help="COCO captions, rows of id and references, or frequencies saved earlier (.npz)",
    )
    parser.add_argument("--output", required=True, help="the file to write, named .npz")
    parser.add_argument(
        "--tokenizer",
        choices=tuple(TOKENIZERS),
        default="ptb",
        help="the tokenizer that captions will be scored with (default: %(default)s)",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="leave out n-grams of a single image: the same scores from a smaller file, which "
        "can no longer be taken together with others",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Collect, save, print the counts."""
    if not options.output.endswith(".npz"):
        raise InputError(f"{options.output}: name the file .npz")
    check_writable(options.output)
    name = Path(options.output).stem
    parts = [_collect(path, options.tokenizer) for path in options.references]
    frequencies = DocumentFrequencies.merge(parts, name)
    if frequencies.documents < FEW_IMAGES:
        note(options, f"only {frequencies.documents} image(s): CIDEr learns little from so few")
    if options.compact:
        frequencies = frequencies.without_rare()
    frequencies.save(options.output)
    counts = {f"{n}-grams": size for n, size in enumerate(frequencies.sizes, 1)}
    data = {"output": options.output, "images": frequencies.documents, **counts}
    rows = [[what, str(value)] for what, value in data.items()]
    print_table(options.format, ["what", "value"], rows, data, 2)


def _collect(path: str, tokenizer: str) -> DocumentFrequencies:
    if path.endswith(".npz"):
        return DocumentFrequencies.load(path)
    return DocumentFrequencies.collect(read_references(path), tokenizer=tokenizer)
