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
# One text where a list of references is meant is a reference alone.
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
        """By what each image is found; lists without ids have nothing but their order."""
        if self.images is not None:
            return self.images
        return None if self.ids == list(range(len(self.ids))) else list(map(str, self.ids))

    @classmethod
    def of(cls, references: ReferenceSets, called: str = "reference") -> ReferenceColumns:
        """From a list with one entry an image, or a dict from id to captions.

        `called` is what errors call a caption, where it is no reference.
        """
        if not isinstance(references, Mapping):
            references = dict(enumerate(as_list(references, f"{called}s")))
        ids = list(references)
        texts_of_ids(ids)
        sets = [_caption_list(image, captions, called) for image, captions in references.items()]
        return cls.joined(ids, sets)

    @classmethod
    def joined(
        cls, ids: list[Hashable], sets: Sequence[Sequence[str]], images: list[str] | None = None
    ) -> ReferenceColumns:
        """From sets of captions that were checked already, in the order of the ids."""
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
        """From two lists in the same order, or two dicts by id."""
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
        """Candidates without references, for metrics that need none."""
        if isinstance(candidates, Mapping):
            ids, captions = list(candidates), list(candidates.values())
        else:
            captions = as_list(candidates, "candidates")
            ids = list(range(len(captions)))
        if not ids:
            raise InputError("no samples: there is nothing to score")
        texts_of_ids(ids)
        for image, caption in zip(ids, captions, strict=True):
            check_caption(image, caption)
        return cls(captions, ReferenceColumns.joined(ids, [[] for _ in ids]))

    @check_arguments
    def take(self, rows: Sequence[int] | IntArray) -> Corpus:
        """The samples at these rows, in this order."""
        chosen = self._rows(rows)
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
        return replace(self, references=ReferenceColumns.joined(columns.ids, none, columns.images))

    def _rows(self, rows: Sequence[int] | IntArray) -> list[int]:
        """Places of samples from 0 on, whether they were counted from the start or the end."""
        chosen = check_flat(as_integers(rows, "rows"), "rows")
        if not len(chosen):
            raise InputError("no samples are left: there is nothing to score")
        count = len(self)
        if chosen.min() < -count or chosen.max() >= count:
            raise InputError(f"rows are numbered from 0 to {count - 1}, not {short_repr(rows)}")
        places: list[int] = (chosen % count).tolist()
        return places

    @check_arguments
    def without_images(self, names: Iterable[Hashable]) -> Corpus:
        """The samples whose images have other names than these (or other ids, without names)."""
        images = self.references.image_names
        if images is None:
            raise InputError("images of lists have no names; take the rows that are to be scored")
        left_out = set(map(id_text, names))
        kept = [row for row, image in enumerate(self.images) if images[image] not in left_out]
        return self.take(kept)

    def __len__(self) -> int:
        return len(self.candidates)


def check_same_images(systems: Mapping[str, Corpus]) -> None:
    """Stop where systems do not all describe the same images, beside the same references."""
    first, *others = systems
    for name in others:
        _check_same_references(systems, first, name)


def _check_same_references(systems: Mapping[str, Corpus], a: str, b: str) -> None:
    ours, theirs = (
        dict(zip(map(str, columns.ids), columns.sets(), strict=True))
        for columns in (systems[a].references, systems[b].references)
    )
    odd = next((image for image in [*ours, *theirs] if ours.get(image) != theirs.get(image)), None)
    if odd is None:
        return
    if odd in ours and odd in theirs:
        raise InputError(
            f"id {short_repr(odd)}: {a} and {b} have different references; give both the same"
        )
    one, other = (a, b) if odd in ours else (b, a)
    raise InputError(
        f"id {short_repr(odd)}: {one} has a candidate and {other} has none; systems are "
        "compared over "
        f"the same ids ({len(ours)} and {len(theirs)})"
    )


def check_caption(image: Hashable, caption: object) -> None:
    """Stop at a candidate that is not text."""
    if not isinstance(caption, str):
        raise InputError(
            f"id {short_repr(image)}: the candidate must be a string, not {type(caption).__name__}"
        )


def as_list(values: Any, what: str) -> list[Any]:
    """A list from a list, a tuple, an array or a column of a data frame."""
    if isinstance(values, Mapping) or not ITERABLE.allows(values):
        raise InputError(f"{what} must be a list or a dict, not {type(values).__name__}")
    if isinstance(values, set | frozenset):
        raise InputError(f"{what} have no order in a {type(values).__name__}; give a list")
    return list(values)


def _check_order_of_labels(candidates: Any, references: Any) -> None:
    """Stop at two columns of a data frame with the same labels in different orders."""
    labels: list[Any] = [getattr(each, "index", None) for each in (candidates, references)]
    if any(not hasattr(each, "equals") for each in labels) or labels[0].equals(labels[1]):
        return
    if len(labels[0].symmetric_difference(labels[1])) == 0:
        raise InputError(
            "candidates and references have the same labels in different orders; bring one into "
            "the other's order (references.loc[candidates.index]), or give lists"
        )


def id_text(image: Hashable) -> str:
    """An id as text, by which files and images are found."""
    try:
        return str(image)
    except Exception as error:  # a number of thousands of digits, or an object of the user's own
        raise InputError(
            f"id {short_repr(image)}: cannot be written as text ({error}); give texts or "
            "whole numbers"
        ) from None


def texts_of_ids(ids: Iterable[Hashable]) -> dict[Hashable, str]:
    """Each different id as text; two that look alike there would be taken for one."""
    texts = {image: id_text(image) for image in ids}
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
