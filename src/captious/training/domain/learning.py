"""Train a domain: its caption space, and its model of word order.

English captions begin at what ships, which knows most of their words; those of another language
begin at random vectors, and with an order of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.text.domain import NAME, Domain
from captious.text.languages import ENGLISH
from captious.text.vectors.caption_vectors import PIECE, CaptionSpace, Vectors
from captious.text.vectors.word_vectors import WordVectors
from captious.text.word_order import WordOrder
from captious.training.caption_space.captions import NumberedCaptions, count_words
from captious.training.caption_space.extension import frequent_pieces, learn_pieces
from captious.training.caption_space.learning import Recipe, initial_vectors, train
from captious.training.domain.captions import DomainCaptions
from captious.training.loop import Listener, TrainingResult
from captious.training.word_order.adaptation import adapt_order
from captious.training.word_order.learning import learn_order
from captious.training.word_order.limits import fit_limits

MIN_WORD_COUNT = 3  # times that a word to be learned occurs
DIMENSIONS = 384
MAX_SPELLING_PIECES = 4000  # of spelling, at most
MAX_SPELLING_WORDS = 20_000  # frequent words that teach them: bounds memory
MAX_BATCH_IMAGES = 1024  # images in a batch; fewer where an epoch would have too few batches
MIN_BATCHES_PER_EPOCH = 8  # of an epoch, if there are images enough
MIN_BATCH_IMAGES = 64
ADAPTATION = (10, 2e-3, 0.15)  # epochs, highest rate, share of words hidden
FROM_SCRATCH = (15, 1e-2, 0.5)
HELD_OUT = "held_out"


@dataclass(frozen=True, eq=False)
class LearnedDomain:
    """A domain, its initial caption space, and the training result."""

    domain: Domain
    before: CaptionSpace
    training: TrainingResult[Vectors]


def recipe_for(language: str, images: int, seed: int) -> Recipe:
    """Return the hyperparameters for a number of images."""
    batch = min(max(images // MIN_BATCHES_PER_EPOCH, MIN_BATCH_IMAGES), MAX_BATCH_IMAGES)
    return Recipe(*(ADAPTATION if language == ENGLISH else FROM_SCRATCH), seed=seed, batch=batch)


def learn_domain(
    captions: DomainCaptions,
    language: str,
    recipe: Recipe,
    *,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
) -> LearnedDomain:
    """Learn space and order from captions."""
    seen = count_words(captions.training.words)
    words = sorted(word for word, count in seen.items() if count >= MIN_WORD_COUNT)
    if not words:
        raise InputError(
            f"no word occurs {MIN_WORD_COUNT} times in the captions; have they any words?"
        )
    shipped = CaptionSpace.load() if language == ENGLISH else None
    if shipped is None:
        shares = np.array([seen[word] for word in words]) / sum(seen.values())
        nothing = np.zeros((len(words), DIMENSIONS // 2))
        start = initial_vectors(nothing, shares, DIMENSIONS, recipe.seed)
    else:
        start = shipped.of_words(words)
    number = {word: place for place, word in enumerate(words)}
    learned, held_out = (
        NumberedCaptions.of(part.words, number, captions.several)
        for part in (captions.training, captions.validation)
    )
    trained = train(
        start, learned, {HELD_OUT: held_out}, recipe, checkpoint=checkpoint, progress=progress
    )
    if shipped is None:
        frequent = sorted(number, key=lambda word: (-seen[word], word))[:MAX_SPELLING_WORDS]
        teachers = [number[word] for word in frequent]
        space, before = (_new_space(words, vectors, teachers) for vectors in (trained.model, start))
    else:
        space, before = _adapted_space(shipped, words, trained.model), shipped
    texts = captions.training.words + captions.few.words
    order = learn_order(texts) if shipped is None else adapt_order(WordOrder.load(), texts)
    order = fit_limits(order, captions.validation.captions)
    return LearnedDomain(Domain(language, space, order), before, trained)


def _new_space(words: Sequence[str], vectors: Vectors, teachers: list[int]) -> CaptionSpace:
    """A space of the learned words, with n-gram vectors fitted to the frequent ones."""
    spelling = [words[place] for place in teachers]
    pieces = frequent_pieces(spelling, MAX_SPELLING_PIECES)
    spelt = learn_pieces(spelling, vectors[teachers].astype(np.float64), pieces)
    every = [*words, *(PIECE + piece for piece in pieces)]
    together = np.concatenate([vectors, spelt.astype(np.float32)])
    return CaptionSpace(WordVectors.quantize(NAME, every, together))


def _adapted_space(shipped: CaptionSpace, words: Sequence[str], vectors: Vectors) -> CaptionSpace:
    """The shipped space with the learned words' vectors replaced."""
    table = shipped.vectors
    place_of = {word: place for place, word in enumerate(table.words)}
    new = [word for word in words if word not in place_of]
    place_of |= {word: len(table) + place for place, word in enumerate(new)}
    every = np.zeros((len(place_of), table.dimensions), np.float32)
    every[: len(table)] = table.at(np.arange(len(table)))
    every[[place_of[word] for word in words]] = vectors
    return CaptionSpace(WordVectors.quantize(NAME, list(place_of), every))
