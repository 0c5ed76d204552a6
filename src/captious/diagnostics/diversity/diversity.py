"""Diversity of one system, of several side by side, and beside their scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from captious.diagnostics.diversity.distinct import Distinct
from captious.diagnostics.diversity.likeness import LIKENESS_MEASURES, Likeness
from captious.io.output_tables import FORMATS, OutputTable, TabularResult, format_decimals
from captious.metrics.names import DIVERSITY
from captious.stats.intervals import Interval

INTERVAL = "95% interval"
MEASURES = {
    "captions": "how many there are",
    "images": "how many they describe",
    "words": "the mean number of words of a caption",
    "vocabulary": "different words",
    "distinct_1": "different words over all words",
    "distinct_2": "different bigrams over all bigrams",
    "distinct_captions": "different captions over all captions",
    "novel": "the share of captions that are not in the training set (--training)",
    "reference_vocabulary": "the share of the references' vocabulary that is used",
    "expected": "the same of 1,000 captions, or as many as every system has, on average",
    "images_with_several": "images with several captions (--repeated), for the two below",
    "self_cider": "diversity of one image's captions (Wang and Chan, 2019)",
    "mbleu_4": "likeness of one image's captions: BLEU-4 of each against the others",
}
# Measures that are defined for any number of captions.
DISTINCT_MEASURES = ("vocabulary", "distinct_1", "distinct_2", "distinct_captions")


@dataclass(frozen=True, repr=False)
class Diversity(TabularResult):
    """Diversity of one system's captions as a whole.

    `distinct` is of all captions, `expected` of a random sample, so that systems with
    different numbers of captions can be compared. What was not asked for, or cannot be said, is
    None; `notes` say why.
    """

    formats_with_notes = FORMATS

    captions: int
    images: int
    words: float
    distinct: Distinct
    expected: Distinct
    novel: float | None = None
    reference_vocabulary: float | None = None
    images_with_several: int = 0
    self_cider: Likeness | None = None
    mbleu_4: Likeness | None = None
    notes: tuple[str, ...] = ()
    signature: str = ""

    def measures(self) -> dict[str, Any]:
        """All measures by name; similarity measures with their intervals."""
        known: dict[str, Any] = {
            "captions": self.captions,
            "images": self.images,
            "words": self.words,
            **_distinct_measures(self.distinct),
            "novel": self.novel,
            "reference_vocabulary": self.reference_vocabulary,
            "expected": {"captions": self.expected.captions, **_distinct_measures(self.expected)},
        }
        if self.images_with_several:
            known["images_with_several"] = self.images_with_several
        for name, likeness in self.likeness():
            known |= {name: likeness.score, f"{name}_interval": list(likeness.interval)}
        return {name: value for name, value in known.items() if value is not None}

    def likeness(self) -> Iterator[tuple[str, Likeness]]:
        """The similarity measures of captions of one image, where known."""
        for name in LIKENESS_MEASURES:
            likeness: Likeness | None = getattr(self, name)
            if likeness is not None:
                yield name, likeness

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {**self.measures(), "notes": list(self.notes), "signature": self.signature}

    def records(self) -> list[dict[str, Any]]:
        """One row."""
        return [self.measures()]

    def as_tables(self) -> list[OutputTable]:
        """One row a measure."""
        rows = [
            [name, format_cell(value)]
            for name, value in self.measures().items()
            if isinstance(value, int | float) and name not in LIKENESS_MEASURES
        ]
        drawn = self.expected.captions
        if drawn < self.captions:
            expected = _distinct_measures(self.expected).items()
            rows += [
                [f"{name} of {drawn:,} captions", format_cell(value)] for name, value in expected
            ]
        alike = [
            [name, format_cell(each.score), format_interval(each.interval)]
            for name, each in self.likeness()
        ]
        if not alike:
            return [OutputTable([DIVERSITY, "value"], rows)]
        return [
            OutputTable([DIVERSITY, "value", INTERVAL], [*([*row, ""] for row in rows), *alike])
        ]

    def notes_below(self) -> list[str]:
        """What is missing and why, and what the numbers depend on."""
        return [*self.notes, self.signature]


@dataclass(frozen=True, repr=False)
class Diversities(TabularResult):
    """Diversity of the captions of several systems, by name."""

    formats_with_notes = FORMATS

    systems: Mapping[str, Diversity]
    notes: tuple[str, ...] = ()
    signature: str = ""

    def __getitem__(self, system: str) -> Diversity:
        return self.systems[system]

    def to_dict(self) -> dict[str, Any]:
        """One object per system, as `--format json` prints it."""
        return {
            "rows": [{"system": name, **each.measures()} for name, each in self.systems.items()],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def as_tables(self) -> list[OutputTable]:
        """All captions; as many of each system; the captions of one image."""
        every = list(self.systems.values())
        if len(every) == 1:
            return every[0].as_tables()
        beside = [
            name
            for name in ("novel", "reference_vocabulary")
            if any(getattr(each, name) is not None for each in every)
        ]
        whole = ["captions", "words", *DISTINCT_MEASURES, *beside]
        title = "diversity of all captions"
        tables = [self._table(title, whole, [each.measures() for each in every])]
        drawn = every[0].expected.captions
        if any(each.captions != drawn for each in every):
            title = f"expected of {drawn:,} captions of each system"
            tables.append(
                self._table(
                    title, DISTINCT_MEASURES, [each.measures()["expected"] for each in every]
                )
            )
        names = list(dict.fromkeys(name for each in every for name, _ in each.likeness()))
        if names:
            header = ["system", "images", *(part for name in names for part in (name, INTERVAL))]
            rows = [
                [system, f"{each.images_with_several:,}", *_cells(dict(each.likeness()), names)]
                for system, each in self.systems.items()
                if each.images_with_several
            ]
            title = "captions of one image beside one another"
            tables.append(OutputTable(header, rows, title=title, folds=True))
        return tables

    def _table(
        self, title: str, names: Sequence[str], measures: Sequence[Mapping[str, Any]]
    ) -> OutputTable:
        rows = [
            [system, *(format_cell(known.get(name)) for name in names)]
            for system, known in zip(self.systems, measures, strict=True)
        ]
        return OutputTable(["system", *names], rows, title=title, folds=True)

    def notes_below(self) -> list[str]:
        """What is missing and why, and what the numbers depend on."""
        return [*self.notes, self.signature]


def _cells(likeness: Mapping[str, Likeness], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        known = likeness.get(name)
        yield from (
            ("-", "-")
            if known is None
            else (format_cell(known.score), format_interval(known.interval))
        )


def _distinct_measures(distinct: Distinct) -> dict[str, float]:
    return {name: value for name, value in asdict(distinct).items() if name != "captions"}


def format_cell(value: float | None) -> str:
    """Format a number for tables: integers and large numbers without decimals."""
    if value is None or math.isnan(value):
        return "-"
    if isinstance(value, int) or value >= 1000:
        return f"{value:,.0f}"
    return format_decimals(value, 2 if value > 1 else 4)


def format_interval(interval: Interval) -> str:
    """Format an interval for tables."""
    low, high = interval
    return "-" if math.isnan(low) else f"{format_decimals(low)} to {format_decimals(high)}"


@dataclass(frozen=True, repr=False)
class ScoresAndDiversity(TabularResult):
    """Scores, if anything was scored, and the same systems' diversity."""

    formats_with_notes = FORMATS

    scores: TabularResult | None
    diversity: Diversities

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of the scores, with the diversity added."""
        scores = {} if self.scores is None else self.scores.to_dict()
        return {**scores, DIVERSITY: self.diversity.to_dict()}

    def as_tables(self) -> list[OutputTable]:
        """The tables of both."""
        return [table for each in self._parts() for table in each.as_tables()]

    def render_tables(self, format: str) -> str:
        """One after the other, each with its own words."""
        return "\n\n".join(each.render_tables(format) for each in self._parts())

    def _parts(self) -> list[TabularResult]:
        return [self.diversity] if self.scores is None else [self.scores, self.diversity]

    def records(self) -> list[Mapping[str, Any]]:
        """The scores' rows, then one row a system and measure."""
        measured = (
            {"system": system, **row}
            for system, each in self.diversity.systems.items()
            for row in _rows(each)
        )
        return [*([] if self.scores is None else self.scores.records()), *measured]


def _rows(diversity: Diversity) -> Iterator[dict[str, Any]]:
    intervals = {name: each.interval for name, each in diversity.likeness()}
    for name, value in diversity.measures().items():
        if isinstance(value, int | float):
            low, high = intervals.get(name, ("", ""))
            yield {"metric": name, "score": value, "low": low, "high": high}
    for name, value in diversity.measures()["expected"].items():
        yield {"metric": f"expected_{name}", "score": value, "low": "", "high": ""}
