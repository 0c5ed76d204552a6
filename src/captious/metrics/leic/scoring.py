"""Scoring with a critic: the probability that a person wrote each caption."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from captious._internal.arrays.logistic import logistic
from captious._internal.arrays.ragged import FloatArray
from captious.images.vectors import SingleArray
from captious.metrics.leic.critic import Critic
from captious.samples import Samples
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

PAIRS_PER_BATCH = 8192  # bounds memory


class Context(NamedTuple):
    """Vectors of images and of unique references; none of what the critic does not read."""

    images: SingleArray | None
    references: SingleArray | None


def encode_context(critic: Critic, seen: SingleArray | None, references: Analysis) -> Context:
    """Encode the context of a critic: images, from an encoder's vectors, and references."""
    return Context(
        critic.encode_images(seen) if critic.recipe.uses_images and seen is not None else None,
        _encode_captions(critic, references) if critic.recipe.uses_references else None,
    )


def human_probabilities(critic: Critic, samples: Samples, context: Context) -> FloatArray:
    """Return the mean probability over each sample's references, if the critic uses any."""
    pairs = samples.pairs
    candidates = critic.project_candidates(_encode_captions(critic, samples.candidates))
    owners = np.arange(len(samples)) if context.references is None else pairs.owners
    brought = []  # to the margins of pairs: products by row, and each pair's row
    if context.images is not None:
        seen, rows = np.unique(samples.images, return_inverse=True)
        brought.append((critic.project_images(context.images[seen]), rows[owners]))
    if context.references is not None:
        read, rows = np.unique(pairs.values, return_inverse=True)
        brought.append((critic.project_references(context.references[read]), rows))
    by_pair = np.empty(len(owners))
    for start in range(0, len(owners), PAIRS_PER_BATCH):
        some = slice(start, start + PAIRS_PER_BATCH)
        beside = np.add.reduce([products[rows[some]] for products, rows in brought])
        mine = candidates[samples.rows[owners[some]]]
        margins = critic.fusion.margins(beside, mine)
        by_pair[some] = logistic(margins.astype(np.float64))
    counts = np.bincount(owners, minlength=len(samples))
    means: FloatArray = np.bincount(owners, by_pair, len(samples)) / counts
    return means


def _encode_captions(critic: Critic, analysis: Analysis) -> SingleArray:
    """The vector of each unique caption."""
    return critic.encode_captions(analysis.layer(Tokens).words)
