"""Scores of whatever a declaration names: metrics, networks, critics, and sums of features."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.meta.judgements import Ratings
from captious.metrics.base import Metric
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.scaling import Scaling
from captious.papers.declaration import (
    FLICKR8K,
    Encoded,
    EqualWeights,
    Features,
    Mean,
    Network,
    OneFeature,
    Regression,
    Scored,
    Seeing,
    States,
    Task,
    TrainedCritic,
    Variant,
)
from captious.papers.measurements.bench import Workbench, options_of, protocol_of
from captious.papers.measurements.critics import Critics, critic_recipe
from captious.papers.measurements.encoders import RememberingEncoder
from captious.papers.measurements.features import feature_set_of
from captious.papers.measurements.grounds import Flickr8k
from captious.papers.measurements.scores import judged_scores, robust_rows
from captious.registry import metric_of_column, select
from captious.text.encoder.encoder import encoder_named

WHOLE = "efficientnet_lite2_whole.npz"  # a second view of the images, which may be missing


@dataclass(frozen=True, eq=False)
class Scoring:
    """What declarations name, scored on a bench."""

    bench: Workbench
    _critics: dict[str, Critics] = field(default_factory=dict, init=False, repr=False)
    _encoders: dict[States, RememberingEncoder] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def _flickr8k(self) -> Path:
        return self.bench.data / Flickr8k.place

    def critics(self, on: str) -> Critics:
        """Critics of a ground, and what they learn from."""
        return self._critics.setdefault(on, Critics(self.bench, on))

    def judged(self, scored: Scored, task: Task) -> FloatArray:
        """The scores of the judged captions of a task; of pairs, two each in a row."""
        match scored:
            case Network():
                return self.bench.network(scored).model.scores(self._features(scored, task))
            case EqualWeights():
                features = self._features(scored, task)
                return equal_weights(feature_set_of(scored.features), features)
            case OneFeature():
                place = feature_set_of(scored.features).columns.index(scored.column)
                return self._features(scored, task)[:, place]
            case Regression():
                weights = fitted(*self._rated(scored))
                return predicted(self._features(scored, task), weights)
            case Mean():
                several = np.stack([self.judged(each, task) for each in scored.of], axis=1)
                return np.asarray(several.mean(axis=1))
            case _:
                metric, column = self.metric(scored)
                where = (task.benchmark, protocol_of(task))
                columns = judged_scores(self.bench, metric, *where, **options_of(task))
                scores = columns[column] if column else next(iter(columns.values()))
                return np.nan_to_num(scores) if isinstance(scored, Variant) else scores

    def worsened(self, scored: Scored, kind: str, on: str = FLICKR8K) -> dict[str, Any]:
        """How it fares with captions made worse, as `robustness` says it."""
        metric, column = self.metric(scored)
        rows = robust_rows(self.bench, metric, kind, on)
        return next(row for row in rows if row["metric"] == column or not column)

    def metric(self, scored: Scored) -> tuple[Metric, str]:
        """A metric, and which of its columns counts; without a name, the first."""
        match scored:
            case str():
                return metric_named(scored), scored
            case Variant(column, options):
                return metric_named(column, **dict(options)), column
            case Encoded(column, states, options):
                return self._reading(states, column, dict(options)), column
            case Network():
                return LearnedMetric(self.bench.network(scored).weights), ""
            case TrainedCritic():
                recipe = critic_recipe(scored.context, scored.fusion, scored.against)
                images = self._flickr8k / Flickr8k.crop if recipe.sees else None
                return self.critics(scored.on).trained(recipe).metric(images), ""
            case Seeing(column, options):
                return metric_seeing(column, self._flickr8k, **dict(options)), column
        raise TypeError(f"{scored!r} is no metric")

    def _reading(self, states: States, column: str, options: dict[str, Any]) -> Metric:
        """A metric that reads the states of an encoder, which are remembered for the next one."""
        model = self.bench.data / states.folder if states.folder else None
        if states not in self._encoders:
            self._encoders[states] = RememberingEncoder(encoder_named(model), states.layers)
        # Defaults are of the encoder itself.
        usual = metric_named(column, **options, **({"model": model} if model else {})).depends_on()
        options |= {name: usual[name] for name in ("layer", "beta") if name in usual}
        return metric_named(column, **options, model=self._encoders[states])

    def _features(self, scored: Any, task: Task) -> FloatArray:
        features: Features = scored.features
        return self.bench.features(
            feature_set_of(features), task.benchmark, protocol_of(task), **options_of(task)
        )

    def _rated(self, scored: Regression) -> tuple[FloatArray, FloatArray]:
        """Features of rated captions, and the mean of each caption's ratings."""
        ratings, protocol = self.bench.judged(scored.benchmark, scored.protocol)
        assert isinstance(ratings, Ratings)
        feature_set = feature_set_of(scored.features)
        features = self.bench.features(feature_set, scored.benchmark, protocol)
        return features, np.nanmean(ratings.ratings, axis=1)


def metric_named(column: str, **options: Any) -> Metric:
    """A metric by its name, or by that of one of its columns."""
    (metric,) = select([column], options).metrics
    return metric


def metric_seeing(column: str, folder: Path, **options: str) -> Metric:
    """The metric of a column, seeing the images of Flickr8k: both views, if it takes two."""
    views = {"images": folder / Flickr8k.crop}
    kind = metric_of_column(column)
    if kind is not None and "whole" in kind.parameters() and (folder / WHOLE).is_file():
        views["whole"] = folder / WHOLE
    return metric_named(column, **views, **options)


def equal_weights(feature_set: FeatureSet, features: FloatArray) -> FloatArray:
    """The mean of all features once they are scaled."""
    scaled = Scaling.of(feature_set, features).apply(features)
    return np.asarray(scaled.mean(axis=1))


def fitted(features: FloatArray, ratings: FloatArray) -> FloatArray:
    """The weights of the linear regression of ratings on features, the constant last."""
    weights = np.linalg.lstsq(_with_constant(features), ratings, rcond=None)[0]
    return np.asarray(weights, np.float64)


def predicted(features: FloatArray, weights: FloatArray) -> FloatArray:
    """What a regression makes of features."""
    return np.asarray(_with_constant(features) @ weights)


def _with_constant(features: FloatArray) -> FloatArray:
    return np.column_stack([features, np.ones(len(features))])
