"""Consensus in parts: five more views of a candidate beside its references, in caption space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from captious.arrays.ragged import FloatArray, Ragged
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.consensus import MOST_IMAGES
from captious.metrics.consensus.vector_views import LEAST_AGREEMENT, ReferenceViews, Views
from captious.metrics.consensus.word_support import (
    WordSupport,
    different_words,
    words_of_sets,
)
from captious.metrics.domains import Given, check_domain, domain_parameter, named_domain
from captious.metrics.wordless import equal_without_words, unplaced
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.domain import others_of, space_of
from captious.text.vectors.caption_vectors import (
    CaptionPlaces,
    CaptionSpace,
    are_zeros,
    caption_places,
    every_caption,
)

USUAL_AGREEMENT = 0.68  # of a reference that is alone: the median where there are four


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

    domain: Given = domain_parameter()

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
    english_unless = ("domain",)
    bounds = (-1 / LEAST_AGREEMENT, 1 / LEAST_AGREEMENT)
    column_bounds: ClassVar = {
        "consensus_nearest": (-1.0, 1.0),
        "consensus_distinct": (-2.0, 2.0),
        "support_recall": (0.0, 1.0),
        "support_precision": (0.0, 1.0),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_domain(self.domain)

    def prepare(self, references: References) -> PreparedReferences | None:
        """Centroids, agreement and words of all images' references, if not too many to keep."""
        if len(references) > MOST_IMAGES:
            return None
        return _prepared(references.analysis, references.rows, space_of(self.domain))

    def statistics(self, samples: Samples, prepared: PreparedReferences | None) -> FloatArray:
        """The five numbers of each sample."""
        analysis, images = samples.references.analysis, samples.images
        space = space_of(self.domain)
        if prepared is None:
            different, images = np.unique(images, return_inverse=True)
            prepared = _prepared(analysis, samples.references.rows.take(different), space)
        mine = every_caption(samples.candidates, space)
        views = Views.of(
            samples,
            mine,
            partial(caption_places, analysis, space),
            CaptionPlaces(prepared.views.centroids, images),
        )
        general = others_of(self.domain).nearness(mine)[samples.rows]
        # What no one can place says nothing of any image, unless a reference says the very same.
        general[are_zeros(CaptionPlaces.every(mine))[samples.rows]] = 1.0
        same = samples.pairs.owners[equal_without_words(samples, unplaced(samples, mine))]
        views.centroid[same], views.nearest[same], general[same] = 1.0, 1.0, 0.0
        words = WordSupport.of(samples, prepared.words, images, space)
        return averaged(
            views.nearest,
            views.centroid / prepared.views.agreement[images],
            views.centroid - general,
            # Longer vectors are rarer words with more to say. In the references such words count
            # more still: what only one of them says may be left unsaid.
            words.references.mean_support(words.references.lengths**2),
            words.candidates.mean_support(words.candidates.lengths),
        )

    def depends_on(self) -> dict[str, Any]:
        """The space and the bank of other images."""
        if self.domain is not None:
            return named_domain(self.domain)
        space = space_of(None).vectors
        return {
            "space": Resource(space.name, space.fingerprint),
            "others": Resource(*others_of(None).signature.split("@")),
        }


def _prepared(analysis: Analysis, rows: Ragged, space: CaptionSpace) -> PreparedReferences:
    views = ReferenceViews.of(partial(caption_places, analysis, space), rows, USUAL_AGREEMENT)
    return PreparedReferences(views, different_words(*words_of_sets(analysis, rows)))
