"""Caption generation in batches: greedy, beam search, or sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.backends.pytorch import import_torch
from captious._internal.checks.bounds import BEAM, POSITIVE, SEED, WEIGHT, WORDS, check_number
from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder, State
from captious.images.vectors import ImageVectors
from captious.text.vocabulary import EDGE, UNKNOWN

if TYPE_CHECKING:
    import torch


LENGTH_POWER = 1.0  # chosen on the validation images of Flickr8k
MAX_PARTIAL_CAPTIONS = 500  # beginnings of captions that grow together
MAX_WORDS = 30
# Words, one row per caption, and the natural logarithm of each caption's probability.
Decoded = tuple[IntArray, FloatArray]
Progress = Callable[[int, int], None]  # captions done, captions in all
# From log probabilities of each next word, one row per caption, and the step: the next words.
Choice = Callable[["torch.Tensor", int], "torch.Tensor"]


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
    """Generate the best caption of each image by beam search; a beam of 1 is greedy.

    The best has the highest ln p / words**length_power: with 0 the likeliest, which is often short.
    """
    check_number("beam", beam, BEAM)
    check_number("length_power", length_power, WEIGHT)
    decoder, width = captioner.decoder, min(beam, captioner.decoder.shape.vocabulary)

    def decode(vectors: torch.Tensor, start: int) -> Decoded:
        if beam == 1:
            return decode_stepwise(decoder, vectors, choose_greedily, longest)
        return beam_search(decoder, vectors, width, longest, length_power)

    batch_size = max(1, MAX_PARTIAL_CAPTIONS // beam)
    return _generate_in_batches(captioner, images, decode, batch_size, longest, progress)


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
    """Sample captions of each image, each word drawn by its probability (Monte Carlo).

    A temperature below 1 favours likely words, one above 1 unlikely ones. The samples of an image
    depend on the seed and on the image's row, not on the batches.
    """
    check_number("temperature", temperature, POSITIVE)
    check_number("samples", number, WORDS)
    check_number("seed", seed, SEED)
    check_number("longest", longest, WORDS)
    rows = np.repeat(np.arange(len(images.vectors)), number)
    repeated = ImageVectors(
        tuple(images.names[row] for row in rows), images.vectors[rows], images.source
    )
    # One generator per image, so that the samples of one do not depend on how many there are.
    uniform = np.stack(
        [
            np.random.default_rng([seed, row]).random((number, longest))
            for row in range(len(images.vectors))
        ]
    ).reshape(-1, longest)

    def decode(vectors: torch.Tensor, start: int) -> Decoded:
        choice = sampler(uniform[start : start + len(vectors)], temperature)
        return decode_stepwise(captioner.decoder, vectors, choice, longest)

    generated = _generate_in_batches(
        captioner, repeated, decode, MAX_PARTIAL_CAPTIONS, longest, progress
    )
    return [generated[start : start + number] for start in range(0, len(generated), number)]


def _generate_in_batches(
    captioner: Captioner,
    images: ImageVectors,
    decode: Callable[[torch.Tensor, int], Decoded],
    batch_size: int,
    longest: int,
    progress: Progress | None,
) -> list[GeneratedCaption]:
    torch = import_torch()
    images = captioner.scale_images(images)
    check_number("longest", longest, WORDS)
    generated: list[GeneratedCaption] = []
    for start in range(0, len(images.vectors), batch_size):
        with torch.inference_mode():
            words, logarithms = decode(
                torch.from_numpy(images.vectors[start : start + batch_size]), start
            )
        generated += map(
            GeneratedCaption, map(captioner.vocabulary.decode, words), logarithms.tolist()
        )
        if progress is not None:
            progress(len(generated), len(images.vectors))
    return generated


def decode_stepwise(
    decoder: Decoder, vectors: torch.Tensor, choice: Choice, longest: int
) -> Decoded:
    """Decode captions with one choice per step, until all have ended or are as long as allowed."""
    torch = import_torch()
    state = decoder.initial_state(vectors)
    words = torch.full((len(vectors),), EDGE)
    total = torch.zeros(len(vectors), dtype=torch.float64)
    running = torch.ones(len(vectors), dtype=torch.bool)
    path = []
    for step in range(longest):
        logarithms, state = _next_log_probabilities(decoder, words, state)
        words = choice(logarithms, step).where(running, EDGE)
        chosen = logarithms.gather(1, words[:, None])[:, 0]
        total += chosen.where(running, 0.0)
        path.append(words)
        running &= words != EDGE
        if not running.any():
            break
    return torch.stack(path, 1).numpy(), total.numpy()


def choose_greedily(logarithms: torch.Tensor, step: int) -> torch.Tensor:
    """Choose the most probable word."""
    return logarithms.argmax(1)


def sampler(uniform: FloatArray, temperature: float) -> Choice:
    """Return a choice that samples from uniform random numbers below 1 (caption by step)."""
    numbers = import_torch().from_numpy(uniform)

    def choose(logarithms: torch.Tensor, step: int) -> torch.Tensor:
        sums = (logarithms / temperature).softmax(1).cumsum(1)
        # The first word whose sum lies above; the last sum need not be 1 to the last bit.
        return (sums <= numbers[:, step, None] * sums[:, -1:]).sum(1)

    return choose


def beam_search(
    decoder: Decoder, vectors: torch.Tensor, beam: int, longest: int, length_power: float
) -> Decoded:
    """Decode captions by beam search; a caption that ends leaves the beam.

    Captions that have ended are compared by ln p / words**length_power, the end counted as a word.
    """
    torch = import_torch()
    images = len(vectors)
    first = torch.arange(images)[:, None] * beam  # each image's first row in the state
    state = decoder.initial_state(vectors).take(torch.arange(images).repeat_interleave(beam))
    words = torch.full((images * beam,), EDGE)
    total = torch.full((images, beam), -np.inf, dtype=torch.float64)
    total[:, 0] = 0.0  # all beginnings are the same: one is enough
    paths = torch.zeros(images, beam, 0, dtype=torch.int64)
    best = torch.full((images,), -np.inf, dtype=torch.float64)
    likelihoods = best.clone()
    captions = torch.full((images, longest), EDGE)
    for step in range(longest):
        logarithms, state = _next_log_probabilities(decoder, words, state)
        number = logarithms.shape[1]
        grown = (total[:, :, None] + logarithms.view(images, beam, number)).flatten(1)
        total, places = grown.topk(beam)
        parents, chosen = places // number, places % number
        paths = torch.cat(
            [paths.gather(1, parents[:, :, None].expand(-1, -1, step)), chosen[:, :, None]], 2
        )
        is_ended = chosen == EDGE
        if step == longest - 1:
            is_ended |= True  # no room for an end
        ended, which = total.where(is_ended, -np.inf).max(1)
        value = ended / (step + 1) ** length_power
        better = value > best
        best, likelihoods = value.where(better, best), ended.where(better, likelihoods)
        captions[better, : step + 1] = paths[better, which[better]]
        total = total.masked_fill(is_ended, -np.inf)
        # Further words can only lower a probability: the most that a beginning can reach.
        if (total.amax(1) / longest**length_power <= best).all():
            break
        state = state.take((first + parents).flatten())
        words = chosen.flatten()
    return captions.numpy(), likelihoods.numpy()


def _next_log_probabilities(
    decoder: Decoder, words: torch.Tensor, state: State
) -> tuple[torch.Tensor, State]:
    """Return log probabilities of every next word; that of the unknown word is minus infinity."""
    scores, state = decoder.read(words[:, None], state)
    logarithms = scores[:, 0].double().log_softmax(1)
    logarithms[:, UNKNOWN] = -np.inf
    return logarithms, state
