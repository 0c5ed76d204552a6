"""Pages opened in a real browser, where playwright and Chromium are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from captious.report.browser.contents import Contents
from captious.report.browser.page import write_page

Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens contents as a page; whatever goes wrong in it fails the test."""
    problems: list[str] = []
    contexts = []

    def opened(contents: Contents, link: str = "", **settings: Any) -> Any:
        path = tmp_path / "report.html"
        write_page(path, contents)
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: _note_dialog(dialog, problems))
        page.on("request", lambda request: _note_request(request.url, path, problems))
        page.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (event) => console.error('policy: ' + event.violatedDirective))"
        )
        page.goto(f"{path.as_uri()}{link}")
        page.wait_for_selector("body[data-ready]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def _note_dialog(dialog: Any, problems: list[str]) -> None:
    problems.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def _note_request(address: str, path: Path, problems: list[str]) -> None:
    """The page itself and pictures within it are no requests of anything."""
    if address.split("#")[0] != path.as_uri() and not address.startswith("data:image/"):
        problems.append(f"request: {address}")
