"""Our module for Hugging Face's evaluate, loaded from the package without network."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.integrations import evaluate_module
from tests.integrations.captions import CANDIDATES, REFERENCES

pytestmark = [
    pytest.mark.filterwarnings("ignore::captious.CaptiousWarning"),
    pytest.mark.filterwarnings("ignore:.*:DeprecationWarning"),
]
Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """`evaluate.load` with a cache of its own and no way to the network."""
    evaluate = pytest.importorskip("evaluate")

    def refuse(*arguments: Any, **named: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    def loaded(*arguments: Any) -> Any:
        return evaluate.load(evaluate_module(), *arguments, cache_dir=str(tmp_path))

    return loaded


def test_corpus_scores_intervals_and_signature(load: Load) -> None:
    module = load("cider_d,captious")
    assert module.name == "captious"
    found = module.compute(
        predictions=CANDIDATES, references=REFERENCES, intervals=True, signature=True
    )
    expected = captious.score(CANDIDATES, REFERENCES, "cider_d,captious")
    assert found.pop("signature") == expected.signature
    for name in expected.columns:
        assert found.pop(name) == expected.corpus[name]
        assert (found.pop(f"{name}_low"), found.pop(f"{name}_high")) == expected.interval(name)
    assert not found


def test_metrics_and_options_when_it_computes(load: Load) -> None:
    module = load()
    for metrics in ("bleu_4", ["rouge_l", "cider_d"]):
        options: dict[str, Any] = {"df": "coco-val2014"} if "cider_d" in metrics else {}
        found = module.compute(
            predictions=CANDIDATES, references=REFERENCES, metrics=metrics, **options
        )
        assert found == captious.score(CANDIDATES, REFERENCES, metrics, **options).corpus
    assert "spice" in module.compute(predictions=CANDIDATES[:2], references=REFERENCES[:2])


def test_one_reference_as_text_and_captions_one_by_one(load: Load) -> None:
    module = load("rouge_l")
    first = [each[0] for each in REFERENCES]
    expected = captious.score(CANDIDATES, [[each] for each in first], "rouge_l").corpus
    assert module.compute(predictions=CANDIDATES, references=first) == expected
    for candidate, reference in zip(CANDIDATES, first, strict=True):
        module.add(prediction=candidate, reference=reference)
    assert module.compute() == expected
    for start in range(0, len(CANDIDATES), 7):
        end = start + 7
        module.add_batch(predictions=CANDIDATES[start:end], references=first[start:end])
    assert module.compute() == expected


def test_combined(load: Load) -> None:
    evaluate = pytest.importorskip("evaluate")
    both = evaluate.combine([load("rouge_l"), load("meteor")])
    expected = captious.score(CANDIDATES, REFERENCES, "rouge_l,meteor").corpus
    assert both.compute(predictions=CANDIDATES, references=REFERENCES) == expected


def test_what_cannot_be_scored(load: Load) -> None:
    module = load("rouge_l")
    with pytest.raises(captious.CaptiousError, match="row 1: no references"):
        module.compute(predictions=["a", "b"], references=[["a"], []])
    with pytest.raises(captious.CaptiousError, match="did you mean"):
        load("cidr").compute(predictions=["a"], references=[["a"]])
