"""Flickr8k as LEIC's experiments want it, tiny and made up, and systems' captions of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from tests.made_up.animals import ANIMALS, vectors_of

DEEDS = ("runs", "sleeps", "eats quietly")
PLACES = ("on the grass", "near a tree", "in the street", "by the water")
COCO_IMAGES = 150
SPLITS = {"train": range(30), "dev": range(30, 42), "test": range(42, 84)}


def animal_of(image: int) -> str:
    return ANIMALS[image % len(ANIMALS)]


def captions_of(image: int) -> list[str]:
    """Four captions, all with the image's animal."""
    deed = DEEDS[image % len(DEEDS)]
    return [f"A {animal_of(image)} {deed} {place} ." for place in PLACES]


def written(data: Path) -> Path:
    """A folder of data with `flickr8k`, `where_image2` and `coco` in it."""
    folder = data / "flickr8k"
    folder.mkdir(parents=True)
    number = max(map(max, SPLITS.values())) + 1
    lines = [
        f"{image}.jpg#{place}\t{text}"
        for image in range(number)
        for place, text in enumerate(captions_of(image))
    ]
    (folder / "Flickr8k.token.txt").write_text("\n".join(lines))
    for split, members in SPLITS.items():
        names = "\n".join(f"{image}.jpg" for image in members)
        (folder / f"Flickr_8k.{split}Images.txt").write_text(names)
    # In another order than the captions': vectors are found by name and not by place.
    order = np.random.default_rng(1).permutation(number)
    np.savez(
        folder / "efficientnet_lite2.npz",
        files=np.array([f"{image}.jpg" for image in order]),
        features=vectors_of(number)[order],
    )
    _judged(folder)
    images = [f"{image}.jpg" for image in SPLITS["test"]]
    said = {
        "human_1": [captions_of(image)[0] for image in SPLITS["test"]],
        "dull_1": ["a dog" for _ in images],
        "fair_1": [f"a {animal_of(image)} outside" for image in SPLITS["test"]],
    }
    (data / "where_image2").mkdir()
    _pack(data / "where_image2" / "flickr8k.json.gz", {"images": images, "captions": said})
    _coco(data / "coco")
    return data


def _coco(folder: Path) -> None:
    """Captions of images, two systems, and which images no critic may learn from."""
    (folder / "systems_val2014").mkdir(parents=True)
    rows = [
        {"image_id": image, "caption": text}
        for image in range(COCO_IMAGES)
        for text in captions_of(image)
    ]
    _pack(folder / "captions_val2014.json.gz", {"annotations": rows})
    said = {"dull": "a dog", "brief": "the {} outside"}
    for name, text in said.items():
        system = [
            {"image_id": image, "caption": text.format(animal_of(image))}
            for image in range(COCO_IMAGES)
        ]
        _pack(folder / "systems_val2014" / f"{name}.json.gz", system)
    for_tests = [image for image in range(COCO_IMAGES) if image % 3 == 0]
    (folder / "karpathy_test_ids.json").write_text(json.dumps(for_tests))


def _pack(path: Path, document: object) -> None:
    path.write_bytes(gzip.compress(json.dumps(document).encode()))


def _judged(folder: Path) -> None:
    """Three captions of other images for each of twelve images, from good to bad."""
    experts, crowd = [], []
    for image in list(SPLITS["test"])[:12][::-1]:
        for step, rating in ((4, 4), (1, 1), (2, 2)):
            name = f"{image}.jpg\t{image + step}.jpg#{step % 4}"
            experts.append(f"{name}\t{rating}\t{rating}\t{max(1, rating - 1)}")
            crowd.append(f"{name}\t{(rating - 1) / 3:.3f}\t{rating - 1}\t{4 - rating}")
    (folder / "ExpertAnnotations.txt").write_text("\n".join(experts))
    (folder / "CrowdFlowerAnnotations.txt").write_text("\n".join(crowd))
