"""Validation: agreement with people, measured after every epoch of training."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.meta.judgements import Judgements, Ratings
from captious.meta.votes import Votes, votes_of
from captious.metrics.learned.features import FeatureSet, ProgressCallback, extract_features
from captious.stats.correlation import kendall_b

BENCHMARK, PROTOCOL = "flickr8k-expert", "lceval"  # as NNEval and LCEval both have it


@dataclass(frozen=True, eq=False)
class Validation:
    """Unscaled features of rated captions, people's ratings, and the benchmark's name."""

    features: FloatArray
    votes: Votes
    name: str

    @classmethod
    def of(cls, features: FloatArray, judged: Judgements, raters: str, name: str) -> Validation:
        """From ratings; `raters` says what counts where a caption has several."""
        if not isinstance(judged, Ratings):
            raise InputError(f"{name}: training is validated by ratings, not by pairs")
        return cls(features, votes_of(judged, raters), name)

    def tau(self, scores: FloatArray) -> float:
        """Kendall's tau b; 0 where all scores are alike."""
        votes = self.votes
        value = kendall_b(scores[votes.captions], votes.values, votes.weights)
        return float(np.nan_to_num(value))


@dataclass(frozen=True, eq=False)
class RatedFeatures:
    """Features of rated captions, computed once per caption and references."""

    feature_set: FeatureSet
    _known: dict[tuple[str, tuple[str, ...]], FloatArray] = field(default_factory=dict, init=False)

    def of(self, judged: Judgements, progress: ProgressCallback | None = None) -> FloatArray:
        """Return one unscaled row per caption; `progress` is called with the number of new ones."""
        if not isinstance(judged, Ratings):
            raise InputError("features are read of rated captions, not of pairs")
        samples = list(zip(judged.candidates, map(tuple, judged.references), strict=True))
        new = [sample for sample in dict.fromkeys(samples) if sample not in self._known]
        if new:
            candidates, references = map(list, zip(*new, strict=True))
            rows = extract_features(self.feature_set, candidates, references, progress=progress)
            self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[sample] for sample in samples])
