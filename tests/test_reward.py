"""Rewards of token ids: what they are scores of, how they are summed, baselines, and mistakes."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import captious
from captious.errors import CaptiousError, InputError
from captious.reward import Reward, advantages

# Three images have document frequencies that say little, which is no matter here.
pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

WORDS = ["<end>", "<begin>", "a", "dog", "runs", "on", "the", "beach", "cat", "sleeps"]
REFERENCES = {
    "dog.jpg": ["a dog runs on the beach", "a dog on a beach"],
    "cat.jpg": ["the cat sleeps", "a cat sleeps on the beach"],
    "other.jpg": ["two men ride", "men ride horses"],
}
END, BEGIN = 0, 1


def ids(*captions: str, length: int = 8) -> np.ndarray[Any, Any]:
    """Rows of ids: a beginning, words, and ends up to the length."""
    rows = [[BEGIN, *(WORDS.index(word) for word in caption.split())] for caption in captions]
    return np.array([(row + [END] * length)[:length] for row in rows])


def reward(metrics: Any = "cider_d", **choices: Any) -> Reward:
    given = {"vocabulary": WORDS, "end": END, "skipped": [BEGIN], "cache": False, **choices}
    return Reward(REFERENCES, metrics, **given)


CAPTIONS = ["a dog runs", "the cat sleeps", "", "a dog on a beach"]
IMAGES = ["dog.jpg", "cat.jpg", "cat.jpg", "dog.jpg"]


@pytest.mark.parametrize("metric", ["cider_d", "bleu_2", "captious", "cider_d(sigma=4)", "spice"])
def test_the_reward_is_the_metric_of_the_words_before_the_end(metric: str) -> None:
    scorer = captious.Scorer(REFERENCES, metrics=metric, cache=False)
    column = metric.partition("(")[0]
    expected = scorer.score(CAPTIONS, ids=IMAGES).samples[column]
    actual = reward(metric)(ids(*CAPTIONS), IMAGES)
    assert actual.dtype == np.float32 and actual.shape == (4,)
    assert actual.tolist() == expected.astype(np.float32).tolist()
    assert reward(metric).of_captions(CAPTIONS, IMAGES).tolist() == actual.tolist()


def test_word_ids_are_decoded_to_captions() -> None:
    assert reward().captions(ids(*CAPTIONS)) == CAPTIONS
    after_the_end = np.array([[2, 3, END, 8, 9], [BEGIN, 2, BEGIN, 8, 9]])
    assert reward().captions(after_the_end) == ["a dog", "a cat sleeps"]
    assert reward().captions(np.zeros((2, 0), int)) == ["", ""]


def test_several_samples_an_image_keep_their_shape() -> None:
    samples = ids("a dog runs", "a dog", "the cat", "the cat sleeps", "a cat", "cat")
    flat = reward()(samples, ["dog.jpg"] * 3 + ["cat.jpg"] * 3)
    actual = reward()(samples.reshape(2, 3, -1), ["dog.jpg", "cat.jpg"])
    assert actual.shape == (2, 3)
    assert actual.ravel().tolist() == flat.tolist()
    assert actual[0, 0] > 0 and actual[1, 1] > 0


def test_images_of_a_list_are_found_by_index() -> None:
    listed = Reward(list(REFERENCES.values()), vocabulary=WORDS, end=END, skipped=[BEGIN])
    expected = reward()(ids(*CAPTIONS), IMAGES).tolist()
    assert listed(ids(*CAPTIONS), [0, 1, 1, 0]).tolist() == expected
    assert listed(ids(*CAPTIONS).tolist(), np.array([0, 1, 1, 0])).tolist() == expected


def test_tensors_are_taken_as_arrays_are() -> None:
    torch = pytest.importorskip("torch")
    listed = Reward(list(REFERENCES.values()), vocabulary=WORDS, end=END, skipped=[BEGIN])
    actual = listed(torch.from_numpy(ids(*CAPTIONS)), torch.tensor([0, 1, 1, 0]))
    assert actual.tolist() == reward()(ids(*CAPTIONS), IMAGES).tolist()


def overlap(candidate: str, references: list[str]) -> float:
    return len(set(candidate.split()) & set(references[0].split())) / 10


def test_rewards_can_be_summed_with_weights() -> None:
    one = {name: reward(name)(ids(*CAPTIONS), IMAGES) for name in ("cider_d", "rouge_l", "bleu_1")}
    both = reward("cider_d(sigma=6)=1, rouge_l=-.5")
    assert both.weights == {"cider_d": 1.0, "rouge_l": -0.5}
    assert np.allclose(both(ids(*CAPTIONS), IMAGES), one["cider_d"] - 0.5 * one["rouge_l"])
    assert reward("cider_d,rouge_l=2").weights == {"cider_d": 1.0, "rouge_l": 2.0}
    two_columns = reward("bleu_1=2,bleu_4=0")(ids(*CAPTIONS), IMAGES)
    assert np.allclose(two_columns, 2 * one["bleu_1"])
    own_reward = reward({overlap: 2, "rouge_l": 1})(ids("a dog runs"), ["dog.jpg"])
    assert own_reward[0] == pytest.approx(0.6 + one["rouge_l"][0])
    assert reward(overlap)(ids("a dog runs"), ["dog.jpg"])[0] == pytest.approx(0.3)


def test_files_and_functions_are_rewards_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def length(candidate, references):\n    return len(candidate.split()) / 10\n")
    address = f'"{file}":length'
    assert reward(f"{address}=2")(ids("a dog"), ["dog.jpg"])[0] == pytest.approx(0.4)
    assert "length" in reward(address).signature


def test_end_word_rewards_captions_with_an_end() -> None:
    cut_off = np.array([[2, 3, 4], [2, 3, END]])  # "a dog runs" without an end, "a dog" with it
    plain, counted = reward(end_word=False), reward(end_word=True)
    images = ["dog.jpg"] * 2
    assert counted.captions(cut_off) == ["a dog runs", "a dog"]
    # References end after "beach": stopping there is worth more than going on with "a", or
    # stopping elsewhere, although the words are as well supported.
    whole, broken = ids("a dog runs on the beach"), ids("a dog runs on the beach a", length=9)
    lost = [
        float((each(whole, images[:1]) - each(broken, images[:1]))[0]) for each in (plain, counted)
    ]
    assert lost[1] > lost[0]
    no_end = ids("a dog runs on the beach", length=7)  # cut off: the same words, no end
    assert plain(no_end, images[:1]) == plain(whole, images[:1])
    assert counted(no_end, images[:1]) < counted(whole, images[:1])
    assert counted.of_captions(["a dog runs on the beach"], images[:1]) == counted(
        whole, images[:1]
    )


def test_advantages_are_over_the_other_samples_or_the_greedy_caption() -> None:
    rewards = np.array([[1.0, 2.0, 6.0], [0.5, 0.5, 0.5]], np.float32)
    actual = advantages(rewards)
    assert actual.dtype == np.float32
    assert actual.tolist() == [[-3.0, -1.5, 4.5], [0.0, 0.0, 0.0]]
    assert np.allclose(actual.sum(1), 0)
    assert advantages(rewards, [2.0, 0.0]).tolist() == [[-1.0, 0.0, 4.0], [0.5, 0.5, 0.5]]


ONE = ids("a dog")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reward("cidr"), "unknown metric 'cidr'; did you mean 'cider'"),
        (lambda: reward(""), "no reward: name a metric"),
        (lambda: reward({}), "no reward: name a metric"),
        (lambda: reward("coco"), "a group is no reward"),
        (lambda: reward("bleu"), "bleu: a reward is one column; name one of bleu_1, bleu_2"),
        (lambda: reward("cider_d=many"), "a weight is a number, as in captious=.5"),
        (lambda: reward("cider_d="), "a weight is a number, as in captious=.5"),
        (lambda: reward("cider_d=nan"), "a weight is a number, as in captious=.5"),
        (lambda: reward("cider_d=1=2"), "not a metric"),
        (lambda: reward("cider_d=1,cider_d=2"), "cider_d: rewarded twice"),
        (lambda: reward("cider_d,cider_d(sigma=4)"), "cider_d: rewarded twice"),
        (lambda: reward({"cider_d": "1"}), "weight of cider_d: a number from"),
        (lambda: reward(7), "Reward: metrics"),
        (lambda: reward(vocabulary=["a", 3]), "vocabulary: word 1 is 3, not a text"),
        (lambda: reward(vocabulary=[]), "vocabulary: no words"),
        (lambda: reward(end=10), "end: a whole number from 0 to below 10, not 10"),
        (lambda: reward(skipped=[-1]), "skipped: a whole number"),
        (lambda: reward()(ONE, ["nowhere.jpg"]), "id 'nowhere.jpg': no references"),
        (lambda: reward()(ONE, ["dog.jpg"] * 2), "1 rows of ids but 2 images"),
        (lambda: reward()(ONE[0], ["dog.jpg"]), r"found shape \(8,\)"),
        (lambda: reward()(ONE + 0.5, ["dog.jpg"]), "ids: expected whole numbers"),
        (lambda: reward()([[1, 2], [3]], ["dog.jpg"] * 2), "ids: expected an array"),
        (lambda: reward()(ONE + 8, ["dog.jpg"]), "is the id of no word; the vocabulary has 10"),
        (lambda: reward()(ONE - 1, ["dog.jpg"]), "-1 is the id of no word"),
        (lambda: reward()(ONE, {"dog.jpg"}), "have no order"),
        (lambda: reward().captions(ONE[None]), r"expected an array \(captions, length\)"),
        (lambda: reward().of_captions(["a"], []), "1 candidates but 0 ids"),
        (lambda: reward(end_word=True).of_captions(cast(Any, [3]), ["dog.jpg"]), "dog.jpg"),
        (lambda: advantages([1.0]), r"expected an array \(images, samples\)"),
        (lambda: advantages([[1.0]]), "one sample per image has no others"),
        (lambda: advantages([[1.0, 2.0]], [1.0, 2.0]), "greedy: expected 1 rewards"),
    ],
)
def test_mistakes_are_one_line_errors(call: Any, message: str) -> None:
    with pytest.raises(CaptiousError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_no_captions_have_no_rewards() -> None:
    assert reward()(np.zeros((0, 5), int), []).shape == (0,)
    assert reward()(np.zeros((0, 3, 5), int), []).shape == (0, 3)
    assert reward()(np.zeros((2, 3, 0), int), ["dog.jpg", "cat.jpg"]).tolist() == [[0.0] * 3] * 2
    with pytest.raises(InputError):
        Reward({}, vocabulary=WORDS, end=END)


class Tensor:
    """A stand-in for PyTorch's: an array on a device."""

    def __init__(self, values: Any, device: str = "cuda:1") -> None:
        self.values, self.device = np.asarray(values), device

    def detach(self) -> Tensor:
        return self

    def is_floating_point(self) -> bool:
        return bool(self.values.dtype.kind == "f")

    def double(self) -> Tensor:
        return Tensor(self.values.astype(np.float64), self.device)

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        return self.values

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, Any]:
        return self.values


def test_ids_in_a_tensor_have_rewards_in_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = types.SimpleNamespace(Tensor=Tensor, as_tensor=Tensor)
    monkeypatch.setitem(sys.modules, "torch", cast(Any, torch))
    expected = reward()(ids(*CAPTIONS), IMAGES)
    assert isinstance(expected, np.ndarray)
    actual = reward()(Tensor(ids(*CAPTIONS)), IMAGES)
    assert isinstance(actual, Tensor) and actual.device == "cuda:1"
    assert actual.values.tolist() == expected.tolist() and actual.values.dtype == np.float32
    gains = advantages(Tensor(expected.reshape(2, 2)))
    assert isinstance(gains, Tensor) and gains.device == "cuda:1"


def test_ids_in_pytorch_have_rewards_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    actual = reward()(torch.as_tensor(ids(*CAPTIONS)), IMAGES)
    assert isinstance(actual, torch.Tensor) and actual.dtype == torch.float32
