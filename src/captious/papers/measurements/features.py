"""Feature sets from their declarations, and the captions whose features are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from captious.meta.judgements import Judgements, Ratings
from captious.metrics.learned.features import Feature, FeatureSet
from captious.metrics.learned.published import POOLED_COLUMNS, get_feature_set
from captious.papers.declaration import Features
from captious.papers.measurements.store import key_of_texts


def feature_set_of(declared: Features) -> FeatureSet:
    """A feature set from its declaration."""
    feature_set = get_feature_set(declared.named)
    chosen = tuple(
        feature
        for feature in feature_set.features
        if not declared.only or feature.column in declared.only
    )
    if declared.vectors:
        chosen = _changed(chosen, "mowe", ("vectors", declared.vectors))
    if declared.chains:
        chosen = _changed(chosen, "hwcm", ("variant", declared.chains))
    name = f"{feature_set.name}_{'_'.join(declared.only)}" if declared.only else feature_set.name
    most = None if declared.unlimited else feature_set.most_references
    changed = replace(feature_set, name=name, features=chosen, most_references=most)
    return changed.pooled_by(declared.pool, POOLED_COLUMNS)


def _changed(
    features: tuple[Feature, ...], metric: str, option: tuple[str, str]
) -> tuple[Feature, ...]:
    """The features, those of one metric with an option of it."""
    return tuple(
        replace(feature, options=(option,)) if feature.column.startswith(metric) else feature
        for feature in features
    )


def texts_of(judgements: Judgements) -> tuple[list[str], list[list[str]]]:
    """Judged captions and their references; of pairs, both captions one after the other."""
    if isinstance(judgements, Ratings):
        return judgements.candidates, judgements.references
    captions = [caption for pair in judgements.pairs for caption in pair]
    return captions, [references for references in judgements.references for _ in (0, 1)]


def key_of_samples(captions: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """A hash of captions with their references."""
    return key_of_texts(
        text
        for caption, beside in zip(captions, references, strict=True)
        for text in (caption, *beside)
    )
