"""captious vectors: a user's own word vectors, made ready for `wmd` and `mowe`."""

from __future__ import annotations

import argparse
from pathlib import Path

from captious.cli.output import check_npz, note, print_figures
from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.inputs import read_text
from captious.text.analysis import TOKENIZERS
from captious.text.vectors.vector_files import convert_vectors

DESCRIPTION = """Convert word vectors of GloVe, word2vec (text, or binary named .bin) or fastText
(.vec), also gzipped, for `captious score --vectors FILE`."""
EXAMPLES = """examples:
  captious vectors glove.6B.300d.txt --output glove.npz --words references.jsonl captions.jsonl
  captious score captions.jsonl --metrics wmd,mowe --vectors glove.npz
"""
CAPTION_COLUMNS = ("candidate", "caption", "reference", "references")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="FILE", help="the file of word vectors")
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="the file to write, named .npz"
    )
    parser.add_argument(
        "--words",
        nargs="+",
        metavar="CAPTIONS",
        help="keep only words of these captions: files of candidates or references, or "
        ".txt with one caption per line",
    )


def run(options: argparse.Namespace) -> None:
    """Convert the vectors, save them and print the counts."""
    if options.file.endswith(".npz"):
        raise InputError(f"{options.file}: is already converted")
    check_npz(options.output)
    vocabulary = collect_words(options.words) if options.words else None
    converted = convert_vectors(options.file, Path(options.output).stem, vocabulary)
    vectors = converted.vectors
    vectors.save(options.output)
    if converted.unusable:
        note(options, f"{converted.unusable} words left out: empty, repeated or not UTF-8")
    data = {
        "output": options.output,
        "words": len(vectors),
        "dimensions": vectors.dimensions,
        "left_out": converted.unwanted + converted.unusable,
        "signature": vectors.signature,
    }
    print_figures(options, data, text_columns=2)


def collect_words(paths: list[str]) -> set[str]:
    """Collect the words of captions in files, as any of the tokenizers writes them."""
    captions = [caption for path in paths for caption in _read_captions(path)]
    words = {
        word
        for tokenizer in TOKENIZERS.values()
        for tokens in tokenizer(captions).tokens
        for word in tokens
    }
    return words | {word.lower() for word in words}


def _read_captions(path: str) -> list[str]:
    if path.lower().removesuffix(".gz").endswith(".txt"):
        return read_text(path).split("\n")
    table = read_table(path)
    table.require(*CAPTION_COLUMNS)
    captions: list[str] = []
    for name in set(CAPTION_COLUMNS) & set(table.columns):
        for value in table.columns[name]:
            captions += value if isinstance(value, list) else [value]
    return [caption for caption in captions if isinstance(caption, str)]
