"""Networks of both papers trained on one mixture, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from captious.experiments.figures import CLASSICAL, LCEVAL_PAPER, NNEVAL_PAPER
from captious.experiments.judged_scores import scores
from captious.experiments.workbench import Mixture, Workbench
from captious.learned.feature_sets import LCEVAL, NNEVAL
from captious.learned.features import FeatureSet
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE, NNEVAL_RECIPE, Recipe

COMPOSITE, PASCAL = "composite", "pascal-50s"
PROTOCOLS = {"nneval": NNEVAL_PAPER, "lceval": LCEVAL_PAPER}
SEEDS = (0, 1, 2)  # of those that are chosen between; all others have the first
KINDS: dict[str, tuple[FeatureSet, Recipe]] = {
    "nneval": (NNEVAL, NNEVAL_RECIPE),
    "lceval": (LCEVAL, LCEVAL_RECIPE),
}
CATEGORIES = ("HC", "HI", "HM", "MM", "mean")
CIDER = replace(LCEVAL, features=tuple(f for f in LCEVAL.features if f.column == "cider_d"))


@dataclass(frozen=True)
class Measured:
    """One kind of network on one training set; with several seeds, their means."""

    right: float  # in training
    validation: float
    composite: dict[str, float]  # tau_b by protocol
    accuracy: dict[str, float]  # on PASCAL-50S by category


Found = dict[str, dict[str, Measured]]  # by training set and kind of network


def measure(
    bench: Workbench, kind: str, mixture: Mixture, seeds: Sequence[int] = SEEDS[:1]
) -> Measured:
    """Train a network with every seed, and measure it."""
    feature_set, recipe = KINDS[kind]
    trained = [bench.trained(feature_set, replace(recipe, seed=seed), mixture) for seed in seeds]

    def agreement(benchmark: str, protocol: str, values: tuple[str, ...]) -> list[float]:
        features = bench.features(feature_set, benchmark, protocol)
        found = {str(place): one.model.scores(features) for place, one in enumerate(trained)}
        rows = bench.agreement(found, benchmark, protocol)
        return [float(np.mean([row.values[value] for row in rows])) for value in values]

    return Measured(
        float(np.mean([one.accuracy for one in trained])),
        float(np.mean([one.tau for one in trained])),
        {name: agreement(COMPOSITE, name, ("kendall_b",))[0] for name in PROTOCOLS},
        dict(zip(CATEGORIES, agreement(PASCAL, "lceval", CATEGORIES), strict=True)),
    )


def cider_of_negatives(bench: Workbench, mixture: Mixture) -> tuple[float, float]:
    """The mean CIDEr-D of what is to be scored low, and of people's captions beside it."""
    rows, is_human = bench.training_rows(CIDER, mixture)
    return float(rows[~is_human].mean()), float(rows[is_human].mean())


def best_classical(bench: Workbench) -> dict[str, tuple[str, float]]:
    """The hand-made metric that agrees best with people on Composite, by protocol."""
    found = {}
    for protocol in PROTOCOLS:
        rows = bench.agreement(scores(bench, CLASSICAL, COMPOSITE, protocol), COMPOSITE, protocol)
        top = max(rows, key=lambda row: row.values["kendall_b"])
        found[protocol] = (top.metric, top.values["kendall_b"])
    return found
