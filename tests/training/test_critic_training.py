"""Training critics, and that NumPy scores what PyTorch trained."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.metrics.leic.critic import Critic, load_critic
from captious.metrics.leic.fusion import CountSketch
from captious.metrics.leic.leic import Leic
from captious.metrics.leic.recipe import CONTEXTS, FUSIONS
from captious.samples import References, Samples
from captious.text.vocabulary import SPECIAL, Vocabulary
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.network import CriticNetwork, make_sketches
from captious.training.critics.training import initial_vectors, train
from captious.training.critics.two_fold import two_fold
from captious.training.loop import Progress, TrainingResult
from tests.made_up.critic_world import RECIPE, VECTORS, captions, images, machine, people
from tests.places import ROOT

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")


def same(one: Any, other: Any) -> Any:
    return one.model.fingerprint == other.model.fingerprint and one.curve == other.curve


def train_critic(**choices: Any) -> TrainingResult[Critic]:
    return train(*captions(), replace(RECIPE, **choices), vectors=VECTORS)


@pytest.fixture(scope="module")
def both() -> TrainingResult[Critic]:
    return train_critic()


def score_captions(
    critic: Critic,
    candidates: list[str] | tuple[str, ...],
    names: list[str],
    beside: list[list[str]] | tuple[list[str], ...],
) -> np.ndarray:
    """The metric's scores of captions of images, each beside its references."""
    metric = Leic(images() if critic.recipe.uses_images else None, critic=critic)
    flat = [caption for own in beside for caption in own]
    offsets = np.cumsum([0, *map(len, beside)])
    references = References(flat, offsets, image_names=names)
    samples = Samples(candidates, np.arange(len(names)), references)
    return metric.statistics(samples, metric.prepare(references))[:, 0]


def test_critic_learns_to_distinguish_human_captions(both: Any) -> None:
    assert both.curve[-1]["loss"] < both.curve[0]["loss"]
    assert both.best == 1 + int(np.argmin([epoch["validation_loss"] for epoch in both.curve]))
    assert both.best_point["performance"] > 0.6  # 0.5 by chance
    names = list(people(12, 48))
    own = [people(12, 48)[name] for name in names]
    beside = [caption[1:] for caption in own]
    human = score_captions(both.model, [caption[0] for caption in own], names, beside)
    machines = score_captions(
        both.model, [machine(12, 48)[name][0] for name in names], names, beside
    )
    assert human.mean() > machines.mean() + 0.3


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize("context", CONTEXTS)
def test_numpy_scores_equal_those_of_the_trained_network(context: str, fusion: str) -> None:
    recipe = replace(RECIPE, context=context, fusion=fusion, epochs=1)
    critic = train(*captions(), recipe, vectors=VECTORS).model
    names = list(people(9))
    candidates = ["", "a dog runs", "an unheard-of cat", "a " * 40, *("the bird",) * 5]
    beside = [people(9)[name] for name in names]
    found = score_captions(critic, candidates, names, beside)

    network = CriticNetwork(
        recipe, initial_vectors(critic.vocabulary, VECTORS), images().width, make_sketches(recipe)
    )
    own = set(network.arrays())
    network.load({name: critic.arrays[name].astype(np.float32) for name in own})
    network.parts.eval()

    def encode(text: str) -> Any:
        numbers = critic.vocabulary.encode([text.split()]).values[: recipe.longest]
        words = torch.from_numpy(np.append(numbers, 0)[None].astype(np.int64))
        length = torch.tensor([len(numbers)])
        return network.captions(words, length, torch.ones(1))

    for place, (name, text) in enumerate(zip(names, candidates, strict=True)):
        seen = None
        if recipe.uses_images:
            mean, deviation = (
                critic.arrays[f"scaling.{part}"].astype(np.float32)
                for part in ("mean", "deviation")
            )
            vector = (images().take([name]).vectors - mean) / deviation
            vector = vector / np.linalg.norm(vector) * np.sqrt(vector.shape[1])
            seen = torch.from_numpy(vector.astype(np.float32))
        chances = []
        with torch.no_grad():
            for reference in beside[place] if recipe.uses_references else [None]:
                read = None if reference is None else encode(reference)
                scores = network.scores(network.context(seen, read), encode(text))
                chances.append(float(torch.softmax(scores, 1)[0, 1]))
        assert found[place] == pytest.approx(np.mean(chances), abs=2e-6)


def pooled(context: Any, candidates: Any, sketches: tuple[CountSketch, CountSketch]) -> FloatArray:
    """The count sketch of each outer product, by way of the sketches' convolution."""
    size, spectra = 4096, []
    for vectors, sketch in zip((context, candidates), sketches, strict=True):
        places = np.zeros((len(vectors), size))
        np.add.at(places.T, sketch.places, (vectors.numpy() * sketch.signs).T)
        spectra.append(np.fft.rfft(places))
    return np.fft.irfft(spectra[0] * spectra[1], n=size)


def test_bilinear_scores_are_a_layer_over_the_sketch_of_the_outer_product() -> None:
    recipe = replace(RECIPE, fusion="bilinear", sketch=4096)
    sketches = make_sketches(recipe)
    network = CriticNetwork(recipe, initial_vectors(Vocabulary(("a",)), VECTORS), 8, sketches)
    context, candidates = torch.randn(7, 32), torch.randn(7, 16)
    output = network.parts["output"]
    with torch.no_grad():
        found = network.scores(context, candidates)
        sketch = torch.from_numpy(pooled(context, candidates, sketches)).float()
        np.testing.assert_allclose(found.numpy(), output(sketch).numpy(), atol=1e-5)


def test_bilinear_weights_learn_as_a_layer_over_the_sketch_does() -> None:
    recipe = replace(RECIPE, fusion="bilinear", sketch=4096)
    sketches = make_sketches(recipe)
    network = CriticNetwork(recipe, initial_vectors(Vocabulary(("a",)), VECTORS), 8, sketches)
    context, candidates = torch.randn(7, 32), torch.randn(7, 16)
    output, by_scores = network.parts["output"], torch.randn(7, 2)
    (network.scores(context, candidates) * by_scores).sum().backward()
    found = output.weight.grad.clone()
    output.weight.grad = None
    sketch = torch.from_numpy(pooled(context, candidates, sketches)).float()
    (output(sketch) * by_scores).sum().backward()
    np.testing.assert_allclose(found.numpy(), output.weight.grad.numpy(), atol=1e-4)


def test_an_inner_product_of_sketches_is_near_that_of_the_vectors() -> None:
    chance = np.random.default_rng(0)
    drawn = (CountSketch.random(32, 4096, chance), CountSketch.random(16, 4096, chance))
    context, candidates = torch.randn(40, 32), torch.randn(40, 16)
    sketch = pooled(context, candidates, drawn)
    true = (context @ context.T) * (candidates @ candidates.T)
    correlation = np.corrcoef((sketch @ sketch.T).ravel(), true.numpy().ravel())[0, 1]
    assert correlation > 0.95


def test_embeddings_start_from_word_vectors() -> None:
    first = initial_vectors(Vocabulary(("dog", "zebu")), VECTORS)
    np.testing.assert_array_equal(first[len(SPECIAL)], VECTORS.at(VECTORS.rows(["dog"]))[0])
    assert 0 < np.abs(first[-1]).max() < 0.5


def test_score_depends_on_image_and_reference(both: TrainingResult[Critic]) -> None:
    names, text = ["0.jpg", "1.jpg"], "a dog runs here"  # the first image shows a dog
    alike = [["a bird runs there"]] * 2
    found = score_captions(both.model, [text, text], names, alike)
    assert found[0] != found[1]
    other = score_captions(
        both.model, [text, text], ["0.jpg", "0.jpg"], [["a dog runs"], ["the cat"]]
    )
    assert other[0] != other[1]


def test_several_references_are_averaged(both: TrainingResult[Critic]) -> None:
    names, text = ["0.jpg"], ["a dog runs here"]
    each = [score_captions(both.model, text, names, [[own]])[0] for own in people(1)["0.jpg"]]
    assert score_captions(both.model, text, names, [people(1)["0.jpg"]])[0] == pytest.approx(
        np.mean(each)
    )


def test_the_released_critic_gives_long_captions_zeros() -> None:
    paper, released = (train_critic(variant=name, epochs=1).model for name in ("paper", "released"))
    long, longer = "a dog runs " * 5, "the cat " * 30
    vectors = released.encode_captions([long.split(), longer.split(), ["a", "dog"]])
    assert (vectors[:2] == 0).all() and (vectors[2] != 0).any()
    kept = paper.encode_captions([long.split(), longer.split(), (longer + "bird").split()])
    assert (kept != 0).any(axis=1).all()
    assert (kept[1] == kept[2]).all()  # what comes after the fifteenth word is not read


def test_the_same_seed_gives_the_same_weights(both: TrainingResult[Critic]) -> None:
    torch.manual_seed(99)
    before = torch.get_rng_state()
    assert same(train_critic(), both)
    assert (torch.get_rng_state() == before).all()  # the caller's random state is unchanged
    assert not same(train_critic(seed=4), both)


def test_resumed_training_gives_identical_weights(
    both: TrainingResult[Critic], tmp_path: Path
) -> None:
    file = tmp_path / "state.npz"
    train(*captions(), replace(RECIPE, epochs=2), vectors=VECTORS, checkpoint=file)
    assert same(train(*captions(), RECIPE, vectors=VECTORS, checkpoint=file), both)
    with pytest.raises(InputError, match="a checkpoint of another training"):
        train(*captions(), replace(RECIPE, seed=9), vectors=VECTORS, checkpoint=file)


KILLED = """
import sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from tests.made_up.critic_world import RECIPE, VECTORS, captions
from captious.training.critics.training import train
recipe = replace(RECIPE, epochs=100000, patience=100000)
train(*captions(), recipe, vectors=VECTORS, checkpoint=sys.argv[2])
"""


def test_resuming_after_a_kill_gives_identical_weights(tmp_path: Path) -> None:
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
    recipe = replace(RECIPE, epochs=1, patience=10**5)
    done = len(train(*captions(), recipe, vectors=VECTORS, checkpoint=file).curve)
    recipe = replace(RECIPE, epochs=done + 1, patience=10**5)
    resumed = train(*captions(), recipe, vectors=VECTORS, checkpoint=file)
    assert len(resumed.curve) == done + 1
    assert same(resumed, train(*captions(), recipe, vectors=VECTORS))


def test_a_critic_survives_its_file(both: TrainingResult[Critic], tmp_path: Path) -> None:
    file = tmp_path / "critic.npz"
    both.model.save(file)
    again = load_critic(file)
    assert again.fingerprint == both.model.fingerprint and again.notes == both.model.notes
    names, text = ["0.jpg", "7.jpg"], ["a dog runs", "the horse"]
    beside = [people(8)[name] for name in names]
    first, second = (score_captions(critic, text, names, beside) for critic in (both.model, again))
    assert first.tolist() == second.tolist()
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


def test_damaged_files_are_errors(both: TrainingResult[Critic], tmp_path: Path) -> None:
    file = tmp_path / "critic.npz"
    both.model.save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="not a critic's file"):
        load_critic(file)
    file.write_bytes(whole)
    with np.load(file) as arrays:
        changed = {name: arrays[name].copy() for name in arrays.files}
    changed["output.bias"][0] += 1
    np.savez(file, **changed)
    with pytest.raises(InputError, match="damaged, or of another version"):
        load_critic(file)


def test_score_does_not_depend_on_the_batch(both: TrainingResult[Critic]) -> None:
    names = list(people(9))
    texts = [f"a {word} eats" for word in ("dog", "cat", "bird") * 3]
    beside = [people(9)[name] for name in names]
    together = score_captions(both.model, texts, names, beside)
    alone = [
        score_captions(both.model, [text], [name], [own])[0]
        for text, name, own in zip(texts, names, beside, strict=True)
    ]
    assert together.tolist() == alone


def test_a_critic_that_sees_needs_image_vectors() -> None:
    training, validation = captions()
    blind = replace(training, images=None), replace(validation, images=None)
    with pytest.raises(InputError, match="needs image vectors"):
        train(*blind, RECIPE, vectors=VECTORS)
    recipe = replace(RECIPE, context="reference", epochs=1)
    assert train(*blind, recipe, vectors=VECTORS).model.recipe.context == "reference"


def test_contrastive_task_makes_the_critic_use_the_image() -> None:
    names = list(people(12, 48))
    own, beside = zip(*((said[0], said[1:]) for said in people(12, 48).values()), strict=True)
    gaps = []
    for contrast in (0.0, 1.0):
        # Of captions of other images it sees nothing elsewhere.
        critic = train_critic(contrast=contrast, others={"machine": 1.0}).model
        right = score_captions(critic, own, names, beside)
        wrong = score_captions(critic, [*own[1:], own[0]], names, beside)
        gaps.append(right.mean() - wrong.mean())
    assert gaps[1] > gaps[0] + 0.1


def test_nan_loss_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        torch.nn.functional, "cross_entropy", lambda scores, *_, **__: scores.sum() * float("nan")
    )
    with pytest.raises(InputError, match="lower the learning rate"):
        train_critic(epochs=1)


def test_two_folds_score_every_caption_once() -> None:
    candidates = {name: own[0] for name, own in machine(60).items()}
    seen = []
    found = two_fold(
        candidates,
        people(60),
        images(),
        replace(RECIPE, epochs=3),
        seeds=(0, 1),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert found.images == tuple(candidates) and found.scores.shape == (2, 60)
    assert ((found.scores > 0) & (found.scores < 1)).all()
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert found.score == pytest.approx(np.mean(found.by_seed))
    assert found.score < found.people.mean() - 0.1  # the machine is found out


def test_two_folds_report_whether_people_score_higher() -> None:
    recipe = replace(RECIPE, epochs=3)
    dull = two_fold(machine(60), people(60), images(), recipe, seeds=(0,))
    low, high = dull.intervals["system"]
    assert low < dull.score < high and dull.people_score_higher
    # A system that says what people say first, which is what stands for people.
    alike = {name: own[0] for name, own in people(60).items()}
    judged = two_fold(alike, people(60), images(), recipe, seeds=(0,))
    low, high = judged.intervals["people - system"]
    assert low <= 0 and not judged.people_score_higher


def test_image_score_is_the_mean_over_its_captions() -> None:
    recipe = replace(RECIPE, epochs=1)
    once = two_fold(machine(60), people(60), images(), recipe, seeds=(0,))
    twice = {name: [*own, *own] for name, own in machine(60).items()}
    assert two_fold(twice, people(60), images(), recipe, seeds=(0,)).images == once.images
    drawn = {name: ["a a a", "the the"] for name in people(60)}
    other = two_fold(machine(60), people(60), images(), recipe, sampled=drawn, seeds=(0,))
    assert other.score != once.score
    with pytest.raises(InputError, match="no captions of kind 'sampled'"):
        two_fold(machine(60), people(60), images(), recipe, sampled={"0.jpg": ["a"]}, seeds=(0,))


def test_the_released_code_is_followed() -> None:
    recipe = replace(RECIPE, as_released=True, epochs=4, patience=1, learning_rate=0.1)
    read: list[Progress] = []
    done = train(*captions(), recipe, vectors=VECTORS, progress=read.append)
    assert done.best == len(done.curve) == 4  # the last epoch, whatever its loss
    # An epoch has one caption of each image, for there is one machine; the paper's has all three.
    assert (read[-1].samples, read[-1].done) == (48, 48)
    machines = {"sampled": {name: ["a a", "the the", "a the"] for name in people(60)}}
    more = CriticCaptions.of(people(), {"machine": machine(), **machines}, images())
    train(more, more, replace(recipe, epochs=1), vectors=VECTORS, progress=read.append)
    assert read[-1].samples == 48  # what was drawn by chance is no machine of its own
    network = CriticNetwork(
        recipe,
        initial_vectors(done.model.vocabulary, VECTORS),
        images().width,
        make_sketches(recipe),
    )
    usual = CriticNetwork(
        RECIPE,
        initial_vectors(done.model.vocabulary, VECTORS),
        images().width,
        make_sketches(recipe),
    )
    opened = network.arrays()["memory.bias_ih_l0"] - usual.arrays()["memory.bias_ih_l0"]
    assert opened.reshape(4, RECIPE.size).mean(axis=1) == pytest.approx([0, 1, 0, 0])
    assert not done.model.arrays["scaling.mean"].any()  # images are read as they are


def test_two_folds_need_captions_to_learn_from() -> None:
    with pytest.raises(InputError, match=r"'59.jpg': has a candidate but no human captions"):
        two_fold(dict.fromkeys(people(60), "a dog"), people(59), images())
    with pytest.raises(InputError, match="images or more"):
        two_fold(dict.fromkeys(people(9), "a dog"), people(9), images())
