"""Result: scores for each sample and for the corpus, intervals, and a signature."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from numbers import Integral
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Confidence, Draws, Seed
from captious.corpus import Corpus
from captious.errors import InputError, format_count, short_repr
from captious.io.output_tables import (
    FORMATS,
    OutputTable,
    TabularResult,
    data_frame,
    format_decimals,
)
from captious.metrics.base import Metric
from captious.signature import restate_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED, exact_sum, sum_by_image
from captious.stats.intervals import LEVEL, PERCENTILE, Interval, ResampledSums, check_method

if TYPE_CHECKING:
    import pandas

# Columns of a file of scores beside ids, captions and scores.
STATISTIC, GROUP, SIGNATURE = "statistic", "group", "signature"
# Metadata of the fields of a result that have a value for each sample.
PER_SAMPLE = MappingProxyType({"per_sample": True})
SINGLE, DOUBLE = PRECISIONS = ("float32", "float64")  # of scores in a file


class CorpusScores(TabularResult):
    """Scores of a whole corpus and their intervals, as they are printed."""

    formats_with_notes = FORMATS

    columns: tuple[str, ...]
    signature: str

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of samples."""

    @property
    @abstractmethod
    def corpus(self) -> dict[str, float]:
        """Each column's score for the whole corpus."""

    @abstractmethod
    def interval(self, name: str) -> Interval:
        """A confidence interval for a corpus score."""

    def to_dict(self) -> dict[str, Any]:
        """Corpus scores, intervals and signature, as `--format json` prints them."""
        return {
            "n": self.n,
            "corpus": self.corpus,
            "interval": {name: list(self.interval(name)) for name in self.columns},
            "signature": self.signature,
        }

    def records(self) -> list[dict[str, Any]]:
        """Corpus scores, one row a column of scores."""
        return [
            {"metric": name, "score": score, "interval": self.interval(name)}
            for name, score in self.corpus.items()
        ]

    def as_tables(self) -> list[OutputTable]:
        """Corpus scores, one row a column of scores."""
        rows = []
        for name, score in self.corpus.items():
            low, high = self.interval(name)
            rows.append(
                [name, format_decimals(score), f"{format_decimals(low)} to {format_decimals(high)}"]
            )
        return [OutputTable(["metric", "score", "95% interval"], rows)]

    def notes_below(self) -> list[str]:
        """The number of samples, and the signature."""
        return [format_count(self.n, "sample"), self.signature]

    def brief(self) -> list[str]:
        """Corpus scores without intervals, which take a moment."""
        scores = (f"{name} {format_decimals(score)}" for name, score in self.corpus.items())
        return [format_count(self.n, "sample"), *scores]


@dataclass(frozen=True, eq=False, repr=False)
class Result(CorpusScores):
    """The result of scoring: everything follows from the statistics of each sample.

    `captions` are the samples' candidates and references, in the order of `ids`, and `groups` has,
    by name, columns of the user with the group of each sample. Fields marked `PER_SAMPLE` follow
    the samples when some are taken and when results are joined.
    """

    ids: Sequence[Hashable] = field(metadata=PER_SAMPLE)
    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    statistics: Mapping[str, FloatArray] = field(metadata=PER_SAMPLE)
    signature: str = ""
    unused_references: int = 0
    left_out: tuple[str, ...] = ()
    interval_method: str = PERCENTILE
    resamples: int = RESAMPLES
    seed: int = SEED
    captions: Corpus | None = field(  # what was scored, where it is known
        default=None, repr=False, metadata=PER_SAMPLE
    )
    groups: Mapping[str, Sequence[str]] = field(
        default_factory=dict, repr=False, metadata=PER_SAMPLE
    )
    _resampled: dict[tuple[int, int], ResampledSums] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def n(self) -> int:
        """The number of samples."""
        return len(self.ids)

    @cached_property
    def samples(self) -> dict[str, FloatArray]:
        """Each column's score for every sample, in input order."""
        scores = scores_by_column(self.metrics, self.stacked(self.metrics))
        return {name: scores[name] for name in self.columns}

    @cached_property
    def corpus(self) -> dict[str, float]:
        """Each column's score for the whole corpus."""
        scores = scores_by_column(self.metrics, exact_sum(self.stacked(self.metrics)))
        return {name: float(scores[name]) for name in self.columns}

    @check_arguments
    def interval(
        self,
        name: str,
        level: Confidence = LEVEL,
        resamples: Draws | None = None,
        seed: Seed | None = None,
        *,
        method: str | None = None,
    ) -> Interval:
        """A bootstrap confidence interval for a corpus score: images resampled.

        `method` is `percentile`, `bca`, which corrects for bias and skewness, or `t`, which is
        symmetric and wider where images are few. What is not given is the result's: 1,000
        resamples, seed 0 and `percentile` unless `with_intervals` chose others.
        """
        if name not in self.columns:
            raise InputError(
                f"no scores named {short_repr(name)}; there are: {', '.join(self.columns)}"
            )
        drawn = (
            self.resamples if resamples is None else resamples,
            self.seed if seed is None else seed,
        )
        if drawn not in self._resampled:  # one draw serves all metrics
            self._resampled[drawn] = ResampledSums(
                sum_by_image(self.ids, self.stacked(self.metrics)),
                partial(scores_by_column, self.metrics),
                *drawn,
            )
        return self._resampled[drawn][name].interval(
            level, self.interval_method if method is None else method
        )

    @check_arguments
    def with_intervals(
        self,
        method: str | None = None,
        *,
        resamples: Draws | None = None,
        seed: Seed | None = None,
    ) -> Result:
        """Return the same scores with intervals computed in another way, stated in the signature.

        Options that are not given stay as they are.
        """
        method = self.interval_method if method is None else method
        resamples = self.resamples if resamples is None else resamples
        seed = self.seed if seed is None else seed
        check_method(method)
        stated = None if method == PERCENTILE else method
        signature = restate_bootstrap(self.signature, resamples, seed, stated)
        return replace(
            self, interval_method=method, resamples=resamples, seed=seed, signature=signature
        )

    def take(self, rows: Sequence[int] | IntArray) -> Result:
        """The samples at these rows, in this order."""
        chosen = np.asarray(rows, dtype=np.int64)
        values = {name: _take_rows(getattr(self, name), chosen) for name in per_sample_fields()}
        return replace(self, **values, _resampled={})

    def stacked(self, metrics: Iterable[Metric]) -> FloatArray:
        """The statistics of several metrics side by side, one row a sample."""
        return np.hstack([self.statistics[metric.name] for metric in metrics])

    def to_pandas(self) -> pandas.DataFrame:
        """Scores of all samples as a data frame, indexed by id; needs `captious[pandas]`."""
        frame = data_frame({"id": list(self.ids), **self.samples})
        return frame.set_index("id")

    @check_arguments
    def save(
        self,
        path: str | Path,
        captions: bool = True,
        *,
        statistics: bool = True,
        precision: str = DOUBLE,
    ) -> None:
        """Write one row a sample: id, captions, scores, and the statistics of corpus scores.

        Candidates, references and names of images are written where they are known, unless
        `captions` is false, and what comparisons need unless `statistics` is. Scores are of the
        `precision` float64 or float32. The signature stands in the first row, or in the metadata
        of Parquet.
        """
        from captious.io.column_roles import CANDIDATE, ID, IMAGE, REFERENCES
        from captious.io.formats import write_columns

        columns: dict[str, Any] = {ID: list(map(_plain_id, self.ids))}
        if captions and self.captions is not None:
            columns[CANDIDATE] = list(self.captions.candidates)
            if self.captions.references.captions:
                columns[REFERENCES] = self.captions.reference_sets()
            if (names := self.captions.references.images) is not None:
                columns[IMAGE] = [names[image] for image in self.captions.images.tolist()]
        columns |= {group_column(name): list(values) for name, values in self.groups.items()}
        columns |= self.written_columns(statistics, precision)
        write_columns(path, columns, {SIGNATURE: self.signature} if self.signature else {})

    def written_columns(self, statistics: bool, precision: str) -> dict[str, npt.NDArray[Any]]:
        """Return scores as a file's columns, and statistics where a corpus score is no mean."""
        if precision not in PRECISIONS:
            raise InputError(f"precision {short_repr(precision)}: one of {', '.join(PRECISIONS)}")
        for name in self.columns:
            if is_reserved(name):
                raise InputError(
                    f"scores named {short_repr(name)} cannot be written: a file of scores has "
                    "another "
                    "column of this name; rename the metric"
                )
        columns = {name: scores.astype(precision) for name, scores in self.samples.items()}
        for metric in self.metrics if statistics else ():
            for place, name in enumerate(metric.statistic_names or ()):
                columns[statistic_column(metric, name)] = self.statistics[metric.name][:, place]
        return columns


def per_sample_fields() -> list[str]:
    """Return the names of the fields of a result that have a value for each sample."""
    return [each.name for each in fields(Result) if each.metadata == PER_SAMPLE]


def concatenate_results(results: Sequence[Result]) -> Result:
    """Join the results of samples that follow each other; captions, each with its set, are not."""
    values = {
        name: _concatenate([getattr(result, name) for result in results])
        for name in per_sample_fields()
    }
    return replace(results[0], **values, _resampled={})


def _take_rows(values: Any, rows: IntArray) -> Any:
    """Return these rows of a field that has a value for each sample."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        return {name: _take_rows(each, rows) for name, each in values.items()}
    if isinstance(values, np.ndarray):
        return values[rows]
    return values.take(rows) if isinstance(values, Corpus) else [values[row] for row in rows]


def _concatenate(parts: Sequence[Any]) -> Any:
    """Join the values of one field; None where a part is unknown or holds captions."""
    if any(part is None or isinstance(part, Corpus) for part in parts):
        return None
    if isinstance(parts[0], Mapping):
        return {name: _concatenate([part[name] for part in parts]) for name in parts[0]}
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return [value for part in parts for value in part]


def scores_by_column(metrics: Iterable[Metric], stacked: FloatArray) -> dict[str, FloatArray]:
    """Compute the scores of each column from the stacked statistics of all metrics."""
    scores: dict[str, FloatArray] = {}
    start = 0
    for metric in metrics:
        end = start + count_statistics(metric)
        part = metric.scores(stacked[..., start:end])
        scores |= {name: part[..., place] for place, name in enumerate(metric.columns)}
        start = end
    return scores


def count_statistics(metric: Metric) -> int:
    """Return the number of statistics of a sample; by default its scores and a count."""
    return len(metric.statistic_names or (*metric.columns, "count"))


def statistic_column(metric: Metric | type[Metric], statistic: str) -> str:
    """The column of a file of scores that holds a metric's statistic."""
    return f"{STATISTIC}:{metric.name}:{statistic}"


def group_column(name: str) -> str:
    """The column of a file of scores that holds a group of the user's own."""
    return f"{GROUP}:{name}"


def is_reserved(column: str) -> bool:
    """Whether a column of a file of scores holds something else than scores."""
    from captious.io.column_roles import CANDIDATE, DOCUMENTED_NAMES, ID, IMAGE, REFERENCES

    reserved = (*DOCUMENTED_NAMES[ID], CANDIDATE, REFERENCES, IMAGE, SIGNATURE)
    return column in reserved or column.startswith((f"{STATISTIC}:", f"{GROUP}:"))


def _plain_id(image: Hashable) -> int | str:
    """Return an id that every format can hold: whole numbers stay, all else becomes text."""
    return int(image) if isinstance(image, Integral) and not isinstance(image, bool) else str(image)
