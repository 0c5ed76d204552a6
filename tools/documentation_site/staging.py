"""Prepare the repository's pages for Sphinx: headers, generated pages, links, navigation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from documentation_site.api_page import PLACE as API_PLACE
from documentation_site.api_page import api_page
from documentation_site.command_pages import command_pages
from documentation_site.measured import ROOT
from documentation_site.metric_headers import insert_header
from documentation_site.navigation import HOME, SECTIONS, TITLES
from documentation_site.notebooks import read_notebook, to_markdown
from documentation_site.places import rewrite_links, site_path
from documentation_site.tables import insert_tables

METRIC_PAGES = "docs/metrics/"
NOTEBOOK = ".ipynb"


def stage_pages(folder: Path) -> None:
    """Write all sources of the site to a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.md", "*.ipynb", "*.py"))
    generated = {**command_pages(), API_PLACE: api_page()}
    below = {
        section: list(_expand_patterns(pages, generated)) for section, pages in SECTIONS.items()
    }
    inside = {page for pages in below.values() for page in pages}
    below[HOME] = [section for section in SECTIONS if section not in inside]
    listed = {HOME, *below[HOME], *inside}
    _check_all_are_listed(listed)
    for page in listed:
        text = generated[page] if page in generated else _read(page)
        place = page if page in generated else site_path(page)
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text += _table_of_contents(below.get(page, ()), generated)
        target.write_text(text, encoding="utf-8")


def _read(page: str) -> str:
    """A page of the repository as the site shows it."""
    if page.endswith(NOTEBOOK):
        text = to_markdown(read_notebook(ROOT / page))
    else:
        text = (ROOT / page).read_text(encoding="utf-8")
    if page.startswith(METRIC_PAGES) and not page.endswith("README.md"):
        text = insert_header(text, Path(page).name)
    return rewrite_links(insert_tables(text), page, _title)


def _title(page: str) -> str | None:
    """The heading of a page of the repository."""
    if not page.endswith(".md"):
        return None
    heading = re.search(r"^# (.+)$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    return heading and heading[1]


def _expand_patterns(pages: Iterable[str], generated: Iterable[str]) -> Iterator[str]:
    """Replace patterns by the pages that match, in alphabetical order."""
    for page in pages:
        if "*" not in page:
            yield page
            continue
        inside = [name for name in generated if Path(name).match(page)]
        inside += [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob(page))]
        yield from (name for name in inside if re.search(r"(?<!README|/index)\.md$", name))


def _check_all_are_listed(listed: Collection[str]) -> None:
    """Raise an error if a page is in no section of the navigation."""
    pages = (path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    unlisted = ", ".join(sorted(set(pages) - set(listed)))
    if unlisted:
        raise SystemExit(f"in no section of tools/documentation_site/navigation.py: {unlisted}")


def _table_of_contents(pages: Iterable[str], generated: Collection[str]) -> str:
    """Return a hidden toctree that makes pages the children of a page."""
    names = []
    for page in pages:
        place = page if page in generated else site_path(page)
        name = f"/{Path(place).with_suffix('').as_posix()}"
        names.append(f"{TITLES[page]} <{name}>" if page in TITLES else name)
    return "\n".join(["", ":::{toctree}", ":hidden:", "", *names, ":::", ""]) if names else ""
