"""Tuning: captions become better by the metric that rewards them, and all chance is repeatable."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.decoder import Decoder, Shape
from captious.captioners.recipe import ARCHITECTURES
from captious.errors import CaptiousError, InputError
from captious.text.vocabulary import EDGE, UNKNOWN
from captious.training.captioners.training import train
from captious.training.captioners.tuning import TuningRecipe, log_probabilities, tune
from captious.training.loop import Progress, TrainingResult
from tests.made_up.captioner_world import RECIPE as TRAINING
from tests.made_up.captioner_world import captions, examples, images
from tests.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")]

torch = pytest.importorskip("torch")

RECIPE = TuningRecipe(
    samples=4, longest=8, beam=1, batch=12, learning_rate=0.01, epochs=4, patience=4, seed=5
)
LEARNT, JUDGED = captions(36), captions(12, 36)


@pytest.fixture(scope="module")
def captioner() -> Captioner:
    """One that has much to learn yet."""
    return train(*examples(), replace(TRAINING, epochs=3)).model


def tuned(
    captioner: Captioner, recipe: TuningRecipe = RECIPE, **how: Any
) -> TrainingResult[Captioner]:
    return tune(captioner, images(), LEARNT, JUDGED, recipe, **how)


def same(one: TrainingResult[Captioner], other: TrainingResult[Captioner]) -> bool:
    mine, theirs = one.model.decoder.arrays(), other.model.decoder.arrays()
    return one.curve == other.curve and all((mine[name] == theirs[name]).all() for name in mine)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_probabilities_of_written_captions_sum_to_one(architecture: str) -> None:
    decoder = Decoder(Shape(architecture, 5, 4, 3), 1)
    decoder.parts.eval()
    vector = torch.tensor([[0.6, 0.0, 0.8]])
    # Everything that can be drawn of two words at most, and of any length cut off at two.
    drawn = [[EDGE, EDGE], *([2 + first, second] for first, second in product((0, 1), (0, 2, 3)))]
    with torch.inference_mode():
        found = log_probabilities(decoder, vector.repeat(len(drawn), 1), np.array(drawn))
        scores, _ = decoder.read(torch.tensor([[EDGE, 2]]), decoder.initial_state(vector))
    assert float(found.exp().sum()) == pytest.approx(1)
    known = [number for number in range(4) if number != UNKNOWN]
    shares = scores[0, :, known].softmax(1)
    by_hand = shares[0, known.index(2)] * shares[1, known.index(3)]
    assert float(found[drawn.index([2, 3])].exp()) == pytest.approx(float(by_hand))


def test_the_gradient_is_that_of_the_expected_reward() -> None:
    """All captions of two words, weighed by their probabilities, as the samples would be."""
    decoder = Decoder(Shape("par", 5, 4, 3), 1)
    decoder.parts.eval()
    weight = decoder.parts["output"].weight
    vector = torch.tensor([[0.6, 0.0, 0.8]])
    drawn = np.array([[EDGE, EDGE], *([w, v] for w, v in product((2, 3), (0, 2, 3)))])
    rewards = torch.tensor([0.3, 1.0, 0.0, 2.0, 0.5, 0.1, 0.7])

    def chances() -> Any:
        return log_probabilities(decoder, vector.repeat(len(drawn), 1), drawn)

    (exact,) = torch.autograd.grad((chances().exp() * rewards).sum(), weight)
    logarithms = chances()
    baseline = 0.4  # of whatever does not depend on the sample
    weighed = logarithms.detach().exp() * (rewards - baseline) * logarithms
    (estimated,) = torch.autograd.grad(weighed.sum(), weight)
    assert torch.allclose(exact, estimated, atol=1e-6)


@pytest.mark.parametrize("baseline", ["others", "greedy"])
@pytest.mark.parametrize("half", [False, True])
def test_tuning_raises_the_reward(captioner: Captioner, baseline: str, half: bool) -> None:
    recipe = replace(RECIPE, baseline=baseline, half=half, epochs=24, patience=24)
    trained = tuned(captioner, recipe)
    notes = trained.model.notes
    rewards = [point["validation_reward"] for point in trained.curve]
    assert notes["validation_reward"] == max(rewards) == rewards[trained.best - 1]
    assert notes["validation_reward"] > 1.2 * notes["validation_reward_before"]
    # The loss is the reward of the drawn captions, negative: it falls.
    assert trained.curve[-1]["loss"] < 1.3 * trained.curve[0]["loss"] < 0
    assert notes["tuned_from"] == captioner.notes
    assert 0 < trained.best_point["different"] <= 1


def test_another_reward_is_another_captioner(captioner: Captioner, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def short(candidate, references):\n    return -len(candidate.split()) / 10\n")
    short = tuned(captioner, replace(RECIPE, reward=f'"{file}":short', epochs=12, patience=12))
    assert short.best_point["words"] < 1
    plain = tuned(captioner)
    assert plain.best_point["words"] > 2
    with_end = tuned(captioner, replace(RECIPE, end_word=True))
    assert not same(with_end, plain)


def test_tuning_does_not_change_the_given_captioner(captioner: Captioner) -> None:
    before = captioner.decoder.arrays()
    assert not same(tuned(captioner), tuned(captioner, replace(RECIPE, seed=6)))
    after = captioner.decoder.arrays()
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.parametrize("choices", [{}, {"baseline": "greedy", "half": True, "end_word": True}])
def test_resumed_tuning_gives_identical_weights(
    captioner: Captioner, tmp_path: Path, choices: dict[str, Any]
) -> None:
    recipe = replace(RECIPE, **choices)
    torch.manual_seed(99)
    before = torch.get_rng_state()
    whole = tuned(captioner, recipe)
    assert (torch.get_rng_state() == before).all()  # the caller's random state is unchanged
    file = tmp_path / "state.npz"
    tuned(captioner, replace(recipe, epochs=2), checkpoint=file)
    assert same(tuned(captioner, recipe, checkpoint=file), whole)


def test_a_checkpoint_fits_its_own_tuning_alone(captioner: Captioner, tmp_path: Path) -> None:
    file = tmp_path / "state.npz"
    short = replace(RECIPE, epochs=1)
    tuned(captioner, short, checkpoint=file)
    other_captioner = train(*examples(), replace(TRAINING, epochs=1)).model
    others: list[Callable[[], Any]] = [
        lambda: tuned(captioner, replace(short, seed=9), checkpoint=file),
        lambda: tuned(captioner, replace(short, reward="cider_d(sigma=4)"), checkpoint=file),
        lambda: tuned(other_captioner, short, checkpoint=file),
        lambda: tune(captioner, images(), captions(35), JUDGED, short, checkpoint=file),
        lambda: tune(captioner, images(), LEARNT, captions(11, 36), short, checkpoint=file),
    ]
    for other in others:
        with pytest.raises(InputError, match="a checkpoint of another training"):
            other()


def test_checkpoint_is_refused_if_the_reward_file_changed(
    captioner: Captioner, tmp_path: Path
) -> None:
    function, file = tmp_path / "mine.py", tmp_path / "state.npz"
    recipe = replace(RECIPE, reward=f'"{function}":one', epochs=1)
    function.write_text("def one(candidate, references):\n    return 1\n")
    tuned(captioner, recipe, checkpoint=file)
    function.write_text("def one(candidate, references):\n    return 2\n")
    with pytest.raises(InputError, match="a checkpoint of another training"):
        tuned(captioner, recipe, checkpoint=file)


KILLED = """
import sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from captious.captioners.captioner import load_captioner
from tests.training.test_captioner_tuning import RECIPE, tuned
recipe = replace(RECIPE, epochs=100000, patience=100000)
tuned(load_captioner(sys.argv[2]), recipe, checkpoint=sys.argv[3])
"""


def test_resuming_after_a_kill_gives_identical_weights(
    captioner: Captioner, tmp_path: Path
) -> None:
    file, model = tmp_path / "state.npz", tmp_path / "captioner.npz"
    captioner.save(model)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(ROOT), str(model), str(file)], stderr=subprocess.PIPE
    )
    while not file.exists() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    _, complaint = process.communicate()
    assert file.exists(), complaint
    begun = tuned(captioner, replace(RECIPE, epochs=1, patience=10**5), checkpoint=file)
    recipe = replace(RECIPE, epochs=len(begun.curve) + 1, patience=10**5)
    resumed = tuned(load_captioner(model), recipe, checkpoint=file)
    assert len(resumed.curve) == len(begun.curve) + 1
    assert same(resumed, tuned(captioner, recipe))


def test_progress_counts_the_captions_that_are_drawn(captioner: Captioner) -> None:
    heard: list[Progress] = []
    tuned(captioner, replace(RECIPE, epochs=2), progress=heard.append)
    assert [(at.epoch, at.done, at.samples) for at in heard] == [
        (epoch, done, 144) for epoch in (1, 2) for done in (48, 96, 144)
    ]
    assert heard[0].merit == "validation_reward" and heard[-1].best is not None


def test_a_tuned_captioner_survives_its_file_and_can_be_tuned_again(
    captioner: Captioner, tmp_path: Path
) -> None:
    first = tuned(captioner, replace(RECIPE, epochs=1))
    first.model.save(tmp_path / "tuned.npz")
    again = tuned(load_captioner(tmp_path / "tuned.npz"), replace(RECIPE, epochs=1))
    assert again.model.notes["tuned_from"] == first.model.notes
    assert again.model.notes["validation_reward_before"] == pytest.approx(
        first.model.notes["validation_reward"]
    )


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"samples": 1}, "needs two samples per image"),
        ({"samples": 0}, "samples: a whole number"),
        ({"baseline": "best"}, "unknown baseline 'best'"),
        ({"reward": 3}, "reward"),
        ({"learning_rate": 0}, "learning_rate: a number"),
        ({"beam": 0}, "beam: a whole number"),
    ],
)
def test_recipes_that_make_no_sense(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(RECIPE, **choices)
    assert TuningRecipe(samples=1, baseline="greedy").samples == 1


@pytest.mark.parametrize("reward", ["nothing", "coco", "bleu", "absent.npz"])
def test_invalid_rewards_are_errors(captioner: Captioner, reward: str) -> None:
    with pytest.raises(CaptiousError):
        tuned(captioner, replace(RECIPE, reward=reward))
