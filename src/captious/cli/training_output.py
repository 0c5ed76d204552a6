"""What commands that train networks show: bars of epochs, and figures when they are done."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from captious.cli.output import print_table
from captious.errors import InputError
from captious.files.text_files import check_writable

# Epoch (from 1), captions read in it, captions in all, lowest validation loss so far if any.
EpochProgress = Callable[[int, int, int, float | None], None]


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


def print_figures(options: argparse.Namespace, data: dict[str, Any]) -> None:
    """What came of it, a line each."""
    rows = [
        (name.replace("_", " "), f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in data.items()
    ]
    print_table(options.format, ("what", "value"), rows, data, 1)


@contextmanager
def epoch_bar(options: argparse.Namespace) -> Iterator[EpochProgress | None]:
    """A bar for each epoch with the lowest validation loss so far, on a terminal only."""
    with _bar(options) as bar:

        def advance(epoch: int, done: int, total: int, loss: float | None) -> None:
            lowest = "" if loss is None else f", validation loss {loss:.4f}"
            bar.set_description(f"epoch {epoch}{lowest}", refresh=False)
            bar.total = total
            bar.n = done
            bar.update(0)

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
