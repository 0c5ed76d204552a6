"""Reproductions loaded from the JSON beside their page, judged by today's declarations.

A page is what was measured and what is declared. Verdicts, claims, reasons and notes are declared,
so that a page can be written anew when they change, without measuring anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from captious.errors import InputError
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.papers.exhibit import Exhibit, Paper
from captious.papers.reproduction import Finding, Reproduction
from captious.papers.result import Panel, Table, checked_text
from captious.papers.verdicts import MEASURED, Assessment, Verdict, assess

Read = TypeVar("Read")


def load_reproduction(path: Path, paper: Paper, exhibits: Sequence[Exhibit]) -> Reproduction:
    """Load what was measured for a paper from the JSON that was written with its page."""
    document = decode_json(read_text(path), str(path))
    try:
        written: tuple[dict[str, Any], ...] = _list(document["exhibits"], dict)
        known = {each["place"]: each for each in written}
        command = checked_text(document["command"])
        findings = tuple(_finding(exhibit, known[exhibit.place.label]) for exhibit in exhibits)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Damaged, of an older version, or of tables that are declared otherwise by now.
        raise InputError(
            f"{path}: not all that the page of {paper.key} shows can be read from it "
            f"({type(error).__name__}: {error}); measure it again: `captious reproduce "
            f"{paper.key} --data DIR --output {path.parent}`"
        ) from None
    return Reproduction(paper, findings, command)


def _finding(exhibit: Exhibit, known: dict[str, Any]) -> Finding:
    verdict = Verdict(known["verdict"])
    tables = _list(known["tables"], dict, Table.from_dict)
    measured = verdict in MEASURED
    return Finding(
        exhibit,
        assess(exhibit, tables, quick=verdict is Verdict.QUICK)
        if measured
        else Assessment(verdict),
        tables,
        _list(known["panels"], dict, Panel.from_dict),
        _list(known["settings"], str),
        _list(known["remarks"], str),
    )


def _list(
    values: object, kind: type[Any], read: Callable[[Any], Read] = lambda value: value
) -> tuple[Read, ...]:
    """A list of JSON, each of its values of a kind, and read."""
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise TypeError(f"not a list of {kind.__name__}")
    return tuple(map(read, values))
