"""CIDEr-D as a reward in training: 50 candidates against references prepared once."""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import captious
from coco_toolkit import sample_captions
from tables import Table, add_json_option, show

IMAGES, SAMPLES_AN_IMAGE = 10, 5


def main() -> None:
    """Measure batches of different images, as a training loop has them."""
    parser = argparse.ArgumentParser(description=__doc__)
    shared = Path(__file__).resolve().parents[2] / "shared/data/coco"
    parser.add_argument("--data", type=Path, default=shared)
    parser.add_argument("--size", type=int, default=5000, help="images prepared")
    parser.add_argument("--batches", type=int, default=200)
    add_json_option(parser)
    options = parser.parse_args()

    data = sample_captions(options.data, "vinyals2017", options.size)
    rows = []
    for metrics in (["cider_d"], ["bleu_4"], ["cider_d", "bleu_4"], ["meteor"]):
        start = time.perf_counter()
        scorer = captious.Scorer(data["references"], metrics=metrics)
        prepared = time.perf_counter() - start
        seconds = []
        for batch in range(options.batches):
            images = [(batch * IMAGES + place) % options.size for place in range(IMAGES)]
            ids = [image for image in images for _ in range(SAMPLES_AN_IMAGE)]
            # Captions of other images too: a model's samples are not all alike.
            captions = [
                data["candidates"][(image + place) % options.size]
                for image in images
                for place in range(SAMPLES_AN_IMAGE)
            ]
            start = time.perf_counter()
            scorer.score(captions, ids=ids).samples[metrics[0]].sum()
            seconds.append(time.perf_counter() - start)
        low, high = statistics.median(seconds), sorted(seconds)[int(0.95 * len(seconds))]
        rows.append(
            [", ".join(metrics), f"{prepared:.2f}", f"{low * 1e3:.2f}", f"{high * 1e3:.2f}"]
        )
    about = (
        f"A batch of {IMAGES} images with {SAMPLES_AN_IMAGE} candidates each; the references of"
        f" {options.size:,} images were prepared once. {options.batches} batches of other images."
    )
    header = ["metrics", "preparation, s", "a batch, median, ms", "a batch, 95th percentile, ms"]
    show([Table(about, header, rows)], options.json)


if __name__ == "__main__":
    main()
