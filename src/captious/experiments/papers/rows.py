"""The rows and columns that tables of several papers share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from captious.experiments.declaration import (
    Cell,
    Features,
    Grid,
    Mixture,
    Network,
    Ours,
    Paper,
    Published,
    Scored,
    Task,
    Worsened,
    in_words,
)

NNEVAL = Paper("NNEval", "Sharif et al. 2018")
LCEVAL = Paper("LCEval", "Sharif et al. 2019")
LEIC = Paper("LEIC", "Cui et al. 2018")

COMPOSITE, PASCAL, WMT16 = "composite", "pascal-50s", "wmt16-daseg"

# The hand-made metrics of the papers' tables.
CLASSICAL = ("bleu_1", "bleu_4", "rouge_l", "meteor", "cider_d", "spice", "spider", "wmd")
LEARNED = ("nneval", "lceval")  # as they ship
CORRELATIONS = {"kendall_b": "Kendall", "spearman": "Spearman", "pearson": "Pearson"}
CATEGORIES = ("HC", "HI", "HM", "MM", "mean")  # of PASCAL-50S

# Captions to train against: of other images, with words permuted, or replaced.
OTHER, ORDER, WORDS = "random_caption", "word_permutation", "random_word"
# What every ablation is trained on: the set that the experiment `training-sets` chose.
CHOSEN: Mixture = {"shetty2017": 1, OTHER: 3}
MACHINE: Mixture = {next(iter(CHOSEN)): 1}  # its machine's captions alone
TRAINED = f"Trained against {in_words(CHOSEN)}"

# LCEval's groups of features, alone and two by two, as the paper orders them within a name.
COMBINATIONS = (
    ("semantic",),
    ("syntactic",),
    ("lexical",),
    ("semantic", "syntactic"),
    ("semantic", "lexical"),
    ("syntactic", "lexical"),
)


def network(features: str, against: Mixture = CHOSEN, name: str = "", seed: int = 0) -> Network:
    """A network over a paper's features."""
    return Network(name or features, Features(features), tuple(against.items()), seed=seed)


# Each has the name under which its figures are published; all features are `lceval`.
GROUPS = tuple(network("+".join(names), name=f"lceval_{'_'.join(names)}") for names in COMBINATIONS)
ALL_METRICS: tuple[Scored, ...] = (*CLASSICAL, *GROUPS, *LEARNED)


def name_of(scored: Scored) -> str:
    """A metric's name, as tables and published figures have it."""
    assert isinstance(scored, str | Network)
    return scored if isinstance(scored, str) else scored.name


def beside_published(
    scored: Scored, tasks: Iterable[Task | Worsened], *sources: str, known_as: str = ""
) -> list[Cell]:
    """Our number and the published one for each task; the metric may be known by another name."""
    return [
        cell
        for task in tasks
        for cell in (Ours(scored, task), Published(known_as or name_of(scored), task, sources))
    ]


def with_published(labels: Iterable[str]) -> list[str]:
    """A header with a column of published figures after each of ours."""
    return [name for label in labels for name in (label, "published")]


def correlations(task: Task) -> list[Task]:
    """A task by each of the correlations that the papers report."""
    return [replace(task, statistic=statistic) for statistic in CORRELATIONS]


def by_metric(
    title: str,
    metrics: Sequence[Scored],
    tasks: dict[str, Task | Worsened],
    *sources: str,
    digits: int = 3,
    percent: bool = False,
) -> Grid:
    """A row a metric, a column a task by its label, the sources' figures beside ours."""
    labels = with_published(tasks) if sources else list(tasks)
    rows = [
        (
            name_of(metric),
            *(
                beside_published(metric, tasks.values(), *sources)
                if sources
                else [Ours(metric, task) for task in tasks.values()]
            ),
        )
        for metric in metrics
    ]
    return Grid(title, ("metric", *labels), tuple(rows), digits=digits, percent=percent)
