"""captious check: why scores are what they are, before anybody asks."""

from __future__ import annotations

import argparse

from captious.cli.options import Add
from captious.cli.terminal import show
from captious.findings.check import check
from captious.io.captions import read_pair

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
    add("candidates", "COCO results, or rows of id, candidate and perhaps references")
    add("--references", "COCO captions, or rows of id and references", usual="CANDIDATES")
    add("--tokenizer", default=None, usual="ptb, or the one for --language")
    add("--language")


def run(options: argparse.Namespace) -> None:
    """Read, look, print."""
    candidates, references = read_pair(options.candidates, options.references)
    findings = check(candidates, references, tokenizer=options.tokenizer, language=options.language)
    show(findings.to_text(options.format))
