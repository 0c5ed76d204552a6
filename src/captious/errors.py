"""Every error that a user can meet: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from captious.shown import visible

_PACKAGE = __name__.partition(".")[0]
# Who calls this package on somebody's behalf: a warning is for that somebody.
_BETWEEN = frozenset(
    "torchmetrics torch lightning pytorch_lightning transformers trl evaluate evaluate_modules "
    "datasets ray".split()
)
_kept: ContextVar[list[tuple[str, str | None]] | None] = ContextVar("captious kept", default=None)
_said: set[tuple[str, str, int]] = set()  # what was warned of, and where whoever heard it stands


class CaptiousError(Exception):
    """An error that the user can fix; the command line shows it in one line and exits with 2."""

    def __str__(self) -> str:
        # Names of files and ids are anyone's: a break of lines in one is shown as an escape.
        return visible(str(self.args[0])) if self.args else ""


class InputError(CaptiousError, ValueError):
    """Captions, scores or options that cannot be used as they are."""


class OutputError(CaptiousError, OSError):
    """A file that cannot be written."""


class UnknownMetricError(CaptiousError, LookupError):
    """An unknown name of a metric."""


class MissingDependencyError(CaptiousError, ImportError):
    """A missing optional package, with the command that installs it."""


class CaptiousWarning(UserWarning):
    """A result can be computed, but is probably not what the user meant."""


def warn(message: str, about: str | None = None) -> None:
    """Warn whoever called into this package: the warning points at that line, once for each.

    `about` says what it is of, where the message has numbers that change from call to call.
    """
    kept = _kept.get()
    if kept is not None:
        kept.append((message, about))
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_between(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    path, line = frame.f_code.co_filename, frame.f_lineno
    module = frame.f_globals.get("__name__", "")
    if _action(message, module, line) == "default":
        # Python forgets what it has said whenever anybody changes the filters for a moment.
        key = (about or message, path, line)
        if key in _said:
            return
        _said.add(key)
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, CaptiousWarning, path, line, module, registry)


@contextmanager
def warnings_kept(kept: list[tuple[str, str | None]]) -> Iterator[None]:
    """What is warned of within is kept, with what it is about: another thread has no caller."""
    before = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(before)


def _action(message: str, module: str, line: int) -> str:
    """What the filters of warnings say is to be done."""
    for action, text, kind, place, number in warnings.filters:
        if (
            issubclass(CaptiousWarning, kind)
            and (text is None or text.match(message))
            and (place is None or place.match(module))
            and number in (0, line)
        ):
            return action
    return "default"


def _is_between(module: str) -> bool:
    package = module.partition(".")[0]
    return package == _PACKAGE or package in _BETWEEN
