"""A page of the size of COCO's validation set, with nine systems."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from captious.report.browser.contents import SYSTEMS, Contents, Measure, Series
from tests.report.browser.made_up import LABELS, MADE, NAMES, caption
from tests.report.conftest import Open

pytestmark = pytest.mark.slow

ROWS = 40504


def large() -> Contents:
    """Different captions in every row, without scenes and words, which take long to make up."""
    chance = random.Random(0)
    numbers = np.random.default_rng(0)
    captions = [f"{caption(chance)} {place}" for place in range(5000)]

    def some() -> list[str]:
        return [captions[place] for place in numbers.integers(0, 5000, ROWS)]

    series = [
        Series(name, some(), {one: numbers.random(ROWS) for one in ("cider_d", "spice")})
        for name in NAMES
    ]
    references = list(zip(some(), some(), some(), some(), some(), strict=True))
    measures = [Measure(name, LABELS[name]) for name in ("cider_d", "spice")]
    ids = [str(row) for row in range(ROWS)]
    return Contents(SYSTEMS, "large", ids, series, measures, MADE, references=references)


def first_in_view(page: Any) -> str:
    """The id of the row at the top of the list."""
    text: str = page.evaluate(
        "() => { const box = document.querySelector('.list').getBoundingClientRect();"
        " return document.elementFromPoint(box.left + 60, box.top + 20).closest('.option')"
        ".querySelector('.id').textContent; }"
    )
    return text


@pytest.mark.slow
def test_page_of_forty_thousand_samples_opens(open_page: Open) -> None:
    contents = large()
    page = open_page(contents, "#/samples")
    height = page.evaluate(
        "parseFloat(document.querySelector('.list').style.getPropertyValue('--row'))"
    )
    for row in (20_000, 7, 40_000):
        page.evaluate("top => { document.querySelector('.list').scrollTop = top; }", row * height)
        page.wait_for_timeout(50)
        assert first_in_view(page) == str(row)
        assert page.locator(".option").count() < 60
    page.locator(".list").focus()
    page.keyboard.press("End")
    assert page.locator(".option.active .id").inner_text() == str(ROWS - 1)
    page.locator(".search").press_sequentially("wooden 4999")
    rows = [
        row
        for row in range(ROWS)
        for texts in [[s.captions[row] for s in contents.series if s.captions is not None]]
        if _has(contents, row, texts, "wooden") and _has(contents, row, texts, "4999")
    ]
    page.get_by_text(f"{len(rows)} of 40,504 samples").wait_for()
    assert first_in_view(page) == str(rows[0])
    page.get_by_role("button", name="clear all").click()
    page.get_by_role("button", name="most disagreement").click()
    scores = np.stack([series.scores["cider_d"] for series in contents.series]).astype(np.float32)
    spread = scores.max(0) - scores.min(0)
    assert first_in_view(page) == str(np.argmax(spread))
    page.keyboard.press("3")
    page.get_by_text("40,504 samples · Pearson's r").wait_for()


@pytest.mark.slow
def test_more_rows_than_a_browser_can_be_tall(open_page: Open) -> None:
    count = 300_000
    scores = {"spice": np.zeros(count)}
    series = [Series("one", ["a dog"] * count, scores)]
    ids = [str(row) for row in range(count)]
    page = open_page(
        Contents(SYSTEMS, "tall", ids, series, [Measure("spice", "SPICE")], MADE), "#/samples"
    )
    page.locator(".list").focus()
    for key, row in (("End", count - 1), ("ArrowUp", count - 2), ("Home", 0), ("j", 1)):
        page.keyboard.press(key)
        active = page.locator(".option.active")
        assert active.locator(".id").inner_text() == str(row)
        box, frame = active.bounding_box(), page.locator(".list").bounding_box()
        assert frame["y"] - 1 <= box["y"] <= frame["y"] + frame["height"] - box["height"] + 3
    page.evaluate("() => { const list = document.querySelector('.list'); list.scrollTop = 4e6; }")
    page.wait_for_timeout(50)
    assert abs(int(first_in_view(page)) - count / 2) < 200


def _has(contents: Contents, row: int, captions: list[str], word: str) -> bool:
    assert contents.references is not None
    texts = [contents.ids[row], *contents.references[row], *captions]
    return any(word in text for text in texts)
