"""Overlap: images to exclude from training because metrics are tested on them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from captious.errors import InputError
from captious.meta.judgements import Judgements, Unnamed, judged_texts
from captious.meta.task import Task, read_task

BENCHMARKS = ("flickr8k-expert", "flickr8k-cf", "composite", "pascal-50s")

_WORD = re.compile(r"[^\W_]+")
_COCO = re.compile(r"coco_[a-z]+\d*_0*(\d+)")
_FLICKR = re.compile(r"(\d{5,})_[0-9a-f]{10}")


def image_key(image: Hashable) -> str:
    """Return an image's id without folder, extension and data-set prefix.

    COCO's names end in the number; Flickr8k's begin with the number that Flickr30k has alone.
    """
    name = re.sub(r"\.(jpe?g|png)$", "", str(image).lower().rpartition("/")[2])
    for pattern in (_COCO, _FLICKR):
        if number := pattern.fullmatch(name):
            return number[1]
    return name


def text_key(caption: str) -> str:
    """Return a caption's letters and digits, by which equal captions are recognized."""
    return " ".join(_WORD.findall(caption.lower()))


@dataclass(frozen=True, eq=False)
class Overlap:
    """Judged images and captions, which training excludes."""

    images: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()

    @classmethod
    def with_judgements(cls, judgement_sets: Iterable[Judgements]) -> Overlap:
        """Collect every judged image, and every caption that is judged or a reference."""
        images: set[str] = set()
        texts: set[str] = set()
        for judgements in judgement_sets:
            captions, _ = judged_texts(judgements)
            # References recur with every candidate of an image.
            references = set(chain.from_iterable(judgements.references))
            named = {image for image in judgements.images if not isinstance(image, Unnamed)}
            images.update(map(image_key, named))
            texts.update(map(text_key, references.union(captions)))
        return cls(frozenset(images), frozenset(texts - {""}))

    def has_image(self, image: Hashable) -> bool:
        """Whether this image is judged."""
        return image_key(image) in self.images

    def has_text(self, captions: Iterable[str]) -> bool:
        """Whether one of these captions is judged, or a reference of one that is."""
        return any(text_key(caption) in self.texts for caption in captions)


def read_benchmarks(folder: str | Path, names: Sequence[str] = BENCHMARKS) -> dict[str, Task]:
    """Read the benchmarks whose files exist, by name; training does not need all of them."""
    tasks: dict[str, Task] = {}
    for name in names:
        with suppress(InputError):
            tasks[name] = read_task(name, data=folder)
    return tasks
