"""Scores of what declarations name: metrics, networks, critics, and sums of features.

Scores of judged and of worsened captions are computed once and stored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.meta.judgements import Ratings, judged_texts
from captious.meta.protocol import Protocol
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged, score_systems
from captious.metrics.base import Metric
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.weights import Scaling
from captious.papers.declaration import (
    CROP,
    FLICKR8K,
    WHOLE,
    AnyMetric,
    EncoderMetric,
    EncoderStates,
    EqualWeights,
    Features,
    ImageMetric,
    MeanScore,
    MetricVariant,
    Network,
    OneFeature,
    Regression,
    Task,
    TrainedCritic,
)
from captious.papers.measurements.caption_datasets import CAPTION_DATASETS, Flickr8k
from captious.papers.measurements.critics import CriticTrainer, critic_recipe
from captious.papers.measurements.experiment import (
    Experiment,
    benchmark_options,
    build_feature_set,
    build_protocol,
    hash_samples,
)
from captious.papers.measurements.store import hash_parts, hash_texts
from captious.registry import metric_of_column, select
from captious.text.encoder.encoder import Encoder, Floats, Ints, TokenStates, load_encoder
from captious.version import __version__

MAX_CACHE_BYTES = 3 << 30  # of states; beyond, the oldest are dropped


class CachingEncoder(Encoder):
    """Wraps an encoder and caches the states of its latest captions after some layers."""

    def __init__(self, encoder: Encoder, layers: Sequence[int]) -> None:
        self._encoder = encoder
        self._cached_layers = [encoder.resolve_layer(layer) for layer in layers]
        self._cached: dict[tuple[str, ...], dict[int, TokenStates]] = {}
        self.name, self.layers = encoder.name, encoder.layers
        self.window, self.width = encoder.window, encoder.width

    @property
    def fingerprint(self) -> str:
        """The wrapped encoder's: scores do not depend on the cache."""
        return self._encoder.fingerprint

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """Return one vector a piece, after a layer, from the cache if possible."""
        layer = self.resolve_layer(layer)
        if layer not in self._cached_layers:
            return self._encoder.token_states(captions, layer)
        key = tuple(captions)
        if key not in self._cached:
            states = self._encoder.states_of_layers(captions, self._cached_layers)
            self._cached[key] = dict(zip(self._cached_layers, states, strict=True))
            while len(self._cached) > 1 and self._size() > MAX_CACHE_BYTES:
                del self._cached[next(iter(self._cached))]
        kept = self._cached[key][layer]
        # A copy, since callers may scale states in place.
        return TokenStates(kept.pieces, kept.states.copy())

    def piece_names(self) -> Sequence[str]:
        """Every piece as text, by number."""
        return self._encoder.piece_names()

    def _size(self) -> int:
        return sum(each.states.nbytes for kept in self._cached.values() for each in kept.values())

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._encoder._tokenize(captions)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        return self._encoder._states(pieces, layers)


SEED = 0
RESAMPLES, QUICK_RESAMPLES = 1000, 100  # of images, for intervals


def judged_scores(
    experiment: Experiment,
    metric: Metric,
    benchmark: str,
    protocol: str | Protocol,
    **options: Any,
) -> dict[str, FloatArray]:
    """Each column's scores of the judged captions; of pairs, two each in a row."""
    judgements, chosen = experiment.load_judgements(benchmark, protocol, **options)
    seen = list(map(str, judgements.images)) if metric.needs_images else []
    texts = hash_samples(*judged_texts(judgements))
    parts = (texts, chosen.documents, metric.signature(), seen, __version__)
    key = f"scores-{hash_parts(*parts)}"
    if not experiment.store.get(key):
        experiment.report(f"{metric.name} on {benchmark}")
        result = score_judged(judgements, [metric], documents=chosen.documents)
        experiment.store.add(key, result.columns)
    return experiment.store.get(key)


def system_scores(
    experiment: Experiment, metric: Metric, column: str, benchmark: str, protocol: Protocol
) -> FloatArray:
    """A metric's corpus score of each system of a benchmark."""
    ratings, _ = experiment.load_judgements(benchmark, protocol)
    assert isinstance(ratings, Ratings)
    texts = hash_samples(*judged_texts(ratings))
    key = f"systems-{hash_parts(texts, ratings.groups, metric.signature(), __version__)}"
    if not experiment.store.get(key):
        experiment.report(f"{metric.name} of the systems of {benchmark}")
        experiment.store.add(key, score_systems(ratings, [metric]).columns)
    columns = experiment.store.get(key)
    return columns[column] if column else next(iter(columns.values()))


def robustness_rows(
    experiment: Experiment, metric: Metric, kind: str, dataset_name: str = FLICKR8K
) -> list[dict[str, Any]]:
    """How a metric fares with captions made worse: one row a column, as `robustness` gives them.

    One metric at a time, so that a run that was stopped goes on.
    """
    data = CAPTION_DATASETS[dataset_name](experiment).robustness_images()
    seen = data.image_names if metric.needs_images else []
    parts = (hash_texts(data.texts), kind, metric.signature(), seen, SEED, RESAMPLES, __version__)
    key = f"robust-{hash_parts(*parts)}"
    if not experiment.store.get(key):
        experiment.report(f"{kind}: {metric.name}")
        resamples = QUICK_RESAMPLES if experiment.quick else RESAMPLES
        rows = robustness(data, [metric], kind, seed=SEED, resamples=resamples).to_dict()["rows"]
        experiment.store.add(key, {"rows": np.array(json.dumps(rows))})
    rows_by_column: list[dict[str, Any]] = json.loads(str(experiment.store.get(key)["rows"]))
    return rows_by_column


@dataclass(frozen=True, eq=False)
class DeclarationScorer:
    """Scores what declarations name, with the data of an experiment."""

    experiment: Experiment
    _critics: dict[tuple[str, str], CriticTrainer] = field(
        default_factory=dict, init=False, repr=False
    )
    _encoders: dict[EncoderStates, CachingEncoder] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def _flickr8k(self) -> Path:
        return self.experiment.data / Flickr8k.place

    def critics(self, dataset_name: str, view: str) -> CriticTrainer:
        """Return the trainer of critics on a data set, which see one view of its images."""
        trainer = CriticTrainer(self.experiment, dataset_name, view)
        return self._critics.setdefault((dataset_name, view), trainer)

    def judged_scores(self, declared: AnyMetric, task: Task) -> FloatArray:
        """The scores of the judged captions of a task; of pairs, two each in a row."""
        match declared:
            case Network():
                return self.experiment.network(declared).model.scores(
                    self._features(declared, task)
                )
            case EqualWeights():
                features = self._features(declared, task)
                return equal_weights(build_feature_set(declared.features), features)
            case OneFeature():
                place = build_feature_set(declared.features).columns.index(declared.column)
                return self._features(declared, task)[:, place]
            case Regression():
                weights = fit_regression(*self._features_and_ratings(declared))
                return predict_ratings(self._features(declared, task), weights)
            case MeanScore():
                several = np.stack([self.judged_scores(each, task) for each in declared.of], axis=1)
                return np.asarray(several.mean(axis=1))
            case _:
                metric, column = self.build_metric(declared)
                where = (task.benchmark, build_protocol(task))
                columns = judged_scores(self.experiment, metric, *where, **benchmark_options(task))
                scores = columns[column] if column else next(iter(columns.values()))
                return np.nan_to_num(scores) if isinstance(declared, MetricVariant) else scores

    def robustness_row(
        self, declared: AnyMetric, kind: str, dataset_name: str = FLICKR8K
    ) -> dict[str, Any]:
        """Return the row of `robustness` for captions made worse."""
        metric, column = self.build_metric(declared)
        rows = robustness_rows(self.experiment, metric, kind, dataset_name)
        return next(row for row in rows if row["metric"] == column or not column)

    def build_metric(self, declared: AnyMetric) -> tuple[Metric, str]:
        """A metric, and which of its columns counts; without a name, the first."""
        match declared:
            case str():
                return metric_named(declared), declared
            case MetricVariant(column, options):
                return metric_named(column, **dict(options)), column
            case EncoderMetric(column, states, options):
                return self._metric_with_encoder(states, column, dict(options)), column
            case Network():
                return LearnedMetric(self.experiment.network(declared).weights), ""
            case TrainedCritic():
                recipe = critic_recipe(declared.context, declared.fusion, declared.negatives)
                view = self._flickr8k / Flickr8k.views[declared.view]
                trained = self.critics(declared.dataset_name, declared.view).train(recipe)
                return trained.metric(view if recipe.uses_images else None), ""
            case ImageMetric(column, options):
                return metric_with_images(column, self._flickr8k, **dict(options)), column
        raise TypeError(f"{declared!r} is no metric")

    def _metric_with_encoder(
        self, states: EncoderStates, column: str, options: dict[str, Any]
    ) -> Metric:
        """Return a metric that reads an encoder's states, which are cached for the next one."""
        model = self.experiment.data / states.folder if states.folder else None
        if states not in self._encoders:
            self._encoders[states] = CachingEncoder(load_encoder(model), states.layers)
        # Defaults are of the encoder itself.
        usual = metric_named(column, **options, **({"model": model} if model else {})).depends_on()
        options |= {name: usual[name] for name in ("layer", "beta") if name in usual}
        return metric_named(column, **options, model=self._encoders[states])

    def _features(self, declared: Any, task: Task) -> FloatArray:
        features: Features = declared.features
        return self.experiment.features(
            build_feature_set(features),
            task.benchmark,
            build_protocol(task),
            **benchmark_options(task),
        )

    def _features_and_ratings(self, declared: Regression) -> tuple[FloatArray, FloatArray]:
        """Features of rated captions, and the mean of each caption's ratings."""
        ratings, protocol = self.experiment.load_judgements(declared.benchmark, declared.protocol)
        assert isinstance(ratings, Ratings)
        feature_set = build_feature_set(declared.features)
        features = self.experiment.features(feature_set, declared.benchmark, protocol)
        return features, np.nanmean(ratings.ratings, axis=1)


def metric_named(column: str, **options: Any) -> Metric:
    """A metric by its name, or by that of one of its columns."""
    (metric,) = select([column], options).metrics
    return metric


def metric_with_images(column: str, folder: Path, **options: str) -> Metric:
    """The metric of a column, seeing the images of Flickr8k: both views, if it takes two."""
    views = {"images": folder / Flickr8k.views[CROP]}
    kind, whole = metric_of_column(column), folder / Flickr8k.views[WHOLE]  # which may be missing
    if kind is not None and "whole" in kind.parameters() and whole.is_file():
        views["whole"] = whole
    return metric_named(column, **views, **options)


def equal_weights(feature_set: FeatureSet, features: FloatArray) -> FloatArray:
    """The mean of all features once they are scaled."""
    scaled = Scaling.of(feature_set, features).apply(features)
    return np.asarray(scaled.mean(axis=1))


def fit_regression(features: FloatArray, ratings: FloatArray) -> FloatArray:
    """The weights of the linear regression of ratings on features, the constant last."""
    weights = np.linalg.lstsq(_with_constant(features), ratings, rcond=None)[0]
    return np.asarray(weights, np.float64)


def predict_ratings(features: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the ratings that a regression predicts."""
    return np.asarray(_with_constant(features) @ weights)


def _with_constant(features: FloatArray) -> FloatArray:
    return np.column_stack([features, np.ones(len(features))])
