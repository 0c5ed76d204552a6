"""What holds for every metric, whatever the captions."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import captious
from captious.result import Result
from tests.same_scores import are_same

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::captious.CaptiousWarning"),
]

SETTINGS = settings(max_examples=settings().max_examples // 10)
words = st.sampled_from(["a", "dog", "runs", "the", "on", "beach", "cat's", "U.S.", "t-shirt", "é"])
sentences = st.lists(words, max_size=12).map(" ".join)
captions = st.text(max_size=40) | sentences
samples = st.lists(
    st.tuples(captions, st.lists(captions, min_size=1, max_size=4)), min_size=1, max_size=5
)
# Chances, which are never certain; views of vectors; and form, which reads no reference.
NO_MAXIMUM = (
    *("nneval", "lceval", "leic", "captious", "captious_full", "hallucination"),
    *("support", "encoder_consensus", "form"),
)
MAY_LACK = ("spice", "hwcm", "hwcm_dep")
ODD = [
    "",
    "\x00",
    "\n\r\x0b\x0c\x85\u2028\u2029",
    "🙂🙂",
    "שלום עולם",
    "\ud800",
    "' '' ` .",
    "a" * 99,
]


USUAL = ("a dog runs on the beach", ["a dog on the beach", "the dog runs"])


def score(rows: list[tuple[str, list[str]]], **options: Any) -> Result:
    candidates, references = zip(*rows, strict=True)
    return captious.score(candidates, references, metrics=["all"], **options)


@cache
def usual_alone() -> Result:
    return score([USUAL], df="coco-val2014")


@SETTINGS
@given(samples, st.randoms())
@example([(odd, [other]) for odd in ODD for other in ODD], Random(0))
def test_scores_are_finite_within_bounds_and_the_same_in_any_order(
    rows: list[tuple[str, list[str]]], random: Random
) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    result, shuffled = score(rows), score([rows[row] for row in order])
    for metric in result.metrics:
        for name in metric.columns:
            low, high = metric.bounds_of(name)
            scores = result.samples[name]
            assert np.isfinite(scores).all() and np.isfinite(result.corpus[name])
            assert (scores >= low).all() and (scores <= high + 1e-9).all()
            assert are_same(name, shuffled.samples[name], scores[order]), name
            assert are_same(name, shuffled.corpus[name], result.corpus[name]), name


@SETTINGS
@given(captions, st.lists(captions, min_size=1, max_size=3))
def test_unusual_caption_does_not_change_another_samples_score(
    caption: str, references: list[str]
) -> None:
    # The references' own frequencies would change with the other sample.
    beside, alone = score([(caption, references), USUAL], df="coco-val2014"), usual_alone()
    for name in alone.columns:
        assert are_same(name, beside.samples[name][1], alone.samples[name][0]), name


@SETTINGS
@given(st.lists(words, min_size=4, max_size=12).map(" ".join))
def test_a_caption_equal_to_its_only_reference_scores_the_best(caption: str) -> None:
    result = score([(caption, [caption])], df="coco-val2014")
    names_nothing = not captious.scene_graph(caption).objects
    for metric in result.metrics:
        if metric.name in NO_MAXIMUM:
            continue
        if names_nothing and metric.name in ("spice", "spider"):
            continue  # without a tuple there is nothing to match
        # A caption need not have a colour, nor a chain of two words.
        columns = metric.columns[:1] if metric.name in MAY_LACK else metric.columns
        for name in columns:
            best = metric.bounds_of(name)[0 if metric.lower_is_better else 1]
            # Cosines of vectors in single precision reach 1 within a few of its roundings, and
            # bertscore_multiref divides by numbers that are themselves such cosines.
            assert result.corpus[name] == pytest.approx(best, abs=1e-5), name


@pytest.mark.parametrize("megabyte", ["dog " * 250_000, "x" * 1_000_000, ". " * 500_000])
def test_a_megabyte_is_scored(megabyte: str) -> None:
    alone = usual_alone()
    rows = [(megabyte, ["a dog runs"]), USUAL, ("a dog runs", [megabyte]), (megabyte, [megabyte])]
    result = score(rows, df="coco-val2014")
    for name in result.columns:
        assert np.isfinite(result.samples[name]).all()
        assert are_same(name, result.samples[name][1], alone.samples[name][0]), name
