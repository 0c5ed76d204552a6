from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.result import Result, concatenate_results, per_sample_fields

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


@pytest.fixture(scope="module")
def result(candidates: dict[str, str], references: dict[str, list[str]]) -> Result:
    with pytest.warns(captious.CaptiousWarning):
        return captious.score(candidates, references, metrics=["bleu", "rouge_l", "cider_d"])


def test_interval_holds_the_score_and_is_reproducible(result: Result) -> None:
    for name, score in result.corpus.items():
        low, high = result.interval(name)
        assert low <= score <= high
        assert (low, high) == result.interval(name)
    assert result.interval("bleu_4", level=0.5)[0] > result.interval("bleu_4")[0]


def test_interval_of_a_mean_equals_a_plain_bootstrap(result: Result) -> None:
    scores = result.samples["rouge_l"]
    rng = np.random.default_rng(7)
    means = [rng.choice(scores, len(scores)).mean() for _ in range(4000)]
    expected = np.quantile(means, [0.025, 0.975])
    assert result.interval("rouge_l") == pytest.approx(expected, abs=0.01)


def test_samples_of_one_image_are_resampled_together(references: dict[str, list[str]]) -> None:
    images = list(references)[:5]
    scorer = captious.Scorer(references, metrics=["rouge_l"])
    captions = [references[image][0] for image in images]
    once = scorer.score(captions, ids=images)
    thrice = scorer.score(captions * 3, ids=images * 3)
    assert thrice.interval("rouge_l") == pytest.approx(once.interval("rouge_l"))


@pytest.mark.parametrize("call", [{"name": "spam"}, {"name": "bleu_1", "level": 2}])
def test_invalid_interval_arguments_are_errors(result: Result, call: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        result.interval(**call)


def test_formats(result: Result) -> None:
    data = json.loads(result.to_json())
    assert set(data) == {"n", "corpus", "interval", "signature"}
    assert data["corpus"] == result.corpus
    assert "| bleu_1 " in result.to_markdown()
    assert "\\toprule" in result.to_latex()
    assert result.signature in str(result)
    with pytest.raises(InputError, match="unknown format"):
        result.to_text("yaml")


def test_signature_names_what_scores_depend_on(result: Result) -> None:
    for part in ("captious:", "tokenizer:ptb", "cider_d(", "df=references", "samples:30"):
        assert part in result.signature


def test_pandas(result: Result) -> None:
    frame = result.to_pandas()
    assert list(frame.columns) == list(result.columns)
    assert frame.index.tolist() == list(result.ids)
    assert frame["cider_d"].to_numpy().tolist() == result.samples["cider_d"].tolist()


# Fields of a result that are about all samples together.
OF_ALL_SAMPLES = {
    *("metrics", "columns", "signature", "unused_references", "left_out"),
    *("interval_method", "resamples", "seed", "_resampled"),
}


def test_every_field_is_declared_per_sample_or_of_all_samples() -> None:
    names = {each.name for each in dataclasses.fields(Result)}
    assert names == {*per_sample_fields(), *OF_ALL_SAMPLES}, (
        "mark a field that has a value for each sample with metadata=PER_SAMPLE in result.py, and "
        "add any other to OF_ALL_SAMPLES above"
    )


def test_taken_and_concatenated_results_keep_every_field_of_their_samples(result: Result) -> None:
    result = dataclasses.replace(result, groups={"by": [str(row % 3) for row in range(result.n)]})
    first, second = result.take(range(10)), result.take(range(10, result.n))
    assert first.captions is not None and result.captions is not None
    assert first.captions.candidates == result.captions.candidates[:10]
    joined = concatenate_results([first, second])
    assert list(joined.ids) == list(result.ids) and joined.groups == result.groups
    assert joined.captions is None and joined.corpus == result.corpus
    for name, statistics in result.statistics.items():
        assert np.array_equal(first.statistics[name], statistics[:10])
        assert np.array_equal(joined.statistics[name], statistics)
