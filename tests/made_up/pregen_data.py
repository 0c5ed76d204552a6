"""A table of pre-gen metrics, and the captions that its rows are of, tiny and made up."""

from __future__ import annotations

import gzip
import json
from itertools import product
from pathlib import Path

import numpy as np

from captious.io.where_image2 import karpathy_words
from captious.pregen.strata import StratumScorer, split_into_strata
from tests.made_up.animals import ANIMALS

IMAGES = 20
SETS = {
    "flickr8k": [f"{10000 + image}_0123456789.jpg" for image in range(IMAGES)],
    "flickr30k": [f"{20000 + image}.jpg" for image in range(IMAGES)],
    "mscoco": [f"COCO_val2014_{30000 + image:012d}.jpg" for image in range(IMAGES)],
}
SYSTEMS = ("init_1", "pre_1", "init_2")
PRE = [
    f"mean_{image}_{sentence}_prefix0"
    for image in ("max", "mean", "sum")
    for sentence in ("normcount", "count")
] + ["geomean_join_pplx_none"]
THEIRS = {"METEOR": "meteor", "CIDEr": "cider_d", "SPICE": "spice", "WMD": "wmd"}


def people(image: int) -> list[str]:
    """What people say, with marks that have to go."""
    animal = ANIMALS[image % len(ANIMALS)]
    return [f"A {animal}'s well-fed, and runs .", f"Number {image}: the {animal} sleeps!"]


def machine(system: str, image: int) -> str:
    """What a system says: now and then of another animal."""
    other = image + (image % (2 + SYSTEMS.index(system)) == 0)
    return f"a {ANIMALS[other % len(ANIMALS)]} runs in number {image}"


def written(folder: Path) -> Path:
    """People's and systems' captions of three data sets, and the table of all strata."""
    sets = {name: [people(image) for image in range(IMAGES)] for name in SETS}
    _write(
        folder / "flickr8k" / "Flickr8k.token.txt",
        "\n".join(
            f"{name}#{place}\t{text}"
            for name, texts in zip(SETS["flickr8k"], sets["flickr8k"], strict=True)
            for place, text in enumerate(texts)
        ).encode(),
    )
    rows = [
        json.dumps({"image": name, "captions": texts})
        for name, texts in zip(SETS["flickr30k"], sets["flickr30k"], strict=True)
    ]
    _pack(folder / "flickr30k" / "captions.jsonl.gz", "\n".join(rows))
    annotations = [
        {"image_id": 30000 + image, "caption": text}
        for image, texts in enumerate(sets["mscoco"])
        for text in texts
    ]
    _pack(folder / "coco" / "captions_val2014.json.gz", json.dumps({"annotations": annotations}))
    for name, images in SETS.items():
        captions = {each: [machine(each, image) for image in range(IMAGES)] for each in SYSTEMS}
        document = {"images": images, "captions": {"human_1": ["x"] * IMAGES, **captions}}
        _pack(folder / "where_image2" / f"{name}.json.gz", json.dumps(document))
    _pack(folder / "pregen" / "data.txt.gz", _table())
    return folder


def _table() -> str:
    """Rows as the authors made theirs; pre-gen metrics follow CIDEr, some of them roughly."""
    rng = np.random.default_rng(0)
    keys = ["dataset", "architecture", "run", "num_strata", "stratum"]
    lines = ["\t".join([*keys, *THEIRS, *PRE])]
    references = [list(map(karpathy_words, people(image))) for image in range(IMAGES)]
    scorer = StratumScorer(references, tokenizer="whitespace")
    for dataset, system in product(SETS, SYSTEMS):
        generated = scorer.score_captions([machine(system, image) for image in range(IMAGES)])
        for parts, stratum, images in split_into_strata(generated.cider):
            scores = generated(images)
            rough = scores["cider_d"] + rng.normal(0, np.arange(len(PRE)) / 10)
            cells = [dataset, *system.split("_"), parts, stratum]
            cells += [scores[name] for name in THEIRS.values()]
            lines.append("\t".join(map(str, [*cells, *rough])))
    return "\n".join(lines) + "\n"


def _pack(path: Path, text: str) -> None:
    _write(path, gzip.compress(text.encode()))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
