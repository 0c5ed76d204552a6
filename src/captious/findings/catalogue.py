"""What is looked for, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from captious.findings.evidence import Evidence
from captious.findings.finding import Finding
from captious.findings.kinds import (
    answers,
    copies,
    cut_off,
    damage,
    document_frequencies,
    empty,
    ids,
    language,
    length,
    markup,
    openings,
    repeats,
    unknown_words,
    unused_references,
)


class Look(NamedTuple):
    """One thing that is looked for."""

    name: str
    what: str
    find: Callable[[Evidence], Finding | None]
    english: bool = False  # whether it reads English alone
    at_a_glance: bool = False  # whether scoring looks for it, too


LOOKS = (
    Look("ids", "candidates without references", ids.find),
    Look(
        "language",
        "captions in another language than is scored, or than the references'",
        language.find,
        at_a_glance=True,
    ),
    Look(
        "length",
        "candidates longer or shorter than references, and what CIDEr-D's penalty leaves",
        length.find,
        at_a_glance=True,
    ),
    Look("empty", "candidates without a word", empty.find, at_a_glance=True),
    Look(
        "document_frequencies",
        "too few images for CIDEr's document frequencies",
        document_frequencies.find,
    ),
    Look("repeats", "one caption for many images", repeats.find, at_a_glance=True),
    Look("copies", "candidates that are one of their references", copies.find),
    Look(
        "answers",
        "a chat model's words to its user, refusals among them",
        answers.find,
        english=True,
        at_a_glance=True,
    ),
    Look(
        "openings",
        'openings such as "The image shows"',
        openings.find,
        english=True,
        at_a_glance=True,
    ),
    Look(
        "markup",
        "Markdown, list bullets, tags, special tokens, several lines",
        markup.find,
        at_a_glance=True,
    ),
    Look("cut_off", "captions that break off", cut_off.find, english=True),
    Look("damage", "letters spoilt by a wrong encoding", damage.find),
    Look(
        "unknown_words",
        "words that METEOR's tables or the space of captions do not have",
        unknown_words.find,
        english=True,
    ),
    Look("unused_references", "images that have no candidate", unused_references.find),
)
