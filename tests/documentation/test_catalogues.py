"""Tables of the documentation list what the code's tables list."""

from __future__ import annotations

import re

from captious.diagnostics.check.catalogue import CHECKS
from captious.io.forms import DOCUMENT_FORMS, ROW_FORMS
from captious.meta.benchmarks import BENCHMARKS
from tests.places import DOCS


def first_cells(page: str, heading: str) -> list[str]:
    """The first cells of the first table below a heading, without the table's own header."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2]
    table = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert table is not None, f"docs/{page} has no table below {heading!r}"
    return [row.split("|")[1].strip() for row in table[0].splitlines()[2:]]


def names_in(cells: list[str]) -> list[str]:
    """The names that cells have in backquotes."""
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_page_of_checks_has_every_finding_in_the_order_of_the_catalogue() -> None:
    documented = names_in(first_cells("check.md", "Findings and thresholds"))
    assert documented == [check.name for check in CHECKS], "docs/check.md: findings and thresholds"


def test_page_of_checks_names_those_that_run_during_scoring() -> None:
    text = (DOCS / "check.md").read_text(encoding="utf-8")
    section = text.partition("\n## Warnings during scoring\n")[2]
    sentence = section.partition(". If")[0].partition(" for ")[2]
    documented = re.findall(r"`(\w+)`", sentence)
    assert documented == [check.name for check in CHECKS if check.during_scoring], (
        "docs/check.md: warnings during scoring"
    )


def test_page_of_benchmarks_has_every_benchmark_in_order() -> None:
    documented = names_in(first_cells("meta.md", "Benchmarks"))
    assert documented == list(BENCHMARKS), "docs/meta.md: benchmarks"


def test_page_of_files_has_every_public_form_of_json() -> None:
    cells = first_cells("files.md", "Public data sets and logs")
    for form in (*DOCUMENT_FORMS, *ROW_FORMS):
        named = any(cell.startswith(form.name) for cell in cells)
        assert named, f"docs/files.md: no row of public data sets begins with {form.name!r}"
