"""How far features can go: scores fitted to people's ratings, which no training here sees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.result import Cell, Table
from captious.experiments.workbench import Workbench
from captious.learned.feature_sets import LCEVAL, NNEVAL
from captious.learned.features import FeatureSet
from captious.meta.judgements import Ratings
from captious.training.learned_metrics.validation import BENCHMARK, PROTOCOL

COMPOSITE = "composite"


def fitted(features: FloatArray, ratings: FloatArray) -> FloatArray:
    """The weights of the linear regression of ratings on features, the constant last."""
    found = np.linalg.lstsq(_with_constant(features), ratings, rcond=None)[0]
    return np.asarray(found, np.float64)


def predicted(features: FloatArray, weights: FloatArray) -> FloatArray:
    """What a regression makes of features."""
    return np.asarray(_with_constant(features) @ weights)


def ceilings(bench: Workbench, protocols: Sequence[str]) -> Table:
    """Regressions on the ratings of Composite itself, and on those of the validation."""
    rows: list[list[Cell]] = []
    for feature_set in (NNEVAL, LCEVAL):
        for source in (COMPOSITE, BENCHMARK):
            cells: list[Cell] = [feature_set.name, source]
            for protocol in protocols:
                own = protocol if source == COMPOSITE else PROTOCOL
                weights = fitted(*_rated(bench, feature_set, source, own))
                features, _ = _rated(bench, feature_set, COMPOSITE, protocol)
                found = {"fitted": predicted(features, weights)}
                (row,) = bench.agreement(found, COMPOSITE, protocol)
                cells.append(row.values["kendall_b"])
            rows.append(cells)
    names = {"nneval": "NNEval", "lceval": "LCEval"}
    return Table.of(
        "How far the features go: linear regressions on people's ratings, tau_b on Composite",
        ["features", "ratings of", *(f"{names.get(p, p)}'s protocol" for p in protocols)],
        rows,
        texts=2,
    )


def _rated(
    bench: Workbench, feature_set: FeatureSet, benchmark: str, protocol: str
) -> tuple[FloatArray, FloatArray]:
    said, _ = bench.judged(benchmark, protocol)
    assert isinstance(said, Ratings)
    return bench.features(feature_set, benchmark, protocol), np.nanmean(said.ratings, axis=1)


def _with_constant(features: FloatArray) -> FloatArray:
    return np.column_stack([features, np.ones(len(features))])
