"""Features kept column by column: what is missing is extracted, all else is read."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import CaptiousWarning
from captious.experiments.kept import Kept, key_of, key_of_texts
from captious.learned.features import Feature, FeatureSet, extract
from captious.meta.judgements import Judgements, Ratings
from captious.version import __version__

Captions = Sequence[str]
References = Sequence[Sequence[str]]
Texts = Callable[[], tuple[Captions, References]]


def texts_of(said: Judgements) -> tuple[list[str], list[list[str]]]:
    """Judged captions and their references; of pairs, both captions one after the other."""
    if isinstance(said, Ratings):
        return said.candidates, said.references
    own = [caption for pair in said.pairs for caption in pair]
    return own, [references for references in said.references for _ in (0, 1)]


def key_of_samples(own: Captions, beside: References) -> str:
    """A hash of captions with their references."""
    return key_of_texts(
        text for one, several in zip(own, beside, strict=True) for text in (one, *several)
    )


def kept_features(
    kept: Kept,
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
    there = kept.get(key)
    missing = tuple(feature for feature, name in names.items() if name not in there)
    if missing:
        started(len(missing))
        own, beside = texts()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaptiousWarning)
            values = extract(FeatureSet("missing", missing), list(own), list(map(list, beside)))
        kept.add(key, {names[feature]: values[:, place] for place, feature in enumerate(missing)})
        there = kept.get(key)
    return np.stack([there[name] for name in names.values()], axis=1)


def _name(feature: Feature) -> str:
    """A feature's values depend on this and on the captions."""
    return key_of(feature.metric().signature(), feature.column, feature.pool, __version__)
