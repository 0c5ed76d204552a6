"""What commands that train and run networks share: options, bars, and figures at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from captious.cli.output import print_table
from captious.errors import InputError
from captious.files.text_files import check_writable

if TYPE_CHECKING:
    from captious.training.loop import Listener, Progress, Trained


def add_captions(
    parser: argparse.ArgumentParser, what: str = "captions by image", validation: bool = True
) -> None:
    """Options of captions, to learn from and, for validation, to stop by."""
    parser.add_argument("--captions", required=True, metavar="FILE", help=what)
    parser.add_argument("--images", metavar="FILE", help="only these images: a name a line")
    if validation:
        parser.add_argument(
            "--validation",
            required=True,
            metavar="FILE",
            help="captions of other images, to stop by; or a list of images of --captions: a name "
            "a line, in a file named .txt",
        )


def add_recipe_values(
    parser: argparse.ArgumentParser,
    usual: object,
    values: Mapping[str, str],
    exceptions: Callable[[str], str] = lambda name: "",
) -> None:
    """Options of a recipe's numbers, with what each is in words; none where nothing is given."""
    for name, what in values.items():
        value = getattr(usual, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(value),
            metavar="N",
            help=f"{what} (default: {value}{exceptions(name)})",
        )


def add_half(parser: argparse.ArgumentParser) -> None:
    """The option of quicker products."""
    parser.add_argument(
        "--half",
        action="store_true",
        help="multiply in bfloat16 while training: faster on processors that have it",
    )


def add_weights_and_checkpoint(parser: argparse.ArgumentParser) -> None:
    """Options of the files that training writes."""
    parser.add_argument("--output", required=True, metavar="FILE", help="weights, named .npz")
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="a file to go on from where training was stopped"
    )


def check_npz(path: str) -> None:
    """Stop where a file of weights cannot be written."""
    if not path.lower().endswith(".npz"):
        raise InputError(f"{path}: name the file .npz")
    check_writable(path)


def read_shares(option: str, text: str) -> dict[str, float]:
    """Shares of kinds from `kind=share` with commas between, as an option gives them."""
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


def read_captions(
    options: argparse.Namespace,
) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Captions to learn from and to stop by, once it is sure that training can begin and end."""
    from captious.backends.pytorch import import_torch
    from captious.io.image_captions import read_two_splits

    check_npz(options.output)
    import_torch()
    if options.checkpoint is not None:
        check_writable(options.checkpoint)
    return read_two_splits(options.captions, options.images, options.validation)


def print_trained(
    options: argparse.Namespace,
    trained: Trained[Any],
    about: Mapping[str, str],
    measures: Mapping[str, float],
) -> None:
    """Where weights are, of what network, and how good it is on the validation captions."""
    data = {
        "output": options.output,
        **about,
        "words": len(trained.model.vocabulary.words),
        "epoch": trained.best,
        "epochs": len(trained.curve),
        "loss": trained.at_best["loss"],
        "validation_loss": trained.at_best["validation_loss"],
        **{f"validation_{name}": value for name, value in measures.items()},
    }
    print_figures(options, data)


def print_figures(options: argparse.Namespace, data: dict[str, Any]) -> None:
    """What came of it, a line each."""
    rows = [
        (name.replace("_", " "), f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in data.items()
    ]
    print_table(options.format, ("what", "value"), rows, data, 1)


@contextmanager
def training_bar(options: argparse.Namespace) -> Iterator[Listener | None]:
    """A bar of all epochs with the best merit so far, on a terminal only."""
    with _bar(options) as bar:

        def advance(at: Progress) -> None:
            before = (at.epoch - 1) * at.samples
            if not bar.n:  # what was learnt before a stop says nothing of the speed
                bar.initial = bar.n = before
            merit = "" if at.best is None else f", {at.merit.replace('_', ' ')} {at.best:.4f}"
            bar.set_description(f"epoch {at.epoch} of {at.epochs}{merit}", refresh=False)
            bar.total = at.epochs * at.samples
            bar.update(before + at.done - bar.n)

        yield None if bar is None else advance


@contextmanager
def counting_bar(
    options: argparse.Namespace, unit: str = "captions"
) -> Iterator[Callable[[int, int], None] | None]:
    """A bar of what is done of so many, on a terminal only."""
    with _bar(options, unit) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield None if bar is None else advance


@contextmanager
def _bar(options: argparse.Namespace, unit: str = "captions") -> Iterator[Any]:
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", delay=1, leave=False) as bar:
        yield bar
