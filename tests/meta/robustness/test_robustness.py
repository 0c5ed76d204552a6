"""Robustness: accuracies, curves and areas, on made-up captions and on Flickr8k's."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.cli.main import make_parser
from captious.errors import InputError
from captious.meta.robustness.captioned_images import CaptionedImages, Worsened, read_flickr8k
from captious.meta.robustness.distractions import DISTRACTIONS
from captious.meta.robustness.evaluation import KINDS, Robustness, robustness, worsened_captions
from captious.meta.robustness.gaming import GAMES
from captious.meta.robustness.pathological import STRENGTHS
from captious.meta.robustness.rows import ChoiceRow, DecayRow, choice_row, decay_row
from captious.metrics.base import Metric, mean_statistics
from captious.samples import Samples
from captious.text.tokens import Tokens
from captious.text.transformations import TRANSFORMATIONS
from tests.made_up.captioned_images import CAPTIONS, made_up
from tests.made_up.sighted import SeenImage, numbers_of, vectors_by_name


@pytest.fixture(scope="module")
def data() -> CaptionedImages:
    return made_up()


@dataclass(frozen=True)
class Length(Metric):
    """A metric that counts words."""

    name = "length"
    columns = ("length",)
    description = "words of the candidate"
    bounds = (0.0, 100.0)

    def statistics(self, samples: Samples, prepared: Any) -> np.ndarray:
        lengths = samples.candidates.layer(Tokens).ids.lengths_at(samples.rows)
        return mean_statistics(lengths.astype(np.float64))


@dataclass(frozen=True)
class Nothing(Length):
    """A metric that finds all captions worthless."""

    name = "nothing"
    columns = ("nothing",)

    def statistics(self, samples: Samples, prepared: Any) -> np.ndarray:
        return mean_statistics(np.zeros(len(samples)))


def test_accuracy_counts_ties_one_half() -> None:
    human = np.array([0.5, 0.5, 0.5, 0.5])
    worsened = {
        "a": Worsened(np.array([0, 1, 3]), ["x"] * 3),
        "b": Worsened(np.array([2]), ["x"]),
        "none": Worsened(np.array([], np.int64), []),
    }
    scores = {"a": np.array([0.4, 0.5, 0.9]), "b": np.array([0.1]), "none": np.array([])}
    row = choice_row("m", "gaming", human, worsened, scores, np.array([0, 0, 1, 1]))
    assert row.accuracy == {"a": 0.5, "b": 1.0, "average": 0.75, "worst": 0.5}
    assert row.ties == {"a": pytest.approx(1 / 3), "b": 0}
    assert row.ratio == {"a": pytest.approx(1.2), "b": pytest.approx(0.2)}
    assert row.n == {"a": 3, "b": 1}
    assert row.worst == "a"
    # One image has 1.5 of 2 right in `a`, the other 0 of 1.
    assert row.interval["a"] == (0, 0.75)
    assert row.interval["b"] == (1, 1)


def test_tiny_differences_are_no_ties() -> None:
    human = np.array([3e-13, 2e-13, 1e-13])
    worsened = {"a": Worsened(np.arange(3), ["x"] * 3)}
    scores = {"a": np.array([2e-13, 2e-13, 2e-13])}
    row = choice_row("m", "gaming", human, worsened, scores, np.arange(3))
    assert row.accuracy["a"] == 0.5 and row.ties["a"] == pytest.approx(1 / 3)
    row = choice_row("m", "gaming", human + 2e-13, worsened, scores, np.arange(3))
    assert row.accuracy["a"] == 1 and row.ties["a"] == 0


def test_curves_begin_at_1_and_areas_are_of_trapeziums() -> None:
    human = np.array([2.0, 4.0])
    scores = {"t": [human, np.array([1.0, 2.0]), np.zeros(2)], "u": [human] * 3}
    row = decay_row("m", "pathological", human, scores, (0, 50, 100), np.array([0, 1]))
    assert row.curves == {"t": [1, 0.5, 0], "u": [1, 1, 1]}
    assert row.auc == {"t": 0.5, "u": 1, "average": 0.75, "worst": 1}
    assert row.interval["t"] == (0.5, 0.5)
    assert row.worst == "u"


def test_curves_are_ratios_of_means_not_means_of_ratios() -> None:
    human = np.array([1.0, 3.0])
    scores = {"t": [human, np.array([1.0, 0.0])]}
    row = decay_row("m", "pathological", human, scores, (0, 100), np.array([0, 1]))
    assert row.curves["t"] == [1, 0.25]
    assert row.interval["t"] == (0.5, 1)


def test_every_metric_has_a_row_of_every_kind(data: CaptionedImages) -> None:
    result = robustness(data, ["bleu_1", "rouge_l"], cache=False, resamples=50)
    assert [(row.kind, row.metric) for row in result.rows] == [
        (kind, metric) for kind in KINDS for metric in ("bleu_1", "rouge_l")
    ]
    assert set(choice(result, "rouge_l", "distractions").n) == set(DISTRACTIONS)
    assert set(choice(result, "rouge_l", "gaming").n) == set(GAMES)
    curves = decay(result, "bleu_1").curves
    assert set(curves) == set(TRANSFORMATIONS)
    # BLEU-1 knows nothing of order.
    assert curves["word_permutation"] == pytest.approx([1] * len(STRENGTHS))
    assert curves["random_word"][-1] < 0.5
    assert (result.images, result.captions) == (6, 18)
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["rows"][0]["accuracy"].keys() == {*DISTRACTIONS, "average", "worst"}
    with pytest.raises(InputError, match="no row of 'meteor'"):
        result.row("meteor", "gaming")


def choice(result: Robustness, metric: str, kind: str) -> ChoiceRow:
    row = result.row(metric, kind)
    assert isinstance(row, ChoiceRow)
    return row


def decay(result: Robustness, metric: str) -> DecayRow:
    row = result.row(metric, "pathological")
    assert isinstance(row, DecayRow)
    return row


def test_a_metric_of_ones_own(data: CaptionedImages) -> None:
    result = robustness(data, Length(), cache=False, resamples=50)
    distracted = choice(result, "length", "distractions").accuracy
    assert distracted["just_person"] == distracted["just_scene"] == 1
    gamed = choice(result, "length", "gaming").accuracy
    assert (gamed["repeated_clause"], gamed["cut_off"], gamed["worst"]) == (0, 1, 0)
    areas = decay(result, "length").auc
    assert areas["word_permutation"] == areas["random_word"] == pytest.approx(1)


def test_each_caption_is_scored_against_the_others_only(data: CaptionedImages) -> None:
    result = robustness(data, "bleu_1", "gaming", cache=False, resamples=50)
    # Were the caption itself among its references, cutting it off could not help.
    assert choice(result, "bleu_1", "gaming").accuracy["cut_off"] < 1


def test_tables(data: CaptionedImages) -> None:
    result = robustness(data, "bleu_1", resamples=50, cache=False)
    text = str(result)
    for words in ("replace person", "word permutation", "cut off", "6 images, 18 captions"):
        assert words in text
    assert json.loads(result.to_text("json")) == json.loads(json.dumps(result.to_dict()))
    assert result.to_text("latex").startswith("% distractions")


def test_invalid_calls_are_refused(data: CaptionedImages) -> None:
    with pytest.raises(InputError, match="unknown kind 'gamma'"):
        robustness(data, "bleu_1", "gamma")
    with pytest.raises(InputError, match="nothing: human captions score 0 on average"):
        robustness(data, Nothing(), "pathological", cache=False)
    with pytest.raises(InputError, match="needs a list of two captions"):
        CaptionedImages.of({"a": ["a dog"]})
    with pytest.raises(InputError, match="image 'a': a caption has no words"):
        CaptionedImages.of({"a": ["a dog", "."]})
    with pytest.raises(InputError, match="1 images but features of 2"):
        CaptionedImages.of({"a": ["a dog", "dogs"]}, np.ones((2, 3)))
    with pytest.raises(InputError, match="no images"):
        CaptionedImages.of({})
    with pytest.raises(InputError, match="look alike as text"):
        CaptionedImages.of({1: ["a dog", "dogs"], "1": ["a cat", "cats"]})  # type: ignore[dict-item]


@pytest.mark.parametrize("kind", KINDS)
def test_every_caption_is_seen_with_its_own_image(data: CaptionedImages, kind: str) -> None:
    numbers = numbers_of(data.names)
    human = [numbers[data.names[image]] for image in data.images.tolist()]
    heard: list[float] = []

    class Overheard(SeenImage):
        def statistics(self, samples: Samples, prepared: np.ndarray) -> np.ndarray:
            statistics = super().statistics(samples, prepared)
            heard.extend(statistics[:, 0].tolist())
            return statistics

    robustness(data, Overheard(vectors_by_name(data.names)), kind, cache=False, resamples=1)
    made = worsened_captions(data, [kind])[kind].values()
    rows = [row for strengths in made for worse in strengths for row in worse.rows.tolist()]
    assert heard == pytest.approx([*human, *(human[row] for row in rows)])


def test_images_that_are_not_there_are_named(data: CaptionedImages) -> None:
    without = vectors_by_name([name for name in data.names if name != "street"])
    with pytest.raises(InputError, match="image vectors: no image 'street'"):
        robustness(data, SeenImage(without), "gaming", cache=False, resamples=1)


def write_flickr8k(folder: Path, captions: str) -> None:
    (folder / "Flickr8k.token.txt").write_text(captions)
    (folder / "Flickr_8k.testImages.txt").write_text("b.jpg\na.jpg\n")


def test_flickr8k_is_read_in_the_order_of_its_test_images(tmp_path: Path) -> None:
    write_flickr8k(
        tmp_path, "a.jpg#0\tA dog .\na.jpg#1\tDogs .\nb.jpg#0\tA cat\nb.jpg#1\tCats\nc.jpg#0\tNo\n"
    )
    data = read_flickr8k(tmp_path)
    assert data.names == ["b.jpg", "a.jpg"]
    assert data.texts == ["a cat", "cats", "a dog", "dogs"]
    assert data.features is None
    np.savez(
        tmp_path / "efficientnet_lite2.npz",
        files=np.array(["a.jpg", "b.jpg"]),
        features=np.array([[1, 2], [3, 4]], np.float16),
    )
    features = read_flickr8k(tmp_path, 1).features
    assert features is not None and features.tolist() == [[3, 4]]


def test_flickr8k_with_something_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no Flickr8k\.token\.txt in it"):
        read_flickr8k(tmp_path)
    write_flickr8k(tmp_path, "a.jpg#0 A dog .\n")
    with pytest.raises(InputError, match="line 1: no tab"):
        read_flickr8k(tmp_path)
    (tmp_path / "Flickr_8k.testImages.txt").write_text("b.jpg\na.jpg\nb.jpg\n")
    with pytest.raises(InputError, match=r"testImages.txt: image 'b.jpg' occurs twice; keep one"):
        read_flickr8k(tmp_path)
    with pytest.raises(InputError, match="from 1 on, not 0"):
        read_flickr8k(tmp_path, 0)
    write_flickr8k(tmp_path, "a.jpg#0\tA dog\na.jpg#1\tDogs\nb.jpg#0\tA cat\nb.jpg#1\tCats\n")
    (tmp_path / "efficientnet_lite2.npz").write_bytes(b"no arrays")
    with pytest.raises(InputError, match=r"not an \.npz with the arrays 'files' and 'features'"):
        read_flickr8k(tmp_path)
    np.savez(tmp_path / "efficientnet_lite2.npz", files=["a.jpg"], features=np.ones((1, 2)))
    with pytest.raises(InputError, match=r"no features of image 'b\.jpg'"):
        read_flickr8k(tmp_path)


def run(*arguments: str) -> None:
    options = make_parser("robustness").parse_args(
        ["robustness", "--metrics", "rouge_l", *arguments]
    )
    options.run(options)


@pytest.mark.slow
def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        f"{'ab'[image]}.jpg#{number}\t{caption}"
        for image, name in enumerate(("beach", "street"))
        for number, caption in enumerate(CAPTIONS[name])
    ]
    write_flickr8k(tmp_path, "\n".join(lines))
    written = tmp_path / "out.json"
    run("--data", str(tmp_path), "--kind", "gaming", "--seed", "3", "--output", str(written))
    assert "reference words" in capsys.readouterr().out
    run("--data", str(tmp_path), "--kind", "gaming", "--seed", "3", "--format", "json")
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads(written.read_text())
    assert (told["seed"], told["images"], len(told["rows"])) == (3, 2, 1)
    run("--data", str(tmp_path), "--kind", "gaming", "--first", "1")
    assert "1 images, 3 captions" in capsys.readouterr().out
    with pytest.raises(InputError, match="need image features"):
        run("--data", str(tmp_path))


def test_command_without_required_options_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --data DIR"):
        run()
    with pytest.raises(InputError, match=r"name the file \.json"):
        run("--data", str(tmp_path), "--output", "table.csv")


# NNEval (Sharif et al. 2018), table 3, on the distractions of Hodosh and Hockenmaier (2016), which
# are of other images: ours must fall where theirs do.
NNEVAL = {
    "bleu_1": (84.9, 78.1, 87.5, 88.2, 87.5, 98.4),
    "bleu_4": (85.9, 75.2, 83.5, 82.4, 54.9, 67.7),
    "rouge_l": (83.3, 71.1, 86.8, 86.8, 83.4, 94.1),
}


@pytest.mark.slow
def test_accuracies_on_flickr8k_are_near_the_published(shared: Path) -> None:
    data = read_flickr8k(shared / "data" / "flickr8k", 300)
    result = robustness(data, list(NNEVAL), "distractions")
    for metric, published in NNEVAL.items():
        row = choice(result, metric, "distractions")
        ours = np.array([100 * row.accuracy[kind] for kind in DISTRACTIONS])
        assert np.abs(ours - published).max() < 12
        assert row.worst == DISTRACTIONS[np.argmin(published)]
        assert min(row.n.values()) > 300
