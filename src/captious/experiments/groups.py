"""LCEval's groups of features, alone and two by two, as metrics trained on one training set."""

from __future__ import annotations

from captious.experiments.mixtures import CHOSEN
from captious.experiments.workbench import Training, Workbench
from captious.learned.feature_sets import LCEVAL, of_groups
from captious.learned.features import FeatureSet
from captious.learned.metric import LearnedMetric
from captious.metrics.declarations import GROUPS
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE

# The papers' order within a name; each name is that of a published figure, too.
COMBINATIONS = (
    ("semantic",),
    ("syntactic",),
    ("lexical",),
    ("semantic", "syntactic"),
    ("semantic", "lexical"),
    ("syntactic", "lexical"),
)


def group_sets() -> dict[str, FeatureSet]:
    """The feature sets by their names."""
    sets = (of_groups(names) for names in COMBINATIONS)
    return {each.name: each for each in sets}


def without(group: str) -> FeatureSet:
    """All groups but one."""
    (found,) = (of_groups(names) for names in COMBINATIONS if set(names) == set(GROUPS) - {group})
    return found


def group_trainings(bench: Workbench) -> dict[str, Training]:
    """A network for each combination of groups, and one for all features, in this order."""
    sets = {**group_sets(), LCEVAL.name: LCEVAL}
    return {name: bench.trained(each, LCEVAL_RECIPE, CHOSEN) for name, each in sets.items()}


def group_metrics(bench: Workbench) -> list[LearnedMetric]:
    """The combinations of groups as metrics; all features together are the shipped `lceval`."""
    trained = group_trainings(bench)
    return [LearnedMetric(one.weights) for name, one in trained.items() if name != LCEVAL.name]
