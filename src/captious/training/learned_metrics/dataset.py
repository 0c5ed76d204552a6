"""The training set: human and machine captions, each with human references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray
from captious.errors import InputError, short_repr
from captious.meta.judgements import Preferences
from captious.training.learned_metrics.negatives import (
    HUMAN,
    MACHINE,
    MACHINE_KINDS,
    MachineCaptions,
    Machines,
    NegativeSampler,
    check_mixture,
)
from captious.training.learned_metrics.overlap import Overlap, text_key

TOO_FEW_CAPTIONS = "images with too few captions"
HumanCaptions = Mapping[Any, Sequence[str]]  # captions by image
Item = TypeVar("Item")
IMAGES_PER_HELD_OUT = 10  # one image in so many is held out,
MAX_HELD_OUT = 1000  # but no more than so many,
MIN_IMAGES = 20  # and of fewer than so many none can be


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Candidates with references, whether a person wrote each for the image, and counts.

    `sources` says where a candidate comes from: `human`, a machine's name, or a transformation.
    """

    images: list[Hashable]
    candidates: list[str]
    references: list[list[str]]
    sources: list[str]
    counts: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def is_human(self) -> npt.NDArray[np.bool_]:
        """The label of each candidate."""
        return np.array([source == HUMAN for source in self.sources])

    def as_preferences(self) -> Preferences:
        """Pair each image's human captions, as preferred, with its negatives.

        Both have the human caption's references. A negative that equals one of them, or the human
        caption, is left out.
        """
        rows = np.arange(len(self))
        human, negatives = rows[self.is_human].tolist(), rows[~self.is_human].tolist()
        # Each image has as many of both, in one order of images.
        pairs = [
            (row, other)
            for row, other in zip(human, negatives, strict=True)
            if text_key(self.candidates[other])
            not in map(text_key, (self.candidates[row], *self.references[row]))
        ]
        return Preferences(
            [(self.candidates[row], self.candidates[other]) for row, other in pairs],
            [self.references[row] for row, _ in pairs],
            [self.images[row] for row, _ in pairs],
            np.zeros(len(pairs), np.int64),
            [self.sources[other] for _, other in pairs],
        )


def build_training_set(
    human: HumanCaptions,
    machines: Machines,
    mixture: Mapping[str, float],
    *,
    per_image: int = 3,
    references: int = 4,
    overlap: Overlap | None = None,
    strength: int = 100,
    images: int | None = None,
    seed: int = 0,
) -> TrainingSet:
    """Pair candidates with references, as many of people as not, image by image.

    Every image gives up to `per_image` human candidates, each against `references` of the image's
    other captions, and as many negatives against as many of its captions, drawn at random. A
    negative is a machine's caption of the image or, by the shares in `mixture`, a machine's of
    another (`machine_other`) or of a similar image (`machine_similar`), or a human caption made
    worse (the pathological transformations, of the given strength in per cent). A reference never
    equals its candidate. `images` draws so many of the images that can be used.
    """
    shares = check_mixture(mixture)
    by_machines = any(kind in shares for kind in MACHINE_KINDS)
    _check_arguments(human, machines, per_image, references, by_machines)
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter({"images given": len(human)})
    usable = _usable_images(
        human, machines, references, overlap or Overlap(), MACHINE in shares, counts
    )
    not_judged = {image: human[image] for image in usable}
    if images is not None:
        usable = _draw_items(usable, images, rng)
    if not usable:
        raise InputError(
            "no images are left to train on: "
            + ", ".join(f"{number:,} {what}" for what, number in counts.items())
            + f" (each needs {references} references and one caption more)"
            * bool(counts[TOO_FEW_CAPTIONS])
        )
    machine_captions = MachineCaptions(machines, not_judged, usable, list(shares), rng)
    chosen = {image: human[image] for image in usable}
    sampler = NegativeSampler(chosen, machine_captions, shares, strength, rng)
    rows: list[tuple[Hashable, str, list[str], str]] = []
    used: set[Hashable] = set()
    for image in usable:
        captions = list(human[image])
        negatives = sampler.negatives(image, per_image)
        positives = [(HUMAN, text) for text in _draw_items(captions, per_image, rng)]
        rows_by_label = [
            [
                (image, text, reference_captions, source)
                for source, text in part
                if (reference_captions := _draw_references(text, captions, references, rng))
            ]
            for part in (positives, negatives)
        ]
        balanced = min(map(len, rows_by_label))
        counts["candidates left out"] += sum(map(len, rows_by_label)) - 2 * balanced
        rows += [row for part in rows_by_label for row in part[:balanced]]
        if balanced:
            used.add(image)
    if not rows:
        raise InputError("no candidates are left: none has enough references that differ from it")
    counts["images used"] = len(used)
    for _, _, _, source in rows:
        counts[source] += 1
    return TrainingSet(
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
        dict(counts),
    )


def hold_out_images(
    human: HumanCaptions, machines: Machines, references: int, seed: int
) -> tuple[HumanCaptions, HumanCaptions]:
    """Split human captions by image: those to train on, and one image in ten to validate on.

    Of images that a machine has captions of, and of all others, the same share is held out.
    """
    captioned: set[Hashable] = set().union(*machines.values())
    usable = [image for image, captions in human.items() if len(captions) > references]
    order = _draw_items(usable, len(usable), np.random.default_rng(seed))
    parts = (
        [image for image in order if image in captioned],
        [image for image in order if image not in captioned],
    )
    share = min(1 / IMAGES_PER_HELD_OUT, MAX_HELD_OUT / max(len(order), 1))
    held_out = {image for part in parts for image in part[: max(round(len(part) * share), 2)]}
    if len(order) < MIN_IMAGES:
        raise InputError(
            f"{len(order):,} of {len(human):,} images have {references + 1} captions or more, one "
            f"to score beside {references} references; to hold some out for validation takes "
            f"{MIN_IMAGES}: give more images, ask for fewer references, or give human judgements"
        )
    return (
        {image: captions for image, captions in human.items() if image not in held_out},
        {image: captions for image, captions in human.items() if image in held_out},
    )


def _usable_images(
    human: HumanCaptions,
    machines: Machines,
    references: int,
    overlap: Overlap,
    by_machines: bool,
    counts: Counter[str],
) -> list[Hashable]:
    """The images not judged, with enough captions and, if needed, machine captions."""
    usable: list[Hashable] = []
    for image, captions in human.items():
        if overlap.has_image(image):
            counts["judged images"] += 1
        elif overlap.has_text(captions):
            counts["images with a judged caption"] += 1
        elif len(captions) <= references:
            counts[TOO_FEW_CAPTIONS] += 1
        elif by_machines and not any(image in captions_of for captions_of in machines.values()):
            counts["images without a machine's caption"] += 1
        else:
            usable.append(image)
    return usable


def _draw_items(items: Sequence[Item], number: int, rng: np.random.Generator) -> list[Item]:
    """Draw a number of items, or all in random order if there are fewer."""
    order: IntArray = rng.permutation(len(items))[:number]
    return [items[place] for place in order]


def _draw_references(
    candidate: str, captions: list[str], number: int, rng: np.random.Generator
) -> list[str]:
    """Draw references that differ from the candidate; none if there are too few."""
    key = text_key(candidate)
    others = [caption for caption in captions if text_key(caption) != key]
    return _draw_items(others, number, rng) if len(others) >= number else []


def _check_arguments(
    human: HumanCaptions, machines: Machines, per_image: int, references: int, by_machines: bool
) -> None:
    for name, number in (("candidates an image", per_image), ("references", references)):
        if not isinstance(number, int) or number < 1:
            raise InputError(f"{name}: a whole number from 1 on, not {short_repr(number)}")
    if not human:
        raise InputError("no human captions to train on")
    if by_machines and not machines:
        raise InputError("no machine captions: give one file or more, or a mixture without them")
