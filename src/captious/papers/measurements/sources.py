"""Training captions by name: people's, systems', and people's made worse on purpose.

A source is what a network learns to score low: a system's captions, or a kind of human caption made
worse. The images are COCO's or, as in `flickr30k:random_caption` and `flickr8k:init_0`, another
collection's. A number after @ says how many per cent of the words are made worse: `random_word@30`.
A system's captions are those of the image itself or, as `shetty2017/similar` and
`shetty2017/other`, what it wrote of a similar or of any other image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from captious.errors import InputError
from captious.io.captions import read_candidates, read_references
from captious.io.formats import read_table
from captious.io.training_captions import read_image_captions
from captious.io.where_image2 import read_systems
from captious.meta.benchmarks import find_benchmark
from captious.meta.benchmarks.benchmark import Files
from captious.papers.measurements.store import hash_file, hash_parts
from captious.text.transformations import TRANSFORMATIONS
from captious.training.learned_metrics.dataset import TrainingSet, build_training_set
from captious.training.learned_metrics.negatives import (
    MACHINE,
    MACHINE_OTHER,
    MACHINE_SIMILAR,
)
from captious.training.learned_metrics.overlap import (
    BENCHMARKS,
    Overlap,
    image_key,
    read_benchmarks,
)

COCO, FLICKR30K, FLICKR30K_TEST, FLICKR8K = "coco", "flickr30k", "flickr30k_test", "flickr8k"
FLICKR30K_CAPTIONS = "flickr30k/captions.jsonl.gz"
SYSTEMS = "coco/systems_val2014"
CAPTIONED_IN_FOLDS = "in_folds"  # under the folder of captioners: weaker systems' of Flickr8k
REFERENCES = 4  # beside each candidate, as in both papers
KINDS_BY_IMAGE = {
    "": MACHINE,
    "other": MACHINE_OTHER,
    "similar": MACHINE_SIMILAR,
}  # images of a system's


@dataclass(frozen=True)
class Collection:
    """A collection of images with people's captions, and perhaps weaker systems'.

    Training may not see what metrics are tested on: images of the benchmarks in `left_out`. Where
    one is not left out, no network that learned from these images may be measured on it.
    """

    people: str  # the file of people's captions, under the data's folder
    read: Callable[[Path], Mapping[Any, Sequence[str]]]
    systems: str = ""  # the file of several weaker systems' captions
    left_out: tuple[str, ...] = BENCHMARKS


def _read_table_of_images(path: Path) -> dict[str, list[str]]:
    columns = read_table(path).columns
    return dict(zip(columns["image"], columns["captions"], strict=True))


COLLECTIONS = {
    COCO: Collection(
        "coco/captions_val2014.json.gz", read_references, "where_image2/mscoco.json.gz"
    ),
    FLICKR30K: Collection(FLICKR30K_CAPTIONS, _read_table_of_images),
    # Of the 1,000 images that the weaker systems captioned, Composite has 991.
    FLICKR30K_TEST: Collection(
        FLICKR30K_CAPTIONS,
        _read_table_of_images,
        "where_image2/flickr30k.json.gz",
        tuple(name for name in BENCHMARKS if name != "composite"),
    ),
    FLICKR8K: Collection("flickr8k/Flickr8k.token.txt", read_image_captions),
}
PEOPLE = {name: collection.people for name, collection in COLLECTIONS.items()}


class Source(NamedTuple):
    """A source's name taken apart."""

    people: str  # whose images
    name: str  # a system, or what is done with people's captions
    kind: str  # of negatives
    strength: int = 100


@dataclass(frozen=True, eq=False)
class Sources:
    """All captions under one folder that a network can be trained on."""

    data: Path
    images: int  # drawn for each source
    seed: int = 0
    captioners: Path | None = None  # a folder of captioners and of captions that they wrote
    _people_read: dict[str, dict[str, list[str]]] = field(
        default_factory=dict, init=False, repr=False
    )
    _overlaps: dict[tuple[str, ...], Overlap] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def systems(self) -> dict[str, Path]:
        """The file of each system, the strong ones first."""
        folder = self.data / SYSTEMS
        files = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.json*"))}
        if not files:
            raise InputError(f"{folder}: no systems' captions; put one file a system there")
        return files

    @cached_property
    def weaker(self) -> dict[str, dict[str, str]]:
        """The captions of weaker systems by source and image; none where their file is missing."""
        captions = {
            _source_name(people, system): by_image
            for people, path in self._weaker_files.items()
            for system, by_image in read_systems(path).items()
        }
        captions |= {
            name: read_candidates(path).captions for name, path in self._fold_files.items()
        }
        return {
            name: {image_key(image): caption for image, caption in by_image.items()}
            for name, by_image in captions.items()
        }

    def weaker_of(self, people: str) -> list[str]:
        """The weaker systems that captioned a collection's images, by the names of sources."""
        return [name for name in self.weaker if self._parse(name).people == people]

    @cached_property
    def _weaker_files(self) -> dict[str, Path]:
        """The file of several weaker systems of each collection, where there is one."""
        files = {name: self.data / each.systems for name, each in COLLECTIONS.items()}
        return {name: path for name, path in files.items() if path.is_file()}

    @cached_property
    def _fold_files(self) -> dict[str, Path]:
        if self.captioners is None:
            return {}
        files = list_fold_captions(self.captioners)
        return {_source_name(FLICKR8K, path.name.partition(".")[0]): path for path in files}

    def seen_benchmarks(self, source: str) -> frozenset[str]:
        """Benchmarks whose images a source does not leave out: no test of what learns from it."""
        left_out = COLLECTIONS[self._parse(source).people].left_out
        return frozenset(BENCHMARKS).difference(left_out)

    def is_machine(self, source: str) -> bool:
        """Whether a source is a system's captions."""
        return self._parse(source).kind in KINDS_BY_IMAGE.values()

    def key(self, source: str) -> str:
        """A hash of all that a source's training set depends on."""
        parts = self._parse(source)
        collection = COLLECTIONS[parts.people]
        files = [self.data / collection.people]
        if self.is_machine(source):
            files.append(self._system_file(parts))
        judged_files_hashes = [hash_file(path) for path in self._judged_files(collection)]
        return hash_parts(
            source,
            self.images,
            self.seed,
            REFERENCES,
            list(map(hash_file, files)),
            judged_files_hashes,
        )

    def training_set(self, source: str) -> TrainingSet:
        """One candidate of a person and one of the source for each of so many images."""
        people, name, kind, strength = self._parse(source)
        machines = {}
        if self.is_machine(source):
            machines[name] = (
                read_candidates(self.systems[name]).captions
                if people == COCO and name in self.systems
                else self.weaker[_source_name(people, name)]
            )
        return build_training_set(
            self._people(people),
            machines,
            per_image=1,
            references=REFERENCES,
            overlap=self._overlap(COLLECTIONS[people].left_out),
            mixture={kind: 1.0},
            strength=strength,
            images=self.images,
            seed=self.seed,
        )

    def _parse(self, source: str) -> Source:
        people, colon, rest = source.rpartition(":")
        people = people if colon else COCO
        name, at, strength = rest.partition("@")
        system, _, image_relation = name.partition("/")
        if people in COLLECTIONS and name in TRANSFORMATIONS and (strength or "100").isdigit():
            return Source(people, name, name, int(strength or 100))
        if (
            people in COLLECTIONS
            and not at
            and image_relation in KINDS_BY_IMAGE
            and _source_name(people, system) in (*self.systems, *self.weaker)
        ):
            return Source(people, system, KINDS_BY_IMAGE[image_relation])
        raise InputError(f"no captions named {source!r} to train on")

    def _system_file(self, source: Source) -> Path:
        """The file that a system's captions are in."""
        name = _source_name(source.people, source.name)
        files = {**self._fold_files, **self.systems}
        return files[name] if name in files else self._weaker_files[source.people]

    def _people(self, name: str) -> dict[str, list[str]]:
        """People's captions of a collection's images, by the images' keys."""
        if name not in self._people_read:
            collection = COLLECTIONS[name]
            captions = collection.read(self.data / collection.people)
            self._people_read[name] = {
                image_key(image): list(texts) for image, texts in captions.items()
            }
        return self._people_read[name]

    def _overlap(self, benchmarks: tuple[str, ...]) -> Overlap:
        if benchmarks not in self._overlaps:
            tasks = read_benchmarks(self.data, benchmarks).values()
            self._overlaps[benchmarks] = Overlap.with_judgements(task.as_read for task in tasks)
        return self._overlaps[benchmarks]

    def _judged_files(self, collection: Collection) -> list[Path]:
        """The files of the benchmarks that training on a collection may not see."""
        paths: list[Path] = []
        for benchmark in map(find_benchmark, collection.left_out):
            files = Files(self.data, benchmark.folders, benchmark.source)
            paths += [path for name in benchmark.files if (path := files.find_any(name))]
        return paths


def list_fold_captions(captioners: Path) -> list[Path]:
    """The files of captions, one a system, that captioners wrote of images new to them."""
    return sorted((captioners / CAPTIONED_IN_FOLDS).glob("*.json*"))


def _source_name(people: str, system: str) -> str:
    """The name of the source of what a system wrote of a collection's images."""
    return system if people == COCO else f"{people}:{system}"
