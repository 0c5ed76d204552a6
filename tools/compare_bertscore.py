"""Compare `bertscore` with the `bert-score` package on real captions, model by model.

    pip install bert-score transformers torch      # beside captious
    python tools/compare_bertscore.py MODEL_FOLDER CAPTIONS.json.gz

MODEL_FOLDER is any encoder of Hugging Face's; CAPTIONS a file of COCO's form. Each image's first
caption is scored against its others. Prints the largest difference of each column, with idf and
without, for some layers; more than 1e-4 is a failure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from bert_score import BERTScorer

from captious import score
from captious.metrics.bertscore.bertscore import BertScore
from captious.text.encoder.encoder import load_encoder

TOLERANCE = 1e-4


def read_images(path: Path, count: int) -> list[list[str]]:
    """The captions of the first images that have at least two."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        annotations = json.load(stream)["annotations"]
    images: dict[int, list[str]] = {}
    for annotation in annotations:
        images.setdefault(annotation["image_id"], []).append(annotation["caption"])
    return [captions for captions in images.values() if len(captions) > 1][:count]


def differences(
    model: str, layers: list[int], images: list[list[str]]
) -> Iterator[tuple[int, bool, dict[str, float]]]:
    """The largest difference of each column, for every layer, with idf and without."""
    candidates = [captions[0] for captions in images]
    references = [captions[1:] for captions in images]
    for layer in layers:
        for idf in (False, True):
            peer = BERTScorer(
                model_type=model,
                num_layers=layer,
                idf=idf,
                idf_sents=[caption for several in references for caption in several],
                device="cpu",
            )
            precision, recall, f1 = peer.score(candidates, references)
            metric = BertScore(model=model, layer=layer, idf=idf)
            ours = score(candidates, references, metrics=[metric], cache=False).samples
            theirs = dict(zip(metric.columns, (f1, precision, recall), strict=True))
            yield (
                layer,
                idf,
                {
                    name: float(np.abs(ours[name] - values.numpy()).max())
                    for name, values in theirs.items()
                },
            )


def main() -> None:
    """Print a line a setting; exit with 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a folder or a name")
    parser.add_argument("captions", type=Path)
    parser.add_argument("--images", type=int, default=300)
    options = parser.parse_args()
    images = read_images(options.captions, options.images)
    last = load_encoder(options.model).layers
    worst = 0.0
    for layer, idf, largest in differences(options.model, sorted({1, last // 2, last}), images):
        print(f"layer {layer}, {'idf' if idf else 'no idf'}:", largest)
        worst = max(worst, *largest.values())
    print(f"largest difference over {len(images)} images: {worst:.1e}")
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main()
