"""Exhibits: every table and figure that a paper numbers, and what stands for it here.

An exhibit is measured, or it is a drawing in which nothing is measured, or its data are not
distributed; then the published numbers stand alone, until the files are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from captious.papers.declaration import Grid

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import PartResult, Table


@dataclass(frozen=True)
class Paper:
    """A paper: by its name on the command line, and as sources of published numbers begin."""

    key: str
    name: str  # of what it proposes
    source: str
    title: str
    tables: int  # how many it numbers
    figures: int

    def table(self, number: int) -> Place:
        """One of its tables."""
        return Place(self, "table", number)

    def figure(self, number: int) -> Place:
        """One of its figures."""
        return Place(self, "figure", number)

    def section(self, number: str) -> Place:
        """A section that reports something without a table or figure."""
        return Place(self, "section", number)

    @property
    def numbered_places(self) -> list[Place]:
        """All its tables and figures."""
        tables = [self.table(number) for number in range(1, self.tables + 1)]
        return tables + [self.figure(number) for number in range(1, self.figures + 1)]


@dataclass(frozen=True)
class Place:
    """Where a paper reports something."""

    paper: Paper
    kind: str
    number: str | int

    @property
    def label(self) -> str:
        """`table 4`."""
        return f"{self.kind} {self.number}"

    @property
    def source(self) -> str:
        """As sources of published numbers have it: `Sharif et al. 2019, table 4`."""
        return f"{self.paper.source}, {self.label}"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper (nothing that it does not say), and whether measurements bear it out.

    None where nothing was measured that could show it. `reason` is said where it does not hold.
    """

    text: str
    holds: Callable[[Sequence[Table]], bool | None]
    reason: str = ""


@dataclass(frozen=True)
class Reason:
    """Why some of an exhibit's numbers are not the paper's.

    Rows and columns are named as tables name them; without names, all are meant. Each number that
    does not agree has the first reason that covers it, which stands below its table. A slip is a
    number that the paper's own definitions or other numbers contradict: it is not held against the
    exhibit.
    """

    text: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    is_slip: bool = False

    def covers(self, row: str, column: str) -> bool:
        """Whether it is said of the number in a row and a column."""
        return (not self.rows or row in self.rows) and (not self.columns or column in self.columns)


# What stands in an exhibit: a table, or a function where it depends on what data there are.
Content = Grid | Callable[["Experiment"], "Grid | PartResult"]
# A remark, or a function of what was measured.
Note = str | Callable[["Sequence[Table]"], str]


@dataclass(frozen=True)
class Exhibit:
    """One table or figure: what it shows, what is measured for it, and when that agrees.

    A number agrees if it is within `tolerance` of the published one, or if that lies within the
    number's own interval. `reason` is said of the whole exhibit where numbers or claims do not
    agree, `reasons` of single numbers.
    """

    place: Place
    title: str
    contents: tuple[Content, ...] = ()
    claims: tuple[Claim, ...] = ()
    tolerance: float = 0.02
    reason: str = ""
    reasons: tuple[Reason, ...] = ()
    notes: tuple[Note, ...] = ()
    drawing: str = ""  # what it draws, where nothing is measured in it
    required_path: str = ""  # a file or folder under the data's, which few have
    unavailable: str = ""  # why that is not to be had, and what to do with one's own
    requires_pytorch: bool = False  # and so needs PyTorch the first time

    def reason_for(self, row: str, column: str) -> Reason | None:
        """The first of the reasons that covers a number."""
        return next((reason for reason in self.reasons if reason.covers(row, column)), None)
