"""What is looked for, in order."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from captious.diagnostics.check.evidence import Evidence
from captious.diagnostics.check.finding import Finding
from captious.text.languages import ENGLISH


class Look(NamedTuple):
    """One thing that is looked for, by the module of its name in `kinds`."""

    name: str
    what: str
    english: bool = False  # whether it reads English alone
    at_a_glance: bool = False  # whether scoring looks for it, too
    touches: frozenset[str] = frozenset()  # the metrics that it moves; none named: all

    def find(self, evidence: Evidence) -> Finding | None:
        """What is found; the module is imported now: scoring needs few of them."""
        finding: Finding | None = import_module(
            f"captious.diagnostics.check.kinds.{self.name}"
        ).find(evidence)
        return finding


LOOKS = (
    Look("ids", "candidates without references"),
    Look(
        "language",
        "captions in another language than is scored, or than the references'",
        at_a_glance=True,
    ),
    Look(
        "length",
        "candidates longer or shorter than references, and what CIDEr-D's penalty leaves",
        at_a_glance=True,
        touches=frozenset({"cider_d"}),
    ),
    Look("empty", "candidates without a word", at_a_glance=True),
    Look("empty_references", "references without a word"),
    Look(
        "document_frequencies",
        "too few images for CIDEr's document frequencies",
    ),
    Look("repeats", "one caption for many images", at_a_glance=True),
    Look("copies", "candidates that are one of their references"),
    Look(
        "answers",
        "a chat model's words to its user, refusals among them",
        english=True,
        at_a_glance=True,
    ),
    Look(
        "openings",
        'openings such as "The image shows"',
        english=True,
        at_a_glance=True,
    ),
    Look(
        "markup",
        "Markdown, list bullets, tags, special tokens, several lines",
        at_a_glance=True,
    ),
    Look("cut_off", "captions that break off", english=True),
    Look("damage", "letters spoilt by a wrong encoding"),
    Look(
        "unknown_words",
        "words that METEOR's tables or the space of captions do not have",
        english=True,
    ),
    Look("unused_references", "images that have no candidate"),
)


def looks_at(language: str) -> list[Look]:
    """What is looked for in captions of a language."""
    return [look for look in LOOKS if language == ENGLISH or not look.english]
