"""Options that several commands share, and argparse types for their values."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, TypeAlias

from captious._internal.checks.bounds import COUNT, DRAWS, DRAWS_OR_NONE, SEED, Bounds
from captious.errors import InputError, short_repr
from captious.io.output_tables import FORMATS
from captious.stats.bootstrap import RESAMPLES
from captious.stats.bootstrap import SEED as DEFAULT_SEED
from captious.stats.intervals import METHODS, PERCENTILE, STUDENT
from captious.text.analysis import TOKENIZERS
from captious.text.languages import ENGLISH

# A parser, or a group of its options: whatever has `add_argument`.
OptionContainer: TypeAlias = argparse._ActionsContainer

LOCAL, RAY = ENGINES = ("local", "ray")
ROWS_PER_CHUNK = 16_384  # that of `streaming.chunks`, which takes long to import

METRICS_HELP = (
    "metrics, columns or groups, separated by commas; with parameters as in cider_d(sigma=4); "
    "files of weights; functions as in mine.py:overlap"
)
LANGUAGE_HELP = (
    "the captions' language, such as de or zh; metrics for English only are left out for others"
)
TOKENIZER_HELP = (
    "ptb as in the COCO toolkit, whitespace for captions already tokenized; for other languages "
    "intl (words), char (characters) or zh (Chinese characters, other words)"
)


def number_in(bounds: Bounds) -> Callable[[str], Any]:
    """Return an argparse `type` that parses a number and refuses one out of bounds."""

    def parse(text: str) -> float:
        try:
            value = int(text) if bounds.whole else float(text)
        except ValueError:
            value = None
        if value is None or not bounds.allow(value):
            raise argparse.ArgumentTypeError(f"{bounds}, not {short_repr(text)}")
        return value

    return parse


# Keyword arguments of `add_argument` for each option that several commands have.
SHARED_OPTIONS: dict[str, dict[str, Any]] = {
    "--format": {"choices": FORMATS, "default": "text", "help": "how to print the result"},
    "--quiet": {"action": "store_true", "help": "no notes, warnings or progress"},
    "--verbose": {
        "action": "store_true",
        "help": "report what is read and loaded, cache hits, and the time of each stage",
    },
    "--df": {
        "metavar": "NAME|FILE",
        "help": "CIDEr's document frequencies: coco-val2014, or a file made by captious df",
    },
    "--tokenizer": {
        "choices": tuple(TOKENIZERS),
        "help": f"{TOKENIZER_HELP} (default: ptb, or the one for --language)",
    },
    "--language": {"default": ENGLISH, "metavar": "CODE", "help": LANGUAGE_HELP},
    "--interval": {
        "choices": tuple(METHODS),
        "help": "how bootstrap intervals are made: percentile; bca, corrected for bias and "
        "skewness; t, symmetric: the standard error times Student's t "
        f"(default: {PERCENTILE}; {STUDENT} for differences)",
    },
    "--resamples": {
        "type": number_in(DRAWS_OR_NONE),
        "metavar": "N",
        "default": RESAMPLES,
        "help": "bootstrap resamples",
    },
    "--seed": {
        "type": number_in(SEED),
        "metavar": "N",
        "default": DEFAULT_SEED,
        "help": "random seed",
    },
    "--by": {
        "metavar": "COLUMN",
        "help": "also show scores by group: the column that names each sample's group",
    },
    "--training": {
        "metavar": "FILE",
        "help": "captions that the systems were trained on, in a file of any form, for diversity's "
        "share of novel captions",
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


def add_shared_options(container: OptionContainer, *names: str) -> None:
    """Add options that several commands have, by name."""
    for name in names:
        container.add_argument(name, **SHARED_OPTIONS[name])


def add_resamples_option(container: OptionContainer, bounds: Bounds = DRAWS) -> None:
    """Add the number of resamples, of one system or of several that are tested."""
    container.add_argument(
        "--resamples",
        type=number_in(bounds),
        metavar="N",
        help=f"resamples for intervals and tests (default: {RESAMPLES}; for tests of more than "
        "ten systems as many as they need)",
    )


def add_engine_options(container: OptionContainer, jobs: str = "number of processes") -> None:
    """Add the options that say where the work is done, and how much of it at a time."""
    container.add_argument(
        "--jobs",
        type=number_in(COUNT),
        metavar="N",
        help=f"{jobs} (default: as many as there are cores)",
    )
    container.add_argument(
        "--chunk", type=number_in(COUNT), default=ROWS_PER_CHUNK, metavar="N", help="rows per chunk"
    )
    container.add_argument(
        "--engine", choices=ENGINES, default=LOCAL, help="local processes, or a Ray cluster"
    )
    container.add_argument(
        "--address", metavar="ADDRESS", help="address of the Ray cluster; auto finds a running one"
    )


RECIPE_OPTIONS = {  # of every network
    "learning_rate": "Adam's learning rate in the first epoch",
    "decay": "decay factor of the learning rate per epoch",
    "patience": "early stopping: epochs without improvement on the validation images",
    "least_count": "minimum count of a word in the vocabulary",
}


def add_recipe_options(
    container: OptionContainer,
    recipe: object,
    options: Mapping[str, str],
    describe_exceptions: Callable[[str], str] = lambda name: "",
) -> None:
    """Add an option for each number of a training recipe; one that is not given is None."""
    common = {name: what for name, what in RECIPE_OPTIONS.items() if hasattr(recipe, name)}
    for name, what in {**options, **common}.items():
        value = getattr(recipe, name)
        container.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(value),
            metavar="N",
            help=f"{what} (default: {value}{describe_exceptions(name)})",
        )


def split_names(text: str) -> list[str]:
    """Split comma-separated names, as options take them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def parse_shares(option: str, text: str) -> dict[str, float]:
    """Parse `KIND=SHARE,...`, the value of an option."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        try:
            shares[kind] = float(share)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(f"{option}: {part!r} is not KIND=SHARE, such as random_caption=0.5")
    return shares


def format_shares(shares: Mapping[str, float]) -> str:
    """Format shares as `parse_shares` reads them."""
    return ",".join(f"{kind}={share:g}" for kind, share in shares.items())


def add_command_arguments(parser: argparse.ArgumentParser, command: ModuleType) -> None:
    """Add the arguments and `run` of a command, or of each of its subcommands, to a parser."""
    if not hasattr(command, "SUBCOMMANDS"):
        formats = getattr(command, "FORMATS", FORMATS)
        prints_tables = getattr(command, "PRINTS_TABLES", True)
        command.add_arguments(parser)
        _complete_parser(parser, command.run, formats if prints_tables else ())
        return
    metavar = getattr(command, "SUBCOMMAND_METAVAR", "|".join(command.SUBCOMMANDS))
    subparsers = parser.add_subparsers(metavar=metavar, required=True)
    for name, (what, add_arguments, run) in command.SUBCOMMANDS.items():
        subparser = subparsers.add_parser(name, help=what, description=what)
        add_arguments(subparser)
        _complete_parser(subparser, run, FORMATS)


def _complete_parser(
    parser: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], None],
    formats: Sequence[str],
) -> None:
    """Add the options that every command has; say each option's default in its help."""
    printing = parser.add_argument_group("printing")
    if formats:
        printing.add_argument("--format", **SHARED_OPTIONS["--format"] | {"choices": formats})
    add_shared_options(printing, "--quiet", "--verbose")
    parser.set_defaults(run=run, parser=parser)
    for action in parser._actions:
        if _has_unstated_default(action):
            action.help = f"{action.help} (default: {action.default})"


def _has_unstated_default(action: argparse.Action) -> bool:
    is_none = action.default in (None, [], argparse.SUPPRESS) or action.default is False
    return not is_none and "(default: " not in str(action.help)
