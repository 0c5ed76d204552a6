"""Every error that a user can meet: one line that says what is wrong, where, and what to do."""

from __future__ import annotations

from captious.shown import visible


class CaptiousError(Exception):
    """Something that the user can mend; the command line shows it in one line and exits with 2."""

    def __str__(self) -> str:
        # Names of files and ids are anyone's: a break of lines in one is shown as an escape.
        return visible(str(self.args[0])) if self.args else ""


class InputError(CaptiousError, ValueError):
    """Captions, scores or options that cannot be used as they are."""


class OutputError(CaptiousError, OSError):
    """A file that cannot be written."""


class UnknownMetricError(CaptiousError, LookupError):
    """A metric's name that means nothing here."""


class MissingDependencyError(CaptiousError, ImportError):
    """An optional package that is needed for what was asked, with the command that installs it."""


class CaptiousWarning(UserWarning):
    """Something that is probably not what the user meant, though it can be computed."""
