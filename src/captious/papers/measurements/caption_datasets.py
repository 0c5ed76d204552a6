"""Caption data sets for critics: images in three splits, people's and machines' captions.

Flickr8k has vectors of its images, so that critics can see them, and machines are captioners that
the user trained. COCO has none here: its critics read references, and machines are the nine systems
whose captions of its validation images were published.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import ClassVar

import numpy as np

from captious._internal.arrays.ragged import offsets_of
from captious.captioners.captioner import load_captioner
from captious.errors import InputError, short_repr
from captious.images.vectors import ImageVectors
from captious.io.captions import read_candidates, read_references
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.io.training_captions import read_image_captions
from captious.io.where_image2 import read_systems
from captious.meta.robustness.captioned_images import CaptionedImages, read_flickr8k
from captious.metrics.leic.recipe import CAPTIONER_NEGATIVES, MACHINE, SAMPLED
from captious.papers.declaration import COCO, CROP, FLICKR8K, WHOLE
from captious.papers.measurements import sources
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import hash_file, hash_parts
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors, centroids
from captious.training.critics.machine_captions import BEAM, TEMPERATURE, WRITERS, captioner_files
from captious.version import __version__

TRAIN, DEV, TEST = "train", "dev", "test"
QUICK_IMAGES = {TRAIN: 60, DEV: 30, TEST: 40}
QUICK_SYSTEMS = 2
WITHOUT_CAPTIONERS = (
    "this needs captions that machines wrote: train captioners on Flickr8k with `captious "
    "captioner train`, and name their folder with --captioners DIR"
)

ByImage = dict[str, list[str]]


@dataclass(frozen=True, eq=False)
class JudgedSystems:
    """Systems that two folds judge, by name and image, people's captions, and the images."""

    systems: dict[str, dict[str, str]]
    people: ByImage
    images: ImageVectors | None


@dataclass(frozen=True, eq=False)
class CaptionDataset(ABC):
    """Captioned images in three splits; a quick run uses the first few of each."""

    experiment: Experiment
    _people: dict[str, ByImage] = field(default_factory=dict, init=False, repr=False)
    _vectors: dict[str, ImageVectors] = field(default_factory=dict, init=False, repr=False)

    name: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]  # of machines' captions that there are

    @abstractmethod
    def has_view(self, view: str) -> bool:
        """Whether the data have vectors of a view."""

    @abstractmethod
    def image_vectors(self, view: str = CROP) -> ImageVectors | None:
        """Return one view's vectors of all images, or None where the data set has none."""

    @abstractmethod
    def machine_captions(self, split: str, kind: str) -> dict[str, list[str]]:
        """Return each machine's captions of a split's images, of one kind, in their order."""

    @abstractmethod
    def judged_systems(self) -> JudgedSystems:
        """Return the systems that critics judge in two folds."""

    @abstractmethod
    def robustness_images(self) -> CaptionedImages:
        """Return the test images for robustness tests."""

    @abstractmethod
    def _split(self, split: str) -> ByImage:
        """Read people's captions of each image of a split."""

    def people(self, split: str) -> ByImage:
        """People's captions of each image of a split."""
        if split not in self._people:
            captions = self._split(split)
            number = QUICK_IMAGES[split] if self.experiment.quick else len(captions)
            self._people[split] = dict(list(captions.items())[:number])
        return self._people[split]

    def machines(self, split: str, kind: str) -> ByImage:
        """Return all machines' captions of each image of a split."""
        columns = zip(*self.machine_captions(split, kind).values(), strict=True)
        return dict(zip(self.people(split), map(list, columns), strict=True))


class Flickr8k(CaptionDataset):
    """Flickr8k in its own splits, with image vectors and the user's captioners."""

    name, kinds = FLICKR8K, CAPTIONER_NEGATIVES
    captions = "Flickr8k.token.txt"
    views: ClassVar[dict[str, str]] = {
        CROP: "efficientnet_lite2.npz",
        WHOLE: "efficientnet_lite2_whole.npz",
    }
    place = "flickr8k"  # under the data's folder
    systems = "where_image2/flickr8k.json.gz"  # twelve runs of Tanti et al.

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return self.experiment.data / self.place

    def has_view(self, view: str) -> bool:
        """Whether the data have vectors of a view."""
        return (self.folder / self.views[view]).is_file()

    def image_vectors(self, view: str = CROP) -> ImageVectors:
        """Return one view's vectors of all images."""
        if view not in self._vectors:
            self._vectors[view] = ImageVectors.load(self.folder / self.views[view])
        return self._vectors[view]

    @cached_property
    def captioners(self) -> dict[str, Path]:
        """The file of each captioner by name; without any, an error says where to get them."""
        if self.experiment.captioners is None:
            raise InputError(WITHOUT_CAPTIONERS)
        return captioner_files(self.experiment.captioners)

    def images(self, split: str) -> ImageVectors:
        """The vectors of a split's images, in the order of `people`, which captioners see."""
        return self.image_vectors().take(list(self.people(split)))

    def machine_captions(self, split: str, kind: str) -> dict[str, list[str]]:
        """Return captioners' captions of a split, generated once and stored."""
        captioners, images = self.captioners, self.images(split)
        by_captioner = {}
        for place, (name, path) in enumerate(captioners.items()):
            chance = [TEMPERATURE, place] if kind == SAMPLED else [BEAM]
            key_parts = (hash_file(path), kind, chance, images.fingerprint, __version__)
            key = f"captions-{hash_parts(*key_parts)}"
            if "captions" not in self.experiment.store.get(key):
                self.experiment.report(
                    f"{name} writes {kind} captions of {len(images.names)} images"
                )
                texts = WRITERS[kind](load_captioner(path), images, place, None)
                self.experiment.store.add(key, {"captions": np.array(texts, dtype=np.str_)})
            by_captioner[name] = [str(text) for text in self.experiment.store.get(key)["captions"]]
        return by_captioner

    def judged_systems(self) -> JudgedSystems:
        """The systems of Tanti et al. on the test images."""
        people = self.people(TEST)
        captions_by_system = read_systems(self.experiment.data / self.systems)
        system_names = list(captions_by_system)[: QUICK_SYSTEMS if self.experiment.quick else None]
        systems = {
            system: system_captions(system, captions_by_system[system], list(people))
            for system in system_names
        }
        return JudgedSystems(systems, people, self.images(TEST))

    def robustness_images(self) -> CaptionedImages:
        """Return all test images; similar images are those with similar image vectors."""
        return read_flickr8k(self.folder, QUICK_IMAGES[TEST] if self.experiment.quick else None)

    def _split(self, split: str) -> ByImage:
        names = self.folder / f"Flickr_8k.{split}Images.txt"
        return read_image_captions(self.folder / self.captions, names)


class Coco(CaptionDataset):
    """Images of val2014 without vectors, and nine systems; tests are on Karpathy's test images.

    Of the other images, in the order of the captions' file, the first are the dev images and all
    that follow the training images; once more from the first on, those that two folds judge.
    """

    name, kinds = COCO, (MACHINE,)
    test_ids = "coco/karpathy_test_ids.json"
    dev_images: ClassVar[int] = 1_000
    judged_images: ClassVar[int] = 6_000
    robustness_image_count: ClassVar[int] = 1_000

    def has_view(self, view: str) -> bool:
        """Whether the data have vectors of a view: they have none."""
        return False

    def image_vectors(self, view: str = CROP) -> None:
        """There are none."""

    @cached_property
    def _all(self) -> ByImage:
        return read_references(self.experiment.data / sources.PEOPLE[sources.COCO])

    @cached_property
    def _test_ids(self) -> frozenset[str]:
        path = self.experiment.data / self.test_ids
        ids = decode_json(read_text(path), str(path))
        if not isinstance(ids, list):
            raise InputError(f"{path}: a list of images' numbers is needed")
        return frozenset(map(str, ids))

    @cached_property
    def _systems(self) -> dict[str, dict[str, str]]:
        files = list(self.experiment.sources.systems.items())
        system_names = files[: QUICK_SYSTEMS if self.experiment.quick else None]
        return {name: read_candidates(path).captions for name, path in system_names}

    def machine_captions(self, split: str, kind: str) -> dict[str, list[str]]:
        """Return the systems' captions of a split."""
        names = list(self.people(split))
        return {
            system: list(system_captions(system, captions, names).values())
            for system, captions in self._systems.items()
        }

    def judged_systems(self) -> JudgedSystems:
        """The nine systems on images outside Karpathy's test split."""
        number = QUICK_IMAGES[TEST] if self.experiment.quick else self.judged_images
        names = self._training_candidates[:number]
        systems = {
            system: system_captions(system, captions, names)
            for system, captions in self._systems.items()
        }
        return JudgedSystems(systems, {name: self._all[name] for name in names}, None)

    def robustness_images(self) -> CaptionedImages:
        """Return the first test images; similar images are those with similar caption vectors."""
        people = dict(list(self.people(TEST).items())[: self.robustness_image_count])
        captions = list(chain.from_iterable(people.values()))
        unique, rows = unique_rows(captions)
        vectors = caption_vectors(Analysis(unique), CaptionSpace.load(), rows)
        offsets = offsets_of(np.fromiter(map(len, people.values()), np.int64, len(people)))
        return CaptionedImages.of(people, centroids(vectors, offsets).astype(np.float64))

    @cached_property
    def _training_candidates(self) -> list[str]:
        return [name for name in self._all if name not in self._test_ids]

    def _split(self, split: str) -> ByImage:
        if split == TEST:
            return {name: texts for name, texts in self._all.items() if name in self._test_ids}
        dev = QUICK_IMAGES[DEV] if self.experiment.quick else self.dev_images
        names = self._training_candidates[:dev] if split == DEV else self._training_candidates[dev:]
        return {name: self._all[name] for name in names}


def system_captions(
    system: str, captions: Mapping[str, str], names: Sequence[str]
) -> dict[str, str]:
    """Return a system's captions of these images."""
    missing = next((name for name in names if name not in captions), None)
    if missing is not None:
        raise InputError(
            f"{system}: no caption of image {short_repr(missing)}; give all of its captions"
        )
    return {name: captions[name] for name in names}


CAPTION_DATASETS: dict[str, type[CaptionDataset]] = {
    dataset.name: dataset for dataset in (Flickr8k, Coco)
}
