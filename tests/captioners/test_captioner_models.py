"""The four architectures: training, decoding, word probabilities, files."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.decoder import Decoder, Shape, State
from captious.captioners.generation import (
    MAX_WORDS,
    beam_search,
    choose_greedily,
    decode_stepwise,
    generate,
    sample,
)
from captious.captioners.recipe import ARCHITECTURES
from captious.errors import InputError
from captious.images.vectors import ImageScaling, ImageVectors
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.files import read_probabilities, write_probabilities
from captious.text.vocabulary import EDGE, UNKNOWN
from captious.training.captioners.training import train
from captious.training.loop import TrainingResult
from tests.made_up.captioner_world import RECIPE, captions, examples, images
from tests.places import ROOT

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module", params=ARCHITECTURES)
def trained(request: pytest.FixtureRequest) -> TrainingResult[Captioner]:
    return train(*examples(), replace(RECIPE, architecture=request.param))


@pytest.fixture(scope="module")
def captioner(trained: TrainingResult[Captioner]) -> Captioner:
    return trained.model


def seen(captioner: Captioner, images: ImageVectors) -> Any:
    return torch.from_numpy(captioner.scale_images(images).vectors)


def same(one: TrainingResult[Captioner], other: TrainingResult[Captioner]) -> bool:
    mine, theirs = one.model.decoder.arrays(), other.model.decoder.arrays()
    return one.curve == other.curve and all((mine[name] == theirs[name]).all() for name in mine)


def test_training_learns_and_keeps_the_best_epoch(trained: TrainingResult[Captioner]) -> None:
    losses = [epoch["validation_loss"] for epoch in trained.curve]
    assert losses[trained.best - 1] == min(losses)
    assert min(losses) < 0.8 * losses[0]
    assert trained.model.notes["validation_loss"] == min(losses)


def test_captions_depend_on_the_image(trained: TrainingResult[Captioner]) -> None:
    architecture = trained.model.decoder.shape.architecture
    # After 80 epochs some seeds have learnt half of it, and which ones depends on the processor.
    longer = replace(RECIPE, architecture=architecture, epochs=160, patience=160)
    captioner = train(*examples(), longer).model
    unseen = images().take([f"{row}.jpg" for row in range(36, 48)])
    said = [one.caption for one in generate(captioner, unseen, beam=2)]
    animals = [own[0].split()[1] for own in captions(12, 36).values()]
    found = sum(animal in text for animal, text in zip(animals, said, strict=True))
    assert found >= 8  # 3 by chance


def test_the_same_seed_gives_the_same_weights(trained: TrainingResult[Captioner]) -> None:
    architecture = trained.model.decoder.shape.architecture
    recipe = replace(RECIPE, architecture=architecture)
    torch.manual_seed(99)
    before = torch.get_rng_state()
    assert same(train(*examples(), recipe), trained)
    assert (torch.get_rng_state() == before).all()  # nobody else's chance is touched
    assert not same(train(*examples(), replace(recipe, seed=4)), trained)


def test_resumed_training_gives_identical_weights(
    trained: TrainingResult[Captioner], tmp_path: Path
) -> None:
    architecture = trained.model.decoder.shape.architecture
    recipe = replace(RECIPE, architecture=architecture)
    file = tmp_path / "state.npz"
    train(*examples(), replace(recipe, epochs=2), checkpoint=file)
    assert same(train(*examples(), recipe, checkpoint=file), trained)
    with pytest.raises(InputError, match="a checkpoint of another training"):
        train(*examples(), replace(recipe, seed=9), checkpoint=file)


KILLED = """
import sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from tests.made_up.captioner_world import RECIPE, examples
from captious.training.captioners.training import train
train(*examples(), replace(RECIPE, epochs=100000, patience=100000), checkpoint=sys.argv[2])
"""


def test_training_resumed_after_a_kill_gives_identical_weights(tmp_path: Path) -> None:
    file = tmp_path / "state.npz"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(ROOT), str(file)],
        stderr=subprocess.PIPE,
    )
    while not file.exists() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    _, complaint = process.communicate()
    assert file.exists(), complaint
    state = train(*examples(), replace(RECIPE, epochs=1, patience=10**5), checkpoint=file)
    epochs = len(state.curve) + 2
    recipe = replace(RECIPE, epochs=epochs, patience=10**5)
    resumed = train(*examples(), recipe, checkpoint=file)
    assert len(resumed.curve) == epochs
    assert same(resumed, train(*examples(), recipe))


def test_each_epoch_can_be_kept(trained: TrainingResult[Captioner], tmp_path: Path) -> None:
    architecture = trained.model.decoder.shape.architecture
    train(
        *examples(),
        replace(RECIPE, architecture=architecture),
        keep_epochs=tmp_path,
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"epoch_{number:02}.npz" for number in range(1, 5)
    ]
    best = load_captioner(tmp_path / f"epoch_{trained.best:02}.npz")
    mine, kept = trained.model.decoder.arrays(), best.decoder.arrays()
    assert all((mine[name] == kept[name]).all() for name in mine)
    assert best.notes == trained.model.notes


def test_saved_and_loaded_captioner_are_equal(captioner: Captioner, tmp_path: Path) -> None:
    path = tmp_path / "captioner.npz"
    captioner.save(path)
    again = load_captioner(path)
    assert again.vocabulary == captioner.vocabulary
    assert generate(again, images()) == generate(captioner, images())
    bytes_before = path.read_bytes()
    again.save(path)
    assert path.read_bytes() == bytes_before


def test_damaged_files_are_errors(captioner: Captioner, tmp_path: Path) -> None:
    path = tmp_path / "captioner.npz"
    captioner.save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["output.bias"] = arrays["output.bias"] + 1
    np.savez(path, **arrays)
    with pytest.raises(InputError, match="damaged"):
        load_captioner(path)
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a captioner's file"):
        load_captioner(path)


def test_a_beam_of_one_is_greedy(captioner: Captioner) -> None:
    vectors = seen(captioner, images())
    with torch.inference_mode():
        words, logarithms = beam_search(captioner.decoder, vectors, 1, 12, 0.7)
        greedy, expected = decode_stepwise(captioner.decoder, vectors, choose_greedily, 12)
    text = captioner.vocabulary.decode
    assert list(map(text, words)) == list(map(text, greedy))
    assert np.allclose(logarithms, expected)


@pytest.mark.parametrize("longest", [1, 2, 12])
@pytest.mark.parametrize("beam", [1, 3])
def test_captions_do_not_depend_on_batches(captioner: Captioner, beam: int, longest: int) -> None:
    together = generate(captioner, images(), beam=beam, longest=longest)
    alone = [
        generate(captioner, images().take([name]), beam=beam, longest=longest)[0]
        for name in images().names
    ]
    assert [one.caption for one in together] == [one.caption for one in alone]
    assert np.allclose(
        [one.log_probability for one in together], [one.log_probability for one in alone]
    )


def all_captions(captioner: Captioner, vector: Any, longest: int) -> dict[str, float]:
    """Every caption up to a length with its logarithm of probability, by brute force."""
    decoder, found = captioner.decoder, {}
    number = len(captioner.vocabulary)

    def grow(words: list[int], state: State, total: float) -> None:
        last = torch.tensor([[words[-1] if words else EDGE]])
        scores, state = decoder.read(last, state)
        logarithms = scores[0, 0].double().log_softmax(0)
        for word in range(number):
            if word == UNKNOWN:
                continue
            reached = total + float(logarithms[word])
            if word == EDGE or len(words) + 1 == longest:
                said = words if word == EDGE else [*words, word]
                found[captioner.vocabulary.decode(np.array([*said, EDGE]))] = reached
            else:
                grow([*words, word], state, reached)

    with torch.inference_mode():
        grow([], decoder.initial_state(vector), 0.0)
    return found


@pytest.mark.parametrize("power", [0.0, 0.7])
def test_a_wide_beam_finds_the_best_caption(captioner: Captioner, power: float) -> None:
    image = images().take(["7.jpg"])
    expected = all_captions(captioner, seen(captioner, image), 3)

    def worth(text: str) -> Any:
        words = len(text.split())
        return expected[text] / min(words + 1, 3) ** power  # three words leave no room for an end

    best = max(expected, key=worth)
    (found,) = generate(captioner, image, beam=1000, length_power=power, longest=3)
    assert found.caption == best
    assert found.log_probability == pytest.approx(expected[best])


def test_a_wider_beam_finds_nothing_less_likely(captioner: Captioner) -> None:
    greedy, wide = (generate(captioner, images(), beam=beam, length_power=0) for beam in (1, 8))
    better = [w.log_probability - g.log_probability for g, w in zip(greedy, wide, strict=True)]
    assert np.mean(better) >= 0


def test_samples_depend_on_seed_and_row_alone(captioner: Captioner) -> None:
    some = images()
    drawn = sample(captioner, some, number=3, seed=1)
    assert drawn == sample(captioner, some, number=3, seed=1)
    assert drawn != sample(captioner, some, number=3, seed=2)
    first = sample(captioner, some.take(some.names[:5]), number=3, seed=1)
    texts = [[one.caption for one in own] for own in drawn]
    assert [[one.caption for one in own] for own in first] == texts[:5]
    assert len({text for own in texts for text in own}) > 4


def test_samples_follow_the_probabilities(captioner: Captioner) -> None:
    image = images().take(["0.jpg"])
    expected = all_captions(captioner, seen(captioner, image), 1)
    total = sum(map(np.exp, expected.values()))
    (drawn,) = sample(captioner, image, number=4000, longest=1)
    said = [one.caption for one in drawn]
    for text, logarithm in expected.items():
        assert said.count(text) / 4000 == pytest.approx(np.exp(logarithm) / total, abs=0.04)


def test_a_low_temperature_is_greedy(captioner: Captioner) -> None:
    cold = sample(captioner, images(), temperature=1e-4)
    greedy = generate(captioner, images(), beam=1)
    assert [own[0].caption for own in cold] == [one.caption for one in greedy]


def test_probabilities_agree_with_a_loop_word_by_word(captioner: Captioner) -> None:
    said = {"3.jpg": ["A horse sleeps.", "A zebra"], "1.jpg": ["", "There is a cat"]}
    found = word_probabilities(captioner, said, images())
    assert found.images == ("3.jpg", "1.jpg")
    assert found.image_offsets.tolist() == [0, 2, 4]
    place = 0
    for image, own in said.items():
        vector = seen(captioner, images().take([image]))
        for caption in own:
            numbers = captioner.vocabulary.encode([caption.lower().strip(".").split()]).values
            with torch.inference_mode():
                state = captioner.decoder.initial_state(vector)
                last = EDGE
                for word in [*numbers.tolist(), EDGE]:
                    scores, state = captioner.decoder.read(torch.tensor([[last]]), state)
                    distribution = scores[0, 0].double().softmax(0)
                    assert float(distribution.sum()) == pytest.approx(1)
                    assert found.probabilities[place] == pytest.approx(
                        float(distribution[word]), rel=1e-4
                    )
                    assert found.is_first[place] == (int(distribution.argmax()) == word)
                    place, last = place + 1, word
    assert found.caption_offsets.tolist() == [0, 4, 7, 8, 13]
    assert place == len(found.probabilities)


def test_probabilities_of_all_next_words_sum_to_one(captioner: Captioner) -> None:
    words = captioner.vocabulary.words
    said = {"2.jpg": [*words, "zebra", ""]}  # every word that can come first, once
    found = word_probabilities(captioner, said, images())
    first = found.probabilities[found.caption_offsets[:-1]]
    assert len(first) == len(captioner.vocabulary)
    assert first.sum() == pytest.approx(1)
    assert found.is_first[found.caption_offsets[:-1]].sum() == 1


def test_caption_has_the_probability_it_was_generated_with(captioner: Captioner) -> None:
    written = generate(captioner, images(), beam=3)
    said = {name: [one.caption] for name, one in zip(images().names, written, strict=True)}
    found = word_probabilities(captioner, said, images())
    logarithms = np.log(found.probabilities)
    for one, start, end in zip(
        written, found.caption_offsets, found.caption_offsets[1:], strict=False
    ):
        cut = len(one.caption.split()) == MAX_WORDS  # no end was written
        assert logarithms[start : end - cut].sum() == pytest.approx(one.log_probability, abs=1e-4)


def test_saved_and_loaded_probabilities_are_equal(captioner: Captioner, tmp_path: Path) -> None:
    found = word_probabilities(captioner, captions(6), images())
    write_probabilities(tmp_path / "p.npz", found)
    again = read_probabilities(tmp_path / "p.npz")
    assert again.images == found.images
    for name in ("probabilities", "is_first", "caption_offsets", "image_offsets"):
        mine, theirs = getattr(found, name), getattr(again, name)
        assert (mine == theirs).all() and mine.dtype == theirs.dtype
    assert [found.probabilities.dtype, found.is_first.dtype] == [np.float64, np.bool_]
    assert [found.caption_offsets.dtype, found.image_offsets.dtype] == [np.int64, np.int64]
    captioner.save(tmp_path / "c.npz")
    with pytest.raises(InputError, match="no array 'probabilities'"):
        read_probabilities(tmp_path / "c.npz")


def test_vectors_of_another_encoder_are_an_error(captioner: Captioner) -> None:
    other = ImageVectors.of(["0.jpg"], np.ones((1, 3)), "other.npz")
    for use in (generate, sample, lambda c, v: word_probabilities(c, {"0.jpg": ["a"]}, v)):
        with pytest.raises(InputError, match=r"other.npz: vectors of 3 numbers, but .* on 8"):
            use(captioner, other)


@pytest.mark.parametrize(
    ("use", "options"),
    [
        (generate, {"beam": 0}),
        (generate, {"longest": 0}),
        (generate, {"length_power": -1.0}),
        (sample, {"temperature": 0.0}),
        (sample, {"number": 0}),
        (sample, {"longest": 0}),
        (sample, {"seed": -1}),
    ],
)
def test_impossible_options_are_errors(
    captioner: Captioner, use: Callable[..., Any], options: dict[str, float]
) -> None:
    with pytest.raises(InputError):
        use(captioner, images(), **options)


def test_initial_weights_follow_the_recipe() -> None:
    shape = Shape("pre", 4, 9, 7)
    plain, eager = (
        Decoder(shape, 3, **choices).arrays()
        for choices in ({}, {"input_gain": 3.0, "forget_bias": 2.0})
    )
    changed = {name for name in plain if not np.array_equal(plain[name], eager[name])}
    assert changed == {"memory.weight_ih_l0", "memory.bias_ih_l0"}
    assert np.allclose(eager["memory.weight_ih_l0"], 3 * plain["memory.weight_ih_l0"])
    added = eager["memory.bias_ih_l0"] - plain["memory.bias_ih_l0"]
    assert np.allclose(added, np.repeat([0, 2, 0, 0], 4), atol=1e-6)


def test_architectures_differ_only_in_the_place_of_the_image() -> None:
    sizes = {
        name: sum(array.size for array in Decoder(Shape(name, 5, 9, 7)).arrays().values())
        for name in ARCHITECTURES
    }
    assert sizes["init"] == sizes["pre"]
    assert sizes["par"] - sizes["init"] == 4 * 5 * 5  # the gates read the image too
    assert sizes["merge"] - sizes["init"] == 9 * 5  # and here the output layer does


def test_nan_loss_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(scaling: ImageScaling, images: ImageVectors) -> ImageVectors:
        return replace(images, vectors=np.full_like(images.vectors, np.nan))

    monkeypatch.setattr(ImageScaling, "apply", nothing)
    with pytest.raises(InputError, match="the loss is not a number"):
        train(*examples(), RECIPE)
