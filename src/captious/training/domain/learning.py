"""Learning a domain: the space of its captions, and its order of words.

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
from captious.training.caption_space.captions import NumberedCaptions, counts
from captious.training.caption_space.extension import frequent_pieces, learn_pieces
from captious.training.caption_space.learning import Recipe, beginning, train
from captious.training.domain.captions import DomainCaptions
from captious.training.loop import Listener, Trained
from captious.training.word_order.adaptation import adapt_order
from captious.training.word_order.learning import learn_order
from captious.training.word_order.limits import with_limits

LEAST = 3  # times that a word to be learned occurs
DIMENSIONS = 384
PIECES = 4000  # of spelling, at most
MOST_SPELT = 20_000  # frequent words that teach them: bounds memory
MOST_AT_ONCE = 1024  # images in a batch; fewer where an epoch would have too few batches
BATCHES = 8  # of an epoch, if there are images enough
FEWEST_AT_ONCE = 64
ADAPTED = (10, 2e-3, 0.15)  # epochs, highest rate, share of words hidden
NEW = (15, 1e-2, 0.5)
HELD_OUT = "held_out"


@dataclass(frozen=True, eq=False)
class Learnt:
    """A domain, the space that its learning began at, and how that went."""

    domain: Domain
    before: CaptionSpace
    training: Trained[Vectors]


def recipe_for(language: str, images: int, seed: int) -> Recipe:
    """How a space is learned from so many images."""
    batch = min(max(images // BATCHES, FEWEST_AT_ONCE), MOST_AT_ONCE)
    return Recipe(*(ADAPTED if language == ENGLISH else NEW), seed=seed, batch=batch)


def learn_domain(
    captions: DomainCaptions,
    language: str,
    recipe: Recipe,
    *,
    checkpoint: str | Path | None = None,
    progress: Listener | None = None,
) -> Learnt:
    """Learn space and order from captions."""
    seen = counts(captions.learned.words)
    words = sorted(word for word, count in seen.items() if count >= LEAST)
    if not words:
        raise InputError(f"no word occurs {LEAST} times in the captions; have they any words?")
    shipped = CaptionSpace.load() if language == ENGLISH else None
    if shipped is None:
        shares = np.array([seen[word] for word in words]) / sum(seen.values())
        nothing = np.zeros((len(words), DIMENSIONS // 2))
        start = beginning(nothing, shares, DIMENSIONS, recipe.seed)
    else:
        start = shipped.of_words(words)
    number = {word: place for place, word in enumerate(words)}
    learned, held_out = (
        NumberedCaptions.of(part.words, number, captions.several)
        for part in (captions.learned, captions.chosen_by)
    )
    trained = train(
        start, learned, {HELD_OUT: held_out}, recipe, checkpoint=checkpoint, progress=progress
    )
    if shipped is None:
        frequent = sorted(number, key=lambda word: (-seen[word], word))[:MOST_SPELT]
        teachers = [number[word] for word in frequent]
        space, before = (_new_space(words, vectors, teachers) for vectors in (trained.model, start))
    else:
        space, before = _adapted_space(shipped, words, trained.model), shipped
    texts = captions.learned.words + captions.few.words
    order = learn_order(texts) if shipped is None else adapt_order(WordOrder.load(), texts)
    order = with_limits(order, captions.chosen_by.captions)
    return Learnt(Domain(language, space, order), before, trained)


def _new_space(words: Sequence[str], vectors: Vectors, teachers: list[int]) -> CaptionSpace:
    """The words that were learned, and pieces of spelling that some of them teach."""
    spelling = [words[place] for place in teachers]
    pieces = frequent_pieces(spelling, PIECES)
    spelt = learn_pieces(spelling, vectors[teachers].astype(np.float64), pieces)
    every = [*words, *(PIECE + piece for piece in pieces)]
    together = np.concatenate([vectors, spelt.astype(np.float32)])
    return CaptionSpace(WordVectors.in_bytes(NAME, every, together))


def _adapted_space(shipped: CaptionSpace, words: Sequence[str], vectors: Vectors) -> CaptionSpace:
    """A space whose words lie where they were learned; all others, and pieces, as they did."""
    table = shipped.vectors
    place_of = {word: place for place, word in enumerate(table.words)}
    new = [word for word in words if word not in place_of]
    place_of |= {word: len(table) + place for place, word in enumerate(new)}
    every = np.zeros((len(place_of), table.dimensions), np.float32)
    every[: len(table)] = table.at(np.arange(len(table)))
    every[[place_of[word] for word in words]] = vectors
    return CaptionSpace(WordVectors.in_bytes(NAME, list(place_of), every))
