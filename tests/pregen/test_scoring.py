"""The 504 metrics: the paper's example, hand-computed cases, and a plain implementation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.errors import InputError, UnknownMetricError
from captious.pregen import BEST, METRICS, TOP, Tiers, WordProbabilities, pregen_score
from captious.pregen import pregen_scores as scores_of
from captious.pregen.names import ALIASES, select
from tests.pregen.plain_pregen import plain_score

INF = math.inf

# Tanti et al. (2018), figure 2: the words in bold are ranked first, those underlined are not. The
# figure takes 2 words as the prefixes of the second image's captions, whose second word is not
# ranked first: the prefixes have 1, and the score is not .393.
FIGURE_2 = [
    [
        [(0.711, 1), (0.507, 1), (0.380, 1), (0.563, 1), (0.577, 1), (0.352, 0), (0.557, 1),
         (0.574, 1), (0.268, 0), (0.615, 1)],
        [(0.711, 1), (0.507, 1), (0.369, 0), (0.561, 1), (0.605, 1), (0.384, 1), (0.520, 1)],
    ],
    [
        [(0.714, 1), (0.438, 0), (0.364, 1), (0.580, 1), (0.454, 0), (0.739, 1), (0.743, 1)],
        [(0.714, 1), (0.438, 0), (0.340, 0), (0.592, 1), (0.536, 1), (0.454, 0), (0.739, 1),
         (0.743, 1)],
    ],
]  # fmt: skip


def words_of(images: Sequence[Sequence[Sequence[tuple[float, int]]]]) -> WordProbabilities:
    """Word probabilities from images, each a list of captions of (probability, was first)."""
    return WordProbabilities.of(
        [[[p for p, _ in caption] for caption in captions] for captions in images],
        [[[bool(first) for _, first in caption] for caption in captions] for captions in images],
    )


def random_images(
    seed: int, images: int = 40, zeros: float = 0.0
) -> list[list[list[tuple[float, bool]]]]:
    rng = np.random.default_rng(seed)
    return [
        [
            [
                (0.0 if rng.random() < zeros else float(rng.uniform(0.01, 1)), rng.random() < 0.7)
                for _ in range(rng.integers(1, 9))
            ]
            for _ in range(rng.integers(1, 6))
        ]
        for _ in range(images)
    ]


def test_worked_example_of_the_paper_with_corrected_prefixes() -> None:
    words = words_of(FIGURE_2)
    assert Tiers(words).sentences("normcount", "prefix0").tolist() == [5 / 10, 2 / 7, 1 / 7, 1 / 8]
    assert Tiers(words).images("max", "normcount", "prefix0").tolist() == [0.5, 1 / 7]
    assert pregen_score(words) == pytest.approx((0.5 + 1 / 7) / 2)
    assert round(pregen_score(words, "mean_max_normcount_prefix0"), 3) == 0.321


def test_there_are_504_metrics_named_from_the_data_set_down() -> None:
    assert len(METRICS) == len({metric.name for metric in METRICS.values()}) == 504
    assert len(set(METRICS.values())) == 504
    metric = METRICS["geomean_join_pplx_none"]
    assert (metric.dataset, metric.image, metric.sentence, metric.filter) == (
        "geomean", "join", "pplx", "none",
    )  # fmt: skip
    assert TOP[0] == BEST and set(TOP) <= set(METRICS)


@pytest.mark.parametrize("variant", ["paper", "released"])
@pytest.mark.parametrize(("seed", "zeros"), [(0, 0.0), (1, 0.0), (2, 0.05)])
def test_all_504_agree_with_a_plain_implementation(seed: int, zeros: float, variant: str) -> None:
    images = random_images(seed, zeros=zeros)
    found = scores_of(words_of(images), "all", variant=variant)
    assert list(found) == list(METRICS)
    for name, value in found.items():
        expected = plain_score(images, name, variant)
        assert value == pytest.approx(expected, rel=1e-11, abs=0), name


def test_the_variants_differ_in_filter0_alone() -> None:
    words = words_of(random_images(3))
    paper, released = (scores_of(words, "all", variant=v) for v in ("paper", "released"))
    differing = {name for name in METRICS if paper[name] != released[name]}
    assert differing and all(name.endswith("_filter0") for name in differing)
    counts = [one["sum_sum_count_filter0"] for one in (paper, released)]
    assert sum(counts) == paper["sum_sum_count_none"]


# Two words ranked first, one not, and the end token ranked first again.
CAPTION = [(0.5, 1), (0.25, 1), (0.1, 0), (0.8, 1)]


@pytest.mark.parametrize(
    ("sentence", "filter_name", "paper", "released"),
    [
        ("prob", "none", 0.01, 0.01),
        ("prob", "filter0", 0.1, 0.1),
        ("prob", "prefix0", 0.125, 0.125),
        ("pplx", "none", 100**0.25, 100**0.25),
        ("pplx", "filter0", 10 ** (1 / 3), 10.0),
        ("pplx", "prefix0", 8**0.5, 8**0.5),
        ("count", "none", 4, 4),
        ("count", "filter0", 3, 1),
        ("count", "prefix0", 2, 2),
        ("normcount", "none", 1, 1),
        ("normcount", "filter0", 0.75, 0.25),
        ("normcount", "prefix0", 0.5, 0.5),
    ],
)
def test_tier_2_by_hand(sentence: str, filter_name: str, paper: float, released: float) -> None:
    for variant, expected in (("paper", paper), ("released", released)):
        found = Tiers(words_of([[CAPTION]]), variant).sentences(sentence, filter_name)
        assert found.tolist() == pytest.approx([expected])


@pytest.mark.parametrize(
    ("caption", "prob", "pplx", "count"),
    [
        ([(0.9, 0), (0.9, 1)], 0, INF, 0),  # the first word is missed: an empty prefix
        ([(0.25, 1)], 0.25, 4, 1),  # one word, which is the end token
        ([(0.25, 0)], 0, INF, 0),
        ([(0.0, 1), (0.5, 1)], 0, INF, 2),  # a probability of 0
        ([(0.5, 1), (0.0, 0)], 0.5, 2, 1),  # which does not count where it was not selected
        ([(1.0, 1), (1.0, 1)], 1, 1, 2),
    ],
)
def test_prefixes_that_are_empty_zero_or_of_one_word(
    caption: list[tuple[float, int]], prob: float, pplx: float, count: int
) -> None:
    words = words_of([[caption]])
    # Between others, which must not leak into it.
    between = words_of([[CAPTION, caption, CAPTION]])
    for name, expected in (("prob", prob), ("pplx", pplx), ("count", count)):
        assert pregen_score(words, f"mean_mean_{name}_prefix0") == pytest.approx(expected)
        assert Tiers(between).sentences(name, "prefix0")[1] == pytest.approx(expected)
    assert pregen_score(words, "max_min_normcount_prefix0") == count / len(caption)


def make_counts(*numbers: int) -> list[list[tuple[float, int]]]:
    """Captions of these lengths: `count_none` is the length."""
    return [[(0.5, 1)] * number for number in numbers]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("sum", [7, 3, 8]),
        ("mean", [7 / 3, 3, 4]),
        ("median", [2, 3, 4]),
        ("geomean", [8 ** (1 / 3), 3, 12**0.5]),
        ("max", [4, 3, 6]),
        ("min", [1, 3, 2]),
        ("join", [4, 1, 2, 3, 2, 6]),
    ],
)
def test_tier_3_by_hand(function: str, expected: list[float]) -> None:
    words = words_of([make_counts(4, 1, 2), make_counts(3), make_counts(2, 6)])
    assert Tiers(words).images(function, "count", "none") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("function", "expected"),
    [("sum", 18), ("mean", 6), ("median", 7), ("geomean", 168 ** (1 / 3)), ("max", 8), ("min", 3)],
)
def test_tier_4_by_hand(function: str, expected: float) -> None:
    words = words_of([make_counts(4, 1, 2), make_counts(3), make_counts(2, 6)])
    assert pregen_score(words, f"{function}_sum_count_none") == pytest.approx(expected)


def test_one_zero_makes_a_geometric_mean_zero_and_one_infinity_a_mean_infinite() -> None:
    words = words_of([[[(0.5, 1)], [(0.5, 0)]]])
    assert pregen_score(words, "geomean_join_normcount_prefix0") == 0
    assert pregen_score(words, "geomean_join_prob_prefix0") == 0
    for function in ("sum", "mean", "geomean", "max"):
        assert pregen_score(words, f"{function}_join_pplx_prefix0") == INF
    assert pregen_score(words, "min_join_pplx_prefix0") == 2
    assert pregen_score(words, "median_join_pplx_prefix0") == INF  # halfway to infinity


def test_tiny_products_do_not_underflow_in_geometric_means() -> None:
    words = words_of([[[(1e-200, 1)] * 3, [(1e-100, 1)] * 3]])
    found = scores_of(words, ["geomean_join_prob_none", "sum_sum_prob_none", "perplexity"])
    assert found["geomean_join_prob_none"] == 0  # the result itself is too small...
    assert found["sum_sum_prob_none"] == pytest.approx(1e-300)
    assert found["geomean_join_pplx_none"] == pytest.approx(1e150)
    mixed = words_of([[[(1e-200, 1)] * 2], [[(1.0, 1)] * 2]])  # ...but here it is not
    for image in ("sum", "mean", "median", "geomean", "max", "min", "join"):
        assert pregen_score(mixed, f"geomean_{image}_prob_none") == pytest.approx(1e-200)


def test_perplexity_is_exp_of_mean_negative_log_probability() -> None:
    words = words_of([[[(0.5, 1), (0.125, 0)]], [[(0.25, 0)]]])
    assert scores_of(words, "perplexity") == {ALIASES["perplexity"]: pytest.approx(4)}


def test_names_patterns_and_mistakes() -> None:
    assert [metric.name for metric in select("mean_*_normcount_prefix0")] == [
        f"mean_{image}_normcount_prefix0"
        for image in ("sum", "mean", "median", "geomean", "max", "min", "join")
    ]
    assert len(select(["all", BEST])) == 504
    assert [metric.name for metric in select()][:4] == list(TOP)
    with pytest.raises(UnknownMetricError, match="did you mean 'mean_max_normcount_prefix0'"):
        select("mean_max_normcount_prefix")
    with pytest.raises(InputError, match="no pre-gen metrics"):
        select([])
    with pytest.raises(InputError, match="unknown variant 'publised'; choose one of: paper"):
        pregen_score(words_of([[CAPTION]]), variant="publised")


captions = st.lists(st.tuples(st.floats(1e-6, 1.0), st.booleans()), min_size=1, max_size=6)
corpora = st.lists(st.lists(captions, min_size=1, max_size=4), min_size=1, max_size=5)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(corpora)
def test_bounds_and_order_hold_for_any_data(images: list[list[list[tuple[float, bool]]]]) -> None:
    words = words_of(images)
    found = scores_of(words, "all")
    assert not any(math.isnan(value) for value in found.values())
    for name, metric in METRICS.items():
        assert found[name] >= 0
        if metric.sentence in ("prob", "normcount") and "sum" not in (metric.dataset, metric.image):
            assert found[name] <= 1 + 1e-12
        if metric.sentence == "pplx":
            assert found[name] >= 1 - 1e-12
        if metric.dataset == "geomean" and math.isfinite(found[name]):
            rest = name.removeprefix("geomean")
            low, mean, high = found[f"min{rest}"], found[f"mean{rest}"], found[f"max{rest}"]
            assert low * (1 - 1e-9) <= found[name] <= mean * (1 + 1e-9) <= high * (1 + 2e-9)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(corpora, st.randoms(use_true_random=False))
def test_the_order_of_images_and_captions_does_not_matter(
    images: list[list[list[tuple[float, bool]]]], random: Any
) -> None:
    shuffled = [random.sample(each, len(each)) for each in random.sample(images, len(images))]
    one, other = (scores_of(words_of(each), "all") for each in (images, shuffled))
    assert one == pytest.approx(other, rel=1e-12)


@settings(max_examples=15, deadline=None)
@given(corpora)
def test_prefix_words_are_a_subset_of_first_ranked_words(
    images: list[list[list[tuple[float, bool]]]],
) -> None:
    tiers = Tiers(words_of(images))
    prefix, first, every = (tiers.sentences("count", f) for f in ("prefix0", "filter0", "none"))
    assert (prefix <= first).all() and (first <= every).all()
