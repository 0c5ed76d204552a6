"""Which captions of an image a candidate is scored against: own ones dropped, and how many."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache

from captious._internal.checks.bounds import COUNT
from captious.errors import InputError, short_repr
from captious.meta.judgements import HUMAN, Judgements, is_part
from captious.text.tokenizer.tokenizer import tokenize

EQUALITIES = ("tokens", "words")
# Whose captions are no references of a row: its own, those that people wrote of its image, or any.
OF_ITS_ROW, OF_ITS_IMAGE, OF_ANY_ROW = "its row", "its image", "any row"
RANDOM, FIRST = "random", "first"  # which of more references than are wanted

_WORDS = re.compile(r"[^\W_]+")
_CHOICE = re.compile(rf"(?P<first>{FIRST}:)?(?P<number>[0-9]{{1,9}})")


def equal_to_candidates(
    judgements: Judgements, equality: str, whose: str = OF_ITS_ROW
) -> list[list[int]]:
    """For each row, the places of the references that equal a candidate.

    Which candidates, `whose` says: the row's own, or its two; what people wrote of its image, among
    the candidates; or those of any row.
    """
    key_of = cache(_KEYS[equality])  # references recur with every candidate
    keys_of_rows = [{key_of(text) for text in texts} for texts in judgements.captions]
    if whose == OF_ANY_ROW:
        everything = set().union(*keys_of_rows)
        keys_of_rows = [everything] * len(keys_of_rows)
    elif whose == OF_ITS_IMAGE:
        keys_of_rows = _keys_of_people(judgements, keys_of_rows)
    return [
        [place for place, caption in enumerate(references) if key_of(caption) in keys]
        for keys, references in zip(keys_of_rows, judgements.references, strict=True)
    ]


def _keys_of_people(judgements: Judgements, keys_of_rows: list[set[str]]) -> list[set[str]]:
    """For each row, the keys of the candidates of its image that people wrote."""
    by_image: dict[Hashable, set[str]] = {}
    for image, group, keys in zip(judgements.images, judgements.groups, keys_of_rows, strict=True):
        if is_part(group, HUMAN):
            by_image.setdefault(image, set()).update(keys)
    if not by_image:
        raise InputError(
            f"no candidates of the part {HUMAN!r}, whose captions are to be dropped from the "
            f"references; the parts are: {', '.join(sorted(set(judgements.groups)))}"
        )
    return [by_image.get(image, set()) for image in judgements.images]


@dataclass(frozen=True)
class ReferenceChoice:
    """How many references a candidate has: so many at random, or the first of its list."""

    number: int
    order: str = RANDOM

    @classmethod
    def parse(cls, value: object, name: str = "references") -> ReferenceChoice:
        """Parse `5` (at random) or `first:5`; `name` begins the message for anything else."""
        match = _CHOICE.fullmatch(value) if isinstance(value, str) else None
        number: object = int(match["number"]) if match else value
        if not COUNT.allow(number):
            raise InputError(
                f"{name}: {COUNT}, drawn at random, or first:5 for the first five, "
                f"not {short_repr(value)}"
            )
        return cls(int(number), FIRST if match and match["first"] else RANDOM)  # type: ignore[call-overload]

    @property
    def value(self) -> int | str:
        """The number, or `first:5`: what `parse` reads, and protocols print."""
        return self.number if self.order == RANDOM else f"{self.order}:{self.number}"

    def describe(self, seed: int) -> str:
        """The choice in words."""
        noun = "reference" if self.number == 1 else "references"
        if self.order == RANDOM:
            return f"{self.number} {noun} at random (seed {seed})"
        return f"the first {noun}" if self.number == 1 else f"the first {self.number} {noun}"

    def choose(
        self, places: list[int], captions: list[str], row: tuple[Hashable, ...]
    ) -> list[int]:
        """Return so many of some places in a list of captions; all where there are fewer.

        A longer choice begins with the shorter one: ten references are the five and five more.
        """
        order = sorted(places)
        if self.order == RANDOM and len(places) > self.number:
            order.sort(key=_lots(captions, row))
        return order[: self.number]


def choose_references(
    judgements: Judgements,
    equal: list[list[int]],
    choice: ReferenceChoice | None,
    seed: int,
) -> list[list[str]]:
    """Each row's references without those at the places `equal`, and of the rest the choice.

    Two people may write the same caption. One of two equal references is the candidate itself and
    always goes; the other goes too, unless fewer than the number would be left.
    """
    if choice is None and not any(equal):
        return judgements.references
    columns = (judgements.images, judgements.captions, judgements.references, equal)
    chosen: list[list[str]] = []
    for row, (image, candidates, captions, same) in enumerate(zip(*columns, strict=True)):
        places = [place for place in range(len(captions)) if place not in same]
        if choice is not None:
            places += same[1 : 1 + max(0, choice.number - len(places))]
            places = choice.choose(places, captions, (seed, image, *candidates))
        if not places:
            raise InputError(
                f"row {row + 1} (image {short_repr(image)}): no reference is left once those "
                "equal to "
                "the candidate are dropped; give it another one, or drop such pairs"
            )
        chosen.append([captions[place] for place in sorted(places)])
    return chosen


def join_references(references: list[list[str]]) -> list[list[str]]:
    """All references of each row as one long caption."""
    return [[" ".join(caption.strip() for caption in captions)] for captions in references]


def _lots(captions: list[str], row: tuple[Hashable, ...]) -> Callable[[int], bytes]:
    """The lot of each place, drawn from the contents of the row: the lowest are taken."""
    start = hashlib.blake2b("\0".join(map(str, row)).encode("utf-8", "surrogatepass"))

    def lot(place: int) -> bytes:
        digest = start.copy()
        digest.update(f"\0{place}\0{captions[place]}".encode("utf-8", "surrogatepass"))
        return digest.digest()

    return lot


def _tokens(caption: str) -> str:
    return " ".join(tokenize(caption))


def _words(caption: str) -> str:
    # Some files lost the hyphens and apostrophes of the captions that were rated.
    return " ".join(_WORDS.findall(_tokens(caption)))


_KEYS: dict[str, Callable[[str], str]] = {"tokens": _tokens, "words": _words}
