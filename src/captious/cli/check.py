"""captious check: why scores are what they are, before anybody asks."""

from __future__ import annotations

import argparse

from captious.cli.options import Add
from captious.cli.reading import declare_reading, reading
from captious.cli.terminal import show
from captious.errors import InputError
from captious.findings.check import check_corpus
from captious.io.captions import read_both

DESCRIPTION = """Say what there is about captions that moves their scores: length beside the
references' and what CIDEr-D's penalty leaves, language, markup, a chat model's openings, ids that
do not meet, copies, repeated and empty captions, words that tables lack. Each finding has its
number, examples and what to do."""
EXAMPLES = """examples:
  captious check results.json --references captions_val2014.json
  captious check captions.jsonl --format markdown
  captious check results.json --references captions.json --language zh
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("candidates", "captions to look at: see docs/files.md for the forms; - is standard input")
    add(
        "--references",
        "captions beside them; several files are joined",
        nargs="+",
        metavar="FILE",
        usual="CANDIDATES",
    )
    declare_reading(add)
    add("--tokenizer", default=None, usual="ptb, or the one for --language")
    add("--language")


def run(options: argparse.Namespace) -> None:
    """Read, look, print."""
    corpus, by_id = read_both(options.candidates, options.references, reading(options))
    ids = [image for image, captions in by_id.items() if captions]
    if not ids:
        raise InputError(
            f"{options.candidates}: no references; add a column 'references', or name a file with "
            "--references"
        )
    show(check_corpus(corpus, ids, options.tokenizer, options.language).to_text(options.format))
