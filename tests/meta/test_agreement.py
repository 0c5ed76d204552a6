"""Agreement of metrics with ratings and preferences, and its intervals."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.agreement import agree, agree_by_group
from captious.meta.judgements import Preferences, Ratings
from captious.meta.protocol import PAIRWISE, Protocol
from captious.stats.correlation import STATISTICS, correlations
from tests.made_up.judgements import preferences_of, ratings_of

NAN = math.nan


def test_flattened_mean_and_mode_ratings() -> None:
    judgements = ratings_of([[1.0, 1.0, 2.0], [3.0, NAN, 2.0], [4.0, 4.0, 4.0], [NAN] * 3])
    x = np.array([0.1, 0.5, 0.4, 0.9])
    flat_x = [0.1, 0.1, 0.1, 0.5, 0.5, 0.4, 0.4, 0.4]
    expected: dict[str, tuple[list[float], list[float]]] = {
        "flattened": (flat_x, [1, 1, 2, 3, 2, 4, 4, 4]),
        "mean": ([0.1, 0.5, 0.4], [4 / 3, 2.5, 4]),
        "mode": ([0.1, 0.5, 0.4], [1, 2, 4]),  # of 3 and 2, given once each, the lower
    }
    for raters, (scores, said) in expected.items():
        row = agree({"m": x}, judgements, Protocol(raters=raters)).rows[0]
        assert row.n == len(said)
        assert row.values == pytest.approx(correlations(np.array(scores), np.array(said)))


def test_equal_means_are_equal_in_any_order_of_raters() -> None:
    judgements = ratings_of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1], [0.9, 0.9, 0.9]])
    row = agree({"m": np.array([3.0, 2, 1, 4])}, judgements, Protocol(raters="mean")).rows[0]
    assert row.values["kendall_a"] == pytest.approx(3 / 6)


def test_ties_are_counted_among_captions_not_among_ratings() -> None:
    judgements = ratings_of([[1, 2, 2], [2, 3, 3], [4, 4, 4]])
    assert agree({"m": np.array([1.0, 1, 2])}, judgements).rows[0].ties == pytest.approx(1 / 3)
    assert agree({"m": np.array([1.0, 3, 2])}, judgements).rows[0].ties == 0


def test_one_set_of_draws_serves_all_metrics() -> None:
    rng = np.random.default_rng(0)
    said = rng.integers(1, 5, size=(60, 3))
    x = said.mean(axis=1) + rng.normal(size=60)
    both = agree({"m": x, "same": 2 * x + 1, "other": -x}, ratings_of(said))
    assert both.draws["m"] == pytest.approx(both.draws["same"])
    assert both.draws["other"] == pytest.approx(-both.draws["m"])
    alone = agree({"same": 2 * x + 1}, ratings_of(said))
    assert np.array_equal(alone.draws["same"], both.draws["same"])
    assert not np.array_equal(agree({"m": x}, ratings_of(said), seed=1).draws["m"], both.draws["m"])


def test_captions_of_an_image_are_drawn_together() -> None:
    """Copies of captions tell nothing new: the interval is that of the captions once."""
    rng = np.random.default_rng(0)
    said = rng.integers(1, 5, size=50).astype(float)
    x = said + rng.normal(size=50)
    once = agree({"m": x}, ratings_of(said)).rows[0]
    four = ratings_of(np.tile(said, 4), images=list(range(50)) * 4)
    together = agree({"m": np.tile(x, 4)}, four).rows[0]
    for name in ("pearson", "spearman", "kendall_b"):
        assert together.values[name] == pytest.approx(once.values[name], abs=0.01)
        assert together.interval(name) == pytest.approx(once.interval(name), abs=0.01)
    apart = agree({"m": np.tile(x, 4)}, ratings_of(np.tile(said, 4))).rows[0]
    assert np.ptp(apart.interval("pearson")) < 0.6 * np.ptp(once.interval("pearson"))


def test_order_of_rows_does_not_change_intervals() -> None:
    rng = np.random.default_rng(0)
    said, images = rng.integers(1, 5, size=(40, 2)), rng.integers(15, size=40)
    x = rng.normal(size=40)
    order = rng.permutation(40)
    first = agree({"m": x}, ratings_of(said, images))
    second = agree({"m": x[order]}, ratings_of(said[order], images[order]))
    assert first.draws["m"] == pytest.approx(second.draws["m"], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["pearson", "kendall_b"])
def test_intervals_cover_the_truth(statistic: str) -> None:
    rng = np.random.default_rng(0)
    r = 0.5
    truth = r if statistic == "pearson" else 2 / math.pi * math.asin(r)
    covered = 0
    for _ in range(120):
        x = rng.normal(size=80)
        y = r * x + math.sqrt(1 - r * r) * rng.normal(size=80)
        row = agree({"m": x}, ratings_of(y), resamples=200).rows[0]
        low, high = row.interval(statistic)
        covered += low <= truth <= high
    assert 0.88 <= covered / 120 <= 0.99


@pytest.mark.slow
def test_twelve_systems_tell_little() -> None:
    """Over 12 systems a metric that follows people at r = .7 might as well be poor or superb."""
    rng = np.random.default_rng(0)
    widths = []
    for _ in range(30):
        people = rng.normal(size=12)
        x = people + 1.02 * rng.normal(size=12)
        row = agree({"m": x}, ratings_of(people), Protocol(statistic="pearson")).rows[0]
        low, high = row.interval("pearson")
        widths.append(high - low)
    assert np.median(widths) > 0.4


def test_constant_scores_are_undefined_and_null_in_json() -> None:
    result = agree({"m": np.zeros(9)}, ratings_of(np.arange(9))).to_dict()
    row = json.loads(json.dumps(result, allow_nan=False))["rows"][0]
    assert all(row[name] is None for name in STATISTICS if name != "auc")
    assert row["interval"]["pearson"] == [None, None]
    assert (row["n"], row["ties"]) == (9, 1.0)


def test_ties_of_a_constant_metric_count_one_half_in_the_area() -> None:
    row = agree({"m": np.zeros(9)}, ratings_of([0, 1] * 4 + [1])).rows[0]
    assert row.values["auc"] == 0.5
    assert row.interval("auc") == (0.5, 0.5)
    alike = agree({"m": np.arange(9.0)}, ratings_of([1] * 9)).rows[0]
    assert np.isnan(alike.values["auc"])


def test_mean_ratings_of_any_scale_are_alike() -> None:
    rng = np.random.default_rng(0)
    said, scores = rng.integers(1, 5, size=(30, 3)).astype(float), rng.random(30)
    usual = agree({"m": scores}, ratings_of(said), Protocol(raters="mean"), resamples=0).rows[0]
    for scale in (1e-15, 1e-12, 1e-5, 1e9):
        row = agree(
            {"m": scores}, ratings_of(said * scale), Protocol(raters="mean"), resamples=0
        ).rows[0]
        assert row.values == pytest.approx(usual.values, abs=1e-9)


def test_one_image_or_no_resamples_give_no_interval() -> None:
    x = np.array([1.0, 2, 4, 3])
    one_image = agree({"m": x}, ratings_of([1, 2, 3, 4], images="aaaa")).rows[0]
    no_draws = agree({"m": x}, ratings_of([1, 2, 3, 4]), resamples=0).rows[0]
    for row in (one_image, no_draws):
        assert row.values["kendall_b"] == pytest.approx(4 / 6)
        assert all(math.isnan(end) for end in row.interval("kendall_b"))


def test_groups_by_themselves_and_their_mean() -> None:
    rng = np.random.default_rng(0)
    said, x = rng.normal(size=90), rng.normal(size=90)
    groups = ["de"] * 60 + ["fi"] * 30
    found = agree_by_group({"m": x}, ratings_of(said, groups=groups), Protocol())
    de, fi, mean = (found[name].rows[0] for name in ("de", "fi", "mean"))
    assert list(found) == ["de", "fi", "mean"]
    assert de.values == pytest.approx(correlations(x[:60], said[:60]))
    assert fi.values == pytest.approx(correlations(x[60:], said[60:]))
    assert mean.values["pearson"] == pytest.approx(
        (de.values["pearson"] + fi.values["pearson"]) / 2
    )
    assert mean.n == 90
    assert np.ptp(mean.interval("pearson")) < np.ptp(fi.interval("pearson"))


def test_a_group_that_a_resample_misses_is_undefined_there() -> None:
    judgements = ratings_of([1, 2, 3, 1, 2], images="abcdd", groups=["x"] * 3 + ["y"] * 2)
    found = agree_by_group({"m": np.arange(5.0)}, judgements)
    missed = np.isnan(found["y"].rows[0].draws["pearson"])
    assert 0.2 < missed.mean() < 0.5  # (3/4)**4 = 0.32
    assert found["y"].rows[0].interval("pearson") == pytest.approx((1, 1))


SCORES = np.array([[3.0, 1], [1, 3], [2, 2], [2, 2], [5, 4]])


@pytest.mark.parametrize(
    ("ties", "hc", "mm"),
    [
        ("half", 1.5 / 2, 1.5 / 3),
        ("first", 1, 1 / 3),
        ("second", 0.5, 2 / 3),
        ("wrong", 0.5, 1 / 3),
        ("random", None, None),
    ],
)
def test_accuracy_by_group_and_rule_for_ties(ties: str, hc: float | None, mm: float | None) -> None:
    judgements = preferences_of([0, 0, 0, 1, 0], ["HC", "MM", "HC", "MM", "MM"])
    row = agree({"m": SCORES}, judgements, Protocol(ties=ties)).rows[0]
    if ties == "random":
        assert 0.65 < row.values["HC"] < 0.85
        assert 0.40 < row.values["MM"] < 0.60
        assert row.values != agree({"m": SCORES}, judgements, Protocol(ties="half")).rows[0].values
        again = agree({"m": SCORES}, judgements, Protocol(ties=ties)).rows[0]
        assert row.values == again.values
    else:
        assert hc is not None and mm is not None
        assert row.values == pytest.approx({"HC": hc, "MM": mm, "mean": (hc + mm) / 2})
    assert (row.n, row.ties) == (5, 0.4)


def test_accuracy_in_json_has_groups_and_intervals() -> None:
    rng = np.random.default_rng(0)
    preferred = rng.integers(2, size=400)
    scores = rng.normal(size=(400, 2))
    scores[np.arange(400), preferred] += 1
    judgements = preferences_of(preferred, ["HC", "HI"] * 200, images=np.arange(400) // 4)
    result = agree({"m": scores}, judgements).to_dict()
    row = json.loads(json.dumps(result, allow_nan=False))["rows"][0]
    assert set(row["accuracy"]) == set(row["interval"]) == {"HC", "HI", "mean"}
    for name, value in row["accuracy"].items():
        low, high = row["interval"][name]
        assert low < value < high
        # An accuracy's standard error over independent pairs.
        error = math.sqrt(value * (1 - value) / (400 if name == "mean" else 200))
        assert high - low == pytest.approx(2 * 1.96 * error, rel=0.3)


@pytest.mark.parametrize(
    ("scores", "judgements", "message"),
    [
        ({}, ratings_of([1, 2]), "no scores"),
        ({"m": np.zeros(3)}, ratings_of([1, 2]), "m: scores of shape"),
        ({"m": np.zeros(2)}, preferences_of([0, 1]), "two a pair"),
        ({"m": np.array([0, NAN])}, ratings_of([1, 2]), "row 1 is nan"),
        ({"m": np.zeros(2)}, ratings_of([NAN, NAN]), "no ratings"),
        ({"m": np.zeros((0, 2))}, preferences_of([]), "no pairs"),
        ({"m": np.zeros((2, 2))}, preferences_of([0, 2]), "pair 1: preferred is 2"),
        ({"m": np.zeros((1, 2))}, preferences_of([0], ["mean"]), "named 'mean'"),
    ],
)
def test_scores_that_do_not_fit_judgements_are_refused(
    scores: dict[str, np.ndarray], judgements: Preferences | Ratings, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        agree(scores, judgements)


def test_unknown_metric_and_accuracy_of_ratings_are_errors() -> None:
    with pytest.raises(InputError, match="there are: m"):
        agree({"m": np.arange(3.0)}, ratings_of([1, 2, 3]))["other"]
    with pytest.raises(InputError, match="of preferences"):
        agree({"m": np.arange(3.0)}, ratings_of([1, 2, 3]), Protocol(statistic="accuracy"))


def expert_ratings(shared: Path) -> tuple[Ratings, list[int]]:
    """Flickr8k-Expert without the pairs whose caption is the image's own, and the rows kept."""
    annotations = shared / "data" / "flickr8k" / "ExpertAnnotations.txt"
    lines = [line.split("\t") for line in annotations.read_text().splitlines()]
    kept = [row for row, line in enumerate(lines) if not line[1].startswith(line[0])]
    said = np.array([lines[row][2:5] for row in kept], dtype=float)
    return ratings_of(said, [lines[row][0] for row in kept]), kept


@pytest.mark.slow
def test_spice_on_flickr8k_as_published(shared: Path) -> None:
    """SPICE's own scores give the figure of the CLIPScore paper (Hessel et al. 2021): 44.9."""
    judgements, kept = expert_ratings(shared)
    with gzip.open(shared / "parity" / "spice" / "flickr8k_expert.json.gz") as file:
        spice = np.array(json.load(file))[kept]
    row = agree({"spice": spice}, judgements).rows[0]
    assert row.n == 16_992
    assert row.values["kendall_c"] == pytest.approx(0.449, abs=0.001)
    low, high = row.interval("kendall_c")
    assert low < 0.449 < high
    assert 0.01 < high - low < 0.08
    by_caption = agree({"spice": spice}, judgements, Protocol(raters="mean"), resamples=0).rows[0]
    assert by_caption.n == 5_664
    assert by_caption.values["kendall_b"] > row.values["kendall_b"]


def test_two_raters_against_the_third(shared: Path) -> None:
    """What people reach among themselves on Flickr8k-Expert: .613 in the mean of three."""
    said = expert_ratings(shared)[0].ratings
    taus = [
        agree(
            {"others": np.delete(said, rater, 1).mean(1)}, ratings_of(said[:, rater]), resamples=0
        )
        for rater in range(3)
    ]
    mean = np.mean([found.rows[0].values["kendall_c"] for found in taus])
    assert mean == pytest.approx(0.613, abs=0.001)


@pytest.mark.parametrize("statistic", PAIRWISE)
def test_pairwise_accuracy_is_of_captions_and_one_rating_each(statistic: str) -> None:
    rng = np.random.default_rng(4)
    said = rng.integers(1, 4, size=(40, 3)).astype(float)
    judgements = replace(ratings_of(said), images=[place // 4 for place in range(40)])
    x = said.mean(axis=1) + rng.normal(size=40) / 2
    flattened, mean = (
        agree({"m": x}, judgements, Protocol(statistic=statistic, raters=raters), resamples=50)
        for raters in ("flattened", "mean")
    )
    row = flattened["m"]
    assert next(iter(row.values)) == flattened.statistic == statistic
    assert row.values[statistic] == mean["m"].values[statistic]
    assert row.epsilon == mean["m"].epsilon and row.epsilon is not None and row.epsilon > 0
    assert row.to_dict()["epsilon"] == row.epsilon
    low, high = row.interval(statistic)
    assert low < row.values[statistic] < high
    bca = row.interval(statistic, method="bca")
    assert bca != (low, high) and not math.isnan(bca[0])
    assert row.interval("pearson", method="bca")[0] < row.values["pearson"]
    # A metric with the same order and another scale has the same accuracy, by another epsilon.
    scaled = agree({"m": 8 * x}, judgements, Protocol(statistic=statistic), resamples=0)["m"]
    assert scaled.values[statistic] == row.values[statistic]
    assert scaled.epsilon == 8 * row.epsilon


def test_pairwise_accuracy_by_group_and_their_mean() -> None:
    rng = np.random.default_rng(5)
    said = rng.integers(1, 4, size=(40, 1)).astype(float)
    groups = ["a", "b"] * 20
    judgements = replace(ratings_of(said), groups=groups)
    x = rng.normal(size=40)
    protocol = Protocol(statistic="acc_eq", raters="mean")
    parts = agree_by_group({"m": x}, judgements, protocol, resamples=20)
    values = [parts[name]["m"].values["acc_eq"] for name in ("a", "b", "mean")]
    assert values[2] == pytest.approx((values[0] + values[1]) / 2)
    assert len(parts["mean"]["m"].draws["acc_eq"]) == 20


def test_preferences_have_no_pairwise_accuracy_of_ratings() -> None:
    with pytest.raises(InputError, match=r"choose one of: kendall_a.*acc_eq, acc_eq_image"):
        agree({"m": np.arange(3.0)}, ratings_of([[1], [2], [3]]), Protocol(statistic="accuracy"))
