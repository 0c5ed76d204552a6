"""Consensus in parts: five more views of a candidate beside its references, in caption space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from captious.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious.loops.support import word_support
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.consensus import MOST_IMAGES
from captious.metrics.consensus.vector_views import LEAST_AGREEMENT, ReferenceViews, Views
from captious.metrics.wordless import equal_without_words, unplaced
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors
from captious.text.vectors.other_images import OtherImages

USUAL_AGREEMENT = 0.68  # of a reference that is alone: the median where there are four
PRECISE = 2.0**32  # numbers are rounded to so many parts of one before they are added
BLOCK = 4  # the loop takes so many numbers of a vector at once


@dataclass(frozen=True, eq=False)
class PreparedReferences:
    """What the parts need of each image's references."""

    views: ReferenceViews
    words: Ragged  # the different words of all references of an image together, ascending


@dataclass(frozen=True)
class ConsensusParts(Metric):
    """How near the nearest reference is, how near for references that agree so much, and more.

    `consensus_nearest` is the cosine to the nearest reference; `consensus_relative` the cosine to
    their centroid divided by how much they agree among themselves; `consensus_distinct` that cosine
    less the soft maximum of those to other images, so that what can be said of anything counts
    less; `support_recall` and `support_precision` are how well the references' words are matched by
    the candidate's and the other way round, each word as far as its best match is near.
    """

    name = "consensus_parts"
    columns = (
        "consensus_nearest",
        "consensus_relative",
        "consensus_distinct",
        "support_recall",
        "support_precision",
    )
    description = "further views of candidate and references in caption space, for `captious`"
    english = "its space of captions"
    bounds = (-1 / LEAST_AGREEMENT, 1 / LEAST_AGREEMENT)
    column_bounds: ClassVar = {
        "consensus_nearest": (-1.0, 1.0),
        "consensus_distinct": (-2.0, 2.0),
        "support_recall": (0.0, 1.0),
        "support_precision": (0.0, 1.0),
    }

    def prepare(self, references: References) -> PreparedReferences | None:
        """Centroids, agreement and words of all images' references, if not too many to keep."""
        if len(references) > MOST_IMAGES:
            return None
        return _prepared(references.analysis, references.rows)

    def statistics(self, samples: Samples, prepared: PreparedReferences | None) -> FloatArray:
        """The five numbers of each sample."""
        analysis, images = samples.references.analysis, samples.images
        if prepared is None:
            different, images = np.unique(images, return_inverse=True)
            prepared = _prepared(analysis, samples.references.rows.take(different))
        space = CaptionSpace.load()
        every = np.arange(len(samples.candidates.captions))
        mine = caption_vectors(samples.candidates, space, every)
        views = Views.of(
            samples,
            mine,
            lambda rows: caption_vectors(analysis, space, rows),
            prepared.views.centroids[images],
        )
        general = OtherImages.load().nearness(mine)[samples.rows]
        # What no one can place says nothing of any image, unless a reference says the very same.
        general[(mine == 0).all(axis=1)[samples.rows]] = 1.0
        same = samples.pairs.owners[equal_without_words(samples, unplaced(samples, mine))]
        views.centroid[same], views.nearest[same], general[same] = 1.0, 1.0, 0.0
        recall, precision = _support(samples, prepared.words, images, space)
        return averaged(
            views.nearest,
            views.centroid / prepared.views.agreement[images],
            views.centroid - general,
            recall,
            precision,
        )

    def depends_on(self) -> dict[str, Any]:
        """The space and the bank of other images."""
        space = CaptionSpace.load().vectors
        return {
            "space": Resource(space.name, space.fingerprint),
            "others": Resource(*OtherImages.load().signature.split("@")),
        }


def _prepared(analysis: Analysis, rows: Ragged) -> PreparedReferences:
    space = CaptionSpace.load()
    views = ReferenceViews.of(
        lambda some: caption_vectors(analysis, space, some), rows, USUAL_AGREEMENT
    )
    return PreparedReferences(views, _different(analysis, rows))


def _different(analysis: Analysis, rows: Ragged) -> Ragged:
    """The different words of several captions together, ascending, for each row of captions."""
    words = analysis.layer(Tokens).ids.take(rows.values)
    owners = np.repeat(rows.owners, words.lengths)
    return _unique(owners, words.values, len(rows), analysis.layer(Tokens).size)


def _unique(owners: IntArray, words: IntArray, count: int, size: int) -> Ragged:
    keys = np.sort(owners * size + words)
    keys = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
    owner, word = np.divmod(keys, max(size, 1))
    return Ragged(word, offsets_of(np.bincount(owner, minlength=count)))


def _support(
    samples: Samples, theirs: Ragged, images: IntArray, space: CaptionSpace
) -> tuple[FloatArray, FloatArray]:
    """How well references' words are matched by the candidate's, and the other way round.

    Longer vectors are rarer words with more to say. In the references such words count more still:
    what only one of them says may be left unsaid.
    """
    tokens = samples.candidates.layer(Tokens)
    mine = _unique(tokens.ids.owners, tokens.ids.values, len(tokens.ids), tokens.size)
    my_words, their_words = mine.take(samples.rows), theirs.take(images)
    used = np.flatnonzero(
        np.bincount(np.concatenate([my_words.values, their_words.values]), minlength=1)
    )
    units, lengths = _units_at(samples.candidates, space, used)
    my_best, their_best = np.zeros(len(my_words.values)), np.zeros(len(their_words.values))
    places = np.arange(len(samples))
    my_places = np.searchsorted(used, my_words.values)
    their_places = np.searchsorted(used, their_words.values)
    word_support(
        units.data,
        my_places.data,
        my_words.offsets.data,
        places.data,
        their_places.data,
        their_words.offsets.data,
        places.data,
        my_best.data,
        their_best.data,
    )
    return (
        _mean(their_best, lengths[their_places] ** 2, their_words),
        _mean(my_best, lengths[my_places], my_words),
    )


def _mean(values: FloatArray, weights: FloatArray, rows: Ragged) -> FloatArray:
    """The weighted mean of each row; 0 for rows of no weight.

    Words come in the order of their numbers, which other captions decide. Whole numbers have the
    same sum in any order.
    """
    owners, count = rows.owners, len(rows)
    totals = np.bincount(owners, np.rint(weights * PRECISE), minlength=count)
    sums = np.bincount(owners, np.rint(weights * values * PRECISE), minlength=count)
    return np.divide(sums, totals, out=np.zeros(count), where=totals > 0)


def _units_at(
    analysis: Analysis, space: CaptionSpace, ids: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The vectors of some words at length one, and their lengths, by token id, ascending."""
    if analysis.base is None:
        units, lengths = _units(analysis, space)
        return units[ids], lengths[ids]
    size = analysis.base.layer(Tokens).size
    before = _units_at(analysis.base, space, ids[ids < size])
    units, lengths = _units(analysis, space)
    new = ids[ids >= size] - size
    return np.concatenate([before[0], units[new]]), np.concatenate([before[1], lengths[new]])


def _units(analysis: Analysis, space: CaptionSpace) -> tuple[FloatArray, FloatArray]:
    """The vectors at length one of the words that only this analysis has, and their lengths."""

    def look_up() -> tuple[FloatArray, FloatArray]:
        names = list(analysis.layer(Tokens).vocabulary)
        vectors = space.of_words(names).astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        # Filled up with zeros for the loop.
        units = np.zeros((len(names), -(-space.dimensions // BLOCK) * BLOCK))
        units[:, : space.dimensions] = vectors / np.where(lengths > 0, lengths, 1)[:, None]
        # A word without a vector counts as much as the usual one: it is known by its spelling.
        return units, np.where(lengths > 0, lengths, 1.0)

    return analysis.once(("unit words", space.signature), look_up)
