from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import groupby
from typing import Any, cast

import numpy as np
import pytest

import captious
from captious.errors import CaptiousWarning, InputError, UnknownMetricError
from captious.metrics.cider.cider import CiderD
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from tests.same_scores import assert_same_scores

ALL = ["all"]
pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


@pytest.fixture(scope="module")
def scorer(references: dict[str, list[str]]) -> captious.Scorer:
    return captious.Scorer(references, metrics=ALL)


@pytest.fixture(scope="module")
def whole(candidates: dict[str, str], references: dict[str, list[str]]) -> captious.Result:
    """All metrics' scores of the examples, which every other way must give as well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaptiousWarning)
        return captious.score(candidates, references, metrics=ALL)


@pytest.mark.slow
def test_scorer_equals_score_to_the_last_bit(
    candidates: dict[str, str], scorer: captious.Scorer, whole: captious.Result
) -> None:
    again = scorer.score(candidates)
    assert_same_scores(whole.samples, again.samples)
    assert_same_scores(whole.corpus, again.corpus)
    assert whole.signature == again.signature


@pytest.mark.slow
def test_shuffled_samples_score_the_same_to_the_last_bit(
    candidates: dict[str, str], references: dict[str, list[str]], whole: captious.Result
) -> None:
    order = np.random.default_rng(1).permutation(list(candidates)).tolist()
    second = captious.score(
        {image: candidates[image] for image in order},
        {image: references[image] for image in reversed(order)},
        metrics=ALL,
    )
    place = {image: row for row, image in enumerate(second.ids)}
    rows = [place[image] for image in whole.ids]
    assert_same_scores(whole.samples, {n: s[rows] for n, s in second.samples.items()})
    assert_same_scores(whole.corpus, second.corpus)
    assert all(whole.interval(name) == second.interval(name) for name in whole.columns)


def test_ids_may_repeat(candidates: dict[str, str], references: dict[str, list[str]]) -> None:
    scorer = captious.Scorer(references, metrics=["cider_d", "bleu"])
    images = list(references)[:3]
    ids = [image for image in images for _ in range(2)]
    captions = [candidates[image] for image in ids]
    scores = scorer.score(captions, ids=ids).samples["cider_d"]
    alone = scorer.score(candidates).samples["cider_d"][:3]
    assert scores.tolist() == np.repeat(alone, 2).tolist()


@pytest.mark.slow
def test_parts_scored_in_several_processes_and_threads_are_the_same(
    candidates: dict[str, str], scorer: captious.Scorer, whole: captious.Result
) -> None:
    parts = [list(candidates)[start : start + 7] for start in range(0, len(candidates), 7)]
    tasks = [{image: candidates[image] for image in part} for part in parts]
    for pool in (ThreadPoolExecutor(4), ProcessPoolExecutor(2)):
        with pool:
            results = list(pool.map(scorer.score, tasks))
        joined = {n: np.concatenate([r.samples[n] for r in results]) for n in whole.columns}
        assert_same_scores(whole.samples, joined)


@pytest.mark.slow
def test_references_analysed_in_parts_give_the_same_scores(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    """What a cluster does: each part has its own vocabulary, frequencies are shared."""
    options: dict[str, Any] = {"df": "coco-val2014", "metrics": ALL}
    whole = captious.score(candidates, references, **options).samples
    half = list(candidates)[:13]
    part = captious.score(
        {i: candidates[i] for i in half}, {i: references[i] for i in half}, **options
    ).samples
    assert_same_scores({n: s[:13] for n, s in whole.items()}, part)


@pytest.mark.slow
def test_scorer_pickles(
    candidates: dict[str, str], scorer: captious.Scorer, whole: captious.Result
) -> None:
    scorer.score(dict(list(candidates.items())[:2]))
    copy = pickle.loads(pickle.dumps(scorer))
    assert_same_scores(whole.samples, copy.score(candidates).samples)


@pytest.mark.slow
def test_many_blocks_give_the_same_scores(
    candidates: dict[str, str],
    references: dict[str, list[str]],
    whole: captious.Result,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("captious.samples.SAMPLES_PER_BLOCK", 7)
    again = captious.score(candidates, references, metrics=ALL)
    assert_same_scores(whole.samples, again.samples)


def test_progress_reaches_the_end(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    seen = []
    n = len(candidates)
    metrics = ["bleu", "rouge_l"]
    captious.score(candidates, references, metrics, progress=lambda *step: seen.append(step))
    assert seen == [("scores", done, 2 * n) for done in (0, n, 2 * n)]


@pytest.mark.slow
def test_progress_covers_the_analysis_of_references(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    seen: list[tuple[str, int, int]] = []
    scorer = partial(captious.score, candidates, references, ["spice"], cache=False)
    scorer(progress=lambda *step: seen.append(step))
    works = [work for work, _ in groupby(seen, key=lambda step: step[0])]
    assert works[:2] == ["sentences parsed", "scene graphs"]  # before any score
    total = len({caption for captions in references.values() for caption in captions})
    assert seen[0][1:] == (0, total)
    ends = [(done, of) for _, done, of in seen if done == of]
    assert ends[0] == (total, total) and ends[-1] == (len(candidates), len(candidates))


def test_few_images_give_a_warning() -> None:
    with pytest.warns(CaptiousWarning, match="coco-val2014"):
        result = captious.score(["a dog"], [["a dog"]], metrics=["cider_d"])
    assert result.corpus["cider_d"] == 0.0


@pytest.mark.filterwarnings("error")
def test_shipped_frequencies_need_no_warning_and_score_one_image() -> None:
    caption = "a black dog runs on the beach"
    result = captious.score([caption], [[caption]], metrics=["cider_d"], df="coco-val2014")
    assert result.corpus["cider_d"] == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: s.score({"nowhere": "a"}), InputError, "'nowhere': no references were prepared"),
        (lambda s: s.score(["a"], ids=["x", "y"]), InputError, "1 candidates but 2 ids"),
        (lambda s: s.score([]), InputError, "candidates but|no samples"),
        (lambda s: s.score({}), InputError, "no samples"),
        (lambda s: s.score("abc"), InputError, "candidates: a list or a dict"),
        (lambda s: s.score([None], ids=["x"]), InputError, "must be a string"),
        (lambda s: captious.Scorer([["a"]], ["belu"]), UnknownMetricError, "did you mean 'bleu'"),
        (
            lambda s: captious.Scorer([["a"]], ["bleu"], df="x"),
            InputError,
            "no metric chosen by name",
        ),
        (lambda s: captious.Scorer([["a"]], []), InputError, "no metrics"),
        (lambda s: captious.Scorer([], ["bleu"]), InputError, "no references"),
        (lambda s: captious.Scorer([["a"]], tokenizer="x"), InputError, "unknown tokenizer"),
    ],
)
def test_mistakes_are_errors(
    call: Callable[..., Any], error: type[Exception], message: str
) -> None:
    scorer = captious.Scorer({"x": ["a dog"]}, metrics=["bleu"])
    with pytest.raises(error, match=message):
        call(scorer)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: captious.score(["a"], [["a"]], [CiderD()], df="coco-val2014"), "chosen by name"),
        (lambda: captious.score(["a"], [["a"]], [CiderD(), CiderD(n=2)]), "asked for twice"),
        (
            lambda: captious.score(["a"], [["a"]], cast(Any, [CiderD])),
            "a name, a metric or a function",
        ),
        (lambda: captious.score({1: "a", "1": "b"}, {1: ["a"], "1": ["b"]}), "look alike"),
        (lambda: captious.Scorer(cast(Any, None)), "Scorer: references: a list, a dict"),
        (
            lambda: captious.Scorer([["a"]], ["bleu"]).score(["a"], ids=cast(Any, [[1]])),
            "no references were",
        ),
        (
            lambda: captious.Scorer([["a"]], ["bleu"]).score(["a"], ids=cast(Any, 1)),
            "Scorer.score: ids: a list or None, not 1",
        ),
        (lambda: CiderD(n=cast(Any, 2.5)), "n: a whole number from 1 up to 4"),
        (lambda: CiderD(sigma=0), "sigma: a number from 1e-06"),
        (lambda: CiderD(df=cast(Any, 5)), "df: a DocumentFrequencies, a path or None, not 5"),
        (lambda: DocumentFrequencies.merge([]), "no document frequencies"),
    ],
)
def test_further_mistakes_are_errors(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_arrays_and_columns_of_data_frames_are_lists_too() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c": ["a dog", "a cat"], "r": [["a dog"], ["the cat"]]})
    expected = captious.score(["a dog", "a cat"], [["a dog"], ["the cat"]], ["bleu"]).corpus
    assert captious.score(frame["c"], frame["r"], ["bleu"]).corpus == expected
    others = frame["r"].set_axis([7, 9])  # from elsewhere, and in the candidates' order
    assert captious.score(frame["c"], others, ["bleu"]).corpus == expected
    with pytest.raises(InputError, match="the same labels in different orders"):
        captious.score(frame["c"], frame["r"].iloc[::-1], ["bleu"])
    arrays = [np.array(["a dog"]), np.array(["the cat"])]
    assert captious.score(np.array(["a dog", "a cat"]), arrays, ["bleu"]).corpus == expected


def test_columns_and_groups_can_be_named(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    result = captious.score(candidates, references, metrics=["bleu_4", "rouge_l"])
    assert list(result.corpus) == ["bleu_4", "rouge_l"]
    group = captious.score(candidates, references, metrics="coco")
    assert {"bleu_1", "meteor", "cider_d"} <= group.corpus.keys()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_scores_do_not_depend_on_the_number_of_threads(
    threads: int,
    candidates: dict[str, str],
    references: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metrics = ["bleu", "meteor", "rouge_l", "cider_d"]
    alone = captious.score(candidates, references, metrics)
    for module, minimum in (
        ("captious.scorer", "MIN_SAMPLES_FOR_THREADS"),
        ("captious.text.meteor.alignment", "MIN_PAIRS_PER_THREAD"),
    ):
        monkeypatch.setattr(f"{module}.available_cores", lambda: threads)
        monkeypatch.setattr(f"{module}.{minimum}", 1)
    seen: list[tuple[str, int, int]] = []
    beside = captious.score(
        candidates, references, metrics, progress=lambda *step: seen.append(step)
    )
    assert_same_scores(alone.samples, beside.samples)
    assert alone.corpus == beside.corpus
    assert list(beside.corpus) == list(alone.corpus)
    assert seen[-1] == ("scores", 4 * len(candidates), 4 * len(candidates))
    scorer = captious.Scorer(references, metrics)
    assert_same_scores(alone.samples, scorer.score(candidates).samples)
