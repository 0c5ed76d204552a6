"""The documentation's site in a real browser: every page, links, search, dark mode, a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.slow

SITE = ROOT / "build" / "site"
# What a page links to, and what a link can lead to.
LINKS = "[...document.querySelectorAll('a[href]')].map(link => link.href)"
ANCHORS = "[...document.querySelectorAll('[id]')].map(node => node.id)"
Visit = Callable[..., Any]


@pytest.fixture(scope="module")
def pages() -> list[Path]:
    """Every page of the site."""
    if not (SITE / "index.html").is_file():
        pytest.skip("needs the site: make docs")
    return sorted(SITE.rglob("*.html"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is served: from files, a search could not show what it found."""
    handler = partial(_Quiet, directory=str(SITE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *values: object) -> None:
        """Say nothing of requests that succeed; others are problems of their page."""


@pytest.fixture
def visit(browser: Any, pages: list[Path], address: str) -> Iterator[Visit]:
    """Opens pages of the site, in one tab; whatever goes wrong in them fails the test."""
    problems: list[str] = []
    contexts: list[Any] = []

    def note(asked: str) -> None:
        if not asked.startswith((address, "data:", "blob:")):
            problems.append(f"asks another host: {asked}")

    def opened(path: Path | str, **settings: Any) -> Any:
        if settings or not contexts:
            contexts.append(browser.new_context(**settings))
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
            page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
            page.on("request", lambda request: note(request.url))
        page = contexts[-1].pages[0]
        page.goto(f"{address}{(SITE / path).relative_to(SITE).as_posix()}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def brightness(page: Any) -> int:
    """Of the page's background, from 0 to 765."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour.strip("rgb()").split(","))


def test_every_page_opens_and_every_link_leads_somewhere(
    visit: Visit, pages: list[Path], address: str
) -> None:
    links: dict[str, set[str]] = {}
    anchors: dict[str, set[str]] = {}
    for path in pages:
        page = visit(path)
        assert page.locator("h1").count() or path.stem in ("search", "genindex"), path
        links[page.url] = {link for link in page.evaluate(LINKS) if link.startswith(address)}
        anchors[page.url] = set(page.evaluate(ANCHORS))
    assert len(pages) > 100 and sum(map(len, links.values())) > 5_000
    broken = []
    for page_address, found in links.items():
        for link in found:
            target, anchor = urldefrag(link)
            exists = (SITE / unquote(target.removeprefix(address).split("?")[0])).exists()
            if not exists or (anchor and unquote(anchor) not in anchors.get(target, {anchor})):
                broken.append(f"{page_address}: {link}")
    assert broken == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("document frequencies", "metrics/cider_d.html"),
        ("significance", "leaderboard.html"),
        ("hallucination", "guides/hallucinations.html"),
    ],
)
def test_a_search_finds_the_page(visit: Visit, words: str, found: str) -> None:
    page = visit("index.html")
    page.locator("input[name=q]").first.fill(words)
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    page.locator(f"#search-results a[href*='{found}']").first.wait_for()


def test_light_and_dark_follow_the_reader(visit: Visit) -> None:
    assert brightness(visit("index.html", color_scheme="light")) > 600
    page = visit("index.html", color_scheme="dark")
    assert brightness(page) < 200
    switch = page.locator("button.theme-toggle:visible").first
    seen = {brightness(page)}
    for _ in range(3):  # light, dark, and as the system has it
        switch.click()
        seen.add(brightness(page))
    assert min(seen) < 200 and max(seen) > 600


def test_a_phone_needs_no_scrolling_sideways(visit: Visit, pages: list[Path]) -> None:
    visit("index.html", viewport={"width": 360, "height": 740})
    wide = {}
    for path in pages:
        width = visit(path).evaluate("document.documentElement.scrollWidth")
        if width > 360:
            wide[str(path.relative_to(SITE))] = width
    assert wide == {}
