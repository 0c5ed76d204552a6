"""Write pycocoevalcap's scores of long captions as golden data for the tests.

Needs Java and `pip install pycocoevalcap==1.2`. Captions of the examples are joined, and cut at
lengths where loops that take words in blocks begin another one. Captions of COCO are joined too;
of those only ids and scores are written, with a hash of the text.

    python tools/build_long_golden.py ../shared/data
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from toolkit_comparison import toolkit
from toolkit_comparison.samples import Sample, read_text

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "parity"
# Words: blocks of 63 and 64 end around these, and METEOR's beam has 40 places.
LENGTHS = (1, 5, 20, 39, 40, 41, 62, 63, 64, 65, 125, 126, 127, 128, 129, 188, 189, 190, 191, 192)
LONGER = (252, 256, 320, 400, 512, 640, 800, 1000, 1023, 1024, 1200, 1500)
# Captions of COCO that are joined into one, and how many such samples there are of each.
JOINED = (2, 3, 6, 7, 12, 13, 20, 40, 70, 100)
SAMPLES = 4
SEED = 0


def build_example_samples(generator: np.random.Generator) -> Iterator[Sample]:
    """Join the examples' captions to captions of each length, with two joined references each."""
    rows = [json.loads(line) for line in read_text(EXAMPLES / "references.jsonl").splitlines()]
    references = {row["id"]: row["references"] for row in rows}
    systems = [
        {row["id"]: row["candidate"] for row in map(json.loads, read_text(path).splitlines())}
        for path in sorted(EXAMPLES.glob("*.jsonl"))
        if path.stem != "references"
    ]
    for length in (*LENGTHS, *LONGER):
        images = generator.choice(sorted(references), length).tolist()
        system = systems[int(generator.integers(len(systems)))]
        texts = [
            (system[image], *generator.permutation(references[image])[:2].tolist())
            for image in images
        ]
        candidate, *others = (" ".join(parts).split() for parts in zip(*texts, strict=True))
        near = [max(1, length + int(step)) for step in generator.integers(-2, 3, 2)]
        yield Sample(
            " ".join(candidate[:length]),
            tuple(" ".join(other[:size]) for other, size in zip(others, near, strict=True)),
        )


def draw_coco_ids(folder: Path, generator: np.random.Generator) -> Iterator[list[list[int]]]:
    """Draw ids of captions to join: for the candidate, then for two references."""
    by_image: dict[int, list[int]] = {}
    for row in json.loads(read_text(folder / "coco" / "captions_val2014.json.gz"))["annotations"]:
        by_image.setdefault(row["image_id"], []).append(row["id"])
    images = sorted(by_image)
    for count in np.repeat(JOINED, SAMPLES).tolist():
        chosen = [by_image[images[place]] for place in generator.integers(0, len(images), count)]
        drawn = [generator.permutation(captions)[:3].tolist() for captions in chosen]
        yield [[captions[turn] for captions in drawn] for turn in range(3)]


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of data")
    folder = parser.parse_args().folder
    samples = list(build_example_samples(np.random.default_rng(SEED)))
    rows = [sample._asdict() for sample in samples]
    write_golden("long_captions", rows, samples, {})

    captions = {
        row["id"]: row["caption"]
        for row in json.loads(read_text(folder / "coco" / "captions_val2014.json.gz"))[
            "annotations"
        ]
    }
    ids = list(draw_coco_ids(folder, np.random.default_rng(SEED)))
    texts = [[join_captions(captions, part) for part in sample] for sample in ids]
    samples = [Sample(first, tuple(others)) for first, *others in texts]
    rows = [{"candidate": first, "references": others} for first, *others in ids]
    digest = hashlib.sha256("\n".join(text for row in texts for text in row).encode()).hexdigest()
    write_golden("long_coco_captions", rows, samples, {"sha256": digest})


def join_captions(captions: dict[int, str], ids: list[int]) -> str:
    """Join the captions of some ids to one, each stripped to one line."""
    return " ".join(" ".join(captions[number].split()) for number in ids)


def write_golden(name: str, rows: list[Any], samples: list[Sample], about: dict[str, str]) -> None:
    """Write samples with the toolkit's scores of them; the same input gives the same bytes."""
    tokens = toolkit.tokenize_samples(samples)
    scores, corpus = toolkit.score_samples(tokens)
    for place, row in enumerate(rows):
        row["tokens"] = len(tokens[place].candidate.split())
        row["scores"] = {column: float(values[place]) for column, values in scores.items()}
    content = json.dumps({**about, "corpus": corpus, "rows": rows}, separators=(",", ":"))
    path = GOLDEN / f"{name}.json.gz"
    path.write_bytes(gzip.compress(content.encode(), mtime=0))
    longest = max(row["tokens"] for row in rows)
    print(f"{path}: {len(rows)} samples of up to {longest} tokens, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
