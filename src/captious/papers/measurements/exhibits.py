"""Measure exhibits, or show published numbers alone, and give the verdict."""

from __future__ import annotations

from captious.errors import CaptiousError
from captious.papers.declaration import Grid
from captious.papers.exhibit import Content, Exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.grids import measured, published_only
from captious.papers.reproduction import Finding
from captious.papers.result import Measured
from captious.papers.verdicts import Assessment, Verdict, assess


def measure_exhibit(exhibit: Exhibit, experiment: Experiment) -> Finding:
    """Measure an exhibit as far as its data are available."""
    if exhibit.drawing and not exhibit.contents:
        return Finding(exhibit, Assessment(Verdict.DRAWING))
    if exhibit.needs and not (experiment.data / exhibit.needs).exists():
        parts = [_as_published(experiment, content) for content in exhibit.contents]
        return _finding(exhibit, parts, Assessment(Verdict.IMPOSSIBLE))
    parts = [measured(experiment, _given(experiment, content)) for content in exhibit.contents]
    if exhibit.drawing:
        return _finding(exhibit, parts, Assessment(Verdict.DRAWING))
    tables = tuple(table for part in parts for table in part.tables)
    return _finding(exhibit, parts, assess(exhibit, tables, quick=experiment.quick))


def unmeasured_exhibit(exhibit: Exhibit, error: CaptiousError) -> Finding:
    """Return the finding of an exhibit for which something is missing, with the error message."""
    return Finding(exhibit, Assessment(Verdict.MISSING), remarks=(str(error),))


def _given(experiment: Experiment, content: Content) -> Grid | Measured:
    return content if isinstance(content, Grid) else content(experiment)


def _as_published(experiment: Experiment, content: Content) -> Measured:
    """A table's published numbers; what is no table has none."""
    if not isinstance(content, Grid):
        return Measured()
    return measured(experiment, published_only(content))


def _finding(exhibit: Exhibit, parts: list[Measured], assessment: Assessment) -> Finding:
    return Finding(
        exhibit,
        assessment,
        tuple(table for part in parts for table in part.tables),
        tuple(panel for part in parts for panel in part.panels),
        tuple(dict.fromkeys(line for part in parts for line in part.settings)),
        tuple(dict.fromkeys(line for part in parts for line in part.remarks)),
    )
