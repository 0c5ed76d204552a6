"""Protocol: how judgements and scores are compared, as data that is printed beside every number."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, overload

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_choice, check_fields
from captious._internal.checks.bounds import Count, Seed
from captious.errors import InputError, short_repr
from captious.io.inputs import is_file
from captious.meta.judgements import HUMAN, SEEN, Judgements, Preferences, Ratings, is_part
from captious.signature import Address
from captious.stats.correlation import AREA, PEARSON, STATISTICS
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


def draw_references(
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
                places = _draw_places(number, places, captions, (seed, image, *candidates))
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


def _draw_places(
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


RATERS = ("flattened", "mean", "mode")
# Whose captions are no references of a row; nobody's where they are kept.
_DROPPED_CAPTIONS = {
    "keep": None,
    "drop_reference": OF_ITS_ROW,
    "drop_human": OF_ITS_IMAGE,
    "drop_candidates": OF_ANY_ROW,
    "drop_pair": OF_ITS_ROW,
}
OWN = tuple(_DROPPED_CAPTIONS)
IMAGE, PAIR, COCO = DOCUMENTS = ("image", "pair", "coco-val2014")
# How often two captions stand in the same order: of all pairs, or of those of one image.
ALL_PAIRS, IMAGE_PAIRS = PAIRWISE = ("acc_eq", "acc_eq_image")
ACCURACY = "accuracy"  # of preferences, which have no correlation
TIES = ("half", "random", "first", "wrong")
ALIKE, BY_VOTES = WEIGHTS = ("alike", "votes")
GROUPS, PAIRS = AVERAGES = ("groups", "pairs")

CHOICES: dict[str, tuple[str, ...]] = {
    "raters": RATERS,
    "own": OWN,
    "equality": EQUALITIES,
    "statistic": (*STATISTICS, *PAIRWISE, ACCURACY),
    "ties": TIES,
    "weights": WEIGHTS,
    "average": AVERAGES,
}

_IN_WORDS = {
    "flattened": "ratings flattened",
    "mean": "mean rating",
    "mode": "most common rating",
    "keep": "own captions kept",
    "drop_reference": "own caption dropped from the references",
    "drop_human": "people's captions among the candidates dropped from their image's references",
    "drop_candidates": "captions that are candidates dropped from all references",
    "drop_pair": "pairs with an own caption dropped",
    "kendall_a": "Kendall's tau_a",
    "kendall_b": "Kendall's tau_b",
    "kendall_c": "Kendall's tau_c",
    PEARSON: "Pearson's r",
    "spearman": "Spearman's rho",
    AREA: "area under the ROC curve",
    ALL_PAIRS: "pairwise accuracy with calibrated ties",
    IMAGE_PAIRS: "pairwise accuracy with calibrated ties within images",
    ACCURACY: "accuracy",
    "half": "ties one half",
    "random": "ties at random",
    "first": "ties to the first",
    "wrong": "ties wrong",
    BY_VOTES: "pairs weighted by votes",
    PAIRS: "all pairs at once",
    IMAGE: "documents counted once an image",
    PAIR: "documents counted once a pair",
}


@dataclass(frozen=True)
class Protocol:
    """How judgements and scores are compared: pairs, references, correlation, ties.

    `own` says what happens where the candidate is one of its references: it is kept, that
    reference is dropped, or the pair is. A reference may be dropped from other rows as well:
    `drop_human` takes a person's caption from all rows of its image, `drop_candidates` takes what
    is a candidate anywhere in the benchmark from all rows. `equality` says when two captions are
    one: equal toolkit tokens, or equal words once punctuation inside tokens parts words too.
    `parts` are the groups that are kept; `machine` keeps `machine/neural` as well.
    """

    name: str = "standard"
    raters: str = "flattened"
    own: str = "keep"
    references: Count | None = None  # how many at random for every candidate; None takes all
    seed: Seed = 0
    documents: str = IMAGE  # what CIDEr counts once, or frequencies that it takes: name or file
    statistic: str = "kendall_c"  # the one that a table shows first
    ties: str = "half"  # in accuracy: half each, at random over draws, to the first, or wrong
    joined: bool = False  # all references of a candidate joined into one
    remark: str = ""  # where it differs from the paper's
    equality: str = "tokens"
    parts: tuple[str, ...] = ()  # empty keeps all
    unseen: bool = False  # only captions that the paper's networks had not been validated on
    votes: Count | None = None  # which labels, where a benchmark has several; None takes its own
    weights: str = ALIKE  # of pairs in accuracy; or by how many more votes the better caption has
    average: str = GROUPS  # accuracy is the mean over groups, or that of all pairs at once

    def __post_init__(self) -> None:
        name = f"protocol {short_repr(self.name)}"
        for field, choices in CHOICES.items():
            check_choice(f"{name}: {field} cannot be", getattr(self, field), choices)
        check_fields(self, name)
        if not is_file(self.documents):
            check_choice(f"{name}: documents cannot be", self.documents, DOCUMENTS)

    def describe(self) -> str:
        """The protocol in one line for people."""
        accuracy = self.statistic == ACCURACY
        words = [
            _IN_WORDS[self.statistic],
            _IN_WORDS[self.ties if accuracy else self.raters],
            _IN_WORDS[self.own],
        ]
        if accuracy:
            chosen = (self.weights, self.average)
            words[2:2] = [_IN_WORDS[choice] for choice in chosen if choice in _IN_WORDS]
        if self.own != "keep" and self.equality != "tokens":
            words.append(f"equal {self.equality}")
        if self.references is None:
            words.append("all references")
        else:
            words.append(f"{_count(self.references, 'reference')} at random (seed {self.seed})")
        if self.joined:
            words.append("references joined into one")
        if self.parts:
            words.append(f"only {' and '.join(self.parts)}")
        if self.votes is not None:
            words.append(f"labels of {_count(self.votes, 'vote')}")
        if self.unseen:
            words.append("without captions that the paper validated on")
        frequencies = f"document frequencies of {self.documents}"
        words.append(_IN_WORDS.get(self.documents, frequencies))
        line = f"{self.name}: {', '.join(words)}"
        return f"{line} ({self.remark})" if self.remark else line

    def address(self) -> Address:
        """Its name and the choices that are not those of the standard, as signatures have it."""
        defaults = asdict(Protocol())
        chosen = {
            name: value
            for name, value in asdict(self).items()
            if value != defaults[name] and name not in ("name", "remark")
        }
        return Address.of(self.name, chosen)

    def to_dict(self) -> dict[str, Any]:
        """Every choice, as `--format json` prints it."""
        return {**asdict(self), "parts": list(self.parts)}

    @property
    def reading(self) -> dict[str, Any]:
        """The options that it passes to a benchmark's reader."""
        options: dict[str, Any] = {} if self.votes is None else {"votes": self.votes}
        return {**options, "mark_seen": True} if self.unseen else options

    @overload
    def apply(self, judgements: Ratings) -> Ratings: ...

    @overload
    def apply(self, judgements: Preferences) -> Preferences: ...

    @overload
    def apply(self, judgements: Judgements) -> Judgements: ...

    def apply(self, judgements: Judgements) -> Judgements:
        """The judgements that are left, each beside the references that it is scored against.

        A row's references depend on the seed and on that row alone, so rows in another order, or
        fewer of them, are scored against the same references.
        """
        equal: list[list[int]] = [[] for _ in judgements.references]
        if (whose := _DROPPED_CAPTIONS[self.own]) is not None:
            equal = equal_to_candidates(judgements, self.equality, whose)
        inside = self._rows_of_parts(judgements)
        kept, equal = judgements.take(inside), [equal[row] for row in inside]
        if self.own == "drop_pair":
            rows = [row for row, places in enumerate(equal) if not places]
            if not rows:
                raise InputError(
                    f"protocol {self.name!r}: no judgements are left: every candidate is one of "
                    "its references"
                )
            kept, equal = kept.take(np.array(rows)), [[]] * len(rows)
        references = draw_references(kept, equal, self.references, self.seed)
        if self.joined:
            references = join_references(references)
        return replace(kept, references=references)

    def _rows_of_parts(self, judgements: Judgements) -> IntArray:
        """The rows of the parts that are kept."""
        there = sorted(set(judgements.groups))
        for part in self.parts:
            if not any(is_part(group, part) for group in there):
                raise InputError(
                    f"protocol {self.name!r}: no part {short_repr(part)}; "
                    f"the parts are: {', '.join(there)}"
                )
        kept = {
            group
            for group in there
            if (not self.parts or any(is_part(group, part) for part in self.parts))
            and not (self.unseen and group.endswith(SEEN))
        }
        return np.flatnonzero([group in kept for group in judgements.groups])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
