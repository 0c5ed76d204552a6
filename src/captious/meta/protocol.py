"""Protocol: how judgements and scores are compared, as data that is printed beside every number."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, overload

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_choice, check_fields
from captious._internal.checks.bounds import Count, Seed
from captious.errors import InputError, short_repr
from captious.io.inputs import is_file
from captious.meta.judgements import SEEN, Judgements, Preferences, Ratings, is_part
from captious.meta.references import (
    EQUALITIES,
    OF_ANY_ROW,
    OF_ITS_IMAGE,
    OF_ITS_ROW,
    ReferenceChoice,
    choose_references,
    equal_to_candidates,
    join_references,
)
from captious.signature import Address
from captious.stats.correlation import AREA, PEARSON, STATISTICS

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
TIES = ("half", "random", "first", "second", "wrong")
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
    "second": "ties to the second",
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
    one: equal toolkit tokens, or equal words once punctuation inside tokens parts words too. The
    number of `references` is of those that are left.
    `parts` are the groups that are kept; `machine` keeps `machine/neural` as well.
    """

    name: str = "standard"
    raters: str = "flattened"
    own: str = "keep"
    references: int | str | None = None  # 5 at random, or `first:5`; None takes all
    seed: Seed = 0
    documents: str = IMAGE  # what CIDEr counts once, or frequencies that it takes: name or file
    statistic: str = "kendall_c"  # the one that a table shows first
    ties: str = "half"  # in accuracy: half each, at random over draws, to one side, or wrong
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
        if self.references is not None:
            choice = ReferenceChoice.parse(self.references, f"{name}: references")
            object.__setattr__(self, "references", choice.value)
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
        choice = self._reference_choice
        words.append("all references" if choice is None else choice.describe(self.seed))
        if self.joined:
            words.append("references joined into one")
        if self.parts:
            words.append(f"only {' and '.join(self.parts)}")
        if self.votes is not None:
            words.append(f"labels of {self.votes} vote{'' if self.votes == 1 else 's'}")
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
    def _reference_choice(self) -> ReferenceChoice | None:
        """Which references each candidate has; None for all."""
        return None if self.references is None else ReferenceChoice.parse(self.references)

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
        references = choose_references(kept, equal, self._reference_choice, self.seed)
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
