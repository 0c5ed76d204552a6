"""CIDEr as self-critical training calls it, beside a plain reckoning of the formula."""

from __future__ import annotations

import math
import pickle
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.pyciderevalcap.cider.cider import Cider
from captious.pyciderevalcap.cider.cider_scorer import CiderScorer as PlainScorer
from captious.pyciderevalcap.ciderD.ciderD import CiderD
from captious.pyciderevalcap.ciderD.ciderD_scorer import CiderScorer
from captious.pyciderevalcap.eval import CIDErEvalCap

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

GTS: dict[Any, list[str]] = {
    5: ["a dog runs on the beach", "the brown dog is running", "a dog"],
    1: ["two men ski down a hill", "men skiing on a hill"],
    3: ["a red bus", "a bus on a street in the city"],
    4: ["an image that nobody described"],
}
# Two samples of image 5.
RES: list[dict[str, Any]] = [
    {"image_id": 5, "caption": ["a dog on the beach"]},
    {"image_id": 1, "caption": ["two men on a hill"]},
    {"image_id": 5, "caption": ["dog dog a dog"]},
    {"image_id": 3, "caption": ["a red bus on the street"]},
]
DF = defaultdict(float, {("a",): 40.0, ("dog",): 7.0, ("a", "dog"): 5.0, ("on", "a"): 3.0})
DOCUMENTS = 50


def reckoned(
    candidate: str, references: list[str], df: dict[Any, float], documents: float, clip: bool
) -> float:
    """CIDEr or, with `clip`, CIDEr-D of one caption."""

    def vector(caption: str, n: int) -> dict[Any, float]:
        words = caption.split()
        counts = Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
        return {
            ngram: count * (math.log(documents) - math.log(max(1.0, df.get(ngram, 0.0))))
            for ngram, count in counts.items()
        }

    total = 0.0
    for reference in references:
        gap = len(candidate.split()) - len(reference.split())
        for n in (1, 2, 3, 4):
            mine, theirs = vector(candidate, n), vector(reference, n)
            dot = sum(
                (min(weight, theirs.get(ngram, 0.0)) if clip else weight) * theirs.get(ngram, 0.0)
                for ngram, weight in mine.items()
            )
            norms = math.hypot(*mine.values(), 0.0) * math.hypot(*theirs.values(), 0.0)
            penalty = math.exp(-(gap**2) / 72) if clip else 1.0
            total += penalty * dot / norms if norms else 0.0
    return 10 * total / 4 / len(references)


def own_frequencies() -> dict[Any, float]:
    """Over results: an image that has two counts twice."""
    df: dict[Any, float] = defaultdict(float)
    for result in RES:
        ngrams = {
            tuple(words[i : i + n])
            for words in map(str.split, GTS[result["image_id"]])
            for n in (1, 2, 3, 4)
            for i in range(len(words) - n + 1)
        }
        for ngram in ngrams:
            df[ngram] += 1
    return df


def expected(df: dict[Any, float], documents: int, clip: bool) -> list[float]:
    return [
        reckoned(result["caption"][0], GTS[result["image_id"]], df, documents, clip)
        for result in RES
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with document frequencies as self-critical training has them."""
    (tmp_path / "data").mkdir()
    contents = {"document_frequency": DF, "ref_len": DOCUMENTS}
    (tmp_path / "data" / "coco-train-words.p").write_bytes(pickle.dumps(contents, 2))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("kind", "clip"), [(CiderD, True), (Cider, False)])
def test_frequencies_of_the_results_themselves(kind: type[CiderD], clip: bool) -> None:
    score, scores = kind(df="corpus").compute_score(GTS, RES)
    assert isinstance(score, np.float64) and isinstance(scores, np.ndarray)
    assert scores == pytest.approx(expected(own_frequencies(), len(RES), clip))
    assert score == scores.mean()


@pytest.mark.parametrize(("kind", "clip"), [(CiderD, True), (Cider, False)])
@pytest.mark.parametrize("name", ["coco-train-words", "data/coco-train-words.p", Path("x.npz")])
def test_frequencies_of_a_file(
    kind: type[CiderD], clip: bool, name: str | Path, folder: Path
) -> None:
    DocumentFrequencies.load(folder / "data" / "coco-train-words.p").save(folder / "x.npz")
    scorer = kind(df=name)
    for _ in range(2):  # rewards are asked for again and again
        assert scorer.compute_score(GTS, RES)[1] == pytest.approx(expected(DF, DOCUMENTS, clip))


def test_sigma_is_accepted_and_ignored() -> None:
    assert CiderD(sigma=1.0).compute_score(GTS, RES)[0] == CiderD().compute_score(GTS, RES)[0]
    assert CiderD().method() == "CIDEr-D"
    assert Cider().method() == "CIDEr"


def test_unknown_frequencies_are_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match=r"'absent'.*data/absent\.p.*coco-val2014"):
        CiderD(df="absent")
    assert CiderD(df="coco-val2014").cider_scorer.ref_len == pytest.approx(np.log(40504))


@pytest.mark.parametrize(
    "result",
    [{"image_id": 5, "caption": "text"}, {"image_id": 5, "caption": []}, {"caption": ["a"]}, 7,
     {"image_id": 999, "caption": ["a"]}],
)  # fmt: skip
def test_a_wrong_result_is_named(result: Any) -> None:
    with pytest.raises(InputError, match="result 2"):
        CiderD().compute_score(GTS, [RES[0], result])


def test_the_scorer_is_filled_emptied_and_copied(folder: Path) -> None:
    scorer = CiderScorer(df_mode="coco-train-words")
    scorer += ("a dog on the beach", GTS[5])
    assert scorer.compute_score()[1] == pytest.approx(expected(DF, DOCUMENTS, True)[:1])
    empty = scorer.copy_empty()
    assert (empty.size(), empty.ref_len) == (0, np.log(DOCUMENTS))
    empty += ("two men on a hill", GTS[1])
    assert empty.compute_score()[1] == pytest.approx(expected(DF, DOCUMENTS, True)[1:2])
    scorer.clear()
    assert scorer.size() == 0
    with pytest.raises(InputError, match="nothing to score"):
        scorer.compute_score()
    with pytest.raises(InputError, match="cannot be added to"):
        scorer.compute_doc_freq()


def test_frequencies_are_counted_as_training_prepares_them() -> None:
    scorer = CiderScorer(df_mode="corpus")
    for result in RES:
        scorer.cook_append(None, GTS[result["image_id"]])
    scorer.compute_doc_freq()
    assert scorer.document_frequency == own_frequencies()
    assert len(scorer.crefs) == len(RES)


def test_self_cider_compares_each_pair() -> None:
    cider = Cider(df="corpus")
    for references in GTS.values():
        cider.cider_scorer += (None, references)
    cider.cider_scorer.compute_doc_freq()
    cider.cider_scorer.ref_len = np.log(float(len(cider.cider_scorer.crefs)))
    captions = [["a dog", "a brown dog", "two men"], ["a bus", "a red bus"]]
    tables = cider.my_self_cider(captions)
    assert [table.shape for table in tables] == [(3, 3), (2, 2)]
    frequencies: Any = cider.cider_scorer.document_frequency
    for table, several in zip(tables, captions, strict=True):
        for row, first in zip(table, several, strict=True):
            for cell, second in zip(row, several, strict=True):
                assert cell == pytest.approx(reckoned(first, [second], frequencies, 4, clip=False))
    mean, scores = cider.my_compute_score([GTS[5], GTS[3]], [["a dog", "dogs"], ["a bus", "bus"]])
    assert scores.shape == (2, 2)
    assert scores[0, 0] == pytest.approx(reckoned("a dog", GTS[5], frequencies, 4, clip=False))
    assert mean == scores.mean()
    assert PlainScorer(test="a dog", refs=["a dog"]).size() == 1


def test_a_whole_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    gts = {image: [{"caption": text.capitalize() + "."} for text in GTS[image]] for image in GTS}
    res = [{"image_id": each["image_id"], "caption": each["caption"][0] + " !"} for each in RES]
    scores = CIDErEvalCap(gts, res, "corpus").evaluate()
    assert list(scores) == ["CIDEr", "CIDErD"]
    assert scores["CIDErD"] == pytest.approx(expected(own_frequencies(), len(RES), clip=True))
    assert scores["CIDEr"] == pytest.approx(expected(own_frequencies(), len(RES), clip=False))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "tokenization...", "tokenized refs", "tokenized cands", "setting up scorers...",
    ]  # fmt: skip
    assert lines[-1] == f"Mean CIDErD score: {np.mean(scores['CIDErD']):.3f}"
