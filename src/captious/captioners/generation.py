"""Caption generation in batches: greedy, beam search, or sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from captious._internal.backends.pytorch import import_torch
from captious._internal.checks.bounds import BEAM, POSITIVE, SEED, WEIGHT, WORDS, check_number
from captious.captioners.captioner import Captioner
from captious.captioners.search import (
    LENGTH_POWER,
    Decoded,
    beam_search,
    follow_choices,
    greedy_choice,
    sampled_choice,
)
from captious.images.vectors import ImageVectors

if TYPE_CHECKING:
    import torch

MAX_PARTIAL_CAPTIONS = 500  # beginnings of captions that grow together
MAX_WORDS = 30
Progress = Callable[[int, int], None]  # captions done, captions in all


@dataclass(frozen=True)
class GeneratedCaption:
    """A caption and the natural logarithm of its probability.

    Its end is included, unless the caption was cut off at the longest that was allowed.
    """

    caption: str
    log_probability: float


def generate(
    captioner: Captioner,
    images: ImageVectors,
    *,
    beam: int = 3,
    length_power: float = LENGTH_POWER,
    longest: int = MAX_WORDS,
    progress: Progress | None = None,
) -> list[GeneratedCaption]:
    """The best caption of each image that a beam so wide finds; a beam of 1 is greedy.

    The best has the highest ln p / words**length_power: with 0 the likeliest, which is often short.
    """
    check_number("beam", beam, BEAM)
    check_number("length_power", length_power, WEIGHT)
    decoder, width = captioner.decoder, min(beam, captioner.decoder.shape.vocabulary)

    def decode(vectors: torch.Tensor, start: int) -> Decoded:
        if beam == 1:
            return follow_choices(decoder, vectors, greedy_choice, longest)
        return beam_search(decoder, vectors, width, longest, length_power)

    at_once = max(1, MAX_PARTIAL_CAPTIONS // beam)
    return _generate_in_batches(captioner, images, decode, at_once, longest, progress)


def sample(
    captioner: Captioner,
    images: ImageVectors,
    *,
    temperature: float = 1.0,
    number: int = 1,
    longest: int = MAX_WORDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[list[GeneratedCaption]]:
    """So many captions of each image, each word drawn by its probability (Monte Carlo).

    A temperature below 1 favours likely words, one above 1 unlikely ones. What is drawn for an
    image depends on the seed and on the image's row, not on the batches.
    """
    check_number("temperature", temperature, POSITIVE)
    check_number("samples", number, WORDS)
    check_number("seed", seed, SEED)
    check_number("longest", longest, WORDS)
    rows = np.repeat(np.arange(len(images.vectors)), number)
    repeated = ImageVectors(
        tuple(images.names[row] for row in rows), images.vectors[rows], images.source
    )
    # One generator an image, so that the draws of one do not depend on how many there are.
    chance = np.stack(
        [
            np.random.default_rng([seed, row]).random((number, longest))
            for row in range(len(images.vectors))
        ]
    ).reshape(-1, longest)

    def decode(vectors: torch.Tensor, start: int) -> Decoded:
        choice = sampled_choice(chance[start : start + len(vectors)], temperature)
        return follow_choices(captioner.decoder, vectors, choice, longest)

    drawn = _generate_in_batches(
        captioner, repeated, decode, MAX_PARTIAL_CAPTIONS, longest, progress
    )
    return [drawn[start : start + number] for start in range(0, len(drawn), number)]


def _generate_in_batches(
    captioner: Captioner,
    images: ImageVectors,
    decode: Callable[[torch.Tensor, int], Decoded],
    at_once: int,
    longest: int,
    progress: Progress | None,
) -> list[GeneratedCaption]:
    torch = import_torch()
    images = captioner.scale_images(images)
    check_number("longest", longest, WORDS)
    written: list[GeneratedCaption] = []
    for start in range(0, len(images.vectors), at_once):
        with torch.inference_mode():
            words, logarithms = decode(
                torch.from_numpy(images.vectors[start : start + at_once]), start
            )
        written += map(
            GeneratedCaption, map(captioner.vocabulary.decode, words), logarithms.tolist()
        )
        if progress is not None:
            progress(len(written), len(images.vectors))
    return written
