"""One caption's score in every form, and what an image says of a caption."""

from __future__ import annotations

import math

import numpy as np
import pytest

from captious.errors import InputError
from captious.pregen import WordProbabilities
from captious.pregen.scoring import caption_forms, log_priors, log_probabilities

WORDS = WordProbabilities.of(
    [[[0.5, 0.25, 0.5], [0.1, 0.2]], [[0.5, 0.5]]],
    [[[True, False, True], [False, False]], [[True, True]]],
)


@pytest.mark.parametrize(
    ("form", "values"),
    [
        ("prob_none", [0.0625, 0.02, 0.25]),
        ("prob_filter0", [0.25, 0, 0.25]),
        ("prob_prefix0", [0.5, 0, 0.25]),
        ("prob_filter0_released", [0.25, 0.02, 0]),
        ("pplx_none", [0.0625 ** (-1 / 3), 0.02**-0.5, 2]),
        ("pplx_prefix0", [2, math.inf, 2]),
        ("pplx_filter0_released", [4, 0.02**-0.5, math.inf]),
        ("count_none", [3, 2, 2]),
        ("count_filter0", [2, 0, 2]),
        ("count_prefix0", [1, 0, 2]),
        ("count_filter0_released", [1, 2, 0]),
        ("normcount_none", [1, 1, 1]),
        ("normcount_prefix0", [1 / 3, 0, 1]),
        ("normcount_filter0_released", [1 / 3, 1, 0]),
    ],
)
def test_forms_by_hand(form: str, values: list[float]) -> None:
    assert caption_forms(WORDS)[form] == pytest.approx(values)


def test_there_are_twelve_forms_and_four_as_released() -> None:
    assert len(caption_forms(WORDS)) == 16


def test_log_probabilities_do_not_underflow() -> None:
    long = WordProbabilities.of([[[1e-200, 1e-200], [0.5, 0.0]]], [[[True, True], [True, True]]])
    assert log_probabilities(long).tolist() == pytest.approx([400 * -math.log(10), -math.inf])
    assert log_probabilities(WORDS) == pytest.approx(np.log([0.0625, 0.02, 0.25]))


def test_a_prior_is_the_mean_over_images_also_of_tiny_probabilities() -> None:
    plain = {"a": np.log([0.5, 0.1]), "b": np.log([0.25, 0.3])}
    assert log_priors(plain) == pytest.approx(np.log([0.375, 0.2]))
    tiny = {image: logs - 2000 for image, logs in plain.items()}
    assert log_priors(tiny) == pytest.approx(np.log([0.375, 0.2]) - 2000)
    never = {"a": np.array([-np.inf, 0.0]), "b": np.array([-np.inf, -np.inf])}
    assert log_priors(never).tolist() == pytest.approx([-math.inf, math.log(0.5)])
    with pytest.raises(InputError, match="no images"):
        log_priors({})
