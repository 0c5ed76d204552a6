"""Several evaluations in one table: by number of references, and by benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.meta import (
    PRESETS,
    Protocol,
    evaluate,
    evaluate_by_references,
    survey,
)
from tests.made_up.judged_captions import rated
from tests.meta.as_json import as_json

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images


def test_agreement_is_listed_by_number_of_references(ratings_file: Path) -> None:
    seen: dict[int, list[set[str]]] = {}

    def look(candidate: str, references: Sequence[str]) -> float:
        seen.setdefault(len(references), []).append(set(references))
        return float(len(candidate))

    found = evaluate_by_references(
        "custom", [3, 1, 2, 1], ["rouge_l", look], data=ratings_file, resamples=20
    )
    assert found.counts == (1, 2, 3)
    assert all(len(seen[count]) == 12 for count in (1, 2, 3))
    for one, two, three in zip(seen[1], seen[2], seen[3], strict=True):
        assert one < two < three
    assert list(found.curves) == ["rouge_l", "look"] and len(found.curves["look"]) == 3
    for count, row in zip(found.counts, found.curves["rouge_l"], strict=True):
        alone = evaluate(
            "custom", "rouge_l", data=ratings_file, protocol=Protocol(references=count), resamples=0
        )
        assert row.values == alone.agreements["rouge_l"].values
    payload = as_json(found)
    assert payload["references"] == [1, 2, 3]
    assert [each["protocol"]["references"] for each in payload["evaluations"]] == [1, 2, 3]
    assert "by number of references" in str(found) and "95% interval at 3" in str(found)


def test_agreement_is_listed_by_number_of_references_and_pool(ratings_file: Path) -> None:
    found = evaluate_by_references(
        "custom", [1, 3], "rouge_l", data=ratings_file, pools=[None, "max", "min"], resamples=0
    )
    assert list(found.curves) == ["rouge_l", "rouge_l max", "rouge_l min"]
    firsts = [curve[0].values["pearson"] for curve in found.curves.values()]
    assert firsts == pytest.approx([firsts[0]] * 3)  # one reference is its own pool
    lasts = [curve[-1].values["pearson"] for curve in found.curves.values()]
    assert len(set(lasts)) > 1
    whole = evaluate(rated(), "rouge_l", pool="min", resamples=0)
    assert found.curves["rouge_l min"][1].values == whole.agreements["rouge_l"].values
    assert {each["pool"] for each in as_json(found)["evaluations"]} == {None, "max", "min"}


def test_references_at_random_stand_beside_the_first_of_the_file(ratings_file: Path) -> None:
    seen: dict[str, list[list[str]]] = {}

    def look(candidate: str, references: Sequence[str]) -> float:
        seen.setdefault(candidate, []).append(list(references))
        return float(len(candidate))

    found = evaluate_by_references(
        "custom", ["first:2", "3", "first:1", 1], look, data=ratings_file, resamples=0
    )
    assert found.counts == (1, 3, "first:1", "first:2")
    texts = rated()
    for text, references in zip(texts.candidates, texts.references, strict=True):
        _, _, one, two = seen[text]
        assert (one, two) == (references[:1], references[:2])
    header = ["1", "3", "first:1", "first:2", "95% interval at first:2"]
    assert found.as_tables()[0].header[1:] == header
    assert [each["references"] for each in as_json(found)["evaluations"]] == [*found.counts]
    for count, evaluation in zip(found.counts, found.evaluations.values(), strict=True):
        assert f"references={count}" in evaluation.signature


@pytest.mark.parametrize("counts", [[], [0], [2, -1], ["two"], [1.5], ["last:2"], ["first:0"]])
def test_invalid_numbers_of_references_are_refused(ratings_file: Path, counts: Any) -> None:
    with pytest.raises(InputError, match=r"^numbers of references: .*first:"):
        evaluate_by_references("custom", counts, "bleu", data=ratings_file)


def test_unknown_pools_and_protocols_are_refused(ratings_file: Path) -> None:
    with pytest.raises(InputError, match="cannot pool by 'median'"):
        evaluate_by_references("custom", [1], "bleu", data=ratings_file, pools=["median"])
    with pytest.raises(InputError, match="no protocol 'mine'"):
        evaluate_by_references("custom", [1], "bleu", data=ratings_file, protocol="mine")


def test_survey_lists_absent_benchmarks(flickr8k: Path) -> None:
    started: list[str] = []
    found = survey(["bleu_1", "rouge_l"], data=flickr8k, started=started.append, resamples=0)
    assert list(found.evaluations) == ["flickr8k-expert"]
    assert started == ["flickr8k-expert"]
    assert set(found.absent) == set(PRESETS["standard"]) - {"flickr8k-expert", "custom"}
    assert all("get it from" in reason for reason in found.absent.values())
    alone = evaluate("flickr8k-expert", ["bleu_1", "rouge_l"], data=flickr8k, resamples=0)
    assert alone.agreements["bleu_1"].n == 15  # the pair with an own caption is dropped
    assert as_json(found)["evaluations"] == [as_json(alone)]
    text = str(found)
    assert "flickr8k-expert tau_c" in text and "left out: " in text
    assert f"{alone.agreements['rouge_l'].values['kendall_c']:.3f}" in text
    assert "0.323" in text  # what is published of ROUGE-L, in brackets


def test_survey_without_any_benchmark_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no benchmark's files are there; .*get it from"):
        survey("bleu", data=tmp_path)
    with pytest.raises(InputError, match="no protocol 'mine'"):
        survey("bleu", data=tmp_path, protocol="mine")
