"""Which references a judged caption is scored against: its own left out, some drawn at random."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable
from functools import cache

from captious.errors import InputError, short_repr
from captious.meta.judgements import HUMAN, Judgements, is_part
from captious.text.tokenizer.tokenizer import tokenize

EQUALITIES = ("tokens", "words")
# Whose captions are no references of a row: its own, those that people wrote of its image, or any.
OF_ITS_ROW, OF_ITS_IMAGE, OF_ANY_ROW = "its row", "its image", "any row"

_WORDS = re.compile(r"[^\W_]+")


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
        keys_of_rows = _of_people(judgements, keys_of_rows)
    return [
        [place for place, caption in enumerate(references) if key_of(caption) in keys]
        for keys, references in zip(keys_of_rows, judgements.references, strict=True)
    ]


def _of_people(judgements: Judgements, keys_of_rows: list[set[str]]) -> list[set[str]]:
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


def drawn(
    judgements: Judgements,
    equal: list[list[int]],
    number: int | None,
    seed: int,
) -> list[list[str]]:
    """Each row's references without those at the places `equal`, and of the rest `number`.

    Two people may write the same caption. One of two equal references is the candidate itself and
    always goes; the other goes too, unless fewer than `number` would be left.
    """
    if number is None and not any(equal):
        return judgements.references
    columns = (judgements.images, judgements.captions, judgements.references, equal)
    chosen: list[list[str]] = []
    for row, (image, candidates, captions, same) in enumerate(zip(*columns, strict=True)):
        places = [place for place in range(len(captions)) if place not in same]
        if number is not None:
            places += same[1 : 1 + max(0, number - len(places))]
            if len(places) > number:
                places = _lowest(number, places, captions, (seed, image, *candidates))
        if not places:
            raise InputError(
                f"row {row + 1} (image {short_repr(image)}): no reference is left once those "
                "equal to "
                "the candidate are dropped; give it another one, or drop such pairs"
            )
        chosen.append([captions[place] for place in sorted(places)])
    return chosen


def joined_into_one(references: list[list[str]]) -> list[list[str]]:
    """All references of each row as one long caption."""
    return [[" ".join(caption.strip() for caption in captions)] for captions in references]


def _lowest(
    number: int, places: list[int], captions: list[str], row: tuple[Hashable, ...]
) -> list[int]:
    """The places whose lots, drawn from the row's own contents, are lowest.

    A longer list begins with the shorter one: ten references are the five and five more.
    """
    start = hashlib.blake2b("\0".join(map(str, row)).encode("utf-8", "surrogatepass"))

    def lot(place: int) -> bytes:
        digest = start.copy()
        digest.update(f"\0{place}\0{captions[place]}".encode("utf-8", "surrogatepass"))
        return digest.digest()

    return sorted(places, key=lot)[:number]


def _tokens(caption: str) -> str:
    return " ".join(tokenize(caption))


def _words(caption: str) -> str:
    # Some files lost the hyphens and apostrophes of the captions that were rated.
    return " ".join(_WORDS.findall(_tokens(caption)))


_KEYS: dict[str, Callable[[str], str]] = {"tokens": _tokens, "words": _words}
