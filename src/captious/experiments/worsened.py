"""Captions made worse on purpose: the papers' distractions, and captions that game a metric."""

from __future__ import annotations

from captious.experiments.experiment import Experiment
from captious.experiments.figures import (
    CLASSICAL,
    LCEVAL_PAPER,
    LEARNED,
    NNEVAL_PAPER,
    figure,
    percent,
)
from captious.experiments.groups import group_metrics
from captious.experiments.judged_scores import robust_rows
from captious.experiments.measured import KINDS
from captious.experiments.mixtures import CHOSEN, OTHER
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Mixture, Workbench, described
from captious.learned.metric import LearnedMetric
from captious.meta.robustness.distractions import DISTRACTIONS
from captious.meta.robustness.gaming import GAMES


def distracted(bench: Workbench) -> Finding:
    """Six forced choices with average and worst case."""
    tasks = (*DISTRACTIONS, "average", "worst")
    names = dict(zip(tasks, (*DISTRACTIONS, "mean", "worst"), strict=True))
    rows: list[list[Cell]] = []
    found = robust_rows(bench, (*CLASSICAL, *group_metrics(bench), *LEARNED), "distractions")
    for row in found:
        cells: list[Cell] = [row["metric"]]
        for task in tasks:
            cells.append(percent(row["accuracy"].get(task)))
            cells.append(percent(_published(row["metric"], names[task])))
        rows.append(cells)
    numbers = found[0]["n"]
    choices: list[Cell] = ["choices"]
    for task in tasks:
        choices += [numbers.get(task), None]
    header = ["metric"]
    for task in tasks:
        header += [task.replace("_", " "), "published"]
    return Finding(
        "distractions",
        "Distraction tasks with the worst case",
        (
            Table.of(
                f"Accuracy in %, a tie one half; published: {NNEVAL_PAPER}, table 3, and "
                f"{LCEVAL_PAPER}, table 9",
                header,
                [*rows, choices],
                digits=1,
            ),
            _by_training_set(bench),
        ),
        notes=(
            "The papers take the 23,977 pairs of Hodosh and Hockenmaier (2016), which are not to "
            "be had; ours are made by rule from the 1,000 test images of Flickr8k "
            "(docs/robustness.md), each against the four other captions.",
            "`nneval` and `lceval` are those that ship. What learned metrics notice depends on "
            "what they were trained against (second table): with captions of other images alone "
            "they are the most robust on average.",
        ),
    )


def _by_training_set(bench: Workbench) -> Table:
    """Both networks by what they were trained against."""
    sets: tuple[Mixture, ...] = ({OTHER: 1}, CHOSEN, {next(iter(CHOSEN)): 1})
    rows: list[list[Cell]] = []
    for kind, (feature_set, recipe) in KINDS.items():
        for mixture in sets:
            trained = bench.trained(feature_set, recipe, mixture)
            (row,) = robust_rows(bench, [LearnedMetric(trained.weights)], "distractions")
            shown = [percent(value) for value in row["accuracy"].values()]
            rows.append([kind, described(mixture), *shown])
    tasks = [task.replace("_", " ") for task in row["accuracy"]]
    return Table.of(
        "Accuracy in % by training set",
        ["metric", "trained against", *tasks],
        rows,
        digits=1,
        texts=2,
    )


def _published(metric: str, task: str) -> float | None:
    for paper in (NNEVAL_PAPER, LCEVAL_PAPER):
        value = figure("distractions", "accuracy", metric, paper, task)
        if value is not None:
            return value
    return None


def gamed(bench: Workbench) -> Finding:
    """Captions made to flatter metrics, as NNEval's section 3.4 fears them."""
    tasks = (*GAMES, "average", "worst")
    rows: list[list[Cell]] = []
    found = robust_rows(bench, (*CLASSICAL, *group_metrics(bench), *LEARNED), "gaming")
    for row in found:
        shown = [percent(row["accuracy"].get(task)) for task in tasks]
        rows.append([row["metric"], *shown])
    return Finding(
        "gaming",
        "Captions that game a metric",
        (
            Table.of(
                "How often the human caption scores higher, in %, a tie one half",
                ["metric", *(task.replace("_", " ") for task in tasks)],
                rows,
                digits=1,
            ),
        ),
        notes=(
            f"{NNEVAL_PAPER}, section 3.4, argues that a composition of metrics resists systems "
            "that game one of them, and reports no figures. Captions are made as in "
            "docs/robustness.md.",
        ),
    )


DISTRACTED = Experiment(
    "distractions",
    "NNEval table 3, LCEval table 9",
    "whether metrics notice a wrong person or place, with the worst case",
    distracted,
    trains=True,
)
GAMED = Experiment(
    "gaming",
    "NNEval section 3.4",
    "whether metrics fall for captions made to flatter them",
    gamed,
    trains=True,
)
