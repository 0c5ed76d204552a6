"""Agreement among raters, and the ceiling that it sets, beside judgements whose truth is known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.meta import evaluate
from captious.meta.agreement import agree
from captious.meta.judgements import Preferences
from captious.meta.protocol import Protocol
from captious.meta.raters import rater_agreement
from captious.stats.correlation import CORRELATIONS, kendall_c
from captious.stats.inter_rater import RatingMixture
from tests.made_up.judgements import preferences_of, ratings_of

NAN = math.nan
CUTS = np.array([0.0, 0.7, 1.4])


def people(n: int, raters: int, spread: float, seed: int) -> tuple[FloatArray, FloatArray]:
    """What raters say of captions, from 1 to 4, and what they say on average."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=n)
    many = 1 + (true[:, None, None] + spread * rng.normal(size=(n, 400, 1)) > CUTS).sum(axis=2)
    return many[:, :raters].astype(float), many.mean(axis=1)


@pytest.mark.parametrize("spread", [0.4, 0.8])
@pytest.mark.parametrize(
    ("statistic", "raters", "near"),
    [("pearson", "flattened", 0.01), ("pearson", "mean", 0.01), ("kendall_c", "flattened", 0.03)],
)
def test_ceiling_equals_agreement_of_the_true_distribution(
    spread: float, statistic: str, raters: str, near: float
) -> None:
    rating_table, truth = people(1500, 3, spread, 1)
    protocol = Protocol(statistic=statistic, raters=raters)
    reached = agree({"truth": truth}, ratings_of(rating_table), protocol, resamples=0)["truth"]
    among = rater_agreement(ratings_of(rating_table), protocol, resamples=40)
    assert among.ceiling.observed == pytest.approx(reached.values[statistic], abs=near)
    # The model foretells what can be seen: one rater beside the others.
    assert among.expected == pytest.approx(among.one_rater.observed, abs=0.01)
    assert among.one_rater.observed < among.ceiling.observed
    for each in (among.alpha, among.one_rater, among.ceiling):
        low, high = each.interval()
        assert low < each.observed < high


def test_one_rater_agreement_equals_calculation_by_hand() -> None:
    rating_table = [[1.0, 2.0, 4.0], [2.0, 2.0, NAN], [3.0, NAN, NAN], [4.0, 4.0, 3.0]]
    x = [3.0, 2.5, 1.5, 2.0, 2.0, 3.5, 3.5, 4.0]
    y = [1.0, 2.0, 4.0, 2.0, 2.0, 4.0, 4.0, 3.0]
    among = rater_agreement(ratings_of(rating_table), Protocol(), resamples=0)
    assert among.one_rater.observed == pytest.approx(kendall_c(np.array(x), np.array(y)))
    assert among.n == 9


def test_ceiling_is_one_if_raters_always_agree() -> None:
    rating_table = np.repeat(np.random.default_rng(0).integers(1, 5, size=(60, 1)), 3, axis=1)
    among = rater_agreement(ratings_of(rating_table), Protocol(statistic="pearson"), resamples=20)
    assert among.ceiling.observed == pytest.approx(1)
    assert among.one_rater.observed == pytest.approx(1)
    assert among.alpha.observed == 1


def test_ceiling_is_zero_if_ratings_are_random() -> None:
    rating_table = np.random.default_rng(0).integers(1, 5, size=(3000, 3))
    among = rater_agreement(ratings_of(rating_table), Protocol(statistic="pearson"), resamples=0)
    assert abs(among.alpha.observed) < 0.03
    assert among.ceiling.observed < 0.25


def voted(n: int, raters: int, seed: int) -> tuple[Preferences, FloatArray]:
    """Pairs with votes, and the chance of a vote for the second caption."""
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.8, 0.8, size=n)
    votes = (rng.random((n, raters)) < chance[:, None]).astype(float)
    preferred = (votes.mean(axis=1) > 0.5).astype(int)
    pairs = preferences_of(preferred.tolist())
    return replace(pairs, votes=votes), chance


def test_ceiling_of_votes_equals_accuracy_of_the_true_distribution() -> None:
    pairs, chance = voted(3000, 5, 0)
    scores = np.stack([1 - chance, chance], axis=1)
    reached = agree({"truth": scores}, pairs, resamples=0)["truth"].values["mean"]
    among = rater_agreement(pairs, resamples=40)
    assert among.statistic == "accuracy"
    assert among.ceiling.observed == pytest.approx(reached, abs=0.015)
    assert among.expected == pytest.approx(among.one_rater.observed, abs=0.01)


def test_one_vote_agreement_equals_calculation_by_hand() -> None:
    pairs = preferences_of([0, 1])
    pairs = replace(pairs, votes=np.array([[0, 0, 1.0], [1, 0.5, 1.0]]))
    # First pair: 0 beside {0, 1} is a half, twice; 1 beside {0, 0} is wrong. Second: 1 beside
    # {.5, 1} is right, twice; .5 beside {1, 1} is a half.
    assert rater_agreement(pairs, resamples=0).one_rater.observed == pytest.approx(3.5 / 6)


@pytest.mark.parametrize("statistic", CORRELATIONS)
def test_the_order_of_raters_changes_nothing(statistic: str) -> None:
    rating_table, _ = people(60, 3, 0.8, 2)
    mixed = np.random.default_rng(0).permuted(rating_table, axis=1)
    one, other = (
        rater_agreement(ratings_of(each), Protocol(statistic=statistic), resamples=20).to_dict()
        for each in (rating_table, mixed)
    )
    assert one == other


@pytest.mark.slow
def test_the_order_of_captions_changes_nothing() -> None:
    rating_table, _ = people(60, 3, 0.8, 2)
    ratings = ratings_of(rating_table, images=[place // 4 for place in range(60)])
    pairs, _ = voted(60, 5, 0)
    pairs = replace(pairs, groups=["b", "a", "c"] * 20)
    order = np.random.default_rng(0).permutation(60)
    for judgements in (ratings, pairs):
        one, other = (
            rater_agreement(each, resamples=20).to_dict()
            for each in (judgements, judgements.take(order))
        )
        assert one == other


def test_ceiling_is_undefined_on_a_fine_scale() -> None:
    rating_table = np.random.default_rng(0).normal(size=(50, 2))
    among = rater_agreement(ratings_of(rating_table), resamples=20).to_dict()
    assert among["ceiling"]["value"] is None and among["one_rater"]["value"] is not None


def test_single_judgements_have_no_rater_agreement() -> None:
    with pytest.raises(InputError, match="here every caption has one"):
        rater_agreement(ratings_of([[1.0], [2.0]]))
    with pytest.raises(InputError, match="here every caption has one"):
        rater_agreement(preferences_of([0, 1]))
    with pytest.raises(InputError, match="measured by correlations, not by acc_eq"):
        rater_agreement(ratings_of([[1.0, 2.0]]), Protocol(statistic="acc_eq"))
    with pytest.raises(InputError, match="measured by correlations, not by accuracy"):
        rater_agreement(ratings_of([[1.0, 2.0]]), Protocol(statistic="accuracy"))
    pairs = replace(preferences_of([0, 1]), votes=np.zeros((3, 2)))
    with pytest.raises(InputError, match=r"votes need one row for each of 2 judgements"):
        evaluate(pairs, "bleu_1")


def test_rating_mixture_recovers_its_components() -> None:
    rng = np.random.default_rng(0)
    kinds = np.array([[0.9, 0.1, 0.0], [0.0, 0.2, 0.8]])
    of = rng.integers(0, 2, 2000)
    counts = rng.multinomial(4, kinds[of])
    fitted = RatingMixture.fit(counts, np.array([1.0, 2.0, 3.0]))
    chances, drawn = fitted.draw(rng)
    assert (drawn.sum(axis=1) == 4).all()
    means = np.array([chances[of == kind].mean(axis=0) for kind in (0, 1)])
    assert means == pytest.approx(kinds, abs=0.03)
