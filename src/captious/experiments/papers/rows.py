"""The rows and columns that tables of several papers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from captious.experiments.declaration import (
    AnyTask,
    Features,
    Grid,
    Mixture,
    Network,
    Ours,
    Paper,
    Published,
    Row,
    Scored,
    Task,
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


@dataclass(frozen=True)
class Column:
    """A task as a column: of our numbers, with published ones beside them, or of those alone."""

    label: str
    task: AnyTask
    sources: tuple[str, ...] = ()  # whose figures stand there
    known: AnyTask | None = None  # the task as papers name it, where that differs
    ours: bool = True

    @property
    def header(self) -> tuple[str, ...]:
        """The names of one column, or of two."""
        return (self.label, "published") if self.ours and self.sources else (self.label,)

    def cells(self, scored: Scored, name: str) -> Row:
        """What stands in the row of a metric of this name."""
        ours = (Ours(scored, self.task),) if self.ours else ()
        known = Published(name, self.known or self.task, self.sources)
        return (*ours, known) if self.sources else ours


Labels = str | tuple[str, ...]


def crossed(
    title: str,
    corner: Labels,
    rows: Mapping[Labels, Scored] | Sequence[Scored],
    columns: Sequence[Column],
    *,
    known_as: Mapping[Labels, str] = MappingProxyType({}),
    **shown: Any,
) -> Grid:
    """A table of metrics, by label or with their own names, in rows and tasks in columns.

    Published figures are those of a row's label, or of the name that it is known as.
    """
    by_label = rows if isinstance(rows, Mapping) else {name_of(each): each for each in rows}
    cells = tuple(
        (
            *texts(label),
            *chain(*(c.cells(scored, known_as.get(label, str(label))) for c in columns)),
        )
        for label, scored in by_label.items()
    )
    header = (*texts(corner), *chain(*(column.header for column in columns)))
    return Grid(title, header, cells, **shown)


def texts(labels: Labels) -> tuple[str, ...]:
    """One text or several at the left of a row."""
    return (labels,) if isinstance(labels, str) else labels


def name_of(scored: Scored) -> str:
    """A metric's name, as tables and published figures have it."""
    assert isinstance(scored, str | Network)
    return scored if isinstance(scored, str) else scored.name


def by_correlation(task: Task, *sources: str, before: str = "") -> list[Column]:
    """A column for each of the correlations that the papers report."""
    return [
        Column(f"{before}{label}", replace(task, statistic=statistic), sources)
        for statistic, label in CORRELATIONS.items()
    ]
