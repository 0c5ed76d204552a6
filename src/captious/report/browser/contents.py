"""Contents of a report page: collected from results in Python, drawn by the page's scripts.

A page has rows, which are samples. Each of its series has a caption a row, with scores: systems
that are compared, the judged captions of a benchmark, or the two sides of judged pairs. Nothing
here is markup: the page shows every text as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import NamedTuple

from captious._internal.arrays.ragged import FloatArray

SYSTEMS, JUDGEMENTS = KINDS = ("systems", "judgements")

# What SPICE compares: (object,), (object, attribute) or (subject, relation, object).
SceneTuple = tuple[str, ...]


@dataclass(frozen=True)
class IntervalEstimate:
    """A number with its interval, drawn as a point on a line."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Cell:
    """A cell of a page table: its text, whether it is the best of its column, and what it draws."""

    text: str
    best: bool = False
    estimated: IntervalEstimate | None = None


@dataclass(frozen=True)
class PageTable:
    """A table above the samples: the leaderboard, differences, ranks, agreement with people."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    caption: str = ""  # what marks and letters mean, which tests were made
    texts: int = 1  # columns of text, before those of numbers


@dataclass(frozen=True)
class Measure:
    """A column of scores: its name, how papers write it, and what it can be."""

    name: str
    label: str
    what: str = ""
    low: float | None = None  # None where there is no bound
    high: float | None = None
    lower_is_better: bool = False


class Sentence(NamedTuple):
    """A sentence of a long caption, and the chance that it was written for this image."""

    text: str
    chance: float


@dataclass(frozen=True, eq=False)
class Series:
    """One caption a row, with its scores; what is not known of the captions is None."""

    name: str
    captions: Sequence[str] | None  # None: scores alone were kept
    scores: Mapping[str, FloatArray]  # by the name of a measure; NaN where there is none
    unsupported: Sequence[Sequence[str]] | None = None  # words that no reference says
    missing: Sequence[Sequence[str]] | None = None  # references' words that it leaves out
    scenes: Sequence[Sequence[SceneTuple]] | None = None
    # As SPICE matches them: the places of its tuples that references have, too, and the places of
    # the references' tuples that it has; None leaves it to the page to compare names.
    matched: Sequence[Sequence[int]] | None = None
    found: Sequence[Sequence[int]] | None = None
    sentences: Sequence[Sequence[Sentence]] | None = None  # of captions that have several


@dataclass(frozen=True)
class Bucket:
    """A group of rows: how many there are, and each series' score there, in their order."""

    label: str
    count: int
    scores: Mapping[str, Sequence[IntervalEstimate]]  # by the name of a measure; NaN where too few
    counts: Sequence[int] | None = None  # each series', where captions decide which rows are in it


@dataclass(frozen=True)
class Bucketing:
    """A grouping of rows, such as by the number of words of their references."""

    title: str
    buckets: Sequence[Bucket]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Attribute:
    """What is known of each row beside its captions: a number, or a text such as a group's name."""

    name: str
    values: FloatArray | Sequence[str]
    what: str = ""


@dataclass(frozen=True)
class SeriesFinding:
    """A finding of `captious check` in a series; examples are ids of rows."""

    series: str
    severity: str
    what: str
    advice: str
    examples: Sequence[str] = ()


@dataclass(frozen=True)
class Provenance:
    """How the numbers were computed, and the commands that compute them again."""

    version: str
    signatures: Sequence[str]
    commands: Sequence[str]
    notes: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Contents:
    """Everything that a page shows. All columns have one entry for each id, in its order."""

    kind: str
    title: str
    ids: Sequence[str]  # as links to a row name it; equal ids are told apart by the page
    series: Sequence[Series]
    measures: Sequence[Measure]
    made: Provenance
    tables: Sequence[PageTable] = ()
    references: Sequence[Sequence[str]] | None = None
    reference_scenes: Sequence[Sequence[SceneTuple]] | None = None  # of all references together
    attributes: Sequence[Attribute] = ()
    images: Sequence[str] | None = None  # an address: data:image/... or a link; "" where none is
    bucketings: Sequence[Bucketing] = ()
    findings: Sequence[SeriesFinding] = field(default=())

    def __post_init__(self) -> None:
        """Check that every column has one entry for each id."""
        if self.kind not in KINDS:
            raise ValueError(f"the kind of a page is one of {', '.join(KINDS)}, not {self.kind!r}")
        for what, rows in self._columns():
            if rows is not None and len(rows) != len(self.ids):
                raise ValueError(f"{what}: {len(rows)} rows for {len(self.ids)} ids")
        for bucketing in self.bucketings:
            for bucket in bucketing.buckets:
                if any(len(scores) != len(self.series) for scores in bucket.scores.values()):
                    raise ValueError(f"{bucketing.title}: {bucket.label}: a score for each series")

    def _columns(self) -> Iterator[tuple[str, Sized | None]]:
        yield "references", self.references
        yield "the references' scenes", self.reference_scenes
        yield "images", self.images
        for attribute in self.attributes:
            yield attribute.name, attribute.values
        for series in self.series:
            yield f"{series.name}: captions", series.captions
            yield f"{series.name}: unsupported words", series.unsupported
            yield f"{series.name}: missing words", series.missing
            yield f"{series.name}: scenes", series.scenes
            yield f"{series.name}: matched tuples", series.matched
            yield f"{series.name}: found tuples", series.found
            yield f"{series.name}: sentences", series.sentences
            for name, scores in series.scores.items():
                yield f"{series.name}: {name}", scores
