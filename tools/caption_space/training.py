"""Training: a caption lies nearer to the other captions of its image than to other images'."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as functions
from torch import Tensor

from captious.arrays.ragged import Ragged
from captious.text.vectors.other_images import TEMPERATURE

from .data import CAPTIONS

WARM_UP = 50  # steps
AT_RANDOM = 0.5  # length of what is drawn at random, beside vectors of length one
COMMON = 1e-3  # share of all words above which a word begins with less weight


@dataclass(frozen=True)
class Recipe:
    """What decides how training goes."""

    epochs: int
    rate: float  # the highest
    hidden: float  # share of the words that a batch does without, so that none is relied on
    seed: int
    batch: int = 1024  # images at once
    temperature: float = TEMPERATURE


def beginning(vectors: np.ndarray, shares: np.ndarray, dimensions: int, seed: int) -> Tensor:
    """Where words begin: at their vectors, and at random in the dimensions that these lack.

    The more common a word, the less it weighs at first. A word without a vector (zeros) begins
    anywhere.
    """
    rng = np.random.default_rng(seed)
    known = vectors.any(axis=1)
    centred = np.zeros_like(vectors)
    centred[known] = vectors[known] - vectors[known].mean(axis=0)
    centred /= np.linalg.norm(centred[known], axis=1).mean()
    size = vectors.shape[1]
    centred[~known] = AT_RANDOM * rng.normal(size=(int((~known).sum()), size)) / math.sqrt(size)
    more = dimensions - size
    further = AT_RANDOM * rng.normal(size=(len(vectors), more)) / math.sqrt(more)
    placed = np.hstack([centred, further])
    placed *= np.sqrt(COMMON / (COMMON + shares))[:, None]
    return torch.tensor(placed, dtype=torch.float32)


def embed(table: Tensor, words: Tensor, offsets: Tensor) -> Tensor:
    """Captions at length one, by image and place among its captions."""
    sums = functions.embedding_bag(words, table, offsets, mode="sum")
    return functions.normalize(sums, dim=1, eps=1e-6).view(-1, CAPTIONS, table.shape[1])


def loss_of(captions: Tensor, temperature: float) -> Tensor:
    """Each caption must find the centroid of its image's others among the batch, and back."""
    together = captions.sum(dim=1)
    right = torch.arange(len(captions))
    loss = torch.zeros(())
    for place in range(CAPTIONS):
        others = functions.normalize(together - captions[:, place], dim=1)
        scores = captions[:, place] @ others.T / temperature
        loss = loss + functions.cross_entropy(scores, right)
        loss = loss + functions.cross_entropy(scores.T, right)
    return loss / (2 * CAPTIONS)


def mean_of_trainings(
    start: Tensor, captions: Ragged, held_out: dict[str, Ragged], recipes: Sequence[Recipe]
) -> np.ndarray:
    """The mean of several trainings from one beginning.

    They end near each other, and what is peculiar to one cancels out.
    """
    tables = [train(start, captions, held_out, recipe) for recipe in recipes]
    mean: np.ndarray = np.mean(tables, axis=0)
    print(f"mean of {len(tables)}: {_found(torch.from_numpy(mean), held_out)}", flush=True)
    return mean


def train(
    start: Tensor, captions: Ragged, held_out: dict[str, Ragged], recipe: Recipe
) -> np.ndarray:
    """The words' vectors after training; prints how well captions of held-out images are found."""
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    table = torch.nn.Parameter(start.clone())
    optimizer = torch.optim.Adam([table], lr=recipe.rate, betas=(0.9, 0.99))
    images = len(captions) // CAPTIONS
    batches = images // recipe.batch
    steps, step, began = recipe.epochs * batches, 0, time.monotonic()
    for epoch in range(recipe.epochs):
        order = rng.permutation(images)
        total = 0.0
        for number in range(batches):
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * _pace(step, steps)
            chosen = order[number * recipe.batch : (number + 1) * recipe.batch]
            rows = captions.take((chosen[:, None] * CAPTIONS + np.arange(CAPTIONS)).ravel())
            words, offsets = torch.from_numpy(rows.values), torch.from_numpy(rows.offsets[:-1])
            seen = table * (torch.rand(len(table), 1) >= recipe.hidden)
            loss = loss_of(embed(seen, words, offsets), recipe.temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            total += float(loss.detach())
        seconds = time.monotonic() - began
        print(
            f"epoch {epoch + 1} loss {total / batches:.4f}: {_found(table, held_out)} "
            f"({seconds:.0f} s)",
            flush=True,
        )
    learned: np.ndarray = table.detach().numpy()
    return learned


def _found(table: Tensor, held_out: dict[str, Ragged]) -> str:
    return ", ".join(
        "{} {:.4f} first, {:.4f} reciprocal rank".format(name, *retrieval(table, rows))
        for name, rows in held_out.items()
    )


@torch.no_grad()  # type: ignore[untyped-decorator]
def retrieval(table: Tensor, captions: Ragged) -> tuple[float, float]:
    """How often a caption's own image comes first among all, and the mean reciprocal rank."""
    placed = embed(
        table, torch.from_numpy(captions.values), torch.from_numpy(captions.offsets[:-1])
    )
    first, reciprocal = 0.0, 0.0
    for place in range(CAPTIONS):
        others = functions.normalize(placed.sum(dim=1) - placed[:, place], dim=1)
        scores = placed[:, place] @ others.T
        ranks = (scores > scores.diagonal()[:, None]).sum(dim=1).double() + 1
        first += float((ranks == 1).double().mean()) / CAPTIONS
        reciprocal += float((1 / ranks).mean()) / CAPTIONS
    return first, reciprocal


def _pace(step: int, steps: int) -> float:
    """Rise for a while, then fall along a cosine."""
    return min(1.0, (step + 1) / WARM_UP) * (
        0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps))
    )
