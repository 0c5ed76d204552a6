"""captious vectors: a user's own word vectors, made ready for `wmd` and `mowe`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.cli.output import add_output_options, note, print_table
from captious.errors import InputError
from captious.files.text_files import check_writable, read_text
from captious.io.formats import read_table

if TYPE_CHECKING:
    from argparse import _SubParsersAction

CAPTION_COLUMNS = ("candidate", "caption", "reference", "references")


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "vectors",
        help="make word vectors of your own ready for wmd and mowe",
        description=(
            "Turn vectors of GloVe, word2vec (text, or binary named .bin) or fastText (.vec), each "
            "perhaps gzipped, into the form that `captious score --vectors FILE` reads."
        ),
    )
    parser.add_argument("file", metavar="FILE", help="the vectors")
    parser.add_argument("--output", required=True, help="the file to write, named .npz")
    parser.add_argument(
        "--words",
        nargs="+",
        metavar="CAPTIONS",
        help="keep only words of these captions: files of candidates or references, or .txt with "
        "a caption a line",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read, save, print the counts."""
    from captious.text.vectors.vector_files import convert_vectors

    if not options.output.endswith(".npz"):
        raise InputError(f"{options.output}: name the file .npz")
    if options.file.endswith(".npz"):
        raise InputError(f"{options.file}: is in this form already")
    check_writable(options.output)
    wanted = words_of(options.words) if options.words else None
    converted = convert_vectors(options.file, Path(options.output).stem, wanted)
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
    rows = [[what.replace("_", " "), str(value)] for what, value in data.items()]
    print_table(options.format, ["what", "value"], rows, data, 2)


def words_of(paths: list[str]) -> set[str]:
    """The words of captions in files, as the tokenizers write them."""
    from captious.text.analysis import TOKENIZERS

    captions = [caption for path in paths for caption in _captions(path)]
    words = {
        word
        for tokenizer in TOKENIZERS.values()
        for tokens in tokenizer(captions).tokens
        for word in tokens
    }
    return words | {word.lower() for word in words}


def _captions(path: str) -> list[str]:
    if path.lower().removesuffix(".gz").endswith(".txt"):
        return read_text(path).split("\n")
    table = read_table(path)
    table.require(*CAPTION_COLUMNS)
    captions: list[str] = []
    for name in set(CAPTION_COLUMNS) & set(table.columns):
        for value in table.columns[name]:
            captions += value if isinstance(value, list) else [value]
    return [caption for caption in captions if isinstance(caption, str)]
