"""Generation: captions of images, greedily, by beam search, or by chance, in batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from captious.captioners.captioner import Captioner
from captious.captioners.image_vectors import ImageVectors
from captious.captioners.search import Found, beam_search, by_chance, likeliest, one_path
from captious.errors import InputError
from captious.learned.training import import_torch

if TYPE_CHECKING:
    import torch

BATCH = 100
LONGEST = 30
Progress = Callable[[int, int], None]  # captions done, captions in all


@dataclass(frozen=True)
class Generated:
    """A caption and the natural logarithm of its probability, the end included."""

    caption: str
    log_probability: float


def generate(
    captioner: Captioner,
    images: ImageVectors,
    *,
    beam: int = 3,
    longest: int = LONGEST,
    progress: Progress | None = None,
) -> list[Generated]:
    """The likeliest caption of each image that a beam so wide finds; a beam of 1 is greedy."""
    if beam < 1:
        raise InputError(f"beam: a whole number from 1 on, not {beam}")
    decoder = captioner.decoder

    def decode(vectors: torch.Tensor, start: int) -> Found:
        if beam == 1:
            return one_path(decoder, vectors, likeliest, longest)
        return beam_search(decoder, vectors, min(beam, decoder.shape.vocabulary), longest)

    return _in_batches(captioner, images, decode, longest, progress)


def sample(
    captioner: Captioner,
    images: ImageVectors,
    *,
    temperature: float = 1.0,
    number: int = 1,
    longest: int = LONGEST,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[list[Generated]]:
    """So many captions of each image, each word drawn by its probability (Monte Carlo).

    A temperature below 1 favours likely words, one above 1 unlikely ones. What is drawn for an
    image depends on the seed and on the image's row, not on the batches.
    """
    if not 0 < temperature < np.inf:
        raise InputError(f"temperature: a number above 0, not {temperature}")
    if number < 1:
        raise InputError(f"samples: a whole number from 1 on, not {number}")
    if seed < 0:
        raise InputError(f"seed: a whole number from 0 on, not {seed}")
    rows = np.repeat(np.arange(len(images.vectors)), number)
    repeated = ImageVectors(
        tuple(images.names[row] for row in rows), images.vectors[rows], images.source
    )
    # One generator an image, so that the draws of one do not hang on how many there are.
    chance = np.stack(
        [
            np.random.default_rng([seed, row]).random((number, longest))
            for row in range(len(images.vectors))
        ]
    ).reshape(-1, longest)

    def decode(vectors: torch.Tensor, start: int) -> Found:
        choice = by_chance(chance[start : start + len(vectors)], temperature)
        return one_path(captioner.decoder, vectors, choice, longest)

    found = _in_batches(captioner, repeated, decode, longest, progress)
    return [found[start : start + number] for start in range(0, len(found), number)]


def _in_batches(
    captioner: Captioner,
    images: ImageVectors,
    decode: Callable[[torch.Tensor, int], Found],
    longest: int,
    progress: Progress | None,
) -> list[Generated]:
    torch = import_torch()
    captioner.check(images)
    if longest < 1:
        raise InputError(f"longest: a whole number from 1 on, not {longest}")
    found: list[Generated] = []
    for start in range(0, len(images.vectors), BATCH):
        with torch.inference_mode():
            words, logarithms = decode(
                torch.from_numpy(images.vectors[start : start + BATCH]), start
            )
        found += map(Generated, map(captioner.vocabulary.text, words), logarithms.tolist())
        if progress is not None:
            progress(len(found), len(images.vectors))
    return found
