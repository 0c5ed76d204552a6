"""Bars for work that takes more than a second: on a terminal only, and not with --quiet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from captious.training.loop import Listener, Progress

Count = Callable[[int, int], None]  # told how many are done, of how many
DELAY = 1.0  # seconds that work takes before a bar is shown


@contextmanager
def score_bar(
    options: argparse.Namespace, metrics: int
) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar of the scores of so many metrics."""
    with _bar(options, "scores", unit_scale=True) as bar:
        scored: dict[str, int] = {}

        def advance(metric: str, samples: int, total: int) -> None:
            bar.total = total * metrics
            bar.set_description(metric, refresh=False)
            bar.update(samples - scored.get(metric, 0))
            scored[metric] = samples

        yield None if bar is None else advance


@contextmanager
def image_bar(options: argparse.Namespace) -> Iterator[Count | None]:
    """A bar of images that are encoded, which begins again with every look at all of them."""
    # At the place of the bar of scores, which is not shown before images are encoded. Reports
    # are few: each may be drawn.
    how: dict[str, Any] = {"desc": "images", "mininterval": 0, "position": 0}
    with ExitStack() as look:
        bar = None

        def advance(done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                bar = look.enter_context(_bar(options, "images", total=total, **how))
            bar.update(done - bar.n)
            if done == total:
                look.close()
                bar = None

        yield advance if _can_be_seen(options) else None


@contextmanager
def training_bar(options: argparse.Namespace) -> Iterator[Listener | None]:
    """A bar of all epochs with the best merit so far."""
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
def counting_bar(options: argparse.Namespace, unit: str = "captions") -> Iterator[Count | None]:
    """A bar of what is done of so many."""
    with _bar(options, unit) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield None if bar is None else advance


@contextmanager
def _bar(options: argparse.Namespace, unit: str = "captions", **how: Any) -> Iterator[Any]:
    if not _can_be_seen(options):
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", delay=DELAY, leave=False, **how) as bar:
        yield bar


def _can_be_seen(options: argparse.Namespace) -> bool:
    return not options.quiet and sys.stderr.isatty()
