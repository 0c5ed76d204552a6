"""Train a domain: its caption space, its model of word order, and the weights of `captious`.

English captions begin at what ships, which knows most of their words; those of another language
begin at random vectors, and with an order of their own. The weights are fitted to predict the
unseen reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.metrics.learned.captious import CAPTIOUS, Captious
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.weights import LearnedModel
from captious.text.analysis import Analysis
from captious.text.domain import NAME, Domain
from captious.text.languages import ENGLISH
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import PIECE, CaptionSpace, Vectors
from captious.text.vectors.word_vectors import WordVectors
from captious.text.word_order import WordOrder
from captious.training.caption_space import (
    NumberedCaptions,
    Recipe,
    count_words,
    frequent_pieces,
    initial_vectors,
    learn_pieces,
    train,
)
from captious.training.domain.captions import CaptionSplit, DomainCaptions
from captious.training.loop import Listener, TrainingResult
from captious.training.unseen_reference import (
    Calibration,
    Trials,
    build_trials,
    combine_similarities,
    compute_calibration,
    explained_variance,
    fit_model,
    other_image_trials,
)
from captious.training.word_order import adapt_order, fit_limits, learn_order

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
    word_counts = count_words(captions.training.words)
    words = sorted(word for word, count in word_counts.items() if count >= MIN_WORD_COUNT)
    if not words:
        raise InputError(
            f"no word occurs {MIN_WORD_COUNT} times in the captions; have they any words?"
        )
    shipped = CaptionSpace.load() if language == ENGLISH else None
    if shipped is None:
        shares = np.array([word_counts[word] for word in words]) / sum(word_counts.values())
        nothing = np.zeros((len(words), DIMENSIONS // 2))
        start = initial_vectors(nothing, shares, DIMENSIONS, recipe.seed)
    else:
        start = shipped.of_words(words)
    number = {word: place for place, word in enumerate(words)}
    training_captions, held_out = (
        NumberedCaptions.of(part.words, number, captions.captions_per_image)
        for part in (captions.training, captions.validation)
    )
    trained = train(
        start,
        training_captions,
        {HELD_OUT: held_out},
        recipe,
        checkpoint=checkpoint,
        progress=progress,
    )
    if shipped is None:
        frequent = sorted(number, key=lambda word: (-word_counts[word], word))[:MAX_SPELLING_WORDS]
        teachers = [number[word] for word in frequent]
        space, before = (
            _build_space(words, vectors, teachers) for vectors in (trained.model, start)
        )
    else:
        space, before = _adapt_space(shipped, words, trained.model), shipped
    texts = captions.training.words + captions.few.words
    order = learn_order(texts) if shipped is None else adapt_order(WordOrder.load(), texts)
    order = fit_limits(order, captions.validation.captions)
    return LearnedDomain(Domain(language, space, order), before, trained)


def _build_space(words: Sequence[str], vectors: Vectors, teachers: list[int]) -> CaptionSpace:
    """A space of the learned words, with n-gram vectors fitted to the frequent ones."""
    spelling = [words[place] for place in teachers]
    pieces = frequent_pieces(spelling, MAX_SPELLING_PIECES)
    piece_vectors = learn_pieces(spelling, vectors[teachers].astype(np.float64), pieces)
    all_words = [*words, *(PIECE + piece for piece in pieces)]
    all_vectors = np.concatenate([vectors, piece_vectors.astype(np.float32)])
    return CaptionSpace(WordVectors.quantize(NAME, all_words, all_vectors))


def _adapt_space(shipped: CaptionSpace, words: Sequence[str], vectors: Vectors) -> CaptionSpace:
    """The shipped space with the learned words' vectors replaced."""
    table = shipped.vectors
    place_of = {word: place for place, word in enumerate(table.words)}
    new = [word for word in words if word not in place_of]
    place_of |= {word: len(table) + place for place, word in enumerate(new)}
    all_words = np.zeros((len(place_of), table.dimensions), np.float32)
    all_words[: len(table)] = table.at(np.arange(len(table)))
    all_words[[place_of[word] for word in words]] = vectors
    return CaptionSpace(WordVectors.quantize(NAME, list(place_of), all_words))


SIMILARITY_METRICS = ("consensus", "support_recall", "support_precision")

Machines = Mapping[Any, Sequence[str]]  # captions by image


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """A model, the similarity that it explains, and its figures on held-out images."""

    model: LearnedModel
    trials: int
    explained_variance: float
    calibration: Calibration
    own_preferred: float  # how often the image's caption is preferred to another image's
    own_preferred_before: float | None  # the same of the weights that ship, if they can be read


def fit_weights(
    domain: Domain,
    fitted_on: CaptionSplit,
    reported: CaptionSplit,
    machines: Machines,
    tokenizer: str,
    seed: int,
) -> FittedWeights:
    """Fit on some images of a domain, and evaluate on others."""
    feature_set = CAPTIOUS.with_domain(domain)
    people = _join_words(fitted_on)
    machine_captions = [_tokenize(machines.get(name, ()), tokenizer) for name in fitted_on.names]
    trials = build_trials(people, machine_captions, domain.space, seed)
    contrast_trials = other_image_trials(people, domain.space, seed)
    similarity = combine_similarities(
        trials.similarities(FeatureSet.of(SIMILARITY_METRICS).with_domain(domain))
    )
    features = trials.features(feature_set)
    model = fit_model(feature_set, features, similarity, contrast_trials)
    test_trials = other_image_trials(_join_words(reported), domain.space, seed)
    before = own_preferred(Captious().model(), test_trials) if domain.language == ENGLISH else None
    return FittedWeights(
        model,
        len(trials),
        explained_variance(features, similarity, trials.images),
        compute_calibration(model, test_trials),
        own_preferred(model, test_trials),
        before,
    )


def own_preferred(model: LearnedModel, trials: Trials) -> float:
    """How often an image's own caption scores above another image's; ties count half."""
    margins: FloatArray = model.margins(trials.features(model.feature_set))
    own, images = trials.labels > 0, np.array(trials.images)
    margin_by_image = dict(zip(images[own].tolist(), margins[own].tolist(), strict=True))
    own_margins = np.array([margin_by_image[image] for image in images[~own].tolist()])
    return float(((own_margins > margins[~own]) + 0.5 * (own_margins == margins[~own])).mean())


def _join_words(part: CaptionSplit) -> list[list[str]]:
    return [[" ".join(caption) for caption in captions] for captions in part.words]


def _tokenize(captions: Sequence[str], tokenizer: str) -> list[str]:
    return [" ".join(words) for words in Analysis(list(captions), tokenizer).layer(Tokens).words]
