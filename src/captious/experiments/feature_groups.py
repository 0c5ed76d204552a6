"""Feature groups alone and removed, and accuracy against correlation: LCEval's tables 5 and 15,
and its figures 7 and 8."""

from __future__ import annotations

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.experiment import Experiment
from captious.experiments.figures import CORRELATIONS, LCEVAL_PAPER, figure
from captious.experiments.groups import group_trainings, without
from captious.experiments.mixtures import CHOSEN
from captious.experiments.result import Cell, Finding, Panel, Table
from captious.experiments.workbench import Workbench, described
from captious.learned.feature_sets import LCEVAL, NNEVAL
from captious.meta.judgements import Ratings
from captious.metrics.declarations import GROUPS
from captious.training.learned_metrics.recipe import NNEVAL_RECIPE

COMPOSITE, PROTOCOL = "composite", "lceval"


def groups_removed(bench: Workbench) -> Finding:
    """Each group of features removed, and each alone."""
    trained = group_trainings(bench)
    found = {
        name: one.model.scores(bench.features(one.model.feature_set, COMPOSITE, PROTOCOL))
        for name, one in trained.items()
    }
    values = {row.metric: row.values for row in bench.agreement(found, COMPOSITE, PROTOCOL)}
    rows: list[list[Cell]] = []
    for group, removed, alone in (
        ("all features", None, LCEVAL.name),
        *((group, without(group).name, f"lceval_{group}") for group in GROUPS),
    ):
        cells: list[Cell] = [group]
        for metric in (removed, alone):
            for statistic in CORRELATIONS:
                if metric is None:
                    cells += [None, None]
                else:
                    cells += [
                        values[metric][statistic],
                        figure(COMPOSITE, statistic, metric, LCEVAL_PAPER),
                    ]
            cells.append(None if metric is None else trained[metric].tau)
        rows.append(cells)
    header = ["group"]
    for how in ("removed", "alone"):
        for label in CORRELATIONS.values():
            header += [f"{how}: {label}", "published"]
        header.append(f"{how}: validation")
    return Finding(
        "feature-groups",
        "Feature groups removed and alone",
        (
            Table.of(
                f"LCEval on Composite by its features; {LCEVAL_PAPER}, tables 5 and 15",
                header,
                rows,
            ),
        ),
        notes=(f"Trained against {described(CHOSEN)}.",),
    )


def through_training(bench: Workbench) -> Finding:
    """Classification accuracy against correlation: epoch by epoch, and feature set by set."""
    trained = group_trainings(bench)
    trained[NNEVAL.name] = bench.trained(NNEVAL, NNEVAL_RECIPE, CHOSEN)
    said, _ = bench.judged(COMPOSITE, PROTOCOL)
    assert isinstance(said, Ratings)
    is_human = np.array([group == "human" for group in said.groups])
    found = {
        name: one.model.scores(bench.features(one.model.feature_set, COMPOSITE, PROTOCOL))
        for name, one in trained.items()
    }
    rows: list[list[Cell]] = []
    points: dict[str, tuple[tuple[float, float], ...]] = {}
    for row in bench.agreement(found, COMPOSITE, PROTOCOL):
        one = trained[row.metric]
        accuracy = balanced_accuracy(found[row.metric], is_human)
        tau = row.values["kendall_b"]
        rows.append([row.metric, one.accuracy, accuracy, tau, one.tau])
        points[row.metric] = ((accuracy, tau),)
    table = np.array([row[1:] for row in rows], np.float64)
    fit = [float(np.corrcoef(table[:, place], table[:, 2])[0, 1]) for place in (0, 1)]
    curve = trained[LCEVAL.name].curve
    epochs = np.arange(1, len(curve) + 1)
    lines = {
        "classified rightly in training": curve[:, 1],
        "tau_b in validation": curve[:, 2],
    }
    return Finding(
        "through-training",
        "Classification accuracy against correlation",
        (
            Table.of(
                "Networks by their features (as in the paper's figure 8)",
                [
                    "features",
                    "right in training",
                    "right on Composite",
                    "Composite tau_b",
                    "validation tau_b",
                ],
                rows,
            ),
        ),
        (
            Panel(
                "LCEval, epoch by epoch (figure 7)",
                "epoch",
                "share, tau_b",
                {
                    name: tuple(zip(epochs.tolist(), line.tolist(), strict=True))
                    for name, line in lines.items()
                },
            ),
            Panel(
                "By features (figure 8)",
                "people's captions told from machines' on Composite, share",
                "Composite tau_b",
                points,
                joined=False,
            ),
        ),
        (
            f"Trained against {described(CHOSEN)}. Right on Composite: people's captions told from "
            "the two systems' at the threshold that does so best (mean of both shares). As in the "
            "paper, who tells them apart better also agrees more with people; over these feature "
            "sets, correlation of "
            f"accuracy and tau: {fit[0]:+.2f} in training, {fit[1]:+.2f} on Composite.",
        ),
    )


def balanced_accuracy(scores: FloatArray, is_human: FloatArray) -> float:
    """The best mean of the shares of people's and machines' captions that a threshold tells apart.

    A threshold of .5 would say more of the training set's balance than of the scores.
    """
    order = np.argsort(scores, kind="stable")
    human = np.asarray(is_human, bool)[order]
    below_human = np.cumsum(human) / max(int(human.sum()), 1)
    below_machine = np.cumsum(~human) / max(int((~human).sum()), 1)
    ends = np.append(np.diff(scores[order]) > 0, True)  # equal scores stay on one side
    return float(((below_machine + 1 - below_human) / 2)[ends].max())


FEATURE_GROUPS = Experiment(
    "feature-groups",
    "LCEval tables 5 and 15",
    "what each group of features is worth, alone and removed",
    groups_removed,
    trains=True,
)
THROUGH_TRAINING = Experiment(
    "through-training",
    "LCEval figures 7 and 8",
    "whether who classifies better also correlates better",
    through_training,
    trains=True,
    draws=True,
)
