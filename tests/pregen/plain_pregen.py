"""Pre-gen metrics written plainly: loops over lists, one definition after another."""

from __future__ import annotations

import math
import statistics

INFINITE = math.inf


def plain_score(
    images: list[list[list[tuple[float, bool]]]], name: str, variant: str = "paper"
) -> float:
    """A metric of images, each a list of captions, each a list of (probability, was first)."""
    dataset, image, sentence, filter_name = name.split("_")
    scores = []
    for captions in images:
        of_captions = [
            sentence_score(caption, sentence, filter_name, variant) for caption in captions
        ]
        if image == "join":
            scores += of_captions
        else:
            scores.append(aggregate(of_captions, image))
    return aggregate(scores, dataset)


def sentence_score(
    caption: list[tuple[float, bool]], sentence: str, filter_name: str, variant: str = "paper"
) -> float:
    chosen = chosen_words(caption, filter_name, variant)
    if sentence == "count":
        return len(chosen)
    if sentence == "normcount":
        return len(chosen) / len(caption)
    if sentence == "prob":
        return math.prod(chosen) if chosen else 0.0
    if not chosen or 0 in chosen:
        return INFINITE
    return 2 ** (-sum(math.log2(p) for p in chosen) / len(chosen))


def chosen_words(
    caption: list[tuple[float, bool]], filter_name: str, variant: str = "paper"
) -> list[float]:
    if filter_name == "none":
        return [p for p, _ in caption]
    if filter_name == "filter0":
        return [p for p, first in caption if first == (variant == "paper")]
    prefix = []
    for p, first in caption:
        if not first:
            break
        prefix.append(p)
    return prefix


def aggregate(scores: list[float], function: str) -> float:
    if function == "sum":
        return sum(scores)
    if function == "mean":
        return sum(scores) / len(scores)
    if function == "median":
        return statistics.median(scores)
    if function == "max":
        return max(scores)
    if function == "min":
        return min(scores)
    if 0 in scores:
        return 0.0
    return math.exp(sum(math.log(score) for score in scores) / len(scores))
