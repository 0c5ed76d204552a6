"""Every error that a user can meet: one line that says what is wrong, where, and what to do."""

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


# --- text in messages: ------------------------------------------------------------
# Captions, ids and file names are untrusted: an escape sequence in one could recolour a terminal,
# overwrite a line or reverse the reading order.

MOST_CHARACTERS = 200  # of a value in a message: more than any name has
MOST_DIGITS = 100  # Python refuses to write whole numbers of more than 4300
HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, surrogates, breaks of lines
JOINERS = "\u200c\u200d"  # scripts and emoji are written with them


class _Short(reprlib.Repr):
    """Values of any depth and length, of which no more is looked at than is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MOST_CHARACTERS
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        """A whole number, or how long it is."""
        digits = int(abs(x).bit_length() * math.log10(2)) + 1
        return builtins.repr(x) if digits <= MOST_DIGITS else f"<some {digits} digits>"

    def repr_str(self, x: str, level: int) -> str:
        """A text, or its beginning."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Bytes, or the first of them."""
        return builtins.repr(x) if len(x) <= self.maxstring else f"{x[: self.maxstring]!r}..."


_SHORT = _Short()


def short_repr(value: object, most: int = MOST_CHARACTERS) -> str:
    """A value as Python writes it, cut off where it is long or deep."""
    text = " ".join(_SHORT.repr(value).split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def escape_control_chars(text: str, kept: str = "") -> str:
    """The text with every hidden character as Python escapes it, but for those to be kept."""
    if text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode("ascii")
        if unicodedata.category(letter) in HIDDEN and letter not in JOINERS and letter not in kept
        else letter
        for letter in text
    )


def count_of(number: int, noun: str) -> str:
    """A number of things, of which the plural has an s: `1 sample`, `1,000 samples`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
