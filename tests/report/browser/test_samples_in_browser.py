"""The list of samples in a real browser: search, sort, filter, open, keyboard, links."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from captious.report.browser.contents import JUDGEMENTS, Attribute, Contents, Measure, Series
from tests.report.browser.made_up import made_up
from tests.report.conftest import Open

pytestmark = pytest.mark.slow


def ids(page: Any) -> list[str]:
    """The ids of the rows that are there, from the top."""
    options = page.locator(".option")
    rows = options.evaluate_all(
        "nodes => nodes.map(node => [Number(node.dataset.position),"
        " node.querySelector('.id').textContent])"
    )
    return [text for _, text in sorted(rows)]


def sort_by(page: Any, kind: str, **parts: str) -> None:
    page.get_by_label("Sort by: what").select_option(kind)
    for part, value in parts.items():
        page.locator(f".filters > .controls [data-part={part}]").first.select_option(value)


def expected(contents: Contents, values: Any, descending: bool = False) -> list[str]:
    """Ids in the order of values, equal ones as in the file."""
    order = np.argsort(-values if descending else values, kind="stable")
    return [contents.ids[row] for row in order]


def test_search_finds_words_phrases_and_ids(open_page: Open) -> None:
    contents = made_up(200)
    page = open_page(contents, "#/samples")
    assert contents.references is not None
    texts = [
        [contents.ids[row], *contents.references[row]]
        + [series.captions[row] for series in contents.series if series.captions is not None]
        for row in range(200)
    ]

    def expected(*terms: str) -> list[str]:
        return [row[0] for row in texts if all(any(term in t for t in row) for term in terms)]

    page.keyboard.press("/")
    for query, terms in (
        ("wooden HORSE", ("wooden", "horse")),
        ('"striped kite"', ("striped kite",)),
        ("sample 17", ("sample", "17")),
    ):
        page.locator(".search").fill(query)
        count = len(expected(*terms))
        assert 0 < count < 200
        page.get_by_text(f"{count} of 200 samples").wait_for()
        assert ids(page) == expected(*terms)[: len(ids(page))]
    page.locator(".search").fill("wooden")
    page.locator("mark.hit", has_text="wooden").first.wait_for()
    page.locator(".search").fill("no such word anywhere")
    page.get_by_text("No sample is like this.").wait_for()
    page.get_by_role("button", name="clear all").click()
    page.get_by_text("200 samples", exact=True).wait_for()
    assert len(ids(page)) > 5


def test_sort_by_scores_differences_and_words(open_page: Open) -> None:
    contents = made_up(60)
    page = open_page(contents, "#/samples")
    one, two, three = (np.float32(series.scores["spice"]) for series in contents.series)
    sort_by(page, "score", measure="spice", series="1")
    shown = ids(page)
    assert shown == expected(contents, two)[: len(shown)]
    sort_by(page, "difference", measure="spice", series="0", other="2")
    page.get_by_role("button", name="low first").click()
    assert ids(page) == expected(contents, one - three, True)[: len(shown)]
    sort_by(page, "spread")
    spread = np.max([one, two, three], 0) - np.min([one, two, three], 0)
    assert ids(page) == expected(contents, spread, True)[: len(shown)]
    sort_by(page, "words", series="0")
    assert contents.series[0].captions is not None
    words = np.array([len(text.split()) for text in contents.series[0].captions])
    assert ids(page) == expected(contents, words, True)[: len(shown)]
    sort_by(page, "group:domain")
    groups = [str(value) for value in contents.attributes[0].values]
    places = np.array([sorted(set(groups)).index(group) for group in groups])
    assert ids(page) == expected(contents, places, True)[: len(shown)]
    assert page.locator(".option .key").first.inner_text() == "out of domain"
    page.get_by_role("button", name="worst").click()
    mean = np.mean([np.float64(series.scores["captious"]) for series in contents.series], 0)
    assert ids(page)[:5] == expected(contents, mean)[:5]
    page.get_by_role("button", name="most disagreement").click()
    assert page.get_by_role("button", name="most disagreement").get_attribute("aria-pressed")


def test_samples_without_a_score_come_last(open_page: Open) -> None:
    scores = np.array([np.nan, 0.5, np.nan, 0.7, 0.1])
    contents = dataclasses.replace(
        made_up(5), series=[Series("one", list("abcde"), {"captious": scores})], bucketings=()
    )
    page = open_page(contents, "#/samples")
    page.get_by_role("button", name="best").click()
    assert ids(page) == ["sample 3", "sample 1", "sample 4", "sample 0", "sample 2"]
    page.get_by_role("button", name="worst").click()
    assert ids(page) == ["sample 4", "sample 1", "sample 3", "sample 0", "sample 2"]


def test_the_best_are_those_with_the_lowest_scores_where_these_are_better(open_page: Open) -> None:
    scores = np.array([0.2, 0.5, 0.9, 0.7, 0.1])
    contents = dataclasses.replace(
        made_up(5),
        measures=[Measure("chair_i", "CHAIRi", lower_is_better=True)],
        series=[Series("one", list("abcde"), {"chair_i": scores})],
        bucketings=(),
    )
    page = open_page(contents, "#/samples")
    page.get_by_role("button", name="best").click()
    assert ids(page) == [f"sample {place}" for place in (4, 0, 1, 3, 2)]
    assert page.get_by_role("button", name="best").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="worst").click()
    assert ids(page) == [f"sample {place}" for place in (2, 3, 1, 0, 4)]


def test_filter_by_score_words_and_group(open_page: Open) -> None:
    contents = made_up(120)
    page = open_page(contents, "#/samples")
    form = page.locator(".filter-form")
    form.locator("summary").click()
    form.get_by_label("Filter: measure").select_option("bleu_4")
    form.get_by_label("From").fill("0.5")
    form.get_by_role("button", name="Add").click()
    kept = contents.series[0].scores["bleu_4"] >= 0.5
    page.get_by_text(f"{kept.sum()} of 120 samples").wait_for()
    form.get_by_label("Filter by").select_option("is:domain")
    form.get_by_label("Value").select_option("far")
    form.get_by_role("button", name="Add").click()
    kept &= np.array([value == "far" for value in contents.attributes[0].values])
    page.get_by_text(f"{kept.sum()} of 120 samples").wait_for()
    form.get_by_label("Filter by").select_option("says")
    form.get_by_label("With or without").select_option("1")
    form.get_by_label("Words").fill("wooden")
    form.get_by_label("Words").press("Enter")
    captions = contents.series[0].captions
    assert captions is not None
    kept &= np.array(["wooden" not in text for text in captions])
    page.get_by_text(f"{kept.sum()} of 120 samples").wait_for()
    assert ids(page) == [contents.ids[row] for row in range(120) if kept[row]][: len(ids(page))]
    page.get_by_role("button", name="Remove: domain is far").click()
    assert page.evaluate("document.activeElement.textContent") == "Filter"
    assert page.locator(".condition").count() == 2
    page.get_by_role("button", name="clear all").click()
    page.get_by_text("120 samples", exact=True).wait_for()


def test_bounds_that_are_none_are_said(open_page: Open) -> None:
    page = open_page(made_up(10), "#/samples")
    form = page.locator(".filter-form")
    form.locator("summary").click()
    for low, high in (("", ""), ("0.9", "0.1"), ("a lot", "")):
        form.get_by_label("From").fill(low)
        form.get_by_label("To").fill(high)
        form.get_by_role("button", name="Add").click()
        assert form.get_by_role("alert").inner_text() == "Type numbers, the lower one first."
    assert page.locator(".condition").count() == 0


def test_the_keyboard_is_enough(open_page: Open) -> None:
    page = open_page(made_up(50))
    press = page.keyboard.press
    press("2")
    page.locator(".list").wait_for()
    press("j")
    assert page.locator(".option.active .id").inner_text() == "sample 1"
    press("ArrowDown")
    press("k")
    press("End")
    assert page.locator(".option.active .id").inner_text() == "sample 49"
    press("Home")
    press("Enter")
    assert page.locator("#sample-title").inner_text() == "sample 0"
    assert page.evaluate("document.activeElement.className") == "sample"
    press("j")
    assert page.locator("#sample-title").inner_text() == "sample 1"
    assert page.evaluate("location.hash") == "#sample%201"
    press("Escape")
    assert not page.locator(".sample").is_visible()
    assert page.evaluate("document.activeElement.className") == "list"
    press("Enter")
    page.get_by_role("button", name="Next sample").focus()
    press("Enter")
    press("Enter")
    assert page.locator("#sample-title").inner_text() == "sample 3"
    assert page.evaluate("document.activeElement.ariaLabel") == "Next sample"
    sort_by(page, "spread")
    assert page.evaluate("document.activeElement.dataset.part") == "kind"
    page.evaluate("document.activeElement.blur()")
    press("/")
    page.keyboard.type("sample 33")
    page.get_by_text("1 of 50 samples").wait_for()
    press("Enter")
    press("Enter")
    assert page.locator("#sample-title").inner_text() == "sample 33"
    press("?")
    assert page.get_by_role("dialog").is_visible()
    press("Escape")
    assert not page.get_by_role("dialog").is_visible()
    assert page.locator(".sample").is_visible()


def test_a_caption_of_one_sentence_has_no_list_of_sentences(open_page: Open) -> None:
    page = open_page(made_up(50), "#sample%208")
    assert page.locator(".sample .captioned").count() > 0
    assert page.locator(".sample .sentences").count() == 0


def test_a_sample_shows_all_that_is_known(open_page: Open) -> None:
    contents = made_up(50)
    page = open_page(contents, "#sample%207")
    sample = page.locator(".sample")
    assert contents.references is not None
    assert sample.locator(".references li").all_inner_texts() == contents.references[7]
    for index, series in enumerate(contents.series):
        assert series.captions is not None
        assert series.unsupported is not None
        caption = sample.locator(".captioned").nth(index)
        assert caption.locator("p").inner_text() == series.captions[7]
        assert set(caption.locator("mark").all_inner_texts()) == set(series.unsupported[7])
        assert caption.locator(".missing li").all_inner_texts() == series.missing[7]  # type: ignore[index]
        rows = caption.locator(".sentences tr").all_inner_texts()
        assert rows == [f"0.75\t{series.captions[7]}", "0.25\tNothing else is there."]
        assert caption.locator(".sentences .unlikely").count() == 1
        score = sample.locator(f".scores tr:nth-child(1) td:nth-child({index + 2}) .numeral")
        assert score.inner_text().startswith(f"{np.float32(series.scores['bleu_1'][7]):.3f}")
    assert contents.reference_scenes is not None
    assert contents.series[0].scenes is not None
    groups = sample.locator(".scene").first
    here, there = set(contents.series[0].scenes[7]), set(contents.reference_scenes[7])
    assert groups.locator(".shared li").count() == len(here & there)
    assert groups.locator(".alone li").count() == len(here - there)
    assert groups.locator(".missing li").count() == len(there - here)


def test_links_open_samples_of_any_id(open_page: Open) -> None:
    odd = ["a/b", "100%", "ü ☃", "#", "", "twice", "twice", "<b>", "=", "/samples"]
    contents = dataclasses.replace(made_up(10), ids=odd)
    page = open_page(contents, "#twice/2")
    assert page.locator(".sample-head").inner_text().startswith("twice")
    assert "7 of 10" in page.locator(".sample-head").inner_text()
    links = {}
    for row in range(10):
        page.keyboard.press("Escape")
        page.keyboard.press("Home")
        for _ in range(row):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        links[page.evaluate("location.hash")] = row
    assert len(links) == 10
    for link, row in links.items():
        page.evaluate("link => { location.hash = link; }", link)
        page.get_by_text(f"{row + 1} of 10").wait_for()
    page.evaluate("location.hash = 'nobody'")
    page.get_by_text("There is no sample of the id nobody").wait_for()
    page.go_back()
    page.get_by_text("10 of 10").wait_for()


def test_what_people_said_leads_to_where_measures_err(open_page: Open) -> None:
    contents = made_up(40, 1, kind=JUDGEMENTS, measures=["captious", "bleu_1"])
    rating = contents.attributes[1].values
    assert isinstance(rating, np.ndarray)
    wrong = rating.astype(np.float64).copy()
    wrong[11] = 6 - wrong[11] if rating[11] != 3 else 5.5
    series = Series("one", contents.series[0].captions, {"captious": wrong, "bleu_1": rating})
    page = open_page(dataclasses.replace(contents, series=[series]), "#/scatter")
    assert page.get_by_label("Upwards: what").input_value() == "attribute:rating"
    page.keyboard.press("2")
    page.get_by_role("button", name="measures disagree").click()
    assert ids(page)[0] == "sample 11"


@pytest.mark.parametrize("numbers", [True, False])
def test_of_pairs_the_measure_that_prefers_the_other_one(open_page: Open, numbers: bool) -> None:
    right, wrong = np.array([0.9, 0.2, 0.8]), np.array([0.9, 0.2, 0.1])
    other = np.full(3, 0.5)
    names = ("first", "second")
    sides = [0, 1, 0]
    values = np.array(sides, float) if numbers else [names[side] for side in sides]
    contents = dataclasses.replace(
        made_up(3, measures=["captious", "bleu_1"]),
        kind=JUDGEMENTS,
        series=[
            Series(names[0], list("abc"), {"captious": wrong, "bleu_1": right}),
            Series(names[1], list("def"), {"captious": other, "bleu_1": other}),
        ],
        attributes=[Attribute("preferred", values)],
        bucketings=(),
        tables=(),
    )
    page = open_page(contents, "#/samples")
    page.get_by_role("button", name="measures disagree").click()
    assert ids(page)[0] == "sample 2"
