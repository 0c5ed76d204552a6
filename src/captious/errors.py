"""Errors and warnings for users: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

import builtins
import math
import reprlib
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PACKAGE = __name__.partition(".")[0]
# Frameworks that call this package for the user: warnings point at the user's line, not theirs.
_CALLING_FRAMEWORKS = frozenset(
    "torchmetrics torch lightning pytorch_lightning transformers trl evaluate evaluate_modules "
    "datasets ray".split()
)
_collected: ContextVar[list[tuple[str, str | None]] | None] = ContextVar(
    "captious warnings", default=None
)
_issued: set[tuple[str, str, int]] = set()  # topic, path and line of warnings issued


class CaptiousError(Exception):
    """An error that the user can fix; the command line shows it in one line and exits with 2."""

    def __str__(self) -> str:
        # File names and ids are untrusted: a line break in one is shown as an escape.
        return escape_control_chars(str(self.args[0])) if self.args else ""


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
    """Warn the caller of this package, once per calling line, at which the warning points.

    `about` is the topic, for messages with numbers that change from call to call.
    """
    collected = _collected.get()
    if collected is not None:
        collected.append((message, about))
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_library_code(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    path, line = frame.f_code.co_filename, frame.f_lineno
    module = frame.f_globals.get("__name__", "")
    if _filter_action(message, module, line) == "default":
        # Python forgets which warnings it showed whenever the filters change for a moment.
        key = (about or message, path, line)
        if key in _issued:
            return
        _issued.add(key)
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, CaptiousWarning, path, line, module, registry)


@contextmanager
def collect_warnings(collected: list[tuple[str, str | None]]) -> Iterator[None]:
    """Collect warnings with their topics instead of issuing them: a thread has no caller."""
    before = _collected.set(collected)
    try:
        yield
    finally:
        _collected.reset(before)


def _filter_action(message: str, module: str, line: int) -> str:
    """Return the action that the warning filters choose."""
    for action, text, kind, place, number in warnings.filters:
        if (
            issubclass(CaptiousWarning, kind)
            and (text is None or text.match(message))
            and (place is None or place.match(module))
            and number in (0, line)
        ):
            return action
    return "default"


def _is_library_code(module: str) -> bool:
    package = module.partition(".")[0]
    return package == _PACKAGE or package in _CALLING_FRAMEWORKS


# --- text in messages: ------------------------------------------------------------
# Captions, ids and file names are untrusted: an escape sequence in one could recolour a terminal,
# overwrite a line or reverse the reading order.

MAX_REPR_CHARS = 200  # of a value in a message; longer than any name
MAX_INT_DIGITS = 100  # Python refuses to print integers of more than 4300 digits
HIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, surrogates, line breaks
JOINERS = "\u200c\u200d"  # needed by some scripts and emoji


class _Short(reprlib.Repr):
    """Shortened repr that visits no more of a value than it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MAX_REPR_CHARS
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        """A whole number, or how long it is."""
        digits = int(abs(x).bit_length() * math.log10(2)) + 1
        return builtins.repr(x) if digits <= MAX_INT_DIGITS else f"<some {digits} digits>"

    def repr_str(self, x: str, level: int) -> str:
        """A text, or its beginning."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Bytes, or the first of them."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."


_SHORT = _Short()


def short_repr(value: object, max_chars: int = MAX_REPR_CHARS) -> str:
    """Return the repr of a value, cut where it is long or deep."""
    text = " ".join(_SHORT.repr(value).split())
    return text if len(text) <= max_chars else f"{text[: max_chars - 3]}..."


def escape_control_chars(text: str, kept: str = "") -> str:
    """Return the text with hidden characters escaped as in Python, except those in `kept`."""
    if text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode("ascii")
        if unicodedata.category(letter) in HIDDEN_CATEGORIES
        and letter not in JOINERS
        and letter not in kept
        else letter
        for letter in text
    )


def format_count(number: int, noun: str) -> str:
    """Return a count with its noun, in the plural where needed: `1 sample`, `1,000 samples`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
