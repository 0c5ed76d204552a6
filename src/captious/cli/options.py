"""Build a command's argument parser from its declaration; options shared by several commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Protocol

from captious._internal.checks.bounds import DRAWS, DRAWS_OR_NONE, SEED, Bounds
from captious.errors import short_repr
from captious.io.output_tables import FORMATS
from captious.stats.bootstrap import RESAMPLES
from captious.stats.bootstrap import SEED as DEFAULT_SEED
from captious.stats.intervals import METHODS, PERCENTILE, STUDENT
from captious.text.analysis import TOKENIZERS
from captious.text.languages import ENGLISH


class AddOption(Protocol):
    """Add an argument to a command's parser: its own with a help text, a shared one by name alone.

    Keyword arguments are those of `argparse.ArgumentParser.add_argument`, and two more: `bounds`,
    the range of a number (sets `type` and `metavar`), and `default_text`, the default as the help
    words it where it is not `default` itself.
    """

    def __call__(self, name: str, help: str | None = None, /, **how: Any) -> None:
        """Add it."""


def add_arguments(parser: argparse.ArgumentParser, command: ModuleType) -> None:
    """Add the arguments and `run` of a command, or of each of its subcommands, to a parser."""
    if not hasattr(command, "PARTS"):
        formats = getattr(command, "FORMATS", FORMATS)
        prints_tables = getattr(command, "PRINTS_TABLES", True)
        _add_command_arguments(
            parser, command.declare, command.run, formats if prints_tables else ()
        )
        return
    called = getattr(command, "PARTS_CALLED", "|".join(command.PARTS))
    parts = parser.add_subparsers(metavar=called, required=True)
    for name, (what, declare, run) in command.PARTS.items():
        _add_command_arguments(parts.add_parser(name, help=what, description=what), declare, run)


def _add_command_arguments(
    parser: argparse.ArgumentParser,
    declare: Callable[[AddOption], None],
    run: Callable[[argparse.Namespace], None],
    formats: Sequence[str] = FORMATS,
) -> None:
    def add_option(name: str, help: str | None = None, /, **how: Any) -> None:
        argument = SHARED_OPTIONS[name] | how if help is None else {"help": help} | how
        if "bounds" in argument:
            argument["type"] = _number_parser(argument.pop("bounds"))
            argument.setdefault("metavar", "N")
        default_text = argument.pop("default_text", argument.get("default"))
        if default_text not in (None, []):
            argument["help"] += f" (default: {default_text})"
        parser.add_argument(name, **argument)

    declare(add_option)
    if formats:
        add_option("--format", choices=formats)
    add_option("--quiet")
    add_option("--verbose")
    parser.set_defaults(run=run, parser=parser)


def _number_parser(bounds: Bounds) -> Callable[[str], Any]:
    """Return an `argparse` type that parses a number and rejects one out of bounds."""

    def read(text: str) -> float:
        try:
            value = int(text) if bounds.whole else float(text)
        except ValueError:
            value = None
        if value is None or not bounds.allow(value):
            raise argparse.ArgumentTypeError(f"{bounds}, not {short_repr(text)}")
        return value

    return read


def split_names(text: str) -> list[str]:
    """Split comma-separated names, as options take them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def declare_resamples_option(add_option: AddOption, bounds: Bounds = DRAWS) -> None:
    """Add how often images are drawn, of one system or several that are tested."""
    default_text = f"{RESAMPLES}; for tests of more than ten systems as many as they need"
    add_option(
        "--resamples", "resamples for intervals and tests", bounds=bounds, default_text=default_text
    )


# Options of several commands; a command may override single keyword arguments.
SHARED_OPTIONS: dict[str, dict[str, Any]] = {
    "--format": {"choices": FORMATS, "default": "text", "help": "how to print the result"},
    "--quiet": {"action": "store_true", "help": "no notes, warnings or progress"},
    "--verbose": {
        "action": "store_true",
        "help": "report what is read and loaded, cache hits, and the time of each stage",
    },
    "--metrics": {
        "help": "metrics, columns or groups, separated by commas; with parameters as in "
        "cider_d(sigma=4); files of weights; functions as in mine.py:overlap"
    },
    "--df": {
        "help": "CIDEr's document frequencies: coco-val2014, or a file made by captious df",
    },
    "--tokenizer": {
        "choices": tuple(TOKENIZERS),
        "default": "ptb",
        "help": "ptb as in the COCO toolkit, whitespace for captions already tokenized; for other "
        "languages intl (words), char (characters) or zh (Chinese characters, other words)",
    },
    "--language": {
        "default": ENGLISH,
        "metavar": "CODE",
        "help": "the captions' language, such as de or zh; English-only metrics are left out",
    },
    "--interval": {
        "choices": tuple(METHODS),
        "default_text": f"{PERCENTILE}; {STUDENT} for differences",
        "help": "bootstrap intervals: percentile; bca, which corrects for bias and skewness; t, "
        "symmetric, Student's t times the standard error",
    },
    "--resamples": {"bounds": DRAWS_OR_NONE, "default": RESAMPLES, "help": "bootstrap resamples"},
    "--seed": {"bounds": SEED, "default": DEFAULT_SEED, "help": "random seed"},
    "--by": {
        "metavar": "COLUMN",
        "help": "also show scores by group: the column with the group of a sample",
    },
    "--no-cache": {
        "action": "store_true",
        "help": "do not use the cache of parses and vectors on disk",
    },
    "--features": {
        "required": True,
        "metavar": "FILE",
        "help": "image vectors: an .npz with the arrays `files` and `features`",
    },
    "--captions": {"required": True, "metavar": "FILE", "help": "captions by image"},
    "--images": {"metavar": "FILE", "help": "only these images: one name per line"},
    "--validation": {
        "required": True,
        "metavar": "FILE",
        "help": "captions of other images, for early stopping; or a .txt list of images of "
        "--captions, one name per line",
    },
    "--half": {
        "action": "store_true",
        "help": "train with bfloat16 matrix products, on CPUs that support them (AVX-512)",
    },
    "--checkpoint": {"metavar": "FILE", "help": "a file to save training to and resume it from"},
}
