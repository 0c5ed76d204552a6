"""The rows and columns that tables of several papers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from captious.papers.declaration import (
    AnyMetric,
    AnyTask,
    Cell,
    ComparedCell,
    Features,
    Grid,
    MeanCell,
    MeasuredCell,
    MetricVariant,
    Mixture,
    Network,
    PublishedCell,
    PValueCell,
    Task,
    TrainingTask,
)
from captious.papers.exhibit import Paper

if TYPE_CHECKING:
    from captious.papers.result import Table

Holds = Callable[["Sequence[Table]"], bool | None]

NNEVAL = Paper(
    "nneval",
    "NNEval",
    "Sharif et al. 2018",
    "NNEval: Neural Network based Evaluation Metric for Image Captioning",
    tables=3,
    figures=4,
)
LCEVAL = Paper(
    "lceval",
    "LCEval",
    "Sharif et al. 2019",
    "LCEval: Learned Composite Metric for Caption Evaluation",
    tables=15,
    figures=11,
)
LEIC = Paper(
    "leic",
    "LEIC",
    "Cui et al. 2018",
    "Learning to Evaluate Image Captioning",
    tables=2,
    figures=7,
)

COMPOSITE, PASCAL, ABSTRACT, WMT16 = "composite", "pascal-50s", "abstract-50s", "wmt16-daseg"
ON_COMPOSITE = Task(COMPOSITE, "lceval")
CORRELATIONS = {"pearson": "Pearson", "spearman": "Spearman", "kendall_b": "Kendall"}
CATEGORIES = ("HC", "HI", "HM", "MM", "mean")  # of PASCAL-50S
SEEDS = (0, 1, 2)  # of networks that are trained here; a quick run has the first

# Captions to train against: of other images, with words permuted, or replaced.
OTHER_IMAGES, PERMUTED_WORDS, RANDOM_WORDS = "random_caption", "word_permutation", "random_word"
# As the papers trained, as nearly as can be: their captioners had learned from other pictures, and
# so wrote in a machine's style and often of something else.
PAPER_MIXTURE: Mixture = {"shetty2017/similar": 1, "shetty2017/other": 1}
SHIPPED_MIXTURE: Mixture = {
    "shetty2017/other": 4,
    PERMUTED_WORDS: 1,
}  # what the networks that ship were trained on
MACHINE_MIXTURE: Mixture = {
    "shetty2017": 1
}  # what its machine wrote of the images themselves, alone


@dataclass(frozen=True)
class NamedMetric:
    """A metric to measure, with the name of its published numbers."""

    metric: AnyMetric | tuple[Network, ...]
    name: str


@dataclass(frozen=True)
class PublishedRow:
    """A row of published numbers, without a measurement."""

    name: str
    sources: tuple[str, ...]


# The hand-made metrics of both papers' tables: what they call CIDEr-D is plain CIDEr.
CLASSICAL: dict[str, str | NamedMetric] = {
    "BLEU-1": "bleu_1",
    "BLEU-4": "bleu_4",
    "ROUGE-L": "rouge_l",
    "METEOR": "meteor",
    "CIDEr": NamedMetric("cider", "cider_d"),
    "SPICE": "spice",
    "SPIDEr": NamedMetric(MetricVariant("spider", (("cider", "cider"),)), "spider"),
    "WMD": "wmd",
}
CIDER_D = {"CIDEr-D": NamedMetric("cider_d", "")}  # beside which nothing is published
LEARNED = ("nneval", "lceval")

# LCEval's groups of features, alone and two by two, as the paper orders them within a name.
COMBINATIONS = {
    "Semantic": ("semantic",),
    "Syntactic": ("syntactic",),
    "Lexical": ("lexical",),
    "Sem-Syn": ("semantic", "syntactic"),
    "Sem-Lex": ("semantic", "lexical"),
    "Syn-Lex": ("syntactic", "lexical"),
}

Networks = tuple[Network, ...]  # one a seed


def networks(
    features: str | Features,
    negatives: Mixture = PAPER_MIXTURE,
    name: str = "",
    hidden: tuple[int, ...] | None = None,
) -> Networks:
    """A network over a paper's features, from each seed."""
    declared_features = Features(features) if isinstance(features, str) else features
    mixture = tuple(negatives.items())
    return tuple(
        Network(name or declared_features.feature_set, declared_features, mixture, hidden, seed)
        for seed in SEEDS
    )


# As the papers trained them, and as they ship.
NNEVAL_NETWORKS, LCEVAL_NETWORKS = networks("nneval"), networks("lceval")
AS_SHIPPED: dict[str, NamedMetric] = {
    "NNEval, as it ships": NamedMetric("nneval", ""),
    "LCEval, as it ships": NamedMetric("lceval", ""),
}


def _published_group_name(names: tuple[str, ...]) -> str:
    """The name under which numbers of a group of features are published."""
    return f"lceval_{'_'.join(names)}"


# Without a published name where chains are counted as in the paper's text: its numbers are not of
# that (table 6), and each is compared once, with the networks below.
GROUPS = {
    label: networks(
        "+".join(names), name="" if "syntactic" in names else _published_group_name(names)
    )
    for label, names in COMBINATIONS.items()
}

# The same where head-word chains are counted otherwise than in the paper's text.
AS_PUBLISHED, AS_RELEASED = "chains as published", "chains as released"


def _networks_by_chains(label: str, variant: str) -> dict[str, Networks]:
    """The groups that read chains, and the whole, with chains of another variant."""
    groups = {
        f"{group}, {label}": networks(
            Features("+".join(names), chains=variant), name=_published_group_name(names)
        )
        for group, names in COMBINATIONS.items()
        if "syntactic" in names
    }
    return groups | {f"LCEval, {label}": networks(Features("lceval", chains=variant))}


# Shares of the reference's chains, and the mean over all lengths up to the longest: as the numbers
# of the paper's table 6 have them. Of the full network some numbers fit one way of counting (tables
# 3 to 5), some the other (tables 2 and 7): they are compared with both. Shares of the reference's
# chains of one length: as in the released code, and as the numbers of table 9 have them.
PUBLISHED_CHAINS = _networks_by_chains(AS_PUBLISHED, "published")
RELEASED_CHAINS = _networks_by_chains(AS_RELEASED, "released")

Labels = str | tuple[str, ...]
Measurable = AnyMetric | Networks | NamedMetric | PublishedRow
Roles = Mapping[str, Measurable]  # what a row compares, where that is more than one thing


@dataclass(frozen=True)
class Column:
    """A task as a column of our numbers, with published ones beside them."""

    label: str
    task: AnyTask
    sources: tuple[str, ...] = ()  # whose numbers stand there
    role: str = ""  # the role of what is compared in its row
    published_task: AnyTask | None = None  # the task as papers name it, where that differs

    def cell(self, roles: Roles) -> Cell:
        """What stands in a row."""
        compared, published_task = roles.get(self.role), self.published_task or self.task
        if isinstance(compared, PublishedRow):
            return PublishedCell(compared.name, published_task, compared.sources)
        name = "" if compared is None else published_name(compared)
        if isinstance(compared, NamedMetric):
            compared = compared.metric
        is_trained = isinstance(compared, Network | tuple)
        if compared is None or (isinstance(self.task, TrainingTask) and not is_trained):
            return None
        ours: MeasuredCell | MeanCell
        if isinstance(compared, tuple):
            ours = MeanCell(tuple(MeasuredCell(each, self.task) for each in compared))
        else:
            ours = MeasuredCell(compared, self.task)
        published = PublishedCell(name, published_task, self.sources)
        return ComparedCell(ours, published) if name and self.sources else ours


def first_seed(compared: Measurable) -> Measurable:
    """Of networks the first: where each takes minutes to be measured."""
    return compared[0] if isinstance(compared, tuple) else compared


def published_name(compared: Measurable) -> str:
    """The name under which numbers of a metric are published."""
    first = compared[0] if isinstance(compared, tuple) else compared
    return first if isinstance(first, str) else getattr(first, "name", "")


@dataclass(frozen=True)
class PValueColumn:
    """A column of p-values: how likely each differs so from one of them by chance."""

    label: str
    other: AnyMetric
    task: Task

    def cell(self, roles: Roles) -> Cell:
        """What stands in a row."""
        compared = roles.get("")
        if isinstance(compared, NamedMetric):
            compared = compared.metric
        if isinstance(compared, tuple):
            compared = compared[0]
        if (
            compared is None
            or compared == self.other
            or isinstance(compared, PublishedRow | NamedMetric)
        ):
            return None
        return PValueCell(compared, self.other, self.task)


def cross_table(
    title: str,
    corner: Labels,
    rows: Mapping[Any, Measurable | Roles] | Sequence[str],
    columns: Sequence[Column | PValueColumn],
    **shown: Any,
) -> Grid:
    """A table of what is compared, by label or with names of its own, and of tasks in columns."""
    if not isinstance(rows, Mapping):
        rows = {name: name for name in rows}
    header = (*_texts(corner), *(column.label for column in columns))
    cells = []
    for label, compared in rows.items():
        roles = compared if isinstance(compared, Mapping) else {"": compared}
        cells.append((*_texts(label), *(column.cell(roles) for column in columns)))
    return Grid(title, header, tuple(cells), **shown)


def stack_rows(first: Grid, *others: Grid) -> Grid:
    """The first table with the rows of others below its own; all have the same columns."""
    if any(other.header != first.header for other in others):
        raise ValueError(f"{first.title}: tables with other columns cannot be stacked below it")
    return replace(first, rows=tuple(row for grid in (first, *others) for row in grid.rows))


def _texts(labels: Labels) -> tuple[str, ...]:
    return (labels,) if isinstance(labels, str) else labels


def correlation_columns(
    task: Task, *sources: str, before: str = "", role: str = ""
) -> list[Column]:
    """A column for each of the correlations that the papers report."""
    return [
        Column(f"{before}{label}", replace(task, statistic=statistic), sources, role)
        for statistic, label in CORRELATIONS.items()
    ]


def has_highest(row: str, others: Sequence[str], column: str, table: int = 0) -> Holds:
    """Whether a row has the highest number of a column."""

    def holds(tables: Sequence[Table]) -> bool:
        measured = tables[table]
        return measured.value(row, column) > max(measured.value(each, column) for each in others)

    return holds
