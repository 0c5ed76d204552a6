"""captious df: document frequencies for CIDEr, from references of the user's own."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious.cli.output import check_npz, note, print_figures
from captious.io.captions import read_references
from captious.metrics.cider.document_frequencies import MIN_RELIABLE_IMAGES, DocumentFrequencies
from captious.metrics.cider.ngram_dicts import is_pickled
from captious.text.analysis import TOKENIZERS
from captious.text.languages import ENGLISH, language_code, tokenizer_for

DESCRIPTION = """Count document frequencies: in how many images' references each n-gram occurs. Save
them for `captious score --df FILE`. Several files are merged. A pickle (.p) is converted."""
EXAMPLES = """examples:
  captious df captions_train2014.json captions_val2014.json --output coco.npz
  captious score captions.jsonl --metrics cider_d --df coco.npz
  captious df captions_zh.json --language zh --output zh.npz
  captious df coco-train-words.p --output coco-train-words.npz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "references",
        nargs="+",
        metavar="REFERENCES",
        help="COCO captions, rows of id and references, or document frequencies: saved "
        "earlier (.npz), or pickled for self-critical training (.p)",
    )
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="the file to write, named .npz"
    )
    parser.add_argument(
        "--tokenizer",
        choices=tuple(TOKENIZERS),
        help="the tokenizer that captions will be scored with (default: the one for --language)",
    )
    parser.add_argument(
        "--language",
        default=ENGLISH,
        metavar="CODE",
        help="the language that captions will be scored with, such as de or zh; chooses "
        "the tokenizer",
    )
    parser.add_argument(
        "--compact",
        action="store_true",
        help="leave out n-grams of a single image: a smaller file with the same scores, "
        "which can no longer be merged with others",
    )


def run(options: argparse.Namespace) -> None:
    """Collect document frequencies, save them and print the counts."""
    check_npz(options.output)
    tokenizer = tokenizer_for(language_code(options.language), options.tokenizer)
    parts = [_load_or_collect(path, tokenizer) for path in options.references]
    frequencies = DocumentFrequencies.merge(parts, Path(options.output).stem)
    if frequencies.documents < MIN_RELIABLE_IMAGES:
        note(
            options,
            f"only {frequencies.documents} image(s): too few for reliable document frequencies",
        )
    if options.compact:
        frequencies = frequencies.without_rare()
    frequencies.save(options.output)
    counts = {f"{n}-grams": size for n, size in enumerate(frequencies.sizes, 1)}
    data = {"output": options.output, "images": frequencies.documents, **counts}
    print_figures(options, data, text_columns=2)


def _load_or_collect(path: str, tokenizer: str) -> DocumentFrequencies:
    if path.lower().endswith(".npz") or is_pickled(path):
        return DocumentFrequencies.load(path)
    return DocumentFrequencies.collect(read_references(path), tokenizer=tokenizer)
