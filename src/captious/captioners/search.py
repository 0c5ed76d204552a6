"""Greedy decoding, sampling and beam search: one caption for each image of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.backends.pytorch import import_torch
from captious.captioners.decoder import Decoder, State
from captious.text.vocabulary import EDGE, UNKNOWN

if TYPE_CHECKING:
    import torch

Decoded = tuple[
    IntArray, FloatArray
]  # words, a row a caption, and ln of each caption's probability
LENGTH_POWER = 1.0  # chosen on the validation images of Flickr8k
# Logarithms of probability of each next word, a row a caption, and the step: the words chosen.
Choice = Callable[["torch.Tensor", int], "torch.Tensor"]


def follow_choices(
    decoder: Decoder, vectors: torch.Tensor, choice: Choice, longest: int
) -> Decoded:
    """Follow one choice at each step until all captions have ended or are as long as may be."""
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


def greedy_choice(logarithms: torch.Tensor, step: int) -> torch.Tensor:
    """The greedy choice."""
    return logarithms.argmax(1)


def sampled_choice(chance: FloatArray, temperature: float) -> Choice:
    """Sample words from uniform random numbers below 1: a row a caption, a column a step."""
    numbers = import_torch().from_numpy(chance)

    def choose(logarithms: torch.Tensor, step: int) -> torch.Tensor:
        sums = (logarithms / temperature).softmax(1).cumsum(1)
        # The first word whose sum lies above; the last sum need not be 1 to the last bit.
        return (sums <= numbers[:, step, None] * sums[:, -1:]).sum(1)

    return choose


def beam_search(
    decoder: Decoder, vectors: torch.Tensor, beam: int, longest: int, length_power: float
) -> Decoded:
    """Keep the `beam` likeliest beginnings at each step; a caption that ends leaves the beam.

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
        over = chosen == EDGE
        if step == longest - 1:
            over |= True  # no room for an end
        ended, which = total.where(over, -np.inf).max(1)
        worth = ended / (step + 1) ** length_power
        better = worth > best
        best, likelihoods = worth.where(better, best), ended.where(better, likelihoods)
        captions[better, : step + 1] = paths[better, which[better]]
        total = total.masked_fill(over, -np.inf)
        # Further words can only lower a probability: what a beginning may be worth at most.
        if (total.amax(1) / longest**length_power <= best).all():
            break
        state = state.take((first + parents).flatten())
        words = chosen.flatten()
    return captions.numpy(), likelihoods.numpy()


def _next_log_probabilities(
    decoder: Decoder, words: torch.Tensor, state: State
) -> tuple[torch.Tensor, State]:
    """Log probabilities of every next word; that of the unknown word is minus infinity."""
    scores, state = decoder.read(words[:, None], state)
    logarithms = scores[:, 0].double().log_softmax(1)
    logarithms[:, UNKNOWN] = -np.inf
    return logarithms, state
