"""Statements of the documentation that were once untrue, kept true."""

from __future__ import annotations

import re

import pytest

from captious.metrics.declarations import GROUPS
from captious.registry import DEFAULT
from tests.places import DOCS, ROOT

PACKAGE = ROOT / "src" / "captious"
IMPORTS_ENGLISH = re.compile(r"^\s*(?:from|import) captious\.text\.english\b", re.MULTILINE)


def read_paragraphs(path: str) -> list[str]:
    """The paragraphs of a page, each on one line."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


@pytest.mark.parametrize("page", ["README.md", "docs/README.md"])
def test_less_than_a_second_is_not_said_of_spice(page: str) -> None:
    assert "coco" in DEFAULT and "spice" in GROUPS["coco"]  # the first example runs it
    for paragraph in read_paragraphs(page):
        if "less than a second" in paragraph:
            assert "SPICE" in paragraph and "for 5,000 captions" in paragraph


def test_no_page_says_that_captious_is_hard_to_game() -> None:
    for path in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"hard(er)?\s+to\s+game", text) or path.parent.name == "papers", path


@pytest.mark.parametrize("page", ["README.md", "docs/metrics/captious.md"])
def test_consensus_above_captious_is_mentioned(page: str) -> None:
    assert any(
        "`consensus` alone is above `captious`" in paragraph and "PASCAL-50S" in paragraph
        for paragraph in read_paragraphs(page)
    )


def test_readme_explains_gamed_before_its_column() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("is *gamed*: how often") < text.index("[gamed](docs/robustness.md)")


def test_pregen_is_explained_where_it_is_first_named() -> None:
    """Pages that a reader meets first say what such metrics do in the same line."""
    for path in (ROOT / "README.md", DOCS / "which_metric.md", DOCS / "guides" / "README.md"):
        text = path.read_text(encoding="utf-8")
        first = next(line for line in text.splitlines() if "pre-gen" in line.lower())
        assert re.search(r"without (generating|decoding)", first), path


def test_architecture_names_packages_that_import_english() -> None:
    modules = [
        path for path in PACKAGE.rglob("*.py") if (PACKAGE / "text/english") not in path.parents
    ]
    importing = {
        path.relative_to(PACKAGE).parts[0]
        for path in modules
        if IMPORTS_ENGLISH.search(path.read_text(encoding="utf-8"))
    }
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| **a language**"))
    listed = row[row.index("modules of") : row.index("import `ENGLISH`")]
    assert set(re.findall(r"`(\w+)/`", listed)) == importing
