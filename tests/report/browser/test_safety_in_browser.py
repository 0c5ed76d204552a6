"""Hostile texts in a real browser: shown as texts, and nothing of them runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from captious.report.browser.contents import (
    SYSTEMS,
    Attribute,
    Bucket,
    Bucketing,
    Cell,
    Contents,
    IntervalEstimate,
    Measure,
    PageTable,
    Provenance,
    Series,
    SeriesFinding,
)
from tests.report.browser.hostile import HOSTILE
from tests.report.conftest import Open

pytestmark = pytest.mark.slow

EVIL = "</script><img src=x onerror=alert(1)>\"'`${1}"
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD"
    "hgGAWjR9awAAAABJRU5ErkJggg=="
)


def hostile_everywhere() -> Contents:
    """Contents whose every text is hostile."""
    count = len(HOSTILE)
    scores = {EVIL: np.linspace(0, 1, count)}
    texts = [[EVIL, text[:40]] for text in HOSTILE]
    scene = [[(EVIL,), (EVIL, EVIL), (EVIL, text[:40], EVIL)] for text in HOSTILE]
    return Contents(
        SYSTEMS,
        EVIL,
        list(HOSTILE),
        [Series(f"{EVIL} {side}", HOSTILE, scores, texts, texts, scene) for side in range(2)],
        [Measure(EVIL, EVIL, EVIL)],
        Provenance(EVIL, [EVIL], [EVIL], [EVIL]),
        [
            PageTable(
                EVIL,
                [EVIL, EVIL],
                [[EVIL, Cell(EVIL, True, IntervalEstimate(0.5, 0.4, 0.6))]],
                EVIL,
            )
        ],
        [[text, EVIL] for text in HOSTILE],
        scene,
        [Attribute(EVIL, [text[:40] for text in HOSTILE], EVIL)],
        [PIXEL] * count,
        [Bucketing(EVIL, [Bucket(EVIL, 3, {EVIL: [IntervalEstimate(0.5, 0.4, 0.6)] * 2})], EVIL)],
        [SeriesFinding(EVIL, EVIL, EVIL, EVIL, [EVIL, HOSTILE[0]])],
    )


def shown_text(page: Any, selector: str) -> str:
    """A text as it is read, with names of hidden characters left out."""
    text: str = page.locator(selector).first.evaluate(
        "node => { const copy = node.cloneNode(true);"
        " copy.querySelectorAll('.hidden-letter').forEach(one => one.remove());"
        " return copy.textContent; }"
    )
    return text


def test_hostile_texts_are_texts(open_page: Open) -> None:
    page = open_page(hostile_everywhere(), "#/samples")
    page.keyboard.press("j")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    for text in HOSTILE:
        if text.strip() and len(text) < 1000:
            printed = "".join(
                letter
                for letter in text.replace("\ud83d", "\ufffd")
                if letter.isprintable() or letter == "\u200d"
            )
            assert shown_text(page, ".sample .captioned p") == printed
            assert shown_text(page, "#sample-title") == printed
        page.keyboard.press("j")
    for view in "12345":
        page.keyboard.press(view)
        page.wait_for_timeout(30)
    page.emulate_media(media="print")
    page.wait_for_timeout(50)
    assert page.title() == EVIL
    assert page.locator("script").count() == 1
    assert page.locator("img[src=x]").count() == 0


def test_injected_scripts_do_not_run(open_page: Open, browser: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    source = open_page(hostile_everywhere())
    page.goto(source.url)
    page.wait_for_selector("body[data-ready]")
    page.evaluate(
        "() => { const script = document.createElement('script');"
        " try { script.text = 'window.harmed = true'; } catch { /* trusted types */ }"
        " document.body.append(script);"
        " const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/x.png';"
        " document.body.append(image);"
        " try { document.body.innerHTML += '<p>'; } catch { window.refused = true; } }"
    )
    page.wait_for_timeout(50)
    assert page.evaluate("window.harmed") is None
    assert page.evaluate("window.refused") is True
    assert any("Content Security Policy" in text for text in refused)
    context.close()


def test_directions_of_text_stay_where_they_are(open_page: Open) -> None:
    page = open_page(hostile_everywhere(), "#/samples")
    page.locator(".search").fill("god")
    page.get_by_text(f"1 of {len(HOSTILE)} samples").wait_for()
    page.locator(".option").first.click()
    names = page.locator("#sample-title .hidden-letter").all_inner_texts()
    assert names == ["U+202E", "U+202C"]


def test_a_long_caption_is_cut_and_shown_when_asked_for(open_page: Open) -> None:
    page = open_page(hostile_everywhere(), "#/samples")
    page.keyboard.press("j")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    caption = page.locator(".captioned p").first
    assert len(caption.inner_text()) < 2000
    caption.get_by_role("button").click()
    assert len(caption.inner_text()) >= 119_999
