"""Which layer and which threshold suit the encoder, judged by references alone.

    python tools/choose_encoder_settings.py D/coco/captions_train2014.json.gz

Each image's first caption must score higher against the image's other four captions than the first
captions of other images do. Prints how often it does, for `bertscore` by layer and for
`bertscore_multiref` by layer, variant and threshold. Then, for the last layer, how well a threshold
tells a piece's best match in another caption of its image from one in a caption of another image.
No human judgement is looked at.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captious import Scorer
from captious.metrics.base import Metric
from captious.metrics.bertscore.bertscore import BertScore
from captious.metrics.bertscore.multiref import BertScoreMultiref, is_stop_piece
from captious.text.encoder.encoder import encoder_named, unit

DISTRACTORS = 15
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)


def read_images(path: Path, count: int) -> list[list[str]]:
    """Five captions of each of some images, drawn with a fixed seed."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        annotations = json.load(stream)["annotations"]
    images: dict[int, list[str]] = {}
    for annotation in annotations:
        images.setdefault(annotation["image_id"], []).append(annotation["caption"])
    usable = [images[image][:5] for image in sorted(images) if len(images[image]) >= 5]
    random.Random(2).shuffle(usable)
    return usable[:count]


def others_of(count: int) -> NDArray[np.int64]:
    """The images whose first captions each image's own competes with."""
    steps = np.random.default_rng(0).integers(1, count, (count, DISTRACTORS))
    return (np.arange(count)[:, None] + steps) % count


def retrieval(metric: Metric, images: list[list[str]]) -> float:
    """How often an image's own caption wins; a tie is half a win."""
    others = others_of(len(images))
    ids = np.repeat(np.arange(len(images)), DISTRACTORS + 1).tolist()
    rows = np.column_stack([np.arange(len(images)), others]).ravel().tolist()
    scorer = Scorer(dict(enumerate(image[1:] for image in images)), [metric], cache=False)
    scores = scorer.score([images[row][0] for row in rows], ids).samples[metric.columns[0]]
    own, other = np.split(scores.reshape(len(images), -1), [1], axis=1)
    return float((own > other).mean() + (own == other).mean() / 2)


def best_split(images: list[list[str]]) -> tuple[float, float]:
    """The threshold that tells best a match in the same image from one in another, and how well."""
    encoder = encoder_named(None)
    captions = [caption for image in images for caption in image[:2]]
    found = encoder.token_states(captions)
    states, offsets = unit(found.states), found.pieces.offsets
    stops = np.array([is_stop_piece(piece) for piece in encoder.piece_names()])
    spans = [slice(start + 1, end - 1) for start, end in pairwise(offsets.tolist())]
    same: list[np.ndarray] = []
    other: list[np.ndarray] = []
    for image, others in enumerate(others_of(len(images))):
        mine = spans[2 * image]
        content = states[mine][~stops[found.pieces.values[mine]]]
        for best, row in ((same, 2 * image + 1), (other, 2 * int(others[0]) + 1)):
            best.append((content @ states[spans[row]].T).max(axis=1, initial=0.0))
    grid = np.linspace(0, 1, 101)
    gaps = [
        float((np.concatenate(same) > at).mean() - (np.concatenate(other) > at).mean())
        for at in grid
    ]
    best_at = int(np.argmax(gaps))
    return float(grid[best_at]), gaps[best_at]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captions", type=Path, help="COCO's training captions")
    parser.add_argument("--images", type=int, default=400)
    parser.add_argument("--layers", type=int, nargs="+", default=[3, 4, 5, 6])
    options = parser.parse_args()
    images = read_images(options.captions, options.images)
    for layer in options.layers:
        print(f"layer {layer}: bertscore {retrieval(BertScore(layer=layer), images):.4f}")
        for variant in ("paper", "released"):
            shares = (
                retrieval(BertScoreMultiref(layer=layer, beta=beta, variant=variant), images)
                for beta in THRESHOLDS
            )
            row = (f"{beta}: {share:.4f}" for beta, share in zip(THRESHOLDS, shares, strict=True))
            print(f"  bertscore_multiref, {variant}:", ", ".join(row))
    print("best split of pieces: beta {:.2f}, gap {:.3f}".format(*best_split(images)))


if __name__ == "__main__":
    main()
