from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.comparison.score_files import read_scores
from captious.errors import CaptiousWarning, InputError
from captious.result import Result

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
METRICS = ["bleu", "rouge_l", "meteor"]


@pytest.fixture(scope="module")
def results(candidates: dict[str, str], references: dict[str, list[str]]) -> list[Result]:
    good = {image: captions[0] for image, captions in references.items()}
    return [captious.score(c, references, metrics=METRICS) for c in (candidates, good)]


def test_a_clear_difference_is_significant(results: list[Result]) -> None:
    comparison = captious.compare(*results)
    for row in comparison.rows:
        assert row.difference == pytest.approx(row.b - row.a)
        assert row.interval[0] <= row.difference <= row.interval[1]
        assert row.p_bootstrap < 0.01 and row.p_randomisation < 0.01


def test_a_system_does_not_differ_from_itself(results: list[Result]) -> None:
    for row in captious.compare(results[0], results[0]).rows:
        assert row.difference == 0 and row.p_bootstrap == 1 and row.p_randomisation == 1


def test_order_of_samples_does_not_matter(
    results: list[Result], candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    shuffled = dict(sorted(candidates.items(), reverse=True))
    again = captious.score(shuffled, references, metrics=METRICS)
    assert captious.compare(again, results[1]) == captious.compare(*results)


@pytest.mark.slow
def test_p_values_are_uniform_where_nothing_differs(references: dict[str, list[str]]) -> None:
    """Two systems that differ by coin flips: about one in ten is significant at ten per cent."""
    rng = np.random.default_rng(3)
    images = list(references)
    good = [references[image][0] for image in images]
    bad = [references[image][0].rsplit(" ", 4)[0] for image in images]
    scorer = captious.Scorer(references, metrics=["rouge_l"])
    found = 0
    for _ in range(40):
        flips = rng.integers(2, size=len(images))
        a = [g if f else b for g, b, f in zip(good, bad, flips, strict=True)]
        b = [b if f else g for g, b, f in zip(good, bad, flips, strict=True)]
        comparison = captious.compare(
            scorer.score(a, ids=images), scorer.score(b, ids=images), resamples=200
        )
        found += comparison.rows[0].p_randomisation < 0.1
    assert found <= 12


@pytest.mark.parametrize("name", ["s.jsonl", "s.json", "s.csv", "s.parquet", "s.csv.gz"])
def test_files_carry_all_that_a_comparison_needs(
    results: list[Result], tmp_path: Path, name: str
) -> None:
    paths = [tmp_path / f"{side}-{name}" for side in "ab"]
    for result, path in zip(results, paths, strict=True):
        result.save(path)
    assert captious.compare(*map(read_scores, paths)) == captious.compare(*results)


@pytest.mark.parametrize("ids", [[1, "two"], [10**30, 2]])
def test_ids_that_a_format_has_no_type_for_are_written_as_text(
    tmp_path: Path, ids: list[int | str]
) -> None:
    result = captious.Scorer({i: ["a dog"] for i in ids}, metrics=["bleu"]).score(["a", "b"])
    for name in ("s.parquet", "s.csv", "s.jsonl"):
        result.save(tmp_path / name)
        assert list(map(str, read_scores(tmp_path / name).ids)) == list(map(str, ids))


@pytest.mark.parametrize("draws", [{"resamples": 0}, {"resamples": 1.5}, {"seed": -1}])
def test_invalid_resamples_are_refused(results: list[Result], draws: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="whole number"):
        captious.compare(*results, **draws)
    with pytest.raises(InputError, match="whole number"):
        results[0].interval("bleu_1", **draws)


def test_other_settings_are_warned_of_also_from_files(
    candidates: dict[str, str], references: dict[str, list[str]], tmp_path: Path
) -> None:
    sides = [
        captious.score(candidates, references, metrics=["cider_d"], df="coco-val2014", n=n)
        for n in (3, 4)
    ]
    with pytest.warns(CaptiousWarning, match="n=3.*against.*n=4"):
        captious.compare(*sides)
    for side, name in zip(sides, "ab", strict=True):
        side.save(tmp_path / f"{name}.jsonl")
    with pytest.warns(CaptiousWarning, match="scored differently"):
        captious.compare(*(read_scores(tmp_path / f"{name}.jsonl") for name in "ab"))


def test_different_images_are_refused(
    results: list[Result], references: dict[str, list[str]]
) -> None:
    other = captious.score({"x": "a"}, {"x": ["a"]}, metrics=METRICS)
    with pytest.raises(InputError, match="same ids"):
        captious.compare(results[0], other)


def test_nothing_in_common_is_refused(
    results: list[Result], candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    other = captious.score(candidates, references, metrics=["unigram_recall"])
    with pytest.raises(InputError, match="no scores in common"):
        captious.compare(results[0], other)
