"""Paths of the repository's pages on the site, and links between them."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable
from pathlib import PurePosixPath

DOCS = PurePosixPath("docs")
ELSEWHERE = PurePosixPath("repository")  # on the site, what lies outside docs/
INDEX = {"README.md": "index.md"}
PAGES = {".ipynb": ".md"}  # notebooks are shown as pages

_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2[`~]*[ \t]*$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^][]*)\]\(([^()\s]+)\)")
_PATH = re.compile(r"[\w/]+\.md|docs/\w*")  # what links in the repository are often called


def site_path(path: str) -> str:
    """Return a file's path on the site, from its path in the repository."""
    place = PurePosixPath(path)
    place = place.with_name(INDEX.get(place.name, place.name))
    place = place.with_suffix(PAGES.get(place.suffix, place.suffix))
    return str(place.relative_to(DOCS) if place.is_relative_to(DOCS) else ELSEWHERE / place)


def change_outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Apply a change to a page, except inside its blocks of code."""
    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def rewrite_links(text: str, page: str, title_of: Callable[[str], str | None]) -> str:
    """A page of the repository with its links as they are on the site.

    A link that is called by a page's path is called by its title there.
    """
    folder, folder_on_site = PurePosixPath(page).parent, PurePosixPath(site_path(page)).parent

    def rewrite_link(link: re.Match[str]) -> str:
        words, (path, mark, heading) = link[1], link[2].partition("#")
        if not path or ":" in path:
            return link[0]
        target = os.path.normpath(folder / path)
        if _PATH.fullmatch(words):
            words = title_of(target) or words
        place = os.path.relpath(site_path(target), folder_on_site)
        return f"[{words}]({place}{mark}{heading})"

    return change_outside_fences(text, lambda part: _LINK.sub(rewrite_link, part))
