"""Feature sets as declared, and features kept column by column: what is missing is extracted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import CaptiousWarning
from captious.experiments.declaration import Features
from captious.experiments.workbench.store import Store, key_of, key_of_texts
from captious.learned.feature_sets import POOLED_COLUMNS, feature_set_named
from captious.learned.features import Feature, FeatureSet, extract
from captious.meta.judgements import Judgements, Ratings
from captious.version import __version__

Captions = Sequence[str]
References = Sequence[Sequence[str]]
Texts = Callable[[], tuple[Captions, References]]


def feature_set_of(declared: Features) -> FeatureSet:
    """A feature set from its declaration."""
    feature_set = feature_set_named(declared.named)
    chosen = tuple(
        feature
        for feature in feature_set.features
        if not declared.only or feature.column in declared.only
    )
    if declared.vectors:
        options = (("vectors", declared.vectors),)
        chosen = tuple(
            replace(feature, options=options) if feature.column == "mowe" else feature
            for feature in chosen
        )
    name = f"{feature_set.name}_{'_'.join(declared.only)}" if declared.only else feature_set.name
    return replace(feature_set, name=name, features=chosen).pooled_by(declared.pool, POOLED_COLUMNS)


def texts_of(judgements: Judgements) -> tuple[list[str], list[list[str]]]:
    """Judged captions and their references; of pairs, both captions one after the other."""
    if isinstance(judgements, Ratings):
        return judgements.candidates, judgements.references
    captions = [caption for pair in judgements.pairs for caption in pair]
    return captions, [references for references in judgements.references for _ in (0, 1)]


def key_of_samples(captions: Captions, references: References) -> str:
    """A hash of captions with their references."""
    return key_of_texts(
        text
        for caption, beside in zip(captions, references, strict=True)
        for text in (caption, *beside)
    )


def kept_features(
    store: Store,
    key: str,
    feature_set: FeatureSet,
    texts: Texts,
    started: Callable[[int], None],
) -> FloatArray:
    """The features of some captions, one a column; those that are missing are read together.

    `texts` gives the captions, and is asked only if there is something to extract; `started` hears
    how many features that is.
    """
    names = {feature: _name(feature) for feature in feature_set.features}
    columns = store.get(key)
    missing = tuple(feature for feature, name in names.items() if name not in columns)
    if missing:
        started(len(missing))
        captions, references = texts()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaptiousWarning)
            values = extract(
                FeatureSet("missing", missing), list(captions), list(map(list, references))
            )
        store.add(key, {names[feature]: values[:, place] for place, feature in enumerate(missing)})
        columns = store.get(key)
    return np.stack([columns[name] for name in names.values()], axis=1)


def _name(feature: Feature) -> str:
    """A feature's values depend on this and on the captions."""
    return key_of(feature.metric().signature(), feature.column, feature.pool, __version__)
