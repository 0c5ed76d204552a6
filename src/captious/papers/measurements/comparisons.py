"""Comparisons: numbers of several metrics that are measured together, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.meta.agreement import Agreements, agree, agree_by_group
from captious.meta.benchmarks import find_benchmark
from captious.meta.benchmarks.benchmark import SYSTEMS
from captious.meta.benchmarks.coco import MEASURES
from captious.meta.judgements import Preferences, Ratings, by_measure
from captious.meta.protocol import ACCURACY
from captious.papers.declaration import AnyMetric, AnyTask, Network, RobustnessTask, Task
from captious.papers.measurements.experiment import Experiment, benchmark_options, build_protocol
from captious.papers.measurements.scoring import (
    QUICK_RESAMPLES,
    RESAMPLES,
    DeclarationScorer,
    system_scores,
)
from captious.papers.result import INTERVAL, Measurement, Value
from captious.stats.intervals import Interval


class Comparison(Protocol):
    """Numbers of several metrics that were measured together."""

    def value(self, statistic: str, group: str, place: int) -> Value:
        """A number of what stands at a place."""


def compare(scoring: DeclarationScorer, task: AnyTask, metrics: Sequence[AnyMetric]) -> Comparison:
    """Measure several metrics for one task."""
    match task:
        case Task(benchmark) if find_benchmark(benchmark).kind == SYSTEMS:
            return SystemComparison(scoring, task, metrics)
        case Task():
            return JudgementComparison(scoring, task, metrics)
        case RobustnessTask():
            return RobustnessComparison(scoring, task, metrics)
    return TrainingComparison(scoring.experiment, metrics)


def with_interval(value: float, interval: Interval) -> Measurement:
    """A number with the interval that resampled images give."""
    return Measurement(value, *interval, INTERVAL)


class JudgementComparison:
    """Agreement of scores with people's judgements of single captions."""

    def __init__(
        self, scoring: DeclarationScorer, task: Task, metrics: Sequence[AnyMetric]
    ) -> None:
        self._judgements, self._protocol = scoring.experiment.load_judgements(
            task.benchmark, build_protocol(task), **benchmark_options(task)
        )
        self._resamples = QUICK_RESAMPLES if scoring.experiment.quick else RESAMPLES
        shape = (-1, 2) if isinstance(self._judgements, Preferences) else (-1,)
        self._scores = {
            str(place): scoring.judged_scores(declared, task).reshape(shape)
            for place, declared in enumerate(metrics)
        }

    def value(self, statistic: str, group: str, place: int) -> Value:
        """A number of what stands at a place, with its interval where images can be resampled."""
        if statistic == "balanced_accuracy":
            assert isinstance(self._judgements, Ratings)
            is_human = np.array([whose == "human" for whose in self._judgements.groups])
            return balanced_accuracy(self._scores[str(place)], is_human)
        agreements = self._whole if statistic == ACCURACY or not group else self._parts[group]
        row = agreements.rows[place]
        if statistic == "ties":
            return row.ties
        name = group if statistic == ACCURACY else statistic
        return with_interval(row.values[name], row.interval(name))

    def p_value(self, statistic: str, place: int, other: int) -> float:
        """How likely two differ so by chance."""
        more, less = (self._whole.rows[each].estimate(statistic) for each in (place, other))
        return (more - less).p_value()

    @cached_property
    def _whole(self) -> Agreements:
        return agree(self._scores, self._judgements, self._protocol, resamples=self._resamples)

    @cached_property
    def _parts(self) -> dict[str, Agreements]:
        assert isinstance(self._judgements, Ratings)
        return agree_by_group(
            self._scores, self._judgements, self._protocol, resamples=self._resamples
        )


class SystemComparison:
    """Agreement of corpus scores with people's judgements of whole systems, by measure."""

    def __init__(
        self, scoring: DeclarationScorer, task: Task, metrics: Sequence[AnyMetric]
    ) -> None:
        ratings, protocol = scoring.experiment.load_judgements(task.benchmark, build_protocol(task))
        assert isinstance(ratings, Ratings)
        scores = {
            str(place): system_scores(
                scoring.experiment, *scoring.build_metric(declared), task.benchmark, protocol
            )
            for place, declared in enumerate(metrics)
        }
        self._by_measure: Mapping[str, Agreements] = {
            measure: agree(scores, systems, protocol)
            for measure, systems in by_measure(ratings, MEASURES).items()
        }

    def value(self, statistic: str, group: str, place: int) -> Value:
        """A correlation over systems, with its interval."""
        row = self._by_measure[group].rows[place]
        return with_interval(row.values[statistic], row.interval(statistic))


class RobustnessComparison:
    """Robustness of metrics to captions that were made worse."""

    def __init__(
        self, scoring: DeclarationScorer, test: RobustnessTask, metrics: Sequence[AnyMetric]
    ) -> None:
        self._rows = [
            scoring.robustness_row(declared, test.benchmark, test.dataset_name)
            for declared in metrics
        ]

    def value(self, statistic: str, group: str, place: int) -> Value:
        """A number of what stands at a place; none where no such caption can be made."""
        row = self._rows[place]
        if statistic == "won":
            won: float = row["accuracy"][group] - row["ties"][group] / 2
            return won
        value: Value = row[statistic].get(group)
        return with_interval(value, row["interval"][group]) if isinstance(value, float) else value


class TrainingComparison:
    """Accuracy and tau of networks in their training."""

    def __init__(self, experiment: Experiment, metrics: Sequence[AnyMetric]) -> None:
        self._trained = [experiment.network(each) for each in metrics if isinstance(each, Network)]

    def value(self, statistic: str, group: str, place: int) -> Value:
        """A number of what stands at a place."""
        return float(getattr(self._trained[place], statistic))


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
