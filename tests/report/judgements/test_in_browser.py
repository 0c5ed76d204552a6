"""Judged captions in a real browser: agreement, scores against ratings, where metrics are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from captious.meta.evaluation import evaluate
from captious.meta.judgements import Preferences, Ratings
from captious.report.browser.contents import Contents
from captious.report.judgements.report_data import ReportOptions, build_contents
from tests.report.conftest import Open
from tests.report.judgements.made_up import whole_systems

pytestmark = pytest.mark.slow

COUNT = 60
HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script> & "it\'s" \U0001f600'


def ranks(values: Any) -> Any:
    """Places among the values, those of equal ones in the middle, from 0 to 1."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ((ends - counts + ends - 1) / 2)[place] / (len(values) - 1)


def gaps(name: str) -> Any:
    """How much higher a metric ranks captions than people do, in the page's numbers."""
    ratings, scores = judged()
    people, mine = (ranks(np.float32(each)) for each in (ratings.ratings[:, 0], scores[name]))
    return np.float32(mine - people)


def judged(seed: int = 3) -> tuple[Ratings, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    people = np.round(rng.uniform(1, 5, COUNT), 1)
    captions = [f"a dog number {row}" for row in range(COUNT)]
    captions[7] = HOSTILE
    ratings = Ratings(
        captions,
        [["a dog on a bench", f"one dog, the {row}th"] for row in range(COUNT)],
        [f"image{row}.jpg" for row in range(COUNT)],
        people[:, None],
        ["human", "machine"] * (COUNT // 2),
    )
    scores = {
        "sharp": people + rng.normal(size=COUNT) / 9,
        "blunt": people + rng.normal(size=COUNT) * 3,
    }
    return ratings, scores


@pytest.fixture(scope="module")
def contents() -> Contents:
    ratings, scores = judged()
    return build_contents(evaluate(ratings, scores=scores, resamples=40), ReportOptions())


def first_ids(page: Any, count: int = 5) -> list[str]:
    rows = page.locator(".option").evaluate_all(
        "nodes => nodes.map(node => [Number(node.dataset.position),"
        " node.querySelector('.id').textContent])"
    )
    return [text for _, text in sorted(rows)][:count]


def test_agreement_with_letters_and_intervals_is_seen_first(
    open_page: Open, contents: Contents
) -> None:
    page = open_page(contents)
    board = page.locator("section.board").first
    assert board.locator("h2").text_content() == "Agreement with people"
    cells = board.locator("tbody tr").first.locator("th, td").all_text_contents()
    assert cells[0] == "sharp" and cells[-1] == "a"
    assert board.locator("tbody tr").first.locator("svg.interval").count() == 4
    assert "share a letter" in board.locator("p.note").text_content()


def test_clicking_a_rating_point_opens_its_caption(open_page: Open, contents: Contents) -> None:
    page = open_page(contents, "#/scatter")
    assert page.get_by_label("Upwards: what").input_value() == "attribute:rating"
    canvas = page.locator("section.scatter canvas")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    tip = page.locator("section.scatter .tip")
    name = tip.locator("strong").text_content()
    page.keyboard.press("Enter")
    assert page.locator("#sample-title").text_content() == name
    row = list(contents.ids).index(name)
    rating = next(each for each in contents.attributes if each.name == "rating")
    shown = page.locator("dl.attributes").text_content()
    assert f"rating{rating.values[row]:.3g}" in shown.replace(" ", "")
    captions = contents.series[0].captions
    assert captions is not None and captions[row] in page.locator(".captioned").text_content()


def test_captions_that_a_metric_overrates_and_underrates(
    open_page: Open, contents: Contents
) -> None:
    page = open_page(contents, "#/samples")
    for button, sign in (("overrated", -1), ("underrated", 1)):
        page.get_by_role("button", name=button, exact=True).click()
        expected = [contents.ids[row] for row in np.argsort(sign * gaps("sharp"), kind="stable")]
        assert first_ids(page) == expected[:5]


def test_where_one_metric_is_farther_from_people_than_another(
    open_page: Open, contents: Contents
) -> None:
    one, other = np.abs(gaps("blunt")), np.abs(gaps("sharp"))
    page = open_page(contents, "#/samples")
    page.get_by_label("Sort by: what").select_option("discord")
    page.get_by_label("Sort by: measure").select_option("blunt")
    page.get_by_label("Sort by: other measure").select_option("sharp")
    if "low" in page.locator("button.direction").text_content():
        page.locator("button.direction").click()
    expected = [contents.ids[row] for row in np.argsort(other - one, kind="stable")]
    assert first_ids(page) == expected[:5]


def test_captions_are_text_whatever_is_in_them(open_page: Open, contents: Contents) -> None:
    page = open_page(contents, "#7-image7.jpg")
    assert HOSTILE in page.locator(".captioned").text_content()
    assert page.locator(".captioned img, .captioned script").count() == 0


def test_pairs_have_both_captions_and_what_people_prefer(open_page: Open) -> None:
    rng = np.random.default_rng(1)
    preferred = rng.integers(0, 2, COUNT)
    pairs = Preferences(
        [(f"a dog {row}", f"a cat {row}") for row in range(COUNT)],
        [["a dog on a bench"]] * COUNT,
        [f"image{row}.jpg" for row in range(COUNT)],
        preferred,
        ["HM", "MM"] * (COUNT // 2),
    )
    right = np.eye(2)[preferred]
    mostly = right.copy()
    mostly[10] = 5 * (1 - right[10])  # wrong, and sure of it
    found = evaluate(pairs, scores={"mostly": mostly, "right": right}, resamples=20)
    page = open_page(build_contents(found, ReportOptions()), "#4-image4.jpg")
    captions = page.locator(".captioned").all_text_contents()
    assert "a dog 4" in captions[0] and "a cat 4" in captions[1]
    attributes = page.locator("dl.attributes").text_content()
    assert ("first", "second")[preferred[4]] in attributes and "HM" in attributes
    page.get_by_role("button", name="measures disagree").click()
    assert first_ids(page, 1) == ["10-image10.jpg"]


def test_whole_systems_are_points_without_captions(open_page: Open) -> None:
    page = open_page(build_contents(whole_systems(), ReportOptions()), "#/samples")
    assert first_ids(page, 2) == ["team 0", "team 1"]
    page.locator(".option").first.click()
    assert page.locator("#sample-title").text_content() == "team 0"
