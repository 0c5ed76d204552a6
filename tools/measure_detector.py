"""Measure the detector of objects on Flickr8k's images, for docs/metrics/hallucination.md.

    python tools/measure_detector.py FLICKR8K IMAGES

FLICKR8K is the folder of Flickr8k.token.txt, IMAGES one of image files, of which all are looked at.
Two tables: how often the detector sees what captions mention, and `hallucination` with and without
it for captions of the image (true) and of another one (false).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import captious
from captious.images.detector import THRESHOLD, objects_in_images
from captious.images.folder import ImageFolder
from captious.io.cache import default_cache
from captious.io.inputs import read_text
from captious.metrics.chair import ObjectVocabulary
from captious.stats.correlation import roc_auc
from captious.text.analysis import Analysis

CLASSES = ("person", "dog")
REFERENCES = (1, 4)
THRESHOLDS = (0.4, THRESHOLD, 0.6)
METRICS = (
    "hallucination",
    "hallucination(objects=detector)",
    "chair",
    "chair(objects=detector)",
    "chair(objects=detector,truth=file)",
)
SEED = 0

Captions = Mapping[str, Sequence[str]]


def main() -> None:
    """Read the captions, run the detector and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("flickr8k", type=Path)
    parser.add_argument("images", type=Path)
    options = parser.parse_args()
    captions = read_captions(options.flickr8k, ImageFolder(options.images).names)
    print_sightings(captions, options.images)
    print_doubts(captions, options.images)


def read_captions(folder: Path, names: Sequence[str]) -> Captions:
    """The five captions of each of these images."""
    captions: dict[str, list[str]] = {name: [] for name in names}
    for line in read_text(folder / "Flickr8k.token.txt").splitlines():
        key, _, caption = line.partition("\t")
        if (name := key.partition("#")[0]) in captions:
            captions[name].append(caption)
    return captions


def print_sightings(captions: Captions, images: Path) -> None:
    """Print how often a class is detected where no, some or all captions mention it."""
    vocabulary = ObjectVocabulary.load()
    all_captions = list(dict.fromkeys(caption for texts in captions.values() for caption in texts))
    mentions = dict(
        zip(all_captions, vocabulary.find_mentions(Analysis(all_captions)), strict=True)
    )
    print("| class | threshold | captions that mention it | images | seen in |")
    print("| --- | --- | --- | --- | --- |")
    for threshold in THRESHOLDS:
        seen = objects_in_images(images, list(captions), threshold, cache=default_cache())
        for name in CLASSES:
            counts = {
                image: sum(name in mentions[caption] for caption in texts)
                for image, texts in captions.items()
            }
            for words, minimum, maximum in (("none", 0, 0), ("1 to 5", 1, 5), ("all 5", 5, 5)):
                matching = [image for image, count in counts.items() if minimum <= count <= maximum]
                share = np.mean([name in seen[image] for image in matching])
                print(f"| {name} | {threshold} | {words} | {len(matching)} | {share:.3f} |")


def print_doubts(captions: Captions, images: Path) -> None:
    """Print the metric for captions of the image and of another, by number of references."""
    names = sorted(captions)
    other = _draw_others(len(names))
    print("\n| references | metric | true | false | area under the ROC curve |")
    print("| --- | --- | --- | --- | --- |")
    for count in REFERENCES:
        references = {name: list(captions[name][1 : 1 + count]) for name in names}
        true = {name: captions[name][0] for name in names}
        false = {name: captions[names[at]][0] for name, at in zip(names, other, strict=True)}
        for metric in METRICS:
            given: dict[str, Any] = {"images": images} if "detector" in metric else {}
            column = "chair_s" if metric.startswith("chair") else "hallucination"
            scores = [
                captious.score(some, references, [metric], **given).samples[column]
                for some in (true, false)
            ]
            is_false = np.repeat([0.0, 1.0], len(names))
            curve = roc_auc(np.concatenate(scores), is_false)
            means = " | ".join(f"{each.mean():.4f}" for each in scores)
            print(f"| {count} | `{metric}` | {means} | {curve:.4f} |")


def _draw_others(count: int) -> list[int]:
    """For each image another one, all different."""
    order = np.random.default_rng(SEED).permutation(count)
    others = np.empty(count, np.int64)
    others[order] = np.roll(order, 1)
    return others.tolist()


if __name__ == "__main__":
    main()
