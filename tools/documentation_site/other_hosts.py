"""Find requests of the site's pages to other hosts: they must work offline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

# What a browser fetches by itself; links that a reader may follow are none of it.
_HOST = r"[\"']?(?:https?:)?//([^/\"'>) ]+)"
_FETCHED = (
    rf"<(?!a\b)\w+\b[^>]*?\bsrc={_HOST}",
    rf"<link\b[^>]*?\bhref={_HOST}",
    rf"@import\s+{_HOST}",
    rf"url\({_HOST}",
)


def find_external_requests(site: Path) -> Iterator[str]:
    """Each request to another host, with the file that makes it."""
    for path in sorted((*site.rglob("*.html"), *site.rglob("*.css"))):
        text = path.read_text(encoding="utf-8")
        for pattern in _FETCHED:
            for host in re.findall(pattern, text, re.IGNORECASE):
                yield f"{path.relative_to(site)}: {host}"
