"""Hallucination: the share of the things that a caption says that its references do not support."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.checks.bounds import Bounds
from captious.metrics.base import Metric
from captious.metrics.hallucination.doubts import WEIGHTS, Doubts
from captious.metrics.hallucination.things import KINDS
from captious.metrics.statistic_rules import COUNTED, StatisticRules
from captious.samples import Samples
from captious.signature import Resource
from captious.text.vectors.caption_vectors import CaptionSpace

IMPORTANCE = np.array([1.0, 0.5, 0.5])  # of an object, an attribute, a relation: objects first
_DOUBTS = tuple(f"doubted_{kind}s" for kind in KINDS)
_COUNTS = tuple(f"{kind}s" for kind in KINDS)


@dataclass(frozen=True)
class Hallucination(Metric):
    """How much of what a caption says is likely made up, the mean doubt of its things; 0 is best.

    The corpus score is that of all captions' things together. What says nothing has 0.
    """

    name = "hallucination"
    columns = ("hallucination", *(f"hallucination_{kind}" for kind in KINDS))
    description = "share of the things said that no reference supports; lower is better"
    english = "its parser, synonyms and space of captions"
    lower_is_better = True
    statistic_names = (*_DOUBTS, *_COUNTS)
    statistic_rules = StatisticRules(
        {
            **dict.fromkeys(_DOUBTS, Bounds(0, COUNTED.most, with_most=True)),
            **dict.fromkeys(_COUNTS, COUNTED),
        },
        tuple(((doubts,), count) for doubts, count in zip(_DOUBTS, _COUNTS, strict=True)),
    )

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The sum of doubts and the number of things, kind by kind."""
        doubts = Doubts.of(samples)
        cells = doubts.words.owners * len(KINDS) + doubts.kinds
        size = len(samples) * len(KINDS)
        sums = [np.bincount(cells, values, size) for values in (doubts.values, None)]
        return np.hstack([each.reshape(len(samples), -1).astype(np.float64) for each in sums])

    def scores(self, statistics: FloatArray) -> FloatArray:
        """The weighted share of all kinds, and the share of each."""
        doubts, counts = np.split(statistics, 2, axis=-1)
        all_doubts = (doubts * IMPORTANCE).sum(axis=-1, keepdims=True)
        all_counts = (counts * IMPORTANCE).sum(axis=-1, keepdims=True)
        parts = np.concatenate([all_doubts, doubts], axis=-1)
        wholes = np.concatenate([all_counts, counts], axis=-1)
        shares: FloatArray = parts / np.where(wholes > 0, wholes, 1)
        return shares

    def depends_on(self) -> dict[str, Any]:
        """The space, the parser, the broader words, and the weights of doubts."""
        from captious.text.english import ENGLISH
        from captious.text.parser.parses import shipped_parser

        vectors = CaptionSpace.load().vectors
        return {
            "space": Resource.of(None, vectors.name, vectors.fingerprint),
            "parser": shipped_parser().fingerprint,
            "broader": ENGLISH.broader_words.fingerprint,
            "doubts": sha256(repr(WEIGHTS).encode()).hexdigest()[:8],
        }
