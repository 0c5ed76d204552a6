"""captious check: find what distorts scores."""

from __future__ import annotations

import argparse

from captious.cli.inputs import add_caption_arguments, check_candidates, read_options
from captious.cli.options import add_shared_options
from captious.cli.terminal import show
from captious.diagnostics.check.check import check_tables
from captious.io.captions import read_tables

DESCRIPTION = """Find what distorts the scores of captions: length against the references' and
CIDEr-D's length penalty, language, markup, a chat model's openings, ids that do not match, copies,
repeated and empty captions, words missing from tables. Each finding has a count, examples and a
remedy."""
EXAMPLES = """examples:
  captious check results.json --references captions_val2014.json
  captious check captions.jsonl --format markdown
  captious check results.json --references captions.json --language zh
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_caption_arguments(parser, "captions to check", "their references")
    add_shared_options(parser, "--tokenizer", "--language")


def run(options: argparse.Namespace) -> None:
    """Read the captions, check them and print the findings."""
    check_candidates(options)
    reading = read_options(options)
    tables = read_tables(options.candidates, options.references, reading)
    findings = check_tables(tables, reading, options.tokenizer, options.language)
    show(findings.to_text(options.format))
