"""Base class of metrics: statistics of each sample, and scores computed from them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.bounds import Bounds
from captious.metrics.declarations import METRICS
from captious.metrics.parameters import Parameterized
from captious.samples import References, Samples

Violation = tuple[str, int, str]  # which statistic, in which row, and the rule
COUNT_BOUNDS = Bounds(0, 10**9, whole=True, with_most=True)  # of words: no caption has more
ROUNDING = 1e-9


@dataclass(frozen=True)
class StatisticRules:
    """Rules that statistics of score files obey: bounds, and sums limited by another statistic."""

    bounds: Mapping[str, Bounds]
    parts: tuple[tuple[tuple[str, ...], str], ...] = ()  # of a whole, which they do not exceed

    @classmethod
    def of_counts(cls, names: Iterable[str], *parts: tuple[tuple[str, ...], str]) -> StatisticRules:
        """The rules of statistics that are all counts."""
        return cls(dict.fromkeys(names, COUNT_BOUNDS), parts)

    def violations(self, statistics: Mapping[str, FloatArray]) -> Iterator[Violation]:
        """Yield the first row that breaks each rule that is broken."""
        for name, bounds in self.bounds.items():
            yield from _first_violation(
                name, ~_is_within(statistics[name], bounds), f"must be {bounds}"
            )
        for names, whole in self.parts:
            sums = np.sum([statistics[name] for name in names], axis=0)
            too_many = sums > statistics[whole] + ROUNDING
            parts = " and ".join(("", *names[1:]))
            yield from _first_violation(
                names[0], too_many, f"{parts} cannot exceed {whole}".lstrip()
            )


def _first_violation(name: str, wrong: npt.NDArray[np.bool_], rule: str) -> Iterator[Violation]:
    if wrong.any():
        yield name, int(wrong.argmax()), rule


def _is_within(values: FloatArray, bounds: Bounds) -> npt.NDArray[np.bool_]:
    above = values >= bounds.least if bounds.with_least else values > bounds.least
    below = values <= bounds.most if bounds.with_most else values < bounds.most
    within: npt.NDArray[np.bool_] = above & below
    return within & (values == np.floor(values)) if bounds.whole else within


class Metric(Parameterized):
    """A metric: statistics that can be summed, and a score computed from them.

    The corpus score is `scores` of the sum of all samples' statistics, so that a bootstrap is a
    re-sum. Unless a metric says otherwise, its statistics are
    its scores and the number of samples, and its corpus score is therefore their mean.
    """

    # A metric that ships has these three from its declaration (`declarations.py`), by its name.
    columns: tuple[str, ...]
    requires: tuple[str, ...] = ()  # packages beyond the core's
    needs_images: bool = False
    description: str
    bounds: tuple[float, float] = (0.0, 1.0)
    column_bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}  # where narrower than those
    statistic_names: tuple[str, ...] | None = None  # None: the scores and a count
    statistic_rules: StatisticRules | None = None  # consistency checks
    lower_is_better: bool = False  # rankings reverse the order
    uses_document_frequencies: bool = False  # its parameter `df` says which
    releases_gil: bool = False  # most of the time: other metrics run in parallel
    english: str = ""  # the part that is specific to English; "" if none
    language_free_with: tuple[str, ...] = ()  # parameters that together replace it
    reference_free_columns: tuple[str, ...] = ()  # columns that use no reference

    def __init_subclass__(cls, **options: Any) -> None:
        """Take columns and requirements from the declaration of the metric of this name."""
        super().__init_subclass__(**options)
        attributes = vars(cls)
        declaration = METRICS.find_by_name(attributes.get("name", ""))
        if declaration is not None and "columns" not in attributes:
            cls.columns = declaration.columns
            cls.requires = declaration.requires
            cls.needs_images = declaration.needs_images

    @classmethod
    def bounds_of(cls, column: str) -> tuple[float, float]:
        """Return the lowest and highest possible score of a column."""
        return cls.column_bounds.get(column, cls.bounds)

    @classmethod
    def language_free_arguments(cls) -> str:
        """Return `language_free_with` as users write it, `model=...`; "" if there is none."""
        return " and ".join(f"{name}=..." for name in cls.language_free_with)

    @property
    def needs_whole_corpus(self) -> bool:
        """Whether a sample's score depends on other samples' references (document frequencies)."""
        return self.uses_document_frequencies and getattr(self, "df", None) is None

    def english_part(self) -> str:
        """Return the part that is specific to English; "" if any language can be scored."""
        defaults = {name: each.default for name, each in self.parameters().items()}
        replaced = [getattr(self, name) != defaults[name] for name in self.language_free_with]
        return "" if replaced and all(replaced) else self.english

    def domain_language(self) -> str | None:
        """Return the language that its domain was trained on; None without a domain."""
        if (domain := self.domain_source()) is None:
            return None
        from captious.text.domain import Domain

        return Domain.load(domain).language

    def domain_source(self) -> Any:
        """Return the domain, or its file, in use; None for the shipped resources."""
        return getattr(self, "domain", None)

    def parts(self) -> Iterable[Metric]:
        """Return the metrics that its scores are computed from."""
        return ()

    def with_parts(self) -> Iterator[Metric]:
        """Yield the metric, its parts, and their parts."""
        yield self
        for part in self.parts():
            yield from part.with_parts()

    def prepare(self, references: References) -> Any:
        """Compute what depends on the references alone, passed to `statistics` as `prepared`."""
        return None

    @abstractmethod
    def statistics(self, samples: Samples, prepared: Any) -> FloatArray:
        """Return numbers that can be summed over samples, one row a sample."""

    def scores(self, statistics: FloatArray) -> FloatArray:
        """Return one score a column, from the statistics of one sample or the sum over many."""
        scores: FloatArray = statistics[..., :-1] / statistics[..., -1:]
        return scores


def mean_statistics(*columns: FloatArray) -> FloatArray:
    """Return statistics whose corpus score is the mean: the scores, and a count of one."""
    return np.column_stack([*columns, np.ones(len(columns[0]))])
