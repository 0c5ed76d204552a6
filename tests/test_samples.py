"""Analyses that are shared by what is scored one after another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from time import sleep

import numpy as np
import pytest

from captious._internal.memo import RecentCache
from captious.corpus import ReferenceColumns
from captious.metrics.cider.cider import CiderD
from captious.samples import (
    MAX_SHARED_REFERENCES,
    References,
    iterate_blocks,
    share_analysis,
    unique_rows,
)
from captious.scorer import score

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

GTS = {1: ["a dog runs", "the dog"], 2: ["a cat"], 3: ["two men on a bench"]}


def prepared(
    captions: dict[int, list[str]], tokenizer: str = "whitespace", names: list[str] | None = None
) -> References:
    return References.of(ReferenceColumns.of(captions), tokenizer, None, names)


@pytest.mark.parametrize(
    ("captions", "unique", "rows"),
    [
        ([], [], []),
        (["b", "a"], ["b", "a"], [0, 1]),
        (["b", "a", "b", "c", "a"], ["b", "a", "c"], [0, 1, 0, 2, 1]),
    ],
)
def test_distinct_captions_are_in_order_of_first_occurrence(
    captions: list[str], unique: list[str], rows: list[int]
) -> None:
    actual = unique_rows(captions)
    assert (actual[0], actual[1].tolist()) == (unique, rows)
    assert actual[0] is not captions


def test_equal_captions_share_an_analysis_only_inside_the_context() -> None:
    with share_analysis():
        first = prepared(GTS)
        assert prepared({image + 7: list(captions) for image, captions in GTS.items()}) is first
        (samples,) = iterate_blocks(["a dog", "a cat", "men"], np.arange(3), first)
        assert next(iterate_blocks(["a dog", "a cat", "men"], np.arange(3), first)) is samples
        with share_analysis():
            assert prepared(GTS) is not first
        assert prepared(GTS) is first
    assert prepared(GTS) is not first
    assert next(iterate_blocks(["a dog", "a cat", "men"], np.arange(3), first)) is not samples


def test_different_settings_do_not_share_an_analysis() -> None:
    with share_analysis():
        first = prepared(GTS)
        moved = {1: ["a dog runs"], 2: ["the dog", "a cat"], 3: GTS[3]}
        changed = {**GTS, 2: ["a bat"]}
        shuffled = {2: GTS[2], 1: GTS[1], 3: GTS[3]}
        for other in (moved, changed, shuffled):
            assert prepared(other) is not first
            first = prepared(GTS)
        assert prepared(GTS, "ptb") is not first
        first = prepared(GTS)
        assert prepared(GTS, names=["1", "2", "3"]) is not first
        first = prepared(GTS)
        (samples,) = iterate_blocks(["a dog", "a cat"], np.array([0, 1]), first)
        for captions, images, references in (
            (["a dog", "a bat"], [0, 1], first),
            (["a dog", "a cat"], [1, 0], first),
            (["a dog", "a cat"], [0, 1], prepared(changed)),
        ):
            assert next(iterate_blocks(captions, np.array(images), references)) is not samples


class Same(str):
    """Text that takes itself for equal to all other text."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def test_captions_are_compared_by_value() -> None:
    with share_analysis():
        first = prepared({1: [Same("a dog")]})
        second = prepared({1: [Same("a cat")]})
        assert second is not first
        assert [*map(str.__str__, second.analysis.captions)] == ["a cat"]
        assert prepared({1: ["a cat"]}) is second


def test_in_place_changes_are_detected() -> None:
    gts = {image: list(captions) for image, captions in GTS.items()}
    res = {1: "a dog", 2: "a cat", 3: "men on a bench"}
    with share_analysis():
        before = score(res, gts, [CiderD()], tokenizer="whitespace").samples["cider_d"]
        gts[2][0] = "a bird on a bench"
        res[3] = "a bench"
        after = score(res, gts, [CiderD()], tokenizer="whitespace").samples["cider_d"]
    expected = score(res, gts, [CiderD()], tokenizer="whitespace").samples["cider_d"]
    assert after.tolist() == expected.tolist() != before.tolist()


def test_shared_analysis_is_independent_of_the_callers_arrays() -> None:
    columns, images = ReferenceColumns.of(GTS), np.arange(3)
    with share_analysis():
        first = References.of(columns)
        (samples,) = iterate_blocks(["a", "b", "c"], images, first)
        columns.offsets[1], columns.captions[0], images[0] = 1, "a fish", 2
        assert prepared(GTS, "ptb") is first
        assert first.rows.offsets.tolist() == [0, 2, 3, 4]
        assert first.analysis.captions[0] == "a dog runs"
        assert next(iterate_blocks(["a", "b", "c"], np.arange(3), first)) is samples
        assert samples.images.tolist() == [0, 1, 2]


def test_metrics_with_different_parameters_do_not_share_results() -> None:
    res = {1: "a dog", 2: "a cat", 3: "men on a bench"}
    metrics = [CiderD(), CiderD(sigma=1.0), CiderD(n=1), CiderD(df="coco-val2014")]
    alone = [score(res, GTS, [metric]).samples["cider_d"].tolist() for metric in metrics]
    with share_analysis():
        together = [score(res, GTS, [metric]).samples["cider_d"].tolist() for metric in metrics]
    assert together == alone
    assert len(set(map(tuple, alone))) == len(alone)


def test_cache_is_bounded() -> None:
    with share_analysis():
        first = prepared(GTS)
        for number in range(MAX_SHARED_REFERENCES):
            prepared({0: [f"caption {number}"]})
        assert prepared(GTS) is not first


def test_threads_share_one_analysis() -> None:
    made: list[int] = []
    cache = RecentCache(1)

    def make() -> object:
        made.append(1)
        sleep(0.02)  # so that others come meanwhile
        return object()

    with ThreadPoolExecutor(8) as pool:
        actual = set(map(id, pool.map(lambda _: cache.get_or_compute(("a",), make), range(200))))
    assert len(actual) == len(made) == 1


def test_threads_that_share_get_the_scores_of_their_own_captions() -> None:
    sets = [{1: ["a dog", f"word {n}"], 2: [f"a cat {n}", "a cat"]} for n in range(3)]
    res = {1: "a dog word", 2: "a cat"}

    def scores(n: int) -> list[float]:
        result = score(res, sets[n], [CiderD(df="coco-val2014")], tokenizer="whitespace")
        return [float(value) for value in result.samples["cider_d"]]

    expected = [scores(n) for n in range(3)]
    with share_analysis(), ThreadPoolExecutor(4) as pool:
        work = [(n % 3, pool.submit(copy_context().run, scores, n % 3)) for n in range(60)]
        assert all(future.result() == expected[n] for n, future in work)
