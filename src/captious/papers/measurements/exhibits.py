"""Exhibits carried out: measured, or with published numbers alone, and judged."""

from __future__ import annotations

from captious.errors import CaptiousError
from captious.papers.declaration import Grid
from captious.papers.exhibit import Content, Exhibit
from captious.papers.measurements.bench import Workbench
from captious.papers.measurements.grids import measured, published_only
from captious.papers.reproduction import Finding
from captious.papers.result import Measured
from captious.papers.verdicts import Judged, Verdict, judged


def carried_out(exhibit: Exhibit, bench: Workbench) -> Finding:
    """What can be said of an exhibit with the data that there are."""
    if exhibit.drawing and not exhibit.contents:
        return Finding(exhibit, Judged(Verdict.DRAWING))
    if exhibit.needs and not (bench.data / exhibit.needs).exists():
        parts = [_as_published(bench, content) for content in exhibit.contents]
        return _finding(exhibit, parts, Judged(Verdict.IMPOSSIBLE))
    parts = [measured(bench, _given(bench, content)) for content in exhibit.contents]
    if exhibit.drawing:
        return _finding(exhibit, parts, Judged(Verdict.DRAWING))
    tables = tuple(table for part in parts for table in part.tables)
    return _finding(exhibit, parts, judged(exhibit, tables, quick=bench.quick))


def not_run(exhibit: Exhibit, error: CaptiousError) -> Finding:
    """An exhibit for which something is missing, and what."""
    return Finding(exhibit, Judged(Verdict.MISSING), remarks=(str(error),))


def _given(bench: Workbench, content: Content) -> Grid | Measured:
    return content if isinstance(content, Grid) else content(bench)


def _as_published(bench: Workbench, content: Content) -> Measured:
    """A table's published numbers; what is no table has none."""
    if not isinstance(content, Grid):
        return Measured()
    return measured(bench, published_only(content))


def _finding(exhibit: Exhibit, parts: list[Measured], judged: Judged) -> Finding:
    return Finding(
        exhibit,
        judged,
        tuple(table for part in parts for table in part.tables),
        tuple(panel for part in parts for panel in part.panels),
        tuple(dict.fromkeys(line for part in parts for line in part.settings)),
        tuple(dict.fromkeys(line for part in parts for line in part.remarks)),
    )
