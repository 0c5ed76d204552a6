"""A folder of data as experiments want it, tiny and made up."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.made_up.captions_to_learn import NOUNS, PLACES, six_captions


def written(folder: Path) -> Path:
    """Human captions, two systems, weaker runs, Flickr8k-Expert and Composite.

    Composite judges two of the images of Flickr30k, and Flickr8k-Expert four of Flickr8k's ten.
    """
    people = {image: captions_of(image) for image in range(40)}
    rows = [{"image_id": i, "caption": text} for i, own in people.items() for text in own]
    pack(folder / "coco" / "captions_val2014.json.gz", {"annotations": rows})
    for place, name in enumerate(("dull", "shetty2017")):
        said = [
            {"image_id": i, "caption": f"a {NOUNS[(i + place) % 10]} in a room"} for i in people
        ]
        pack(folder / "coco" / "systems_val2014" / f"{name}.json.gz", said)
    images = [f"COCO_val2014_{i:012d}.jpg" for i in range(20)]
    weak = {name: [f"a {NOUNS[i % 3]}" for i in range(20)] for name in ("human_1", "init_1")}
    pack(
        folder / "where_image2" / "mscoco.json.gz",
        {"images": images, "captions": {**weak, "init_2": weak["init_1"]}},
    )
    names = [f"c{i}.jpg" if i < 2 else f"{i}.jpg" for i in range(30)]
    flickr = [
        json.dumps({"image": name, "captions": captions_of(i + 3)[:5]})
        for i, name in enumerate(names)
    ]
    pack(
        folder / "where_image2" / "flickr30k.json.gz",
        {"images": names[:20], "captions": {"human": weak["human_1"], "pre_1": weak["init_1"]}},
    )
    (folder / "flickr30k").mkdir()
    (folder / "flickr30k" / "captions.jsonl.gz").write_bytes(
        gzip.compress("\n".join(flickr).encode())
    )
    _judged(folder)
    return folder


def captions_of(image: int) -> list[str]:
    """Six captions, all different."""
    return six_captions(NOUNS[image % len(NOUNS)], PLACES[image % 7], image)


def pack(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(value).encode()))


def _judged(folder: Path) -> None:
    words, nouns = ["tall", "small", "happy", "cold", "tired"], ["man", "woman", "child", "clown"]
    tokens = [
        f"f{image}.jpg#{place}\ta {word} {noun} waits"
        for image, noun in enumerate(nouns)
        for place, word in enumerate(words)
    ]
    tokens += [
        f"f{image}.jpg#{place}\t{caption}"
        for image in range(4, 10)
        for place, caption in enumerate(captions_of(image + 5)[:5])
    ]
    (folder / "flickr8k").mkdir()
    (folder / "flickr8k" / "Flickr8k.token.txt").write_text("\n".join(tokens))
    said = [
        f"f{a}.jpg\tf{b}.jpg#{place}\t{rating}\t{rating}\t{rating}"
        for a in range(4)
        for b, place, rating in ((a, 0, 4), ((a + 1) % 4, 1, 1), ((a + 2) % 4, 2, 2))
    ]
    (folder / "flickr8k" / "ExpertAnnotations.txt").write_text("\n".join(said))
    rows: list[str] = []
    for image in range(8):
        refs = [f"a {word} {NOUNS[image]} on the grass" for word in words]
        for caption, rating in (
            (refs[0], 5),
            (f"a {NOUNS[image]} on grass", 3),
            (f"there is a {NOUNS[-image]}", 1 + image % 3),
        ):
            row = {"subset": "s", "row": len(rows), "image_id": f"c{image}", "refs": refs}
            rows.append(json.dumps({**row, "caption": caption, "human_rating": rating}))
    (folder / "composite").mkdir()
    (folder / "composite" / "composite.jsonl").write_text("\n".join(rows))
