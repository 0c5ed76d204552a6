"""Validation: how well scores agree with people, asked after every epoch of training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.learned.features import FeatureSet, extract
from captious.meta.evaluation import judged
from captious.meta.judgements import Ratings
from captious.meta.presets import preset
from captious.meta.statistics.correlation import kendall_b
from captious.meta.votes import Votes, votes_of

BENCHMARK, PROTOCOL = "flickr8k-expert", "lceval"  # as NNEval and LCEval both have it


@dataclass(frozen=True, eq=False)
class Validation:
    """Features of rated captions before scaling, what people said of them, and its name."""

    features: FloatArray
    votes: Votes
    name: str

    @classmethod
    def of(cls, feature_set: FeatureSet, ratings: Ratings, raters: str, name: str) -> Validation:
        """From ratings; `raters` says what counts where a caption has several."""
        features = extract(feature_set, ratings.candidates, ratings.references)
        return cls(features, votes_of(ratings, raters), name)

    @classmethod
    def on_benchmark(
        cls,
        feature_set: FeatureSet,
        data: str | Path,
        benchmark: str = BENCHMARK,
        protocol: str = PROTOCOL,
    ) -> Validation:
        """A benchmark of ratings under a paper's protocol; Flickr8k-Expert as in the papers."""
        ratings = judged(benchmark, data=data, protocol=protocol)
        if not isinstance(ratings, Ratings):
            raise InputError(f"{benchmark}: training is validated by ratings, not by pairs")
        raters = preset(protocol, benchmark).raters
        return cls.of(feature_set, ratings, raters, f"{benchmark} ({protocol})")

    def tau(self, scores: FloatArray) -> float:
        """Kendall's tau b; 0 where all scores are alike."""
        votes = self.votes
        value = kendall_b(scores[votes.captions], votes.values, votes.weights)
        return float(np.nan_to_num(value))
