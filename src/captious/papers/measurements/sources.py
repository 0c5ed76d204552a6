"""Training captions by name: people's, systems', and people's made worse on purpose.

A source is what a network learns to score low: a system's captions of COCO images, or a kind of
human caption made worse, of COCO images or, as `flickr30k:random_caption`, of Flickr30k's. A number
after @ says how many per cent of the words are made worse: `random_word@30`. A system's captions
are those of the image itself or, as `shetty2017/similar` and `shetty2017/other`, what it wrote of a
similar or of any other image.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from captious.errors import InputError
from captious.io.captions import read_candidates, read_references
from captious.io.formats import read_table
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

COCO, FLICKR30K = "coco", "flickr30k"
PEOPLE = {COCO: "coco/captions_val2014.json.gz", FLICKR30K: "flickr30k/captions.jsonl.gz"}
SYSTEMS, WEAKER_SYSTEMS = "coco/systems_val2014", "where_image2/mscoco.json.gz"
REFERENCES = 4  # beside each candidate, as in both papers
KINDS_BY_IMAGE = {
    "": MACHINE,
    "other": MACHINE_OTHER,
    "similar": MACHINE_SIMILAR,
}  # images of a system's


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
    _people_read: dict[str, dict[str, list[str]]] = field(
        default_factory=dict, init=False, repr=False
    )

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
        """The captions of weaker systems' runs by COCO's image numbers; none without the file."""
        path = self.data / WEAKER_SYSTEMS
        read = read_systems(path) if path.is_file() else {}
        return {
            name: {image_key(image): caption for image, caption in captions.items()}
            for name, captions in read.items()
        }

    def is_machine(self, source: str) -> bool:
        """Whether a source is a system's captions."""
        return self._parse(source).kind in KINDS_BY_IMAGE.values()

    def key(self, source: str) -> str:
        """A hash of all that a source's training set depends on."""
        parts = self._parse(source)
        files = [self.data / PEOPLE[parts.people]]
        if self.is_machine(source):
            files.append(self.systems.get(parts.name, self.data / WEAKER_SYSTEMS))
        judged_files_hashes = [hash_file(path) for path in self._judged_files]
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
                if name in self.systems
                else self.weaker[name]
            )
        return build_training_set(
            self._people(people),
            machines,
            per_image=1,
            references=REFERENCES,
            overlap=self._overlap,
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
        if people in PEOPLE and name in TRANSFORMATIONS and (strength or "100").isdigit():
            return Source(people, name, name, int(strength or 100))
        if (
            people == COCO
            and not at
            and image_relation in KINDS_BY_IMAGE
            and system in (*self.systems, *self.weaker)
        ):
            return Source(people, system, KINDS_BY_IMAGE[image_relation])
        raise InputError(f"no captions named {source!r} to train on")

    def _people(self, name: str) -> dict[str, list[str]]:
        if name not in self._people_read:
            path = self.data / PEOPLE[name]
            if name == FLICKR30K:
                columns = read_table(path).columns
                self._people_read[name] = dict(
                    zip(columns["image"], columns["captions"], strict=True)
                )
            else:
                self._people_read[name] = read_references(path)
        return self._people_read[name]

    @cached_property
    def _overlap(self) -> Overlap:
        tasks = read_benchmarks(self.data).values()
        return Overlap.with_judgements(task.as_read for task in tasks)

    @cached_property
    def _judged_files(self) -> list[Path]:
        """The files of the benchmarks that training may not see."""
        paths: list[Path] = []
        for benchmark in map(find_benchmark, BENCHMARKS):
            files = Files(self.data, benchmark.folders, benchmark.source)
            paths += [path for name in benchmark.files if (path := files.find_any(name))]
        return paths
