"""Progress bars for work of more than a second: on a terminal only, and not with --quiet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from captious._internal.progress import progress_listener

if TYPE_CHECKING:
    from captious.training.loop import Listener, Progress

Count = Callable[[int, int], None]  # told how many are done, of how many
BAR_DELAY_S = 1.0  # seconds that work takes before a bar is shown
MIN_TOTAL_TO_ABBREVIATE = 10_000  # from so many on they are counted as 10.0k


@contextmanager
def work_bars(options: argparse.Namespace) -> Iterator[None]:
    """Show a bar with the remaining time for each piece of work that reports progress.

    Work may lie within other work, as parsing lies within scoring.
    """
    if not _is_visible(options):
        yield
        return
    with ExitStack() as all_work:
        bars: dict[str, tuple[Any, ExitStack]] = {}

        def advance(work: str, done: int, total: int) -> None:
            if work not in bars:
                stack = all_work.enter_context(ExitStack())
                how = {
                    "total": total or None,
                    "desc": work,
                    "miniters": 1,
                    "unit_scale": total >= MIN_TOTAL_TO_ABBREVIATE,
                }
                bars[work] = stack.enter_context(_bar(options, "", **how)), stack
            bar, stack = bars[work]
            is_drawn = bar.update(done - bar.n)
            if total and done >= total:
                if not is_drawn:
                    bar.refresh()
                stack.close()
                del bars[work]

        with progress_listener(advance):
            yield


@contextmanager
def reading_bar(options: argparse.Namespace) -> Iterator[Count | None]:
    """Show a bar of captions whose features are extracted, a new one for each set of captions."""
    with _repeated_bar(options, "captions", desc="features", mininterval=0) as advance:
        yield advance


@contextmanager
def training_bar(options: argparse.Namespace) -> Iterator[Listener | None]:
    """Show a bar of all epochs with the best validation figure; its clock starts with the first."""
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

        yield advance if _is_visible(options) else None


@contextmanager
def counting_bar(options: argparse.Namespace, unit: str = "captions") -> Iterator[Count | None]:
    """Show a bar of units that are done."""
    with _bar(options, unit) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield None if bar is None else advance


@contextmanager
def _repeated_bar(options: argparse.Namespace, unit: str, **how: Any) -> Iterator[Count | None]:
    """Show a bar that appears when work begins, ends with it, and appears again for the next."""
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

        yield advance if _is_visible(options) else None


@contextmanager
def _bar(options: argparse.Namespace, unit: str = "captions", **how: Any) -> Iterator[Any]:
    if not _is_visible(options):
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}".rstrip(), delay=BAR_DELAY_S, leave=False, **how) as bar:
        yield bar


def _is_visible(options: argparse.Namespace) -> bool:
    return not options.quiet and sys.stderr.isatty()
