"""The meshed-memory transformer's evaluation."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.m2.evaluation import Cider, PTBTokenizer, compute_scores
from captious.m2.evaluation.cider.cider_scorer import CiderScorer
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.meteor import Meteor as MeteorMetric
from captious.metrics.rouge_l import RougeL
from captious.pycocoevalcap.cider.cider import Cider as ToolkitCider
from captious.pycocoevalcap.tokenized import score_tokenized
from tests.places import ROOT
from tests.pyciderevalcap.test_pyciderevalcap import reckoned

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

TRAINED: dict[Any, list[str]] = {
    i: [text] for i, text in enumerate(["a dog", "a cat", "a dog runs", "men"])
}
GTS: dict[Any, list[str]] = {"0_0": ["a dog runs on the beach", "the dog"], "0_1": ["a cat sits"]}
RES: dict[Any, list[str]] = {"0_0": ["a dog on the beach"], "0_1": ["a cat"]}


def test_text_is_tokenized_without_making_a_tokenizer() -> None:
    tokenize = PTBTokenizer.tokenize
    assert tokenize(["A dog.", "Two MEN!"]) == {0: ["a dog"], 1: ["two men"]}
    assert tokenize([["A dog.", "Dogs"], ("Men",)]) == {0: ["a dog", "dogs"], 1: ["men"]}
    assert tokenize({"0_0": ["A dog."], 7: "A cat."}) == {"0_0": ["a dog"], 7: ["a cat"]}
    assert tokenize([]) == {}
    # A pool of processes is given the method itself.
    assert pickle.loads(pickle.dumps(tokenize))(["A dog."]) == {0: ["a dog"]}
    with pytest.raises(InputError, match="id 1"):
        tokenize(["a", [1]])


def test_cider_takes_its_frequencies_from_what_it_was_made_with() -> None:
    cider = Cider(TRAINED)
    df: dict[Any, float] = {
        ("a",): 3, ("dog",): 2, ("cat",): 1, ("runs",): 1, ("men",): 1, ("a", "dog"): 2,
    }  # fmt: skip
    score, scores = cider.compute_score(GTS, RES)
    expected = [reckoned(RES[image][0], GTS[image], df, 4, clip=True) for image in GTS]
    assert scores == pytest.approx(expected)
    assert scores.astype(np.float32).dtype == np.float32
    assert score == pytest.approx(np.mean(expected))
    assert cider.ref_len == np.log(4.0)
    assert isinstance(cider.doc_frequency, DocumentFrequencies)
    # The toolkit's class ignores what it is made with, and so says something else.
    own = Cider().compute_score(GTS, RES)[0]
    assert own == ToolkitCider(TRAINED).compute_score(GTS, RES)[0]
    assert own != pytest.approx(score, abs=0.05)


def test_the_documented_example_prints_the_documented_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (ROOT / "docs" / "drop_in.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(from captious\.m2.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    assert capsys.readouterr().out.split() == re.findall(r"# ([0-9.]+)$", example, re.MULTILINE)
    # Under the document frequencies of all images, an image's score is the one that it has where
    # all of them are scored.
    everything = {image: captions[:1] for image, captions in names["gts"].items()} | names["gen"]
    _, among_all = ToolkitCider().compute_score(names["gts"], everything)
    _, scores = Cider(names["gts"]).compute_score(names["scored"], names["gen"])
    assert scores == pytest.approx(among_all[:2])


def test_the_scorer_of_dicts() -> None:
    own = CiderScorer(GTS, test=RES)
    assert own.compute_score()[1] == pytest.approx(Cider().compute_score(GTS, RES)[1])
    trained = CiderScorer(TRAINED)
    given = CiderScorer(GTS, test=RES, doc_frequency=trained.doc_frequency, ref_len=trained.ref_len)
    assert given.compute_score()[0] == pytest.approx(Cider(TRAINED).compute_score(GTS, RES)[0])


def test_all_scores_by_the_names_of_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    score, scores = compute_scores(GTS, RES)
    assert list(score) == list(scores) == ["BLEU", "METEOR", "ROUGE", "CIDEr"]
    assert len(score["BLEU"]) == len(scores["BLEU"]) == 4
    result = score_tokenized(GTS, RES, [MeteorMetric(), RougeL()])
    assert score["METEOR"] == result.corpus["meteor"]
    assert score["ROUGE"] == result.corpus["rouge_l"]
    assert capsys.readouterr().out == ""  # it never printed anything
