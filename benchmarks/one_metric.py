"""One metric from raw text: 5,000 samples cold, and the time of a sample among a million.

A million samples are made of COCO's captions: eight candidates an image of train2014 and val2014,
captions of other images with a word more, so that nearly all are different. The word stands in
front and has no full stop: behind the last one it would begin a second sentence.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import captious
from coco_toolkit import HERE, sample_captions
from processes import run_fresh
from tables import Table, add_json_option, show
from task import peak_megabytes


def cold(data: Path, metric: str) -> dict[str, Any]:
    """5,000 candidates with five references each, in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "raw.json"
        path.write_text(json.dumps(sample_captions(data, "vinyals2017", 5000)))
        return run_fresh([HERE / "task.py", "captious", metric, path])


def many(data: Path, samples: int) -> tuple[list[str], list[str], dict[str, list[str]]]:
    """Candidates, their images, and the references of all images."""
    references: dict[str, list[str]] = {}
    for split in ("train", "val"):
        path = data / f"captions_{split}2014.json.gz"
        for annotation in json.loads(gzip.decompress(path.read_bytes()))["annotations"]:
            references.setdefault(str(annotation["image_id"]), []).append(annotation["caption"])
    references = {image: captions[:5] for image, captions in references.items()}
    rng = random.Random(0)
    captions = [caption for several in references.values() for caption in several]
    words = sorted({word for caption in captions[:20000] for word in caption.split()})
    words = [word for word in words if word.isalpha()]
    images = rng.choices(list(references), k=samples)
    candidates = [f"{rng.choice(words)} {rng.choice(captions)}" for _ in range(samples)]
    return candidates, images, references


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--metric", default="consensus")
    parser.add_argument("--samples", type=int, default=1_000_000)
    add_json_option(parser)
    options = parser.parse_args()
    few = cold(options.data, options.metric)
    rows = [_row(5000, few["seconds"], few["megabytes"])]
    candidates, images, references = many(options.data, options.samples)
    before = peak_megabytes()
    start = time.perf_counter()
    scorer = captious.Scorer(references, [options.metric])
    scorer.score(candidates, images)
    seconds = time.perf_counter() - start
    rows.append(_row(options.samples, seconds, peak_megabytes()))
    about = (
        f"`{options.metric}` from raw text, {os.cpu_count()} cores. 5,000 samples are a process"
        f" of their own; {options.samples:,} samples, nearly all of them different, belong to"
        f" {len(references):,} images, and {before:,.0f} MB are the captions themselves."
    )
    show(
        [Table(about, ["samples", "seconds", "µs per sample", "peak memory, MB"], rows)],
        options.json,
    )


def _row(samples: int, seconds: float, megabytes: float) -> list[str]:
    each = 1e6 * seconds / samples
    return [f"{samples:,}", f"{seconds:.2f}", f"{each:.1f}", f"{megabytes:,.0f}"]


if __name__ == "__main__":
    main()
