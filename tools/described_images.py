"""Images of COCO val2014 described by people and nine systems, without images of benchmarks."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.text.tokenizer.tokenizer import tokenize_all

CAPTIONS = 5  # by people of an image; images with fewer are left out, further captions too


@dataclass(frozen=True)
class DescribedImages:
    """By image, people's captions and machines', tokenized."""

    people: list[list[str]]
    machines: list[list[str]]


def read_described(folder: Path, number: int, seed: int = 0) -> DescribedImages:
    """So many images, drawn at random.

    Left out are the images of Composite, FOIL, SugarCrepe and HAT, and Karpathy's test split.
    """
    rng = random.Random(seed)
    people: dict[int, list[str]] = {}
    for row in _json(folder / "coco" / "captions_val2014.json.gz")["annotations"]:
        people.setdefault(row["image_id"], []).append(row["caption"])
    systems = [
        {row["image_id"]: row["caption"] for row in _json(path)}
        for path in sorted((folder / "coco" / "systems_val2014").glob("*.json.gz"))
    ]
    benchmarks = set(_images_of_benchmarks(folder))
    free = [
        image
        for image in sorted(people)
        if image not in benchmarks and len(people[image]) >= CAPTIONS
    ]
    chosen = rng.sample(free, number)
    return DescribedImages(
        _tokenized([rng.sample(people[image], CAPTIONS) for image in chosen]),
        _tokenized([[captions[image] for captions in systems] for image in chosen]),
    )


def _images_of_benchmarks(folder: Path) -> Iterator[int]:
    yield from map(int, _json(folder / "coco" / "karpathy_test_ids.json"))
    composite = gzip.decompress((folder / "composite" / "composite.jsonl.gz").read_bytes())
    names = [json.loads(line)["image_id"] for line in composite.splitlines()]
    names += [row["image_file"] for row in _json(folder / "foil" / "foil-it.json").values()]
    for path in (folder / "sugarcrepe").glob("*.json"):
        names += [row["filename"] for row in _json(path).values()]
    names += [row["image_path"] for row in _json(folder / "hat" / "hat_trainval.json.gz")]
    for name in names:
        # COCO_val2014_000000016903.jpg, 000000085329.jpg; Flickr's names are no numbers of COCO's.
        if match := re.search(r"(\d+)(?:\.\w+)?$", str(name)):
            yield int(match[1])


def _json(path: Path) -> Any:
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def _tokenized(captions: list[list[str]]) -> list[list[str]]:
    tokens = iter(tokenize_all([caption for several in captions for caption in several]))
    return [[" ".join(next(tokens)) for _ in several] for several in captions]
