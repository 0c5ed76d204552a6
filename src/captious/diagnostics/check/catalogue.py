"""All checks, in the order in which they run."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.findings import Finding
from captious.text.languages import ENGLISH


class Check(NamedTuple):
    """A check: the function `find_NAME` in a module of `kinds`."""

    name: str
    module: str
    english_only: bool = False  # whether it applies to English captions only
    during_scoring: bool = False  # whether scoring runs it, too
    affected_metrics: frozenset[str] = frozenset()  # whose scores it distorts; empty for all

    def find(self, evidence: Evidence) -> Finding | None:
        """Run the check; its module is imported here, because scoring needs few of them."""
        module = import_module(f"captious.diagnostics.check.kinds.{self.module}")
        finding: Finding | None = getattr(module, f"find_{self.name}")(evidence)
        return finding


CHECKS = (
    Check("ids", "coverage"),
    Check("language", "language", during_scoring=True),
    Check(
        "length", "lengths", during_scoring=True, affected_metrics=frozenset({"cider_d"})
    ),  # for its length penalty
    Check("empty", "lengths", during_scoring=True),
    Check("empty_references", "lengths"),
    Check("document_frequencies", "coverage"),
    Check("repeats", "duplicates", during_scoring=True),
    Check("copies", "duplicates"),
    Check("answers", "openings", english_only=True, during_scoring=True),
    Check("openings", "openings", english_only=True, during_scoring=True),
    Check("markup", "malformed_text", during_scoring=True),
    Check("cut_off", "malformed_text", english_only=True),
    Check("damage", "malformed_text"),
    Check("unknown_words", "unknown_words", english_only=True),
    Check("unused_references", "coverage"),
)


def checks_for(language: str) -> list[Check]:
    """Return the checks that apply to captions of a language."""
    return [check for check in CHECKS if language == ENGLISH or not check.english_only]
