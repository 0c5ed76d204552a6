"""What a metric is: statistics for each sample, and how statistics become a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.parameters import Parameter, parameters_of
from captious.metrics.statistic_rules import StatisticRules
from captious.samples import References, Samples
from captious.signature import Address


class Addressed(ABC):
    """What an address names: a frozen dataclass whose fields are its parameters."""

    name: str

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The parameters by name."""
        return parameters_of(cls)

    def __post_init__(self) -> None:
        for parameter in self.parameters().values():
            parameter.check(self)

    def depends_on(self) -> dict[str, Any]:
        """What scores depend on beside captions and parameters: versions, tables, other metrics.

        A parameter that names a file, or leaves a choice to the metric, stands here as it is meant:
        the file with its hash, the choice that was made.
        """
        return {}

    def unused(self, parameter: str) -> str:
        """Why a parameter makes no difference beside the others; nothing where it does."""
        return ""

    def signature(self) -> Address:
        """The name and all that scores depend on beside the captions."""
        given = {name: getattr(self, name) for name in self.parameters()}
        return Address.of(self.name, {**given, **self.depends_on()})


class Metric(Addressed):
    """One metric.

    A sample's statistics are numbers that can be added: the corpus score is what `scores` makes of
    their sum, so that a bootstrap is a re-sum. Unless a metric says otherwise, its statistics are
    its scores and the number of samples, and its corpus score is therefore their mean.
    """

    columns: tuple[str, ...]
    description: str
    bounds: tuple[float, float] = (0.0, 1.0)
    column_bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}  # where narrower than those
    statistic_names: tuple[str, ...] | None = None  # where they are more than scores and a count
    statistic_rules: StatisticRules | None = None  # and what they obey
    lower_is_better: bool = False  # scores say how much is wrong; whoever ranks turns them round
    counts_documents: bool = False  # weighs n-grams by document frequencies, its parameter `df`
    requires: tuple[str, ...] = ()  # packages beyond the core's
    needs_images: bool = False  # and so is in no group
    gives_lock_back: bool = False  # most of its work is in loops beside which others can be scored
    english: str = ""  # what of it is English; without any, it can score every language
    english_unless: tuple[str, ...] = ()  # parameters that, all given, put another in its place
    without_references: tuple[str, ...] = ()  # the columns that look at no reference

    @classmethod
    def bounds_of(cls, column: str) -> tuple[float, float]:
        """The least and the most that a column's scores can be."""
        return cls.column_bounds.get(column, cls.bounds)

    @classmethod
    def given_for_other_languages(cls) -> str:
        """The parameters that free it from English, as they are written; none where nothing can."""
        return " and ".join(f"{name}=..." for name in cls.english_unless)

    @property
    def needs_whole_corpus(self) -> bool:
        """Whether a sample's score depends on others' references: their document frequencies."""
        return self.counts_documents and getattr(self, "df", None) is None

    def english_part(self) -> str:
        """What keeps it to English captions; nothing where it can score those of any language."""
        usual = {name: each.default for name, each in self.parameters().items()}
        replaced = [getattr(self, name) != usual[name] for name in self.english_unless]
        return "" if replaced and all(replaced) else self.english

    def made_for(self) -> str | None:
        """The language of the captions that its domain was learned from, where it has one."""
        if (domain := self.domain_read()) is None:
            return None
        from captious.text.domain import Domain

        return Domain.load(domain).language

    def domain_read(self) -> Any:
        """The domain, or its file, that it reads captions by; none where that is what ships."""
        return getattr(self, "domain", None)

    def parts(self) -> Iterable[Metric]:
        """The metrics of whose scores its own are made."""
        return ()

    def with_parts(self) -> Iterator[Metric]:
        """The metric, and all that it is made of."""
        yield self
        for part in self.parts():
            yield from part.with_parts()

    def prepare(self, references: References) -> Any:
        """What depends on the references alone, computed once and handed to `statistics`."""
        return None

    @abstractmethod
    def statistics(self, samples: Samples, prepared: Any) -> FloatArray:
        """Numbers that can be added, one row a sample."""

    def scores(self, statistics: FloatArray) -> FloatArray:
        """Scores, one a column, from the statistics of one sample or the sum over many."""
        scores: FloatArray = statistics[..., :-1] / statistics[..., -1:]
        return scores


def averaged(*columns: FloatArray) -> FloatArray:
    """The statistics of a metric whose corpus score is the mean: its scores, and a count of one."""
    return np.column_stack([*columns, np.ones(len(columns[0]))])
