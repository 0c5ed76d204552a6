"""Declarations: a paper's table as data, cell by cell.

A cell is a text, a published number, or ours: something that scores captions, and a task that says
whose judgements its scores are compared with, by which rules, and by which number:

    Ours("cider", Task("composite", "lceval", "kendall_b"))
    Published("cider_d", Task("composite", "lceval", "kendall_b"), ("Sharif et al. 2019, table 4",))

`Beside` has both. `papers.rows.crossed` makes the cells of a table of which rows are metrics and
columns tasks. Declarations import nothing that measures; `measurements` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import PartResult

FLICKR8K, COCO = "Flickr8k", "COCO"  # see `measurements.caption_datasets`
CROP, WHOLE = "crop", "whole"  # image vectors of the middle square, or of the whole image
Mixture = Mapping[str, float]  # sources of captions to be scored low, each with its share


def describe_mixture(mixture: Mixture) -> str:
    """Describe a mixture in a few words."""
    return ", ".join(f"{name} {share:g}" for name, share in mixture.items())


@dataclass(frozen=True)
class Task:
    """A comparison with people: whose judgements, by which paper's rules, and by which number.

    `statistic` is a correlation, `accuracy` for preferences (of the category `group`), `ties`, or
    `balanced_accuracy`: how well a threshold tells people's captions from machines'. Of ratings,
    `group` is a part of the benchmark, or `mean` over the parts.
    """

    benchmark: str
    protocol: str
    statistic: str = "kendall_b"
    group: str = ""
    references: int | str | None = None  # another choice than the protocol's: 5, or `first:5`
    seed: int | None = None  # another draw of references than the protocol's
    all_references: bool = False  # drawn from all that there are
    joined: bool = False  # the references of a caption joined into one


@dataclass(frozen=True)
class RobustnessTask:
    """A test with people's captions made worse: its kind, and which number of its results."""

    benchmark: str  # `distractions`, `gaming` or `pathological`
    # `accuracy`, or `won`, the same with ties as errors; `auc` of those made worse step by step;
    # `n`: how many.
    statistic: str = "accuracy"
    group: str = ""  # one of its tasks, `average` or `worst`
    dataset_name: str = FLICKR8K  # whose test images


@dataclass(frozen=True)
class TrainingTask:
    """What a network's training says of it: `tau` in validation, or `accuracy` in training."""

    statistic: str = "tau"
    benchmark: str = ""  # no paper reports it
    group: str = ""


AnyTask = Task | RobustnessTask | TrainingTask


@dataclass(frozen=True)
class Features:
    """A feature set by name, or groups of LCEval's with + between, perhaps changed."""

    feature_set: str
    only: tuple[str, ...] = ()  # these columns of it
    pool: str = "max"  # over references, where LCEval's paper pools
    vectors: str = ""  # a file of word vectors behind MOWE
    unlimited: bool = False  # read from all references, though the set says at most so many
    chains: str = ""  # the variant of head-word chains, where it is not the usual one


@dataclass(frozen=True)
class Network:
    """A network over features, trained on a mixture of captions; `name` is as tables have it."""

    name: str
    features: Features
    negatives: tuple[tuple[str, float], ...]  # the items of a mixture
    hidden: tuple[int, ...] | None = None  # other layers than the recipe's
    seed: int = 0


@dataclass(frozen=True)
class EqualWeights:
    """The mean of all features once they are scaled: no learning at all."""

    name: str  # of published figures
    features: Features


@dataclass(frozen=True)
class Regression:
    """Features weighed by a linear regression on a benchmark's own ratings."""

    features: Features
    benchmark: str
    protocol: str


@dataclass(frozen=True)
class OneFeature:
    """One feature by itself, as a learned metric reads it."""

    features: Features
    column: str


@dataclass(frozen=True)
class MetricVariant:
    """A metric's column with other parameters than the usual; what is undefined counts 0."""

    column: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EncoderStates:
    """An encoder, and the layers whose states metrics read, which are computed together."""

    layers: tuple[int, ...]
    folder: str = ""  # below the data's; none for the encoder that ships


@dataclass(frozen=True)
class EncoderMetric:
    """A metric's column that reads an encoder's states, with parameters other than the usual."""

    column: str
    states: EncoderStates
    options: tuple[tuple[str, object], ...] = ()
    name: str = ""  # of published numbers


@dataclass(frozen=True)
class MeanScore:
    """The mean of several scores of each caption."""

    of: tuple[AnyMetric, ...]


@dataclass(frozen=True)
class ImageMetric:
    """A column of a metric that ships, shown the images of Flickr8k, perhaps with parameters."""

    column: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TrainedCritic:
    """A critic: what it looks at, how that is fused, and what it learns to tell from people's."""

    context: str
    fusion: str
    negatives: str  # one of `measurements.critics.NEGATIVE_MIXTURES`
    name: str = ""  # of published figures
    dataset_name: str = FLICKR8K  # whose training images; of COCO there are captions alone
    view: str = CROP  # of the images that it looks at


# What gives captions scores; a text is the name of a metric or of one of its columns.
AnyMetric = (
    str
    | Network
    | EqualWeights
    | Regression
    | OneFeature
    | MetricVariant
    | EncoderMetric
    | MeanScore
    | ImageMetric
    | TrainedCritic
)


@dataclass(frozen=True)
class MeasuredCell:
    """A number to be measured."""

    metric: AnyMetric
    task: AnyTask


@dataclass(frozen=True)
class MeanCell:
    """The mean of several numbers, and their range: of draws of references, or of seeds."""

    cells: tuple[MeasuredCell, ...]


@dataclass(frozen=True)
class PValueCell:
    """A p-value: how likely so large a difference is by chance, with the same resampled images."""

    metric: AnyMetric
    other: AnyMetric
    task: Task


@dataclass(frozen=True)
class PublishedCell:
    """What papers report for a metric, the first that does: none where they report nothing."""

    metric: str
    task: AnyTask
    sources: tuple[str, ...]  # papers, each perhaps with its table


@dataclass(frozen=True)
class ComparedCell:
    """A number of ours, and what a paper reports in its place."""

    ours: MeasuredCell | MeanCell
    published: PublishedCell


Cell = str | int | None | MeasuredCell | MeanCell | PValueCell | PublishedCell | ComparedCell
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class LinePlot:
    """A table drawn: a curve a row, a point for each number in the header.

    What is published is drawn as points.
    """

    title: str
    xlabel: str
    ylabel: str


@dataclass(frozen=True)
class ScatterPlot:
    """Two columns of a table drawn against each other: a point for each row."""

    title: str
    xlabel: str
    ylabel: str
    x: int
    y: int


@dataclass(frozen=True)
class Grid:
    """A table of cells."""

    title: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    percent: bool = False  # shares are shown in per cent
    digits: int | None = None  # one of per cent, three of all else
    plot: LinePlot | ScatterPlot | None = None

    @property
    def texts(self) -> int:
        """How many columns at the left are nothing but text."""
        columns = zip(*self.rows, strict=True)
        return sum(takewhile(bool, (all(isinstance(c, str) for c in column) for column in columns)))


def run_procedure(procedure: str, **options: object) -> Callable[[Experiment], PartResult]:
    """Return a function that runs a procedure, given as `module.function` of `procedures`.

    The module is imported when it runs, not with the declarations.
    """
    module, function = procedure.split(".")

    def measure(experiment: Experiment) -> PartResult:
        imported = import_module(f"captious.papers.procedures.{module}")
        result: PartResult = getattr(imported, function)(experiment, **options)
        return result

    return measure
