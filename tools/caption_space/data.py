"""The captions that the space is learned from, image by image, and those it is chosen by."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.text.tokenizer.tokenizer import tokenize_all
from captious.training.caption_space import Images as Images

CAPTIONS = 5  # of an image; images with fewer are left out, further captions too
HELD_OUT = 3000  # images of COCO train2014


@dataclass(frozen=True)
class Captions:
    """Images to learn from, and two sets to choose by: of COCO, and Flickr8k's dev split."""

    train: Images
    held_out: dict[str, Images]


def read(folder: Path) -> Captions:
    """COCO train2014 and Flickr30k's training split, without any image of a benchmark.

    Left out are all images of COCO val2014 (in Composite, SugarCrepe, FOIL), of Flickr8k (its dev
    split only serves to choose), of Composite, and Flickr30k's val and test splits.
    """
    flickr8k: dict[str, list[str]] = {}
    for line in (folder / "flickr8k" / "Flickr8k.token.txt").read_text("utf-8").splitlines():
        name, caption = line.split("\t")
        flickr8k.setdefault(name.partition("#")[0], []).append(caption)
    benchmark = {_number(name) for name in flickr8k}
    benchmark |= {
        _number(row["image_id"]) for row in _rows(folder / "composite/composite.jsonl.gz")
    }
    flickr30k: dict[str, list[str]] = {
        row["image"]: row["captions"]
        for row in _rows(folder / "flickr30k" / "captions.jsonl.gz")
        if row["split"] == "train" and _number(row["image"]) not in benchmark
    }
    coco: dict[int, list[str]] = {}
    path = folder / "coco" / "captions_train2014.json.gz"
    for annotation in json.loads(gzip.decompress(path.read_bytes()))["annotations"]:
        coco.setdefault(annotation["image_id"], []).append(annotation["caption"])
    order = sorted(coco)
    random.Random(0).shuffle(order)
    dev = (folder / "flickr8k" / "Flickr_8k.devImages.txt").read_text().split()
    return Captions(
        _tokens([coco[image] for image in order[HELD_OUT:]])
        + _tokens([flickr30k[image] for image in sorted(flickr30k)]),
        {
            "coco": _tokens([coco[image] for image in order[:HELD_OUT]]),
            "flickr8k-dev": _tokens([flickr8k[image] for image in dev]),
        },
    )


def _tokens(images: list[list[str]]) -> Images:
    chosen = [captions[:CAPTIONS] for captions in images if len(captions) >= CAPTIONS]
    flat = tokenize_all([caption for captions in chosen for caption in captions])
    return [flat[start : start + CAPTIONS] for start in range(0, len(flat), CAPTIONS)]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def _number(name: object) -> str:
    """Flickr's number of an image, the same in Flickr8k, Flickr30k and Composite."""
    return str(name).partition(".")[0].partition("_")[0]
