"""Feature sets: the columns of metrics that a learned metric uses, with options and pooling."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments, check_choice, check_fields
from captious._internal.checks.bounds import COUNT, Bounds, normalize_number
from captious._internal.garbage_collection import pause_garbage_collection
from captious.corpus import Captions, Corpus, ReferenceSets
from captious.errors import InputError, UnknownMetricError, short_repr
from captious.io.array_files import MAX_MAGNITUDE
from captious.io.cache import default_cache
from captious.metrics.base import Metric
from captious.metrics.consensus.caption_space import DomainSource
from captious.metrics.declarations import METRICS, MetricDeclaration
from captious.metrics.learned.reference_groups import (
    GroupedReferences,
    group_references,
    mean_over_groups,
    single_references,
    split_by_group,
    split_by_reference,
)
from captious.metrics.parameters import read_arguments, unknown_parameter_error
from captious.metrics.pooling import POOLS, check_pool, pool_scores
from captious.samples import References, Samples
from captious.signature import Address

MIN_MAX, FIXED = "min_max", "fixed"
SCALINGS = (MIN_MAX, FIXED)
SCALE_BOUNDS = Bounds(-MAX_MAGNITUDE, MAX_MAGNITUDE, with_most=True)  # of shift and divisor
# For CIDEr: with frequencies of the references, samples would depend on each other.
FEATURE_FREQUENCIES = "coco-val2014"
SAMPLES_PER_BATCH = 2048  # bounds memory, changes no score

ProgressCallback = Callable[[int, int], None]  # (done, total)
Prepared = Mapping[Hashable, tuple[References, Any]]


@dataclass(frozen=True)
class Feature:
    """One column of a metric with fixed parameters.

    `pool` is `max` for the score as the metric gives it (most take the best reference), `mean` or
    `min` for scores against one reference at a time. Under fixed scaling the network reads
    (score + shift) / divisor.
    """

    column: str
    options: tuple[tuple[str, Any], ...] = ()
    pool: str = "max"
    shift: float = 0.0
    divisor: float = 1.0

    def __post_init__(self) -> None:
        check_fields(self, f"feature {short_repr(self.column)}")
        check_pool(self.column, self.pool)
        for name in ("shift", "divisor"):
            normalize_number(self, name, SCALE_BOUNDS, f"{self.column}: {name}")
        if self.divisor == 0:
            raise InputError(f"{self.column}: divisor: any number but 0")
        for name, value in self._check_options():
            if not isinstance(value, Hashable):
                raise InputError(f"{self.column}: option {short_repr(name)} is a number or a text")
        self._resolve_metric()  # fails early on an unknown name

    @classmethod
    def of(cls, address: str, **choices: Any) -> Feature:
        """The feature of an address such as `bleu_4` or `hwcm_2(variant=released)`."""
        named = Address.parse(address)
        values, facts = read_arguments(_find_declaration(named.name).kind, named)
        for name in facts:
            raise unknown_parameter_error(
                named.name, name, _find_declaration(named.name).kind.parameters()
            )
        return cls(named.name, option_pairs(values), **choices)

    def _check_options(self) -> tuple[tuple[str, Any], ...]:
        """The options, each a name and a value."""
        for pair in self.options:
            if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
                raise InputError(
                    f"{self.column}: options are pairs of a name and a value, not "
                    f"{short_repr(pair)}"
                )
        return self.options

    @property
    def key(self) -> Hashable:
        """Key of the computation that features of one metric share."""
        return self._resolve_metric()[0], self.options, self.pool == "max"

    def metric(self) -> Metric:
        """The metric that the column belongs to, with its parameters."""
        kind, options = self._resolve_metric()
        return kind(**options)

    def _resolve_metric(self) -> tuple[type[Metric], dict[str, Any]]:
        kind = _find_declaration(self.column).kind
        options = dict(self.options)
        if kind.uses_document_frequencies and options.setdefault("df", FEATURE_FREQUENCIES) is None:
            raise InputError(
                f"{self.column}: as a feature it needs fixed document frequencies, since a "
                f"sample's score may not depend on others; take df {FEATURE_FREQUENCIES}"
            )
        parameters = kind.parameters()
        for name in options:
            if name not in parameters:
                raise unknown_parameter_error(self.column, name, parameters)
        return kind, options

    def to_dict(self) -> dict[str, Any]:
        """The feature as a weights file and a TOML file have it."""
        return {
            "column": self.column,
            "options": dict(self.options),
            "pool": self.pool,
            "shift": self.shift,
            "divisor": self.divisor,
        }


def _find_declaration(column: str) -> MetricDeclaration:
    declared = METRICS.find_by_column(column)
    if declared is None or declared.is_learned:
        raise UnknownMetricError(
            f"unknown column {short_repr(column)} in a feature set (`captious metrics` lists them)"
        )
    return declared


@dataclass(frozen=True)
class FeatureSet:
    """An ordered list of features, and whether their scaling is fitted or fixed.

    An image with more than `most_references` references is read in groups of that size, and each
    feature is the mean: see `reference_groups`. Without a number all are read together.
    """

    name: str
    features: tuple[Feature, ...]
    scaling: str = MIN_MAX
    most_references: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.features:
            raise InputError(f"{self.name}: no features; name at least one column")
        if len(set(self.features)) < len(self.features):
            raise InputError(f"{self.name}: a feature occurs twice")
        check_choice(f"{self.name}: unknown scaling", self.scaling, SCALINGS)
        if self.most_references is not None:
            normalize_number(self, "most_references", COUNT, f"{self.name}: most_references")

    @classmethod
    @check_arguments
    def of(
        cls, features: Iterable[str | Feature], name: str = "custom", scaling: str = MIN_MAX
    ) -> FeatureSet:
        """Build a set from names of columns, or features with parameters, in order."""
        listed = tuple(each if isinstance(each, Feature) else Feature.of(each) for each in features)
        return cls(name, listed, scaling)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in order."""
        return tuple(feature.column for feature in self.features)

    def __len__(self) -> int:
        return len(self.features)

    @check_arguments
    def with_pool(self, pool: str, columns: Iterable[str] | None = None) -> FeatureSet:
        """Return the set with the named columns (or all) pooled over references in another way."""
        named = set(self.columns if columns is None else columns)
        changed = tuple(
            replace(feature, pool=pool) if feature.column in named else feature
            for feature in self.features
        )
        name = self.name if pool == POOLS[0] else f"{self.name}_{pool}"
        return replace(self, name=name, features=changed)

    def with_domain(self, domain: DomainSource) -> FeatureSet:
        """Return the set with the domain given to all features that have this parameter."""
        named = () if domain is None else (("domain", domain),)
        changed = tuple(
            replace(feature, options=_without_domain(feature.options) + named)
            if "domain" in _find_declaration(feature.column).kind.parameters()
            else feature
            for feature in self.features
        )
        return replace(self, features=changed)

    def prepare(self, references: References) -> Prepared:
        """Prepare the references for every metric, once each."""
        if (groups := self._group(references)) is not None:
            references = groups.references
        ready: dict[Hashable, tuple[References, Any]] = {}
        for feature in self.features:
            if feature.key not in ready:
                whole = feature.pool == "max"
                read = references if whole else single_references(references)
                ready[feature.key] = (read, feature.metric().prepare(read))
        return ready

    def read(self, samples: Samples, prepared: Prepared) -> FloatArray:
        """The features of each sample, one a column, as the metrics give them."""
        groups = self._group(samples.references)
        if groups is None:
            return self._read(samples, prepared)
        values = self._read(split_by_group(samples, groups), prepared)
        return mean_over_groups(values, samples, groups)

    def _group(self, references: References) -> GroupedReferences | None:
        """The references in groups, where an image has more than are read together."""
        most = self.most_references
        return None if most is None else group_references(references, most)

    def _read(self, samples: Samples, prepared: Prepared) -> FloatArray:
        scores_by_key: dict[Hashable, FloatArray] = {}
        values = np.empty((len(samples), len(self.features)))
        for place, feature in enumerate(self.features):
            metric = feature.metric()
            if feature.key not in scores_by_key:
                references, ready = prepared[feature.key]
                whole = feature.pool == "max"
                rows = samples if whole else split_by_reference(samples, references)
                scores_by_key[feature.key] = metric.scores(metric.statistics(rows, ready))
            scores = scores_by_key[feature.key][:, metric.columns.index(feature.column)]
            if feature.pool != "max":
                scores = pool_scores(scores, samples.pairs.offsets, feature.pool)
            values[:, place] = scores
        # The released code has 0 for what is undefined; no network can read anything else.
        return np.nan_to_num(values, copy=False, nan=0.0)

    def signatures(self) -> list[Address]:
        """Every feature's metric with its parameters, and its pool where that is not `max`."""
        parts: dict[Address, None] = {}
        for feature in self.features:
            address = feature.metric().signature()
            if feature.pool != "max":
                pooled_by = (*address.arguments, ("each_reference", feature.pool))
                address = replace(address, arguments=pooled_by)
            parts[address] = None
        return list(parts)

    def to_dict(self) -> dict[str, Any]:
        """The set as a weights file and a TOML file have it."""
        listed = [feature.to_dict() for feature in self.features]
        most = {} if self.most_references is None else {"most_references": self.most_references}
        return {"name": self.name, "scaling": self.scaling, **most, "feature": listed}


@check_arguments
def extract_features(
    feature_set: FeatureSet,
    candidates: Captions,
    references: ReferenceSets,
    *,
    cache: bool = True,
    tokenizer: str = "ptb",
    progress: ProgressCallback | None = None,
) -> FloatArray:
    """Return the features of every candidate, one row a sample, before scaling.

    Candidates and references are two lists in one order, or two dicts by id. `progress` is called
    with the number of candidates done and their total.
    """
    corpus = Corpus.of(candidates, references)
    analysis_cache = default_cache() if cache else None
    parts: list[FloatArray] = []
    for start in range(0, len(corpus), SAMPLES_PER_BATCH):
        end = min(start + SAMPLES_PER_BATCH, len(corpus))
        batch = corpus.take(np.arange(start, end))
        with pause_garbage_collection():
            analysed = References.of(batch.references, tokenizer, analysis_cache)
            samples = Samples(batch.candidates, np.arange(len(batch)), analysed)
            parts.append(feature_set.read(samples, feature_set.prepare(analysed)))
        if progress is not None:
            progress(end, len(corpus))
    return np.concatenate(parts)


def _without_domain(options: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
    return tuple(pair for pair in options if pair[0] != "domain")


def option_pairs(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return parameters as hashable pairs in alphabetical order."""
    return tuple(
        (name, str(value) if isinstance(value, Path) else value)
        for name, value in sorted(options.items())
    )
