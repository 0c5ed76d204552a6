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
    with _repeated_bar(options, "images", desc="images", mininterval=0, position=0) as advance:
        yield advance


@contextmanager
def reading_bar(options: argparse.Namespace) -> Iterator[Count | None]:
    """A bar of captions whose features are read, which begins again with every set of captions."""
    with _repeated_bar(options, "captions", desc="features", mininterval=0) as advance:
        yield advance


@contextmanager
def training_bar(options: argparse.Namespace) -> Iterator[Listener | None]:
    """A bar of all epochs with the best merit so far; its clock starts with the first of them."""
    with ExitStack() as training:
        bar = None

        def advance(at: Progress) -> None:
            nonlocal bar
            before = (at.epoch - 1) * at.samples
            if bar is None:  # what was learnt before a stop says nothing of the speed
                bar = training.enter_context(_bar(options, initial=before))
            merit = "" if at.best is None else f", {at.merit.replace('_', ' ')} {at.best:.4f}"
            bar.set_description(f"epoch {at.epoch} of {at.epochs}{merit}", refresh=False)
            bar.total = at.epochs * at.samples
            bar.update(before + at.done - bar.n)

        yield advance if _can_be_seen(options) else None


@contextmanager
def counting_bar(options: argparse.Namespace, unit: str = "captions") -> Iterator[Count | None]:
    """A bar of what is done of so many."""
    with _bar(options, unit) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield None if bar is None else advance


@contextmanager
def _repeated_bar(options: argparse.Namespace, unit: str, **how: Any) -> Iterator[Count | None]:
    """A bar that is made when work begins, ends with it, and begins again with the next."""
    with ExitStack() as look:
        bar = None

        def advance(done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                bar = look.enter_context(_bar(options, unit, total=total, **how))
            bar.update(done - bar.n)
            if done == total:
                look.close()
                bar = None

        yield advance if _can_be_seen(options) else None


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
