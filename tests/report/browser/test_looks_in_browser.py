"""How pages look in a real browser: light and dark, narrow, on paper, with little in them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.report.browser.contents import SYSTEMS, Contents, Measure, Series
from tests.report.browser.made_up import MADE, made_up
from tests.report.conftest import Open

pytestmark = pytest.mark.slow

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
VIEWS = ("#/overview", "#/samples", "#/scatter", "#/kinds", "#/notes", "#sample%203")


def background(page: Any) -> list[int]:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return [int(part) for part in colour.strip("rgb()").split(",")]


def go(page: Any, link: str) -> None:
    page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_timeout(50)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_contrast_is_sufficient(open_page: Open, scheme: str) -> None:
    page = open_page(made_up(30), color_scheme=scheme)
    assert (sum(background(page)) > 600) == (scheme == "light")
    for view in VIEWS:
        go(page, view)
        if view == "#/samples":
            page.get_by_role("button", name="best").click()
            page.locator(".filter-form summary").click()
            page.locator(".search").fill("dog")
            page.locator("mark.hit").first.wait_for()
        seen = page.evaluate(CONTRAST)
        assert seen["count"] > 5
        assert seen["bad"] == []


def test_light_and_dark_can_be_chosen(open_page: Open) -> None:
    page = open_page(made_up(5), color_scheme="dark")
    switch = page.locator("button.theme")
    dark = background(page)
    switch.click()
    light = background(page)
    assert sum(light) > 600 > sum(dark)
    switch.click()
    assert background(page) == dark
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert switch.inner_text() == "● dark"


def test_a_phone_needs_no_scrolling_sideways(open_page: Open) -> None:
    long = "Donaudampfschifffahrtsgesellschaft" * 6
    contents = made_up(30, 9)
    contents = dataclasses.replace(contents, ids=[long, *contents.ids[1:]], title=long)
    page = open_page(contents, viewport={"width": 360, "height": 740})
    for view in (*VIEWS, f"#{long}"):
        go(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        wide = page.evaluate(
            "[...document.querySelectorAll('main, .view, .list, .sample')]"
            ".filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.className)"
        )
        assert wide == []
    assert page.locator(".sample").is_visible()
    assert not page.locator(".list").is_visible()
    page.get_by_role("button", name="Close the sample").click()
    assert page.locator(".list").is_visible()


def test_printed_page_has_tables_plots_and_first_samples(open_page: Open) -> None:
    page = open_page(made_up(200), "#/samples", color_scheme="dark")
    page.locator(".list").focus()
    page.keyboard.press("End")
    page.keyboard.press("5")
    page.wait_for_timeout(50)
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_timeout(100)
    for title in ("Leaderboard", "Distributions", "Scatter", "Kinds of captions", "Findings"):
        assert page.get_by_role("heading", name=title).is_visible()
    assert page.locator(".distribution .plot").count() == 12 * 3
    first = page.locator(".option .id").all_inner_texts()[:5]
    assert first == [f"sample {row}" for row in range(5)]
    assert page.locator(".option").first.is_visible()
    assert page.locator("canvas").evaluate("node => node.width") > 300
    assert not page.locator(".search").is_visible()
    assert not page.locator("nav").is_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(30, 28, 25)"
    )
    assert len(page.pdf()) > 20_000
    page.emulate_media(media="screen")
    page.wait_for_timeout(50)
    assert not page.get_by_role("heading", name="Leaderboard").is_visible()


def test_clicking_a_point_opens_its_sample(open_page: Open) -> None:
    contents = made_up(3)
    scores = [np.array([0.9, 0.1, 0.5]), np.array([0.9, 0.1, 0.5]), np.zeros(3)]
    contents = dataclasses.replace(
        contents,
        series=[
            dataclasses.replace(series, scores={"captious": column})
            for series, column in zip(contents.series, scores, strict=True)
        ],
    )
    page = open_page(contents, "#/scatter")
    assert "Pearson's r 1.000" in page.locator(".scatter [role=status]").inner_text()
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    assert "sample 1" in page.locator(".tip").inner_text()
    page.keyboard.press("ArrowRight")
    assert "sample 2" in page.locator(".tip").inner_text()
    page.keyboard.press("Enter")
    assert page.locator("#sample-title").inner_text() == "sample 2"
    page.go_back()
    page.locator("canvas").wait_for()
    box, tip = page.locator("canvas").bounding_box(), page.locator(".tip")
    page.locator("canvas").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    left = float(tip.evaluate("node => parseFloat(node.style.left)")) - 12
    top = float(tip.evaluate("node => parseFloat(node.style.top)")) + 20
    page.mouse.click(box["x"] + left, box["y"] + top)
    assert page.locator("#sample-title").inner_text() == "sample 1"


def test_commands_can_be_copied(open_page: Open) -> None:
    page = open_page(made_up(3), "#/notes", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").last.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "\n".join(MADE.commands)


def test_findings_lead_to_their_samples(open_page: Open) -> None:
    page = open_page(made_up(3), "#/notes")
    page.get_by_role("link", name="sample 1").click()
    assert page.locator("#sample-title").inner_text() == "sample 1"


SCORES = {"m": np.linspace(0, 1, 4)}
LITTLE = {
    "scores alone": [Series("one", None, SCORES), Series("two", None, SCORES)],
    "one series": [Series("one", list("abcd"), SCORES)],
    "no scores": [Series("one", list("abcd"), {})],
    "not a number": [Series("one", list("abcd"), {"m": np.full(4, np.nan)})] * 2,
    "a name of the language's": [Series("__proto__", list("abcd"), SCORES)],
    "one captioned": [Series("one", list("abcd"), SCORES), Series("two", None, {})],
}


@pytest.mark.parametrize("series", LITTLE.values(), ids=LITTLE)
def test_pages_with_little_in_them(open_page: Open, series: list[Series]) -> None:
    contents = Contents(
        SYSTEMS,
        "little",
        list("wxyz"),
        series,
        [Measure("m", "M"), Measure("constructor", "C")],
        MADE,
    )
    page = open_page(contents)
    for view in (*VIEWS[:5], "#y"):
        go(page, view)
    assert page.locator("#sample-title").inner_text() == "y"
    for preset in page.locator(".presets button").all():
        preset.click()
        assert page.locator(".option").count() == 4
    assert "undefined" not in page.locator("body").inner_text()
    assert "NaN" not in page.locator("body").inner_text()


@pytest.mark.parametrize("series", [[], [Series("one", [], {"m": np.zeros(0)})]])
def test_pages_with_nothing_in_them(open_page: Open, series: list[Series]) -> None:
    measures = [Measure("m", "M")] if series else []
    page = open_page(Contents(SYSTEMS, "nothing", [], series, measures, MADE), "#/samples")
    page.get_by_text("There are no samples.").wait_for()
    for view in VIEWS:
        go(page, view)
