"""Captions with references to compare on, of every length, from a folder of data or made up."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from toolkit_comparison.odd_text import odd_captions

# Captions of one image, or of its neighbours in the file, that are joined into one.
PAIRS = ("HC", "HI", "HM", "MM")  # kinds of judged pairs of audio captions
JOINED = (*range(2, 21), 40, 60, 80, 100, 120, 150)


class Sample(NamedTuple):
    """A candidate and its references, as raw text."""

    candidate: str
    references: tuple[str, ...]


Source = Callable[[Path, np.random.Generator], Iterator[Sample]]


def read_text(path: Path) -> str:
    """A text, unpacked if need be."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def audio(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Every judged audio caption beside its clip's references that are not the caption itself."""
    for clip in json.loads(read_text(folder / "audiocaps_eval" / "audiocaps_eval.json.gz")):
        pairs = (value for key, value in clip.items() if value and key[:2] in PAIRS)
        for caption in dict.fromkeys(caption for pair in pairs for caption in pair[:2]):
            others = tuple(other for other in clip["references"] if other != caption)
            yield Sample(caption, others)


def coco_references(folder: Path) -> dict[int, list[str]]:
    """The captions that people wrote for each image of COCO's validation set."""
    by_image: dict[int, list[str]] = {}
    for row in json.loads(read_text(folder / "coco" / "captions_val2014.json.gz"))["annotations"]:
        by_image.setdefault(row["image_id"], []).append(row["caption"])
    return by_image


def coco_systems(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """What nine systems wrote, beside people's captions."""
    references = coco_references(folder)
    systems = [
        json.loads(read_text(path))
        for path in sorted(folder.glob("coco/systems_val2014/*.json.gz"))
    ]
    rows: list[dict[str, Any]] = [row for system in systems for row in system]
    for place in generator.permutation(len(rows)).tolist():
        yield Sample(rows[place]["caption"], tuple(references[rows[place]["image_id"]]))


def coco_joined(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Many captions joined into one, beside captions of the same images joined."""
    images = list(coco_references(folder).values())
    while True:
        count = int(generator.choice(JOINED))
        chosen = [images[place] for place in generator.integers(0, len(images), count)]
        yield join_captions(chosen, generator)


def join_captions(images: list[list[str]], generator: np.random.Generator) -> Sample:
    """One caption of each image joined, beside two that are made of the images' other captions."""
    drawn = [generator.permutation(len(captions))[:3].tolist() for captions in images]
    texts = [
        " ".join(captions[places[turn]] for captions, places in zip(images, drawn, strict=True))
        for turn in range(3)
    ]
    return Sample(texts[0], tuple(texts[1:]))


def flickr(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """One caption of an image beside the four others."""
    for line in read_text(folder / "flickr30k" / "captions.jsonl.gz").splitlines():
        first, *others = json.loads(line)["captions"]
        yield Sample(first, tuple(others))


def discourse(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Long captions of large models, before and after people corrected them."""
    for row in json.loads(read_text(folder / "discourse_foil" / "discourse_foil.json.gz")):
        texts = [text for text in row.values() if isinstance(text, str) and text.count(" ") > 20]
        for place, text in enumerate(texts):
            yield Sample(text, tuple(texts[:place] + texts[place + 1 :]))


def hallucinations(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Machine captions in which people marked what is not in the image."""
    for row in json.loads(read_text(folder / "hat" / "hat_trainval.json.gz")):
        yield Sample(row["caption"], tuple(row["references"]))


def translations(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Machine translations of news."""
    for path in sorted(folder.glob("wmt16_daseg/*.mt-system.*")):
        reference = path.with_name(path.name.replace("mt-system", "reference"))
        for pair in zip(
            read_text(path).splitlines(), read_text(reference).splitlines(), strict=True
        ):
            yield Sample(pair[0], (pair[1],))


def regions(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Short captions of parts of an image beside others of the same image."""
    by_image: dict[str, list[str]] = {}
    for path in sorted(folder.glob("factual/*.csv.gz")):
        for row in csv.DictReader(read_text(path).splitlines()):
            by_image.setdefault(row["image_id"], []).append(row["caption"])
    for captions in by_image.values():
        if len(captions) > 1:
            yield Sample(captions[0], tuple(captions[1:6]))


def odd_samples(folder: Path, generator: np.random.Generator) -> Iterator[Sample]:
    """Made-up captions of markup, numbers, addresses, many scripts and control characters."""
    while True:
        first, *others = odd_captions(generator, 4)
        yield Sample(first, tuple(others))


SOURCES: dict[str, Source] = {
    "audio": audio,
    "coco": coco_systems,
    "joined": coco_joined,
    "flickr": flickr,
    "discourse": discourse,
    "hallucinations": hallucinations,
    "translations": translations,
    "regions": regions,
    "odd": odd_samples,
}
