"""The rows and columns that tables of several papers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from captious.experiments.declaration import (
    AnyTask,
    Features,
    Grid,
    Learnt,
    Mixture,
    Network,
    Ours,
    Over,
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
ON_COMPOSITE = Task(COMPOSITE, "lceval")

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


NETWORK = network("lceval")
# Each has the name under which its figures are published; all features are `lceval`.
GROUPS = tuple(network("+".join(names), name=f"lceval_{'_'.join(names)}") for names in COMBINATIONS)
ALL_METRICS: tuple[str | Network, ...] = (*CLASSICAL, *GROUPS, *LEARNED)


@dataclass(frozen=True)
class Reported:
    """What papers report in place of a measurement: a row of published figures."""

    name: str
    sources: tuple[str, ...]


Labels = str | tuple[str, ...]
Measurable = Scored | Reported | tuple[Network, ...]  # of several networks, the mean counts
Roles = Mapping[str, Measurable]  # what a row compares, where that is more than one thing


@dataclass(frozen=True)
class Column:
    """A task as a column: of our numbers, with published ones beside them, or of those alone."""

    label: str
    task: AnyTask
    sources: tuple[str, ...] = ()  # whose figures stand there
    of: str = ""  # the role of what is compared in its row
    known: AnyTask | None = None  # the task as papers name it, where that differs
    ours: bool = True

    @property
    def header(self) -> Row:
        """The names of one column, or of two."""
        return (self.label, "published") if self.ours and self.sources else (self.label,)

    def cells(self, roles: Roles) -> Row:
        """What stands in a row."""
        scored, known = roles.get(self.of), self.known or self.task
        if scored is None:
            return (None,) * len(self.header)
        if isinstance(scored, Reported):
            return (Published(scored.name, known, scored.sources),)
        if isinstance(self.task, Learnt) and not isinstance(scored, Network | tuple):
            return (None,)
        if isinstance(scored, tuple):
            return (Over(tuple(Ours(each, self.task) for each in scored)),)
        name = scored if isinstance(scored, str) else getattr(scored, "name", "")
        ours = (Ours(scored, self.task),) if self.ours else ()
        return (*ours, Published(name, known, self.sources)) if self.sources else ours


def crossed(
    title: str,
    corner: Labels,
    rows: Mapping[Any, Measurable | Roles] | Sequence[str | Network],
    columns: Sequence[Column],
    **shown: Any,
) -> Grid:
    """A table of what is compared, by label or with names of its own, and of tasks in columns."""
    if not isinstance(rows, Mapping):
        rows = {each if isinstance(each, str) else each.name: each for each in rows}
    header = (*_texts(corner), *chain(*(column.header for column in columns)))
    cells = []
    for label, compared in rows.items():
        roles = compared if isinstance(compared, Mapping) else {"": compared}
        cells.append((*_texts(label), *chain(*(column.cells(roles) for column in columns))))
    return Grid(title, tuple(map(str, header)), tuple(cells), **shown)


def _texts(labels: Labels) -> tuple[str, ...]:
    return (labels,) if isinstance(labels, str) else labels


def by_correlation(task: Task, *sources: str, before: str = "", of: str = "") -> list[Column]:
    """A column for each of the correlations that the papers report."""
    return [
        Column(f"{before}{label}", replace(task, statistic=statistic), sources, of)
        for statistic, label in CORRELATIONS.items()
    ]
