"""Corpus: many samples held as columns, checked when it is made."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.checks.arguments import ITERABLE, check_arguments
from captious._internal.checks.array_arguments import as_integers, check_flat
from captious.errors import InputError, short_repr

Captions = Iterable[str] | Mapping[Any, str]
# A single text in place of a list of references is the only reference.
ReferenceSets = Iterable[Iterable[str] | str] | Mapping[Any, Iterable[str] | str]


@dataclass(frozen=True)
class ReferenceColumns:
    """The references of many images: all captions in one list, and where each image's begin."""

    ids: list[Hashable]
    captions: list[str]
    offsets: IntArray
    images: list[str] | None = None  # the images' names, where they are not the ids
    documents: list[Hashable] | None = None  # of each image's references, where several share one

    @property
    def image_names(self) -> list[str] | None:
        """The name of each image; None for lists without ids, which have only their order."""
        if self.images is not None:
            return self.images
        return None if self.ids == list(range(len(self.ids))) else list(map(str, self.ids))

    @classmethod
    def of(cls, references: ReferenceSets, called: str = "reference") -> ReferenceColumns:
        """Build from a list with one entry an image, or a dict from id to captions.

        `called` is what errors call a caption, where it is no reference.
        """
        if not isinstance(references, Mapping):
            references = dict(enumerate(as_list(references, f"{called}s")))
        ids = list(references)
        ids_as_text(ids)
        sets = [_caption_list(image, captions, called) for image, captions in references.items()]
        return cls.from_sets(ids, sets)

    @classmethod
    def from_sets(
        cls, ids: list[Hashable], sets: Sequence[Sequence[str]], images: list[str] | None = None
    ) -> ReferenceColumns:
        """Build from sets of captions that were checked already, in the order of the ids."""
        lengths = np.fromiter(map(len, sets), np.int64, len(sets))
        return cls(ids, list(chain.from_iterable(sets)), offsets_of(lengths), images)

    def sets(self) -> list[list[str]]:
        """The references of each image, in the order of the ids."""
        ends = self.offsets.tolist()
        return [self.captions[start:end] for start, end in pairwise(ends)]

    @property
    def are_complete(self) -> bool:
        """Whether every image has references."""
        return bool(np.all(np.diff(self.offsets) > 0))

    def take(self, rows: Sequence[int] | IntArray) -> ReferenceColumns:
        """The images at these rows, in this order, with their ids, captions and names."""
        chosen = np.asarray(rows, dtype=np.int64)
        if len(np.unique(chosen)) < len(chosen):
            raise InputError("a row is taken twice; every image has its own id")
        flat = Ragged(np.arange(len(self.captions)), self.offsets).take(chosen)
        return ReferenceColumns(
            [self.ids[row] for row in chosen],
            [self.captions[place] for place in flat.values],
            flat.offsets,
            None if self.images is None else [self.images[row] for row in chosen],
            None if self.documents is None else [self.documents[row] for row in chosen],
        )

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Corpus:
    """Candidates and their references, in the candidates' order.

    `unused_references` is the number of images that had references and no candidate. Where images
    have several candidates, `repeated` has the number of each candidate's image among the
    references'; without it, candidates and images have the same numbers. `groups` has, by name,
    columns of the user with the group of each candidate.
    """

    candidates: Sequence[str]
    references: ReferenceColumns
    unused_references: int = 0
    repeated: IntArray | None = None
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    @check_arguments
    def of(cls, candidates: Captions, references: ReferenceSets) -> Corpus:
        """Build from two lists in the same order, or two dicts by id."""
        if isinstance(candidates, Mapping) != isinstance(references, Mapping):
            raise InputError("candidates and references must both be lists, or both dicts by id")
        if isinstance(candidates, Mapping) and isinstance(references, Mapping):
            ids = list(candidates)
            absent = [image for image in ids if image not in references]
            if absent:
                raise InputError(
                    f"id {short_repr(absent[0])}: has a candidate but no references"
                    f"{_and_others(len(absent))}; add references or drop the candidate"
                )
            used = {image: references[image] for image in ids}
            captions = list(candidates.values())
            unused = len(references) - len(ids)
        else:
            captions = as_list(candidates, "candidates")
            sets = as_list(references, "references")
            if len(captions) != len(sets):
                raise InputError(
                    f"{len(captions)} candidates but {len(sets)} sets of references; "
                    "give one set for each candidate, in the same order"
                )
            _check_order_of_labels(candidates, references)
            ids, unused = list(range(len(captions))), 0
            used = dict(zip(ids, sets, strict=True))
        if not ids:
            raise InputError("no samples: there is nothing to score")
        for image, caption in zip(ids, captions, strict=True):
            check_caption(image, caption)
        return cls(captions, ReferenceColumns.of(used), unused)

    @classmethod
    def of_candidates(cls, candidates: Captions) -> Corpus:
        """Build from candidates without references, for metrics that need none."""
        if isinstance(candidates, Mapping):
            ids, captions = list(candidates), list(candidates.values())
        else:
            captions = as_list(candidates, "candidates")
            ids = list(range(len(captions)))
        if not ids:
            raise InputError("no samples: there is nothing to score")
        ids_as_text(ids)
        for image, caption in zip(ids, captions, strict=True):
            check_caption(image, caption)
        return cls(captions, ReferenceColumns.from_sets(ids, [[] for _ in ids]))

    @check_arguments
    def take(self, rows: Sequence[int] | IntArray) -> Corpus:
        """The samples at these rows, in this order."""
        chosen = self._row_numbers(rows)
        candidates = [self.candidates[row] for row in chosen]
        groups = {name: [each[row] for row in chosen] for name, each in self.groups.items()}
        if self.repeated is None:
            references = self.references.take(chosen)
            return replace(self, candidates=candidates, references=references, groups=groups)
        images = self.repeated[chosen].tolist()
        kept = dict.fromkeys(images)
        numbers = dict(zip(kept, range(len(kept)), strict=True))
        return replace(
            self,
            candidates=candidates,
            references=self.references.take(list(kept)),
            repeated=np.array([numbers[image] for image in images]),
            groups=groups,
        )

    @property
    def images(self) -> IntArray:
        """The number of each candidate's image among the references'."""
        return np.arange(len(self)) if self.repeated is None else self.repeated

    def reference_sets(self) -> list[list[str]]:
        """The references of each candidate's image; candidates of one image share their list."""
        sets = self.references.sets()
        return [sets[image] for image in self.images.tolist()]

    def without_references(self) -> Corpus:
        """The candidates without references, for metrics that need none."""
        columns = self.references
        none: list[list[str]] = [[] for _ in columns.ids]
        return replace(
            self, references=ReferenceColumns.from_sets(columns.ids, none, columns.images)
        )

    def _row_numbers(self, rows: Sequence[int] | IntArray) -> list[int]:
        """Return row numbers from 0 on; negative ones count from the end."""
        chosen = check_flat(as_integers(rows, "rows"), "rows")
        if not len(chosen):
            raise InputError("no samples are left: there is nothing to score")
        count = len(self)
        if chosen.min() < -count or chosen.max() >= count:
            raise InputError(f"rows are numbered from 0 to {count - 1}, not {short_repr(rows)}")
        row_numbers: list[int] = (chosen % count).tolist()
        return row_numbers

    @check_arguments
    def without_images(self, names: Iterable[Hashable]) -> Corpus:
        """The samples of other images than these, known by their names, or by their ids."""
        images = self.references.image_names
        if images is None:
            raise InputError("images of lists have no names; take the rows that are to be scored")
        left_out = set(map(id_as_text, names))
        kept = [row for row, image in enumerate(self.images) if images[image] not in left_out]
        return self.take(kept)

    def __len__(self) -> int:
        return len(self.candidates)


def check_same_images(systems: Mapping[str, Corpus]) -> None:
    """Raise an error unless all systems describe the same images with the same references."""
    first, *others = systems
    for name in others:
        _check_same_references(systems, first, name)


def _check_same_references(systems: Mapping[str, Corpus], a: str, b: str) -> None:
    ours, theirs = (
        dict(zip(map(str, columns.ids), columns.sets(), strict=True))
        for columns in (systems[a].references, systems[b].references)
    )
    different = next(
        (image for image in [*ours, *theirs] if ours.get(image) != theirs.get(image)), None
    )
    if different is None:
        return
    if different in ours and different in theirs:
        raise InputError(
            f"id {short_repr(different)}: {a} and {b} have different references; give both the same"
        )
    with_candidate, without = (a, b) if different in ours else (b, a)
    raise InputError(
        f"id {short_repr(different)}: {with_candidate} has a candidate and {without} has none; "
        f"systems are compared over the same ids ({len(ours)} and {len(theirs)})"
    )


def check_caption(image: Hashable, caption: object) -> None:
    """Raise an error for a candidate that is not text."""
    if not isinstance(caption, str):
        raise InputError(
            f"id {short_repr(image)}: the candidate must be a string, not {type(caption).__name__}"
        )


def as_list(values: Any, what: str) -> list[Any]:
    """Return a list, tuple, array or column of a data frame as a list."""
    if isinstance(values, Mapping) or not ITERABLE.allows(values):
        raise InputError(f"{what} must be a list or a dict, not {type(values).__name__}")
    if isinstance(values, set | frozenset):
        raise InputError(f"{what} have no order in a {type(values).__name__}; give a list")
    return list(values)


def _check_order_of_labels(candidates: Any, references: Any) -> None:
    """Raise an error for columns of data frames with the same labels in different orders."""
    labels: list[Any] = [getattr(each, "index", None) for each in (candidates, references)]
    if any(not hasattr(each, "equals") for each in labels) or labels[0].equals(labels[1]):
        return
    if len(labels[0].symmetric_difference(labels[1])) == 0:
        raise InputError(
            "candidates and references have the same labels in different orders; bring one into "
            "the other's order (references.loc[candidates.index]), or give lists"
        )


def id_as_text(image: Hashable) -> str:
    """Return an id as text, by which files and images are found."""
    try:
        return str(image)
    except Exception as error:  # a number of thousands of digits, or an object of the user's own
        raise InputError(
            f"id {short_repr(image)}: cannot be written as text ({error}); give texts or "
            "whole numbers"
        ) from None


def ids_as_text(ids: Iterable[Hashable]) -> dict[Hashable, str]:
    """Return each different id as text; an error if two have the same text."""
    texts = {image: id_as_text(image) for image in ids}
    if len(set(texts.values())) < len(texts):
        raise InputError("two ids look alike as text, such as 1 and '1'; give each its own")
    return texts


def _caption_list(image: Hashable, captions: Any, called: str) -> list[str]:
    if isinstance(captions, str):
        return [captions]
    if isinstance(captions, bytes | Mapping) or not isinstance(captions, Iterable):
        raise InputError(
            f"id {short_repr(image)}: {called}s must be a list of strings, not "
            f"{type(captions).__name__}"
        )
    listed = list(captions)
    if not listed:
        raise InputError(f"id {short_repr(image)}: no {called}s; give at least one")
    for caption in listed:
        if not isinstance(caption, str):
            raise InputError(
                f"id {short_repr(image)}: a {called} must be a string, not {type(caption).__name__}"
            )
    return listed


def _and_others(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""
