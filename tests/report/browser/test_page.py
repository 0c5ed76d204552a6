"""The page as a file: what is in it, what it may do, and how it is written."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from captious.errors import InputError, OutputError
from captious.report.browser.page import ASSETS, SCRIPTS, STYLES, page_html, write_page
from tests.report.browser.made_up import made_up

IMAGES_ALLOWED = (
    "",
    "images/a dog.jpg",
    "../pictures/1.png",
    "data:image/png;base64,iVBORw0KGgo=",
)
IMAGES_REFUSED = (
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "\x01javascript:alert(1)",
    "java\tscript:alert(1)",
    "ht\ntp://example.org/a.png",
    "http://example.org/a.png",
    "//example.org/a.png",
    "\\\\example.org\\a.png",
    "file:///etc/passwd",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html,<script>alert(1)</script>",
    "data:image/png;base64,iVBORw0KGgo=\n<script>",
)


def test_equal_contents_give_equal_pages(tmp_path: Path) -> None:
    write_page(tmp_path / "one.html", made_up(30))
    write_page(tmp_path / "other.html", made_up(30))
    page = (tmp_path / "one.html").read_bytes()
    assert page == (tmp_path / "other.html").read_bytes()
    assert page == page_html(made_up(30)).encode("utf-8")


def test_content_policy_allows_only_own_script_and_styles() -> None:
    page = page_html(made_up(5))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1]
    assert "connect-src" not in policy[1]


def test_nothing_is_loaded_from_elsewhere() -> None:
    page = page_html(made_up(5))
    assert set(re.findall(r"[a-z]+://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|iframe|object|embed|base)\b", page)


def test_title_is_escaped() -> None:
    title = '</title><script>alert(1)</script> & "quotes" $script ${data}'
    page = page_html(dataclasses.replace(made_up(2), title=title))
    assert "<script>alert(1)" not in page
    assert page.count("<script") == 2  # the data, and the page's own


def test_lone_surrogate_in_a_title_is_written(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", dataclasses.replace(made_up(2), title="a \ud83d"))
    assert "<title>a \ufffd</title>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_all_assets_are_used_and_never_insert_html() -> None:
    used = {"page.html", *(f"{name}.css" for name in STYLES), *(f"{name}.js" for name in SCRIPTS)}
    assert {path.name for path in ASSETS.iterdir()} == used
    for path in ASSETS.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert "</script" not in text
        assert "<!--" not in text
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_javascript(name: str) -> None:
    subprocess.run(["node", "--check", ASSETS / f"{name}.js"], check=True)


@pytest.mark.parametrize("address", IMAGES_ALLOWED)
def test_images_beside_the_page_and_within_it(address: str) -> None:
    page_html(dataclasses.replace(made_up(1), images=[address]))


@pytest.mark.parametrize("address", IMAGES_REFUSED)
def test_images_from_other_addresses_are_refused(address: str, tmp_path: Path) -> None:
    contents = dataclasses.replace(made_up(2), images=["", address])
    with pytest.raises(InputError, match=r"'sample 1': .* is no address of an image"):
        write_page(tmp_path / "page.html", contents)
    assert not list(tmp_path.iterdir())


def test_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="choose a folder that exists"):
        write_page(tmp_path / "nowhere" / "page.html", made_up(2))


@pytest.mark.slow
def test_five_thousand_samples_of_three_systems_are_less_than_three_megabytes() -> None:
    assert len(page_html(made_up(5000))) < 3_000_000
