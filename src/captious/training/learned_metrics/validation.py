"""Validation: how well a network's scores agree with judgements that it is not trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.meta.accuracy import PairGroups, pair_credits
from captious.meta.judgements import Judgements, Preferences, Votes, judged_texts, votes_of
from captious.meta.protocol import Protocol
from captious.metrics.learned.features import FeatureSet, ProgressCallback, extract_features
from captious.stats.correlation import kendall_b

TAU, PAIR_ACCURACY = "tau", "pair_accuracy"
MEASURES = {TAU: "tau_b", PAIR_ACCURACY: "pairwise accuracy"}  # and how they are printed


def measure_in(values: Mapping[str, Any]) -> str:
    """Return which measure of agreement is among the values: a point of a curve, or notes."""
    return next(measure for measure in MEASURES if measure in values)


@dataclass(frozen=True, eq=False)
class RatingAgreement:
    """Kendall's tau b with ratings; 0 where all scores are alike."""

    votes: Votes
    measure = TAU

    def of(self, scores: FloatArray) -> float:
        """The agreement of scores, one a caption."""
        votes = self.votes
        value = kendall_b(scores[votes.captions], votes.values, votes.weights)
        return float(np.nan_to_num(value))

    @property
    def arrays(self) -> Sequence[IntArray | FloatArray]:
        """What identifies the ratings."""
        return self.votes.captions, self.votes.values


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """The share of pairs whose preferred caption scores higher, as `captious meta` has it."""

    judgements: Preferences
    protocol: Protocol
    groups: PairGroups
    measure = PAIR_ACCURACY

    def of(self, scores: FloatArray) -> float:
        """The accuracy of scores, two of each pair, one pair after the other."""
        credits = pair_credits(scores.reshape(-1, 2), self.judgements, self.protocol)
        groups = self.groups
        sums = groups.sums(credits * groups.weights), groups.sums(groups.weights)
        return float(groups.average(*(each.sum(axis=0) for each in sums)))

    @property
    def arrays(self) -> Sequence[IntArray | FloatArray]:
        """What identifies the preferences."""
        return np.asarray(self.judgements.preferred), self.groups.places, self.groups.weights


class FeatureAgreement(NamedTuple):
    """A feature's column, and how well it agrees with the judgements by itself."""

    column: str
    value: float


@dataclass(frozen=True, eq=False)
class Validation:
    """Unscaled features of judged captions, their judgements, and what these are called."""

    features: FloatArray
    agreement: RatingAgreement | PairAgreement
    name: str

    @classmethod
    def of(
        cls, features: FloatArray, judged: Judgements, protocol: Protocol, name: str
    ) -> Validation:
        """From judgements to which the protocol was applied."""
        if isinstance(judged, Preferences):
            groups = PairGroups.of(judged, protocol)
            return cls(features, PairAgreement(judged, protocol, groups), name)
        return cls(features, RatingAgreement(votes_of(judged, protocol.raters)), name)

    @property
    def measure(self) -> str:
        """The name of the measure of agreement."""
        return self.agreement.measure

    def best_feature(self, feature_set: FeatureSet) -> FeatureAgreement:
        """Return the feature that agrees best by itself: a network should do better."""
        by_feature = [
            FeatureAgreement(
                feature.column,
                self.agreement.of(-values if feature.metric().lower_is_better else values),
            )
            for feature, values in zip(feature_set.features, self.features.T, strict=True)
        ]
        return max(by_feature, key=lambda each: each.value)


@dataclass(frozen=True, eq=False)
class JudgedFeatures:
    """Features of judged captions, computed once per caption and references."""

    feature_set: FeatureSet
    _known: dict[tuple[str, tuple[str, ...]], FloatArray] = field(default_factory=dict, init=False)

    def of(self, judged: Judgements, progress: ProgressCallback | None = None) -> FloatArray:
        """Return one unscaled row per caption; `progress` is called with the number of new ones.

        Of pairs, both captions, one after the other.
        """
        captions, references = judged_texts(judged)
        samples = list(zip(captions, map(tuple, references), strict=True))
        new = [sample for sample in dict.fromkeys(samples) if sample not in self._known]
        if new:
            candidates, new_references = map(list, zip(*new, strict=True))
            rows = extract_features(self.feature_set, candidates, new_references, progress=progress)
            self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[sample] for sample in samples])
