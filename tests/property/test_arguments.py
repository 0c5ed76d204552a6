"""Arguments of every kind from Python: each works, or is an error of one line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import captious
from captious.corpus import Corpus, ReferenceColumns
from captious.errors import CaptiousError, InputError, UnknownMetricError
from captious.result import Result

CANDIDATES = ["a dog", "a cat"]
REFERENCES = [["a dog runs"], ["a cat sits", "the cat"]]
HUGE = 10**5000  # Python refuses to write it


class Unwritable:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


def score(candidates: Any = CANDIDATES, references: Any = REFERENCES, **options: Any) -> Result:
    usual: dict[str, Any] = {"metrics": ["bleu"], "cache": False}
    return captious.score(candidates, references, **(usual | options))


@pytest.mark.parametrize(
    "candidates",
    [np.array(CANDIDATES), tuple(CANDIDATES), dict.fromkeys(CANDIDATES).keys(), iter(CANDIDATES)],
)
def test_ordered_candidates_are_scored(candidates: Any) -> None:
    assert score(candidates).corpus == score().corpus


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([float("nan"), "x"], "id 0: the candidate must be a string, not float"),
        ([b"a", "x"], "not bytes"),
        ([None, "x"], "not NoneType"),
        ([["a"], ["b"]], "not list"),
        (set(CANDIDATES), "candidates have no order in a set; give a list"),
        (frozenset(CANDIDATES), "have no order in a frozenset"),
        ("ab", "score: candidates: a list, a dict or a Corpus, not 'ab'"),
        (5, "score: candidates: a list, a dict or a Corpus, not 5"),
        ({"a": ("x",)}, "must both be lists, or both dicts"),
    ],
)
def test_invalid_candidates_are_errors(candidates: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(candidates)


@pytest.mark.parametrize(
    "references", [(["a"], ("b",)), [{"a"}, iter(["b"])], np.array([["a"], ["b"]])]
)
def test_references_of_every_iterable_kind_are_scored(references: Any) -> None:
    assert score(references=references).n == 2


@pytest.mark.parametrize("first", [[], None, b"a", {"a": 1}, [["a"]], [b"a"], [None], 1.5])
def test_invalid_references_are_errors(first: Any) -> None:
    with pytest.raises(InputError, match=r"id 0: .*reference"):
        score(references=[first, ["x"]])


IDS = [np.int64(3), (1, 2), None, float("nan"), frozenset([1]), "\ud800", "x" * 100_000, b"x"]


@pytest.mark.parametrize("image", IDS, ids=lambda image: type(image).__name__)
def test_hashable_ids_are_accepted(image: Any) -> None:
    result = score({image: "a dog"}, {image: ["a dog"]})
    assert result.n == 1 and result.to_text()
    with pytest.raises(InputError) as error:
        score({image: 5}, {image: ["a dog"]})
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("image", [HUGE, Unwritable()], ids=["huge", "unwritable"])
def test_ids_without_text_are_errors(image: int | Unwritable) -> None:
    with pytest.raises(InputError, match=r"^id <.*>: cannot be written as text"):
        score({image: "a dog"}, {image: ["a dog"]})
    with pytest.raises(InputError, match=r"^id <.*>: has a candidate but no references"):
        score({image: "a dog"}, {1: ["a dog"]})
    with pytest.raises(InputError, match="cannot be written as text"):
        ReferenceColumns.of({image: ["a"]})


def test_ids_equal_as_text_are_errors() -> None:
    with pytest.raises(InputError, match="two ids look alike"):
        score({1: "a", "1": "b"}, {1: ["a"], "1": ["b"]})


@pytest.mark.parametrize(
    "ids", [[["a"]], [([],)], [None], [HUGE], [Unwritable()], "a", {"a"}, 5, [], [{}]]
)
def test_ids_that_do_not_fit_candidates_are_errors(ids: Any) -> None:
    scorer = captious.Scorer({"a": ["a dog"], (1,): ["x"]}, metrics=["bleu"], cache=False)
    with pytest.raises(InputError):
        scorer.score(["a dog"], ids=ids)
    assert scorer.score(["a dog"], ids=("a",)).n == 1


RESAMPLES = [True, 10**30, HUGE, -1, 0, 1e3, "5", 1_000_001]


@pytest.mark.parametrize("resamples", RESAMPLES, ids=range(len(RESAMPLES)))
def test_invalid_resamples_are_errors(resamples: Any) -> None:
    result = score()
    with pytest.raises(InputError, match="resamples: a whole number from 1 up to 1,000,000"):
        result.interval("bleu_1", resamples=resamples)
    with pytest.raises(InputError, match="resamples"):
        captious.compare(result, result, resamples=resamples)


@pytest.mark.parametrize("seed", [True, -1, 1e3, "5", np.float64(1), 10**30])
def test_invalid_seeds_are_errors(seed: Any) -> None:
    with pytest.raises(InputError, match="seed: a whole number from 0"):
        score().interval("bleu_1", resamples=5, seed=seed)
    assert score().interval("bleu_1", resamples=5, seed=2**63 - 1)


@pytest.mark.parametrize("level", [True, None, "x", float("nan"), 2, 0, 1j, []])
def test_invalid_levels_are_errors(level: Any) -> None:
    with pytest.raises(InputError, match="level: a number between 0 and 1"):
        score().interval("bleu_1", level=level, resamples=5)
    half: Any
    for half in (np.float64(0.5), Fraction(1, 2)):
        assert score().interval("bleu_1", level=half, resamples=5)


@pytest.mark.parametrize(
    "metrics", [{"bleu"}, iter(["bleu"]), np.array(["bleu"]), {"bleu": 1}, "bleu"]
)
def test_valid_metrics_are_selected(metrics: Any) -> None:
    assert score(metrics=metrics).columns == ("bleu_1", "bleu_2", "bleu_3", "bleu_4")


@pytest.mark.parametrize(
    "metrics", [5, 3.5, object(), [None], b"bleu", [], {}, [["bleu"]], int, [HUGE]]
)
def test_invalid_metrics_are_errors(metrics: Any) -> None:
    with pytest.raises(InputError, match="metric"):
        score(metrics=metrics)


@pytest.mark.parametrize("name", ["", ",", "\ud800", "x" * 1000, "x" * 10**6, "bleu(", "bleu)"])
def test_unknown_names_are_errors(name: str) -> None:
    with pytest.raises((UnknownMetricError, InputError)) as error:
        score(metrics=name)
    assert len(str(error.value)) < 1500


@pytest.mark.parametrize("tokenizer", [5, [], {}, b"ptb", "", "x" * 10**6])
def test_invalid_tokenizers_are_errors(tokenizer: Any) -> None:
    with pytest.raises(InputError, match="tokenizer") as error:
        score(tokenizer=tokenizer)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("given", [None, {}, [], 5])
def test_empty_references_are_errors(given: Any) -> None:
    with pytest.raises(CaptiousError):
        captious.Scorer(given)
    with pytest.raises(CaptiousError):
        Corpus.of(given, given)
