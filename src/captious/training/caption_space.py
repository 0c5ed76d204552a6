"""Caption vectors: contrastive training on captions alone, and retrieval to judge them by.

Captions of one image shall lie nearer to each other than to those of other images.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.backends.pytorch import import_torch
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    Vectors,
    caption_vectors,
    character_ngrams,
    normalize,
)
from captious.training.checkpoint import Point, training_key
from captious.training.loop import BatchLoss, Learner, Listener, Schedule, TrainingResult, learn

if TYPE_CHECKING:
    import torch


Images = list[list[list[str]]]  # the tokens of each caption of each image


def count_words(images: Images) -> Counter[str]:
    """Count how often each word occurs."""
    return Counter(word for captions in images for caption in captions for word in caption)


@dataclass(frozen=True, eq=False)
class NumberedCaptions:
    """Captions as word ids, image by image; so many of each image are used."""

    words: Ragged  # one row a caption
    image_offsets: IntArray  # row of each image, and the end
    captions_per_image: int

    @classmethod
    def of(
        cls, images: Images, number: Mapping[str, int], captions_per_image: int
    ) -> NumberedCaptions:
        """Unknown words are left out; every image has `captions_per_image` captions or more."""
        rows = [
            [number[word] for word in caption if word in number]
            for caption in chain.from_iterable(images)
        ]
        flat = np.array([word for row in rows for word in row], np.int64)
        words = Ragged(flat, offsets_of(np.array([len(row) for row in rows], np.int64)))
        return cls(
            words, offsets_of(np.array(list(map(len, images)), np.int64)), captions_per_image
        )

    def __len__(self) -> int:
        return len(self.image_offsets) - 1

    @property
    def arrays(self) -> tuple[IntArray, ...]:
        """The arrays that identify these captions."""
        return self.words.values, self.words.offsets, self.image_offsets

    def select_images(self, chosen: IntArray, rng: np.random.Generator | None = None) -> Ragged:
        """The captions of some images: the first ones, or as many drawn at random."""
        places = np.arange(self.captions_per_image)
        rows = self.image_offsets[chosen][:, None] + places
        if rng is not None and (np.diff(self.image_offsets) > self.captions_per_image).any():
            numbers = np.diff(self.image_offsets)[chosen].tolist()
            rows = rows - places
            rows = rows + [
                rng.choice(number, self.captions_per_image, replace=False) for number in numbers
            ]
        return self.words.take(rows.ravel())


class RetrievalScores(NamedTuple):
    """Recall at 1 and mean reciprocal rank of a caption's own image among all."""

    first: float
    reciprocal_rank: float

    def __str__(self) -> str:
        return f"{self.first:.4f} first, {self.reciprocal_rank:.4f} reciprocal rank"


def evaluate_retrieval(vectors: Vectors) -> RetrievalScores:
    """Evaluate caption vectors, indexed by image, caption of the image, and dimension."""
    recalls_and_ranks = []
    sums = vectors.sum(axis=1)
    for place in range(vectors.shape[1]):
        scores = vectors[:, place] @ normalize(sums - vectors[:, place]).T
        ranks = (scores > scores.diagonal()[:, None]).sum(axis=1) + 1
        recalls_and_ranks.append(((ranks == 1).mean(), (1 / ranks).mean()))
    return RetrievalScores(*np.mean(recalls_and_ranks, axis=0).tolist())


def evaluate_space(space: CaptionSpace, images: Images, captions_per_image: int) -> RetrievalScores:
    """Evaluate the first `captions_per_image` captions of each image in a caption space."""
    captions = [" ".join(caption) for image in images for caption in image[:captions_per_image]]
    rows = np.arange(len(captions))
    vectors = caption_vectors(Analysis(captions, "whitespace"), space, rows)
    return evaluate_retrieval(vectors.reshape(len(images), captions_per_image, -1))


AfterEpoch = Callable[[int, Point], None]  # called with an epoch's number (from 1) and measures
WARM_UP_STEPS = 50
RANDOM_VECTOR_LENGTH = 0.5  # length of what is drawn at random, beside vectors of length one
COMMON_WORD_SHARE = 1e-3  # share of all words above which a word begins with less weight


@dataclass(frozen=True)
class Recipe:
    """Hyperparameters of the training."""

    epochs: int
    rate: float  # the highest
    hidden: float  # share of the words that a batch does without, so that none is relied on
    seed: int
    batch: int = 1024  # images at once
    temperature: float = 0.05


def initial_vectors(vectors: FloatArray, shares: FloatArray, dimensions: int, seed: int) -> Vectors:
    """Initial vectors: the given ones, with random values in further dimensions.

    The more common a word, the shorter its initial vector. A word without a vector (zeros) gets a
    random one.
    """
    rng = np.random.default_rng(seed)
    known = vectors.any(axis=1)
    centred = np.zeros_like(vectors)
    if known.any():
        centred[known] = vectors[known] - vectors[known].mean(axis=0)
        centred /= np.linalg.norm(centred[known], axis=1).mean()
    size = vectors.shape[1]
    centred[~known] = (
        RANDOM_VECTOR_LENGTH * rng.normal(size=(int((~known).sum()), size)) / math.sqrt(size)
    )
    n_random = dimensions - size
    random_part = (
        RANDOM_VECTOR_LENGTH * rng.normal(size=(len(vectors), n_random)) / math.sqrt(n_random)
    )
    initial = np.hstack([centred, random_part])
    initial *= np.sqrt(COMMON_WORD_SHARE / (COMMON_WORD_SHARE + shares))[:, None]
    return initial.astype(np.float32)


def train(
    start: Vectors,
    captions: NumberedCaptions,
    held_out: Mapping[str, NumberedCaptions],
    recipe: Recipe,
    *,
    keeps_last: bool = False,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
    after_epoch: AfterEpoch | None = None,
) -> TrainingResult[Vectors]:
    """Train word vectors; keep the epoch with the best retrieval on the first held-out images.

    With `keeps_last`, keep the last epoch. With `checkpoint`, an interrupted training resumes from
    that file, to the same bits.
    """
    learner = _Learner(start, captions, held_out, recipe)
    steps = recipe.epochs * learner.batches
    schedule = Schedule(
        recipe.epochs,
        patience=recipe.epochs,
        learning_rate=recipe.rate,
        rate_factor=lambda step: _rate_factor(step, steps),
        keeps_last=keeps_last,
        adam={"betas": (0.9, 0.99)},
    )
    arrays = [part for each in (captions, *held_out.values()) for part in each.arrays]
    # The learning rate depends on the number of epochs, so a resumed training must have the same.
    key = training_key(asdict(recipe), keeps_last, list(held_out), start, *arrays)
    result = learn(
        learner, schedule, key, checkpoint=checkpoint, progress=progress, after_epoch=after_epoch
    )
    return TrainingResult(result.model[0], result.best, result.curve)


def train_and_average(
    start: Vectors,
    captions: NumberedCaptions,
    held_out: Mapping[str, NumberedCaptions],
    recipes: Sequence[Recipe],
    after_epoch: AfterEpoch | None = None,
) -> Vectors:
    """Average the results of several trainings from the same initial vectors.

    They end near each other, and their individual noise cancels out.
    """
    tables = [
        train(start, captions, held_out, recipe, keeps_last=True, after_epoch=after_epoch).model
        for recipe in recipes
    ]
    mean: Vectors = np.mean(tables, axis=0)
    return mean


class _Learner(Learner):
    """The word vectors being trained, with training and held-out captions."""

    def __init__(
        self,
        start: Vectors,
        captions: NumberedCaptions,
        held_out: Mapping[str, NumberedCaptions],
        recipe: Recipe,
    ) -> None:
        self._torch = torch = import_torch()
        self._captions, self._held_out, self._recipe = captions, held_out, recipe
        self._table = torch.tensor(start, requires_grad=True)
        self.weights = [self._table]
        self.batches = len(captions) // recipe.batch
        self.samples = self.batches * recipe.batch
        self.measures = tuple(
            f"{name}_{what}" for name in held_out for what in RetrievalScores._fields
        )
        self.merit = self.measures[1]

    def batch_losses(self, epoch: int) -> Iterator[BatchLoss]:
        """Yield batches; seed and epoch decide the order of images and the hidden words."""
        torch, recipe = self._torch, self._recipe
        order, generator = self._order_and_generator(epoch)
        rng = np.random.default_rng([recipe.seed, epoch])
        for number in range(self.batches):
            chosen = order[number * recipe.batch : (number + 1) * recipe.batch]
            seen = self._table * (self._draw_hidden_words(generator) >= recipe.hidden)
            embedded = self._embed_captions(seen, self._captions.select_images(chosen, rng))
            yield BatchLoss(_loss(torch, embedded, recipe.temperature), len(chosen))

    def _order_and_generator(self, epoch: int) -> tuple[IntArray, torch.Generator]:
        """The order of images and the random state at an epoch, as after all epochs before it.

        One random stream runs through all epochs, so a resumed training has to draw the numbers of
        the completed epochs again.
        """
        rng = np.random.default_rng(self._recipe.seed)
        generator = self._torch.Generator().manual_seed(self._recipe.seed)
        for _ in range(epoch):
            rng.permutation(len(self._captions))
            for _ in range(self.batches):
                self._draw_hidden_words(generator)
        return rng.permutation(len(self._captions)), generator

    def _draw_hidden_words(self, generator: torch.Generator) -> torch.Tensor:
        return self._torch.rand(len(self._table), 1, generator=generator)

    def _embed_captions(self, table: torch.Tensor, rows: Ragged) -> torch.Tensor:
        """Normalized caption vectors, by image and place among its captions."""
        functions = self._torch.nn.functional
        words, offsets = map(self._torch.from_numpy, (rows.values, rows.offsets[:-1]))
        sums = functions.embedding_bag(words, table, offsets, mode="sum")
        captions_per_image = self._captions.captions_per_image
        return functions.normalize(sums, dim=1, eps=1e-6).view(
            -1, captions_per_image, table.shape[1]
        )

    def validate(self) -> Point:
        """Measure retrieval on the held-out images."""
        point: Point = {}
        for name, captions in self._held_out.items():
            rows = captions.select_images(np.arange(len(captions)))
            retrieval = evaluate_retrieval(self._embed_captions(self._table.detach(), rows).numpy())
            point |= {f"{name}_{what}": value for what, value in retrieval._asdict().items()}
        return point


def _loss(torch: Any, captions: torch.Tensor, temperature: float) -> torch.Tensor:
    """Contrastive loss between each caption and the centroid of its image's others, both ways."""
    functions, captions_per_image = torch.nn.functional, captions.shape[1]
    sums = captions.sum(dim=1)
    right = torch.arange(len(captions))
    loss = torch.zeros(())
    for place in range(captions_per_image):
        others = functions.normalize(sums - captions[:, place], dim=1)
        scores = captions[:, place] @ others.T / temperature
        loss = loss + functions.cross_entropy(scores, right)
        loss = loss + functions.cross_entropy(scores.T, right)
    return loss / (2 * captions_per_image)


def _rate_factor(step: int, steps: int) -> float:
    """Linear warm-up, then cosine decay."""
    return min(1.0, (step + 1) / WARM_UP_STEPS) * (
        0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps))
    )


RIDGE_PENALTY = 30.0
PIECE_PENALTY = 0.01


def extrapolate_vectors(known: FloatArray, learned: FloatArray, unknown: FloatArray) -> FloatArray:
    """Predict vectors of unknown words by a ridge regression from given to learned vectors."""
    mean, target = known.mean(axis=0), learned.mean(axis=0)
    centred = known - mean
    gram = centred.T @ centred + RIDGE_PENALTY * np.eye(known.shape[1])
    mapping = np.linalg.solve(gram, centred.T @ (learned - target))
    result: FloatArray = (unknown - mean) @ mapping + target
    return result


def frequent_pieces(words: Sequence[str], most: int) -> list[str]:
    """Return the most frequent character n-grams, each of at least two words."""
    counts = Counter(piece for word in words for piece in set(character_ngrams(word)))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [piece for piece, count in ordered[:most] if count > 1]


def learn_pieces(words: Sequence[str], vectors: FloatArray, pieces: Sequence[str]) -> FloatArray:
    """Pieces' vectors such that the mean over a word's pieces is near the word's own vector.

    Least squares with a small penalty on length, for pieces that few words have.
    """
    number = {piece: place for place, piece in enumerate(pieces)}
    shares = np.zeros((len(words), len(pieces)))
    for row, word in enumerate(words):
        inside = [number[piece] for piece in character_ngrams(word) if piece in number]
        for place in inside:
            shares[row, place] += 1 / len(inside)
    gram = shares.T @ shares + PIECE_PENALTY * np.eye(len(pieces))
    piece_vectors: FloatArray = np.linalg.solve(gram, shares.T @ vectors).astype(
        np.float64, copy=False
    )
    return piece_vectors
