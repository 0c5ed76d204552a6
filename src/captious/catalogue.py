"""All metrics and groups by name, and what a list of names asks for."""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from captious.critic.leic import Leic
from captious.errors import InputError, UnknownMetricError
from captious.learned.captious import Captious, CaptiousFull
from captious.learned.captious_image import CaptiousImage, CaptiousImageFull
from captious.learned.published import LcEval, NnEval
from captious.metrics import registry
from captious.metrics.base import Metric
from captious.metrics.function import FunctionMetric, Judge
from captious.shown import shown

LEARNED: dict[str, type[Metric]] = {
    metric.name: metric
    for metric in (
        *(NnEval, LcEval, Leic),
        *(Captious, CaptiousFull, CaptiousImage, CaptiousImageFull),
    )
}
METRICS: dict[str, type[Metric]] = registry.METRICS | LEARNED
_OF_COLUMN = {column: metric for metric in METRICS.values() for column in metric.columns}

# Groups take what is installed and in this version; the rest is left out with a word. Where a
# metric has a column of its own name, a group means that column alone (`spice`, no categories).
GROUPS: dict[str, tuple[str, ...]] = {
    "coco": ("bleu", "rouge_l", "meteor", "cider_d", "spice"),
    "lexical": ("ngram_precision", "unigram_recall", "rouge_l", "meteor", "cider_d"),
    "semantic": ("wmd", "spice", "mowe"),
    "syntactic": ("hwcm", "hwcm_dep"),
    "learned": tuple(name for name, metric in LEARNED.items() if not metric.needs_images),
    "all": tuple(
        column
        for metric in METRICS.values()
        if not metric.needs_images
        for column in metric.columns
    ),
}
DEFAULT = ("coco", "captious")
LONGEST_NAME = 100  # characters in which a metric's name is looked for

Names = Iterable[str | Metric | Judge] | str | Metric | Judge | None  # what metrics are asked for


@dataclass(frozen=True)
class Selection:
    """The metrics that were asked for, the columns to show, and what a group had to leave out."""

    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def select(names: Names = None, options: Mapping[str, Any] | None = None) -> Selection:
    """Metrics from names of metrics, of columns (`bleu_4`) and of groups, or metrics themselves.

    A function of a candidate and its references is a metric, too. `options` are parameters (`df`)
    for every metric that has one of that name.
    """
    names = [names] if isinstance(names, str | Metric) or callable(names) else names
    if names is not None and not isinstance(names, Iterable):
        raise InputError(f"metrics are names, metrics or functions, not {shown(names)}")
    metrics: dict[str, Metric] = {}
    made: list[Metric] = []  # by name, and so with the options
    columns: dict[str, None] = {}
    left_out: dict[str, None] = {}
    for name in DEFAULT if names is None else names:
        if callable(name) and not isinstance(name, type):
            name = FunctionMetric(name)
        if isinstance(name, Metric):
            if metrics.setdefault(name.name, name) is not name:
                raise InputError(f"{name.name}: asked for twice; score twice to compare settings")
            if not set(name.columns).isdisjoint(columns):
                raise InputError(f"{name.name}: a column of another metric; rename the function")
            columns |= dict.fromkeys(name.columns)
            continue
        if not isinstance(name, str):
            raise InputError(f"a metric is a name, a metric or a function, not {shown(name)}")
        for member in GROUPS.get(name, (name,)):
            one_column = member in _OF_COLUMN and (name in GROUPS or member not in METRICS)
            metric = _OF_COLUMN.get(member) or METRICS.get(member)
            if name in GROUPS and (metric is None or not _is_installed(metric)):
                left_out[member] = None
            elif metric is None:
                raise UnknownMetricError(_unknown(name))
            else:
                if metric.name not in metrics:
                    metrics[metric.name] = _make(metric, options or {})
                    made.append(metrics[metric.name])
                columns |= dict.fromkeys((member,) if one_column else metric.columns)
    if not metrics:
        raise InputError("no metrics: name at least one")
    _check_options(made, options or {})
    return Selection(tuple(metrics.values()), tuple(columns), tuple(left_out))


def metric_of_column(column: str) -> type[Metric] | None:
    """The metric that a column of scores belongs to."""
    return _OF_COLUMN.get(column)


def _is_installed(metric: type[Metric]) -> bool:
    """Whether all packages that a metric needs are there."""
    return all(importlib.util.find_spec(package) is not None for package in metric.requires)


def _make(metric: type[Metric], options: Mapping[str, Any]) -> Metric:
    names = metric.option_names()
    return metric(**{name: value for name, value in options.items() if name in names})


def _check_options(metrics: Sequence[Metric], options: Mapping[str, Any]) -> None:
    for option in options:
        if not any(option in metric.option_names() for metric in metrics):
            chosen = ", ".join(metric.name for metric in metrics) or "none"
            raise InputError(
                f"no metric chosen by name has the option {shown(option)} "
                f"(chosen by name: {chosen})"
            )


def _unknown(name: object) -> str:
    known = [*METRICS, *_OF_COLUMN, *GROUPS]
    near = difflib.get_close_matches(str(name)[:LONGEST_NAME].lower(), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(METRICS)}"
    return f"unknown metric {shown(str(name))}; {hint} (`captious metrics` lists them)"
