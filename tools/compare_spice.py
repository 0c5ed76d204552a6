"""Compare SPICE with the original's scores of the same captions, and with people's judgements.

The folder named has `parity/` (captions of three systems, and the original's SPICE scores of them
and of three benchmarks) and `data/` (the benchmarks). What the parser contributes and what a
protocol contributes are told apart by putting the original's own scores through the same protocol.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tabulate import tabulate

import captious
from captious.stats.correlation import kendall_b, kendall_c
from captious.text.tokenizer.tokenizer import tokenize

SYSTEMS = ("coco_5000_vinyals2017", "coco_1000_dai2017", "coco_1000_liu2017")
Samples = tuple[list[str], list[list[str]]]


def read_json(path: Path) -> Any:
    """A JSON file, unpacked if need be."""
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def score_spice(samples: Samples) -> np.ndarray:
    """Score candidates against their references with Captious' SPICE."""
    return captious.score(*samples, metrics=["spice"]).samples["spice"]


def compare_systems(folder: Path) -> Iterator[list[Any]]:
    """Correlation and corpus scores of each system."""
    for name in SYSTEMS:
        rows = read_json(folder / "parity" / f"{name}.json.gz")["rows"]
        original = np.array(
            [row["f"] for row in read_json(folder / "parity" / "spice" / f"{name}.json.gz")["rows"]]
        )
        ours_scores = score_spice(
            ([row["candidate"] for row in rows], [row["references"] for row in rows])
        )
        correlation = np.corrcoef(ours_scores, original)[0, 1]
        yield [name, len(rows), correlation, original.mean(), ours_scores.mean()]


def compare_on_flickr8k(folder: Path) -> Iterator[list[Any]]:
    """Kendall's tau on Flickr8k-Expert: ratings flattened, pairs with an own caption dropped."""
    captions: dict[str, str] = {}
    by_image: dict[str, list[str]] = {}
    data = folder / "data" / "flickr8k"
    for line in (data / "Flickr8k.token.txt").read_text(encoding="utf-8").splitlines():
        key, caption = line.split("\t")
        captions[key] = caption
        by_image.setdefault(key.split("#")[0], []).append(caption)
    lines = [line.split() for line in (data / "ExpertAnnotations.txt").read_text().splitlines()]
    samples = [captions[line[1]] for line in lines], [by_image[line[0]] for line in lines]
    ratings = np.array([[float(rating) for rating in line[2:]] for line in lines])
    other = np.array([line[1].split("#")[0] != line[0] for line in lines])
    original = np.array(read_json(folder / "parity" / "spice" / "flickr8k_expert.json.gz"))
    ours_scores = score_spice(samples)
    for name, tau in (("tau_b", kendall_b), ("tau_c", kendall_c)):
        values = [
            tau(np.repeat(scores[other], 3), ratings[other].ravel())
            for scores in (original, ours_scores)
        ]
        yield [f"flickr8k-expert {name}", int(other.sum()), *values]


def compare_on_composite(folder: Path) -> Iterator[list[Any]]:
    """Kendall's tau on Composite: references that equal the candidate dropped, one rating each."""
    path = folder / "data" / "composite" / "composite.jsonl.gz"
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    samples = (
        [row["caption"] for row in rows],
        [
            [other for other in row["refs"] if _normalize(other) != _normalize(row["caption"])]
            for row in rows
        ],
    )
    ratings = np.array([float(row["human_rating"]) for row in rows])
    original = np.array(read_json(folder / "parity" / "spice" / "composite_own_dropped.json.gz"))
    ours_scores = score_spice(samples)
    for name, tau in (("tau_b", kendall_b), ("tau_c", kendall_c)):
        yield [f"composite {name}", len(rows), tau(original, ratings), tau(ours_scores, ratings)]


def compare_on_pascal(folder: Path) -> Iterator[list[Any]]:
    """Accuracy on PASCAL-50S, ties counted one half."""
    data = read_json(folder / "data" / "pascal50s" / "pascal_50s.json")
    means = []
    for kind, pairs in read_json(folder / "parity" / "spice" / "pascal_50s.json.gz").items():
        samples = (
            [caption for row in data[kind] for caption in row["captions"]],
            [row["references"] for row in data[kind] for _ in row["captions"]],
        )
        labels = np.array([row["label"] for row in data[kind]])
        both = [np.array(pairs), score_spice(samples).reshape(-1, 2)]
        means.append([_accuracy(scores, labels) for scores in both])
        yield [f"pascal-50s {kind}", len(labels), *means[-1]]
    yield ["pascal-50s mean", "", *np.mean(means, axis=0)]


def _accuracy(scores: np.ndarray, labels: np.ndarray) -> float:
    first, second = scores.T
    right = np.where(labels == 0, first > second, second > first)
    return float(np.where(first == second, 0.5, right).mean())


def _normalize(caption: str) -> str:
    """Normalize a caption to words without punctuation, to find it among its references."""
    return " ".join(tokenize("".join(c for c in caption.lower() if c.isalnum() or c == " ")))


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder with parity/ and data/")
    folder = parser.parse_args().folder
    header = ["captions", "n", "correlation", "original", "captious"]
    print(tabulate(compare_systems(folder), header, floatfmt=".4f"))
    rows = [
        row
        for part in (compare_on_flickr8k, compare_on_composite, compare_on_pascal)
        for row in part(folder)
    ]
    print()
    print(tabulate(rows, ["agreement with people", "n", "original", "captious"], floatfmt=".4f"))


if __name__ == "__main__":
    main()
