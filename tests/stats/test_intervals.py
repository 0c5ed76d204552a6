"""Intervals, by every method, of everything that is resampled; beside SciPy and a textbook."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import captious
from captious.cli.main import main
from captious.errors import InputError
from captious.meta.agreement import Agreement, agree, agree_by_group
from captious.meta.evaluation import evaluate
from captious.meta.protocol import Protocol
from captious.meta.robustness.rows import decay_row
from captious.meta.two_metrics import versus
from captious.pregen.search import search
from captious.pregen.search_table import SearchTable
from captious.pregen.selection import selection_outcome
from captious.stats.bootstrap import jackknife_counts
from captious.stats.correlation import correlations
from captious.stats.intervals import METHODS, Estimate, ResampledSums, _acceleration, _quantiles
from tests.made_up.judgements import preferences_of, ratings_of

# Twenty-six children's scores in a test of spatial perception: Efron and Tibshirani 1993, p. 180.
SPATIAL = np.fromstring(
    "48 36 20 29 42 42 20 42 22 41 45 14 6 0 33 28 34 4 32 24 47 41 24 26 30 41", sep=" "
)


def variance(sums: Any) -> Any:
    count, total, squares = np.moveaxis(sums, -1, 0)
    return {"variance": squares / count - (total / count) ** 2}


def mean(sums: Any) -> Any:
    return {"mean": sums[..., 1] / sums[..., 0]}


def powers(values: Any) -> Any:
    return np.column_stack([np.ones(len(values)), values, values**2])


def spatial(resamples: int = 2000, seed: int = 0) -> Any:
    return ResampledSums(powers(SPATIAL), variance, resamples, seed)["variance"]


def test_the_textbooks_example() -> None:
    """Chapter 14: the variance is 171.5, a = .061, z0 = .146, 90% from 115.8 to 259.6."""
    estimate = spatial(20_000)
    assert estimate.observed == pytest.approx(171.5, abs=0.05)
    assert _acceleration(estimate.jackknife()) == pytest.approx(0.061, abs=5e-4)
    assert estimate.interval(0.9) == pytest.approx((100.8, 233.9), abs=5)
    assert estimate.interval(0.9, "bca") == pytest.approx((115.8, 259.6), abs=5)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_scipy_on_the_same_resamples(level: Any, seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(seed)
    for values in (SPATIAL, rng.exponential(size=30), rng.normal(size=12) ** 3):
        estimate = ResampledSums(powers(values), variance, 500, seed)["variance"]
        for method, theirs in (("percentile", "percentile"), ("bca", "BCa")):
            expected = stats.bootstrap(
                (values,),
                lambda x, axis: x.var(axis=axis),
                method=theirs,
                confidence_level=level,
                n_resamples=0,
                bootstrap_result=SimpleNamespace(bootstrap_distribution=estimate.draws),
            ).confidence_interval
            assert estimate.interval(level, method) == pytest.approx(expected, rel=1e-9)


def test_the_normal_distribution_is_accurate() -> None:
    special = pytest.importorskip("scipy.special")
    for p in (1e-16, 1e-9, 0.001, 0.025, 0.3, 0.5, 0.8, 0.999):
        assert NormalDist().inv_cdf(p) == pytest.approx(special.ndtri(p), rel=1e-14, abs=1e-15)
    for z in np.linspace(-9, 9, 91):
        assert NormalDist().cdf(z) == pytest.approx(special.ndtr(z), abs=2e-16)


def test_leaving_one_image_out_equals_the_others() -> None:
    left_out = spatial().jackknife()
    expected = [np.delete(SPATIAL, place).var() for place in range(len(SPATIAL))]
    assert left_out == pytest.approx(expected)


def test_blocks_leave_out_each_image_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.stats.bootstrap.MAX_BLOCK_SIZE", 15)
    assert np.array_equal(np.concatenate(list(jackknife_counts(7))), 1 - np.eye(7))


numbers = st.lists(st.integers(-50, 50), min_size=2, max_size=25).map(np.array)


@pytest.mark.slow
@given(numbers, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_wider_with_the_level_and_within_the_draws(values: Any, seed: int) -> None:
    estimate = ResampledSums(powers(values.astype(float)), variance, 200, seed)["variance"]
    for method in METHODS:
        lows, highs = zip(
            *(estimate.interval(level, method) for level in (0.01, 0.5, 0.9, 0.99, 1 - 2**-53)),
            strict=True,
        )
        assert list(lows) == sorted(lows, reverse=True)
        assert list(highs) == sorted(highs)
        if method != "t":
            assert estimate.draws.min() <= lows[-1] <= highs[-1] <= estimate.draws.max()


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(10, 40))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_a_symmetric_statistic_needs_no_correction(seed: int, n: Any) -> None:
    values = np.random.default_rng(seed).normal(size=n)
    both_signs = np.concatenate([values, -values])
    estimate = ResampledSums(powers(both_signs), mean, 5000)["mean"]
    assert _acceleration(estimate.jackknife()) == pytest.approx(0, abs=1e-6)
    apart = 0.3 * float(np.std(estimate.draws)) + 1e-9
    assert estimate.interval(method="bca") == pytest.approx(estimate.interval(), abs=apart)


@pytest.mark.parametrize("observed", [-1.0, 9.0, math.nan])
def test_bias_beyond_measure_gives_percentiles(observed: Any) -> None:
    draws = np.arange(5.0)
    estimate = Estimate("m", observed, draws, lambda: draws)
    assert estimate.interval(method="bca") == estimate.interval() == pytest.approx((0.1, 3.9))


@pytest.mark.parametrize("left_out", [[], [math.nan], [3.0], [3.0] * 5, [1e-200, 2e-200, 4e-200]])
def test_degenerate_jackknives_give_an_interval(left_out: Any) -> None:
    draws = np.array([1.0, 2, 3, 4, 5, math.nan, math.inf])
    estimate = Estimate("m", 3.0, draws, lambda: np.array(left_out))
    assert estimate.interval() == pytest.approx((1.1, 4.9))
    assert estimate.interval(method="bca") == pytest.approx((1.1, 4.9), abs=0.3)


def test_without_draws_or_spread() -> None:
    for method in METHODS:
        nothing = Estimate("m", 1.0, np.array([math.nan]), lambda: np.ones(3), 3)
        assert all(map(math.isnan, nothing.interval(method=method)))
        constant = Estimate("m", 1.0, np.ones(9), lambda: np.ones(3), 3)
        assert constant.interval(method=method) == (1, 1)
        one_image = ResampledSums(powers(np.array([4.0])), mean, 20)["mean"]
        assert one_image.interval(method=method) == (4, 4)


def test_a_pole_of_the_formula_is_the_end_of_the_draws() -> None:
    skewed = np.zeros(1000)
    skewed[0] = -1  # an acceleration of 1/6, nearly
    estimate = Estimate("m", 9.0, np.arange(10.0), lambda: skewed)
    low, high = estimate.interval(1 - 2**-53, "bca")
    assert low == pytest.approx(0, abs=9) and high == 9


def test_unknown_draws_are_left_out_and_too_few_are_an_error() -> None:
    class Drawn(ResampledSums):
        draws = {"m": np.array([0.0, 1.0]), "o": np.array([math.nan, 0.5])}  # noqa: RUF012

    drawn = Drawn(np.ones((1, 1)), lambda sums: {"m": sums[..., 0], "o": sums[..., 0]})
    intervals = drawn.intervals()
    assert intervals["m"] == pytest.approx((0.025, 0.975))
    assert intervals["o"] == (0.5, 0.5)
    Drawn.draws["o"][1] = math.nan
    with pytest.raises(InputError, match="too few images"):
        drawn.intervals()


def test_differences_are_of_the_same_draws() -> None:
    a, b = spatial(50), spatial(50)
    none = a - b
    assert (none.observed, none.interval(method="bca"), none.p_value()) == (0, (0, 0), 1)
    with pytest.raises(InputError, match=r"kappa has no leave-one-image-out.*percentile"):
        (a - Estimate("kappa", 1.0, b.draws)).interval(method="bca")


METRICS = ["bleu", "rouge_l", "meteor", "cider_d"]


@pytest.fixture(scope="module")
def results() -> Any:
    words = ["a", "dog", "cat", "runs", "on", "the", "bench", "red", "water"]
    rng = np.random.default_rng(0)

    def captions(n: Any) -> Any:
        return [" ".join(rng.choice(words, rng.integers(2, 9))) for _ in range(n)]

    references = {f"image {row}": captions(3) for row in range(40)}
    scorer = captious.Scorer(references, metrics=METRICS, df="coco-val2014")
    ids = [*references, *list(references)[:11]]
    return [scorer.score(captions(len(ids)), ids=ids) for _ in range(2)]


def test_a_results_interval_by_name(results: Any) -> None:
    result = results[0]
    for name, score in result.corpus.items():
        low, high = result.interval(name, method="bca")
        assert low < score < high
        assert result.interval(name, method="percentile") == result.interval(name)
    assert result.interval("bleu_4", Fraction(1, 2), method="bca")[0] > result.interval("bleu_4")[0]
    with pytest.raises(
        InputError, match=r"unknown method of intervals 'bcaa'; .*: percentile, bca"
    ):
        result.interval("bleu_1", method="bcaa")
    with pytest.raises(InputError, match="method"):
        result.interval("bleu_1", method=3)


def test_a_result_with_other_intervals_says_so(results: Any) -> None:
    result = results[0]
    other = result.with_intervals("bca")
    assert other.interval("bleu_4") == result.interval("bleu_4", method="bca")
    assert other.corpus == result.corpus
    assert "|bootstrap:1000,seed=0,interval=bca|" in other.signature
    assert json.loads(other.to_json())["interval"]["bleu_4"] == list(other.interval("bleu_4"))
    for back in (other.with_intervals("percentile"), result.with_intervals("percentile")):
        assert back.signature == result.signature
    assert other.with_intervals("bca").signature == other.signature
    with pytest.raises(InputError, match="unknown method of intervals"):
        result.with_intervals("normal")


def test_order_of_samples_does_not_matter(results: Any) -> None:
    result = results[0]
    order = np.random.default_rng(1).permutation(result.n)
    shuffled = captious.result.Result(
        [result.ids[row] for row in order],
        result.metrics,
        result.columns,
        {name: values[order] for name, values in result.statistics.items()},
    )
    for name in result.columns:
        ours, theirs = (each.interval(name, method="bca") for each in (result, shuffled))
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_copy_of_every_sample_tells_nothing_new(results: Any) -> None:
    result = results[0]
    twice = captious.result.Result(
        [*result.ids, *result.ids],
        result.metrics,
        result.columns,
        {name: np.tile(values, (2, 1)) for name, values in result.statistics.items()},
    )
    for name in result.columns:
        assert twice.interval(name, method="bca") == pytest.approx(
            result.interval(name, method="bca"),
            abs=1e-5,  # BLEU smooths
        )


def test_a_result_is_pickled_with_its_draws(results: Any) -> None:
    result = results[0]
    interval = result.interval("meteor", method="bca")
    assert pickle.loads(pickle.dumps(result)).interval("meteor", method="bca") == interval


def test_one_image_has_a_point() -> None:
    result = captious.score(["a dog"], [["a dog runs"]], metrics=["bleu", "rouge_l"])
    for name, score in result.corpus.items():
        assert result.interval(name, method="bca") == pytest.approx((score, score), abs=1e-12)


def test_a_comparisons_interval_by_name(results: Any) -> None:
    usual, other = (captious.compare(*results, method=method) for method in ("t", "bca"))
    assert usual == captious.compare(*results)
    for one_way, other_way in zip(usual.rows, other.rows, strict=True):
        assert one_way.p_bootstrap == other_way.p_bootstrap
        assert one_way.interval != other_way.interval
        width = np.ptp(one_way.interval)
        assert other_way.interval == pytest.approx(one_way.interval, abs=width / 4)
    for method, compared in (("t", usual), ("bca", other)):
        assert f"{method} intervals" in compared.to_text("text")
        assert compared.to_dict()["interval_method"] == method
    with pytest.raises(InputError, match="unknown method of intervals"):
        captious.compare(*results, method="BCA")


def test_the_command_takes_a_method(
    results: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    for result, path in zip(results, paths, strict=True):
        result.save(path)
    assert not main(["compare", *paths, "--interval", "bca", "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    wanted = captious.compare(*results, method="bca", names=("a", "b")).to_text("json")
    assert {**printed, **json.loads(wanted)} == printed


RNG = np.random.default_rng(0)
SAID = RNG.integers(1, 5, size=(60, 3))
IMAGES = np.sort(RNG.integers(25, size=60))
SCORES = {"m": SAID.mean(axis=1) + RNG.normal(size=60), "o": RNG.normal(size=60)}


@pytest.mark.parametrize(
    "statistic", ["kendall_a", "kendall_b", "kendall_c", "pearson", "spearman"]
)
def test_correlations_without_each_image_are_exact(statistic: Any) -> None:
    judgements = ratings_of(SAID, IMAGES)
    row = agree(SCORES, judgements, Protocol(raters="mean"))["m"]
    left_out = row.estimate(statistic).jackknife()
    means = np.round(SAID.mean(axis=1), 12)
    for place, image in enumerate(dict.fromkeys(map(str, sorted(map(str, IMAGES.tolist()))))):
        others = np.array([str(each) != image for each in IMAGES.tolist()])
        expected = correlations(SCORES["m"][others], means[others])[statistic]
        if statistic == "kendall_c":  # which keeps the classes of the whole data
            whole, part = (len(set(each)) for each in (means, means[others]))
            expected *= (part - 1) / part * whole / (whole - 1)
        assert left_out[place] == pytest.approx(expected)
    low, high = row.interval(statistic, method="bca")
    assert low < row.values[statistic] < high


def test_agreement_by_group_and_of_pairs_and_versus() -> None:
    groups = ["x"] * 35 + ["y"] * 25
    parts = agree_by_group(SCORES, ratings_of(SAID, IMAGES, groups=groups))
    for part in parts.values():
        low, high = part["m"].interval("kendall_b", method="bca")
        assert low < part["m"].values["kendall_b"] < high
    pairs = preferences_of([0, 1] * 20, groups=["hc", "mm"] * 20, images=list(range(20)) * 2)
    row = agree({"m": np.random.default_rng(1).random((40, 2))}, pairs).rows[0]
    assert row.interval("mean", method="bca") == pytest.approx(row.interval("mean"), abs=0.1)
    assert len(row.estimate("hc").jackknife()) == 20
    evaluation = evaluate(ratings_of(SAID, IMAGES), scores=SCORES)
    usual, *others = (versus(evaluation, "o", "m", method=method) for method in METHODS)
    for other in others:
        assert usual.tests == other.tests
        assert other.interval == pytest.approx(usual.interval, abs=np.ptp(usual.interval) / 3)


def test_invalid_intervals_of_agreements_are_refused() -> None:
    row = agree(SCORES, ratings_of(SAID, IMAGES))["m"]
    with pytest.raises(InputError, match=r"unknown statistic 'kendal'; .*kendall_b"):
        row.interval("kendal")
    bare = Agreement("m", row.values, row.n, row.ties, row.draws)
    assert bare.interval("pearson") == row.interval("pearson")
    with pytest.raises(InputError, match=r"^m's pearson has no leave-one-image-out"):
        bare.interval("pearson", method="bca")


def test_robustness_and_pregen_by_name() -> None:
    rng = np.random.default_rng(0)
    human, images = rng.random(60), np.arange(60) // 2
    scores = {"t": [human, human * rng.random(60)]}
    usual, *others = (
        decay_row("m", "pathological", human, scores, (0, 100), images, 300, 0, method)
        for method in METHODS
    )
    for other in others:
        assert usual.auc == other.auc
        assert other.interval["t"] == pytest.approx(usual.interval["t"], abs=0.02)
    curves = {f"run {run}": rng.exponential(size=4) for run in range(12)}
    chosen = dict.fromkeys(curves, 2)
    plain, fuller = (
        selection_outcome(curves, chosen, method=method) for method in ("percentile", "bca")
    )
    assert plain.score[0] == fuller.score[0]
    assert fuller.score[1][1] > plain.score[1][1]  # means of skewed numbers are more often too low
    x = rng.normal(size=15)
    table = SearchTable.of(
        {
            "dataset": ["d"] * 15,
            "run": list(range(15)),
            "cider_d": x.tolist(),
            "sum_sum_pplx_none": (x + rng.normal(size=15)).tolist(),
        }
    )
    found = [search(table, method=method).rankings["cider_d"][0].interval for method in METHODS]
    assert len(set(found)) == len(METHODS)


@pytest.mark.slow
def test_t_intervals_of_a_difference_without_one_exclude_0_in_5_percent_of_trials() -> None:
    rng, trials = np.random.default_rng(0), 500
    missed = dict.fromkeys(METHODS, 0)
    for seed in range(trials):
        # Two systems that are equally good, whose scores of an image vary together, and are skewed.
        both = rng.exponential(size=(30, 1)) * rng.exponential(size=(30, 2))
        sums = ResampledSums(both, lambda sums: {"a": sums[..., 0], "b": sums[..., 1]}, 300, seed)
        difference = sums["b"] - sums["a"]
        for method in METHODS:
            low, high = difference.interval(method=method)
            missed[method] += not low <= 0 <= high
    assert missed["t"] / trials < 0.05 + 2 * math.sqrt(0.05 * 0.95 / trials)
    assert missed["t"] < min(missed["percentile"], missed["bca"])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_quantiles_are_numpys(values: list[float], low: float, high: float) -> None:
    actual = _quantiles(np.array(values), low, high)
    assert actual == tuple(np.quantile(values, [low, high]).tolist())
