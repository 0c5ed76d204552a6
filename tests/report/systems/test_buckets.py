"""Scores in kinds of rows: as if these rows were all there is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import captious
from captious.report.systems.buckets import SystemStatistics, score_buckets
from captious.report.systems.row_groupings import UNGROUPED, Grouping
from captious.report.systems.systems import Systems
from captious.result import Result

WORDS = "a dog cat runs sits on the red bench near two men".split()
METRICS = "bleu,rouge_l,cider_d(df=coco-val2014)"


def score_random(seed: int, count: int = 60, repeat: int = 1) -> Result:
    references = np.random.default_rng(99)
    candidates = np.random.default_rng(seed)

    def caption(rng: np.random.Generator) -> str:
        return " ".join(rng.choice(WORDS, rng.integers(3, 9)))

    sets = {f"id {number}": [caption(references)] * 2 for number in range(count)}
    scorer = captious.Scorer(sets, METRICS)
    ids = [image for image in sets for _ in range(repeat)]
    return scorer.score([caption(candidates) for _ in ids], ids)


def systems(repeat: int = 1) -> Systems:
    return Systems.of({"a": score_random(1, repeat=repeat), "b": score_random(2, repeat=repeat)})


def part(result: Result, rows: np.ndarray) -> Result:
    """What scoring these rows alone gives."""
    assert result.captions is not None
    return captious.score(result.captions.take(rows), metrics=METRICS)


def test_bucket_score_equals_score_of_its_rows_alone() -> None:
    both = systems()
    numbers = np.arange(60) % 3
    (table,) = score_buckets(
        both.statistics(), [Grouping("mine", ["x", "y", "z"], numbers)], 300, 0
    )
    assert [bucket.count for bucket in table.buckets] == [20, 20, 20]
    for kind, bucket in enumerate(table.buckets):
        rows = np.flatnonzero(numbers == kind)
        assert bucket.counts is None
        for place, result in enumerate(both.results.values()):
            alone = part(result, rows)
            for column in both.columns:
                found = bucket.scores[column][place]
                assert found.value == pytest.approx(alone.corpus[column], abs=1e-12)
                assert found.low <= found.value <= found.high
                low, high = alone.interval(column)
                # Drawn from all rows and not from the kind's: alike, and not the same.
                assert found.high - found.low == pytest.approx(high - low, rel=0.4)


def test_bucket_of_all_rows_has_the_corpus_interval() -> None:
    both = systems()
    (table,) = score_buckets(
        both.statistics(), [Grouping("all", ["all"], np.zeros(60, int))], 1000, 0
    )
    for place, result in enumerate(both.results.values()):
        for column in both.columns:
            found = table.buckets[0].scores[column][place]
            assert (found.low, found.high) == pytest.approx(result.interval(column), abs=1e-9)


def test_samples_of_one_image_are_drawn_together() -> None:
    both = systems(repeat=3)
    kinds = Grouping("all", ["all"], np.zeros(180, int))
    (table,) = score_buckets(both.statistics(), [kinds], 1000, 0)
    found = table.buckets[0].scores["bleu_1"][0]
    interval = both.results["a"].interval("bleu_1")
    assert (found.low, found.high) == pytest.approx(interval, abs=1e-9)


def test_each_system_has_rows_of_its_own() -> None:
    both = systems()
    numbers = np.array([[0] * 30 + [1] * 30, [1] * 55 + [UNGROUPED] * 5])
    (table,) = score_buckets(both.statistics(), [Grouping("own", ["few", "many"], numbers)], 100, 0)
    assert [bucket.counts for bucket in table.buckets] == [(30, 0), (30, 55)]
    assert math.isnan(table.buckets[0].scores["bleu_4"][1].value)
    alone = part(both.results["b"], np.arange(55))
    assert table.buckets[1].scores["bleu_4"][1].value == pytest.approx(alone.corpus["bleu_4"])


def test_small_bucket_is_not_shown() -> None:
    both = systems()
    numbers = np.array([0] * 51 + [1] * 9)
    (table,) = score_buckets(both.statistics(), [Grouping("mine", ["many", "few"], numbers)], 50, 0)
    assert [bucket.label for bucket in table.buckets] == ["many"]


def test_the_order_of_samples_changes_nothing() -> None:
    both = systems()
    order = np.random.default_rng(5).permutation(60)
    shuffled = SystemStatistics(
        both.metrics,
        both.columns,
        [values[order] for values in both.statistics().statistics],
        both.statistics().images[order],
    )
    numbers = np.arange(60) % 2
    ways = [Grouping("k", ["x", "y"], numbers)], [Grouping("k", ["x", "y"], numbers[order])]
    one = score_buckets(both.statistics(), ways[0], 200, 0)[0].buckets
    two = score_buckets(shuffled, ways[1], 200, 0)[0].buckets
    for first, second in zip(one, two, strict=True):
        for column in both.columns:
            for left, right in zip(first.scores[column], second.scores[column], strict=True):
                assert vars(left) == pytest.approx(vars(right), abs=1e-12)


def test_resample_without_rows_of_a_bucket_is_ignored() -> None:
    both = systems(repeat=12)
    numbers = np.full(720, 1)
    numbers[:12] = 0  # one image, which a third of all draws leave out
    (table,) = score_buckets(both.statistics(), [Grouping("k", ["one", "rest"], numbers)], 200, 0)
    for column in both.columns:
        found = table.buckets[0].scores[column][0]
        assert (found.low, found.high) == pytest.approx((found.value, found.value), abs=1e-6)
