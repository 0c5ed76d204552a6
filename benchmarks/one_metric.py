"""One metric from raw text: 5,000 samples cold, and the time of a sample among a million.

A million samples are made of COCO's captions: eight candidates an image of train2014 and val2014,
captions of other images with a word more in front, so that nearly all are different. A tenth as
many have two such captions for two sentences, which some metrics take one by one.
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


def measure_cold(data: Path, metric: str) -> dict[str, Any]:
    """5,000 candidates with five references each, in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "raw.json"
        path.write_text(json.dumps(sample_captions(data, "vinyals2017", 5000)))
        return run_fresh([HERE / "task.py", "captious", metric, path])


def read_references(data: Path) -> dict[str, list[str]]:
    """Five captions of every image."""
    references: dict[str, list[str]] = {}
    for split in ("train", "val"):
        path = data / f"captions_{split}2014.json.gz"
        for annotation in json.loads(gzip.decompress(path.read_bytes()))["annotations"]:
            references.setdefault(str(annotation["image_id"]), []).append(annotation["caption"])
    return {image: captions[:5] for image, captions in references.items()}


def make_candidates(captions: list[str], samples: int, sentences: int) -> list[str]:
    """New captions of so many sentences: each begins with a word that has no full stop."""
    rng = random.Random(sentences)
    words = sorted({word for caption in captions[:20000] for word in caption.split()})
    words = [word for word in words if word.isalpha()]

    def sentence() -> str:
        return f"{rng.choice(words)} {rng.choice(captions).rstrip(' .')}."

    return [" ".join(sentence() for _ in range(sentences)) for _ in range(samples)]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--metric", default="consensus")
    parser.add_argument("--samples", type=int, default=1_000_000)
    add_json_option(parser)
    options = parser.parse_args()
    small = measure_cold(options.data, options.metric)
    rows = [_format_row("5,000, a fresh process", 5000, small["seconds"], small["megabytes"])]
    references = read_references(options.data)
    captions = [caption for several in references.values() for caption in several]
    before = peak_megabytes()
    start = time.perf_counter()
    scorer = captious.Scorer(references, [options.metric])
    prepared = time.perf_counter() - start
    # The memory that is shown is the most so far: the smaller number of samples comes first.
    for samples, sentences in ((max(options.samples // 10, 1), 2), (options.samples, 1)):
        candidates = make_candidates(captions, samples, sentences)
        images = random.Random(0).choices(list(references), k=samples)
        start = time.perf_counter()
        scorer.score(candidates, images)
        seconds = time.perf_counter() - start
        label = f"{samples:,} of {sentences} sentence{'s' * (sentences > 1)}"
        rows.append(_format_row(label, samples, seconds, peak_megabytes()))
    about = (
        f"`{options.metric}` from raw text, {os.cpu_count()} cores. The references of"
        f" {len(references):,} images were prepared once, in {prepared:.1f} s; nearly all"
        f" candidates are different. {before:,.0f} MB are the captions themselves."
    )
    header = ["samples", "seconds", "µs per sample", "peak memory, MB"]
    show([Table(about, header, rows)], options.json)


def _format_row(what: str, samples: int, seconds: float, megabytes: float) -> list[str]:
    return [what, f"{seconds:.2f}", f"{1e6 * seconds / samples:.1f}", f"{megabytes:,.0f}"]


if __name__ == "__main__":
    main()
