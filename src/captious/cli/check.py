"""captious check: why scores are what they are, before anybody asks."""

from __future__ import annotations

import argparse

from captious.cli.options import Add
from captious.cli.reading import check_candidates, declare_captions, reading
from captious.cli.terminal import show
from captious.findings.check import check_tables
from captious.io.captions import read_tables

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
    declare_captions(add, "captions to look at", "captions beside them")
    add("--tokenizer", default=None, usual="ptb, or the one for --language")
    add("--language")


def run(options: argparse.Namespace) -> None:
    """Read, look, print."""
    check_candidates(options)
    how = reading(options)
    tables = read_tables(options.candidates, options.references, how)
    found = check_tables(tables, how, options.tokenizer, options.language)
    show(found.to_text(options.format))
