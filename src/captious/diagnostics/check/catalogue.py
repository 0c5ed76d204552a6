"""All checks, in the order in which they run."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding
from captious.text.languages import ENGLISH


class Check(NamedTuple):
    """A check, implemented by the module of its name in `kinds`."""

    name: str
    description: str
    english_only: bool = False  # whether it applies to English captions only
    during_scoring: bool = False  # whether scoring runs it, too
    affected_metrics: frozenset[str] = (
        frozenset()
    )  # metrics whose scores it distorts; empty for all

    def find(self, evidence: Evidence) -> Finding | None:
        """Run the check; its module is imported here, because scoring needs few of them."""
        finding: Finding | None = import_module(
            f"captious.diagnostics.check.kinds.{self.name}"
        ).find(evidence)
        return finding


CHECKS = (
    Check("ids", "candidates without references"),
    Check(
        "language",
        "captions in another language than is scored, or than the references'",
        during_scoring=True,
    ),
    Check(
        "length",
        "candidates longer or shorter than references, and what CIDEr-D's penalty leaves",
        during_scoring=True,
        affected_metrics=frozenset({"cider_d"}),
    ),
    Check("empty", "candidates without a word", during_scoring=True),
    Check("empty_references", "references without a word"),
    Check(
        "document_frequencies",
        "too few images for CIDEr's document frequencies",
    ),
    Check("repeats", "one caption for many images", during_scoring=True),
    Check("copies", "candidates that are one of their references"),
    Check(
        "answers",
        "a chat model's words to its user, refusals among them",
        english_only=True,
        during_scoring=True,
    ),
    Check(
        "openings",
        'openings such as "The image shows"',
        english_only=True,
        during_scoring=True,
    ),
    Check(
        "markup",
        "Markdown, list bullets, tags, special tokens, several lines",
        during_scoring=True,
    ),
    Check("cut_off", "captions that break off", english_only=True),
    Check("damage", "letters spoilt by a wrong encoding"),
    Check(
        "unknown_words",
        "words that METEOR's tables or the space of captions do not have",
        english_only=True,
    ),
    Check("unused_references", "images that have no candidate"),
)


def checks_for(language: str) -> list[Check]:
    """Return the checks that apply to captions of a language."""
    return [check for check in CHECKS if language == ENGLISH or not check.english_only]
