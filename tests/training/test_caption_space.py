"""Captions by image, how they are found, and how a space is learned from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import WordVectors
from captious.training.caption_space import (
    Images,
    NumberedCaptions,
    Recipe,
    count_words,
    evaluate_retrieval,
    evaluate_space,
    extrapolate_vectors,
    frequent_pieces,
    initial_vectors,
    learn_pieces,
    train,
    train_and_average,
)

IMAGES: Images = [
    [["a", "dog"], ["the", "dog"], ["dog"]],
    [["a", "cat"], ["cat"], ["the", "cat"], ["cats"]],
]
NUMBER = {"a": 0, "the": 1, "dog": 2, "cat": 3}


def many_images(number: int = 60) -> Images:
    """Three captions of each image, which share two of many nouns and no other word."""
    rng = np.random.default_rng(0)
    images = []
    for _ in range(number):
        one, other = (f"noun{place}" for place in rng.choice(25, 2, replace=False))
        images.append([["a", one, "by", other], ["the", other, one], [one, "and", other]])
    return images


def test_words_are_counted() -> None:
    assert count_words(IMAGES) == {"a": 2, "the": 2, "dog": 3, "cat": 3, "cats": 1}


def test_captions_as_numbers() -> None:
    numbered = NumberedCaptions.of(IMAGES, NUMBER, 3)
    rows = numbered.select_images(np.array([1, 0]))
    assert rows.values.tolist() == [0, 3, 3, 1, 3, 0, 2, 1, 2, 2]
    assert rows.offsets.tolist() == [0, 2, 3, 5, 7, 9, 10]


def test_of_more_captions_some_are_drawn() -> None:
    numbered = NumberedCaptions.of(IMAGES, NUMBER, 3)
    lengths = {
        tuple(numbered.select_images(np.array([1]), np.random.default_rng(seed)).lengths.tolist())
        for seed in range(30)
    }
    # All different, the last one has no known word.
    assert all(sorted(each) in ([0, 1, 2], [0, 2, 2], [1, 2, 2]) for each in lengths)
    assert len(lengths) > 5
    # Where every image has as many as are read, nothing is left to chance.
    equal = NumberedCaptions.of([each[:3] for each in IMAGES], NUMBER, 3)
    rows = equal.select_images(np.array([0]), np.random.default_rng(0))
    assert rows.values.tolist() == [0, 2, 1, 2, 2]


def test_retrieval_is_by_the_other_captions() -> None:
    east, north = [1.0, 0.0], [0.0, 1.0]
    apart = np.array([[east, east], [north, north]], np.float32)
    assert evaluate_retrieval(apart) == (1.0, 1.0)
    swapped = np.array([[east, north], [north, east]], np.float32)
    assert evaluate_retrieval(swapped) == (0.0, 0.5)
    space = CaptionSpace(
        WordVectors.of("made up", ["dog", "cat"], np.array([east, north], np.float32))
    )
    assert evaluate_space(space, IMAGES, 3).first == 1.0


def test_initial_vectors_of_rare_words_are_longer() -> None:
    vectors = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]])
    start = initial_vectors(vectors, np.array([0.001, 0.0, 0.0]), 4, 0)
    assert start[1, :2] == pytest.approx([-1.0, 0.0])
    assert start[0, :2] == pytest.approx([np.sqrt(0.5), 0.0])
    assert start[2].all()  # at random
    assert start.dtype == np.float32
    assert initial_vectors(np.zeros((3, 2)), np.zeros(3), 4, 0).all()


def test_unknown_words_get_extrapolated_and_n_gram_vectors() -> None:
    known = np.random.default_rng(0).normal(size=(500, 3))
    turned = known[:, ::-1]
    assert extrapolate_vectors(known, turned, known[:2]) == pytest.approx(turned[:2], abs=0.2)
    words = ["kite", "kites", "bike", "bikes"]
    pieces = frequent_pieces(words, 100)
    assert "kit" in pieces
    assert "<kite>" not in pieces  # too long, and in one word
    vectors = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    spelt = dict(zip(pieces, learn_pieces(words, vectors, pieces), strict=True))
    assert spelt["<ki"][0] > spelt["<bi"][0]


class TestLearning:
    """What needs torch."""

    @pytest.fixture(autouse=True)
    def _torch(self) -> None:
        pytest.importorskip("torch")

    recipe = Recipe(6, 0.02, 0.1, seed=0, batch=20)

    def numbered(self) -> tuple[np.ndarray, NumberedCaptions]:
        images = many_images()
        seen = count_words(images)
        words = sorted(seen)
        shares = np.array([seen[word] for word in words]) / sum(seen.values())
        start = initial_vectors(np.zeros((len(words), 4)), shares, 8, 0)
        number = {word: place for place, word in enumerate(words)}
        return start, NumberedCaptions.of(images, number, 3)

    def test_training_brings_captions_of_an_image_together(self) -> None:
        start, captions = self.numbered()
        trained = train(start, captions, {"same": captions}, self.recipe)
        losses = [point["loss"] for point in trained.curve]
        assert losses[-1] < losses[0] / 2
        assert trained.best_point["same_first"] > 0.9
        assert trained.model.shape == start.shape

    def test_one_random_stream_and_a_warm_up_schedule(self) -> None:
        """The same, written out plainly, gives the same bits."""
        import torch
        from torch.nn import functional

        start, captions = self.numbered()
        recipe = self.recipe
        trained = train(start, captions, {"same": captions}, recipe, keeps_last=True)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        chance = torch.Generator().manual_seed(recipe.seed)
        rng = np.random.default_rng(recipe.seed)
        table = torch.tensor(start, requires_grad=True)
        adam = torch.optim.Adam([table], lr=recipe.rate, betas=(0.9, 0.99))
        for step in range(6 * 3):
            if step % 3 == 0:
                order = rng.permutation(60)
            pace = min(1.0, (step + 1) / 50) * (0.02 + 0.49 * (1 + np.cos(np.pi * step / 18)))
            adam.param_groups[0]["lr"] = recipe.rate * pace
            rows = captions.select_images(order[step % 3 * 20 :][:20])
            seen = table * (torch.rand(len(start), 1, generator=chance) >= recipe.hidden)
            words, offsets = torch.from_numpy(rows.values), torch.from_numpy(rows.offsets[:-1])
            sums = functional.embedding_bag(words, seen, offsets, mode="sum")
            placed = functional.normalize(sums, dim=1, eps=1e-6).view(20, 3, -1)
            loss = torch.zeros(())
            for place in range(3):
                others = functional.normalize(placed.sum(dim=1) - placed[:, place], dim=1)
                scores = placed[:, place] @ others.T / 0.05
                loss = loss + functional.cross_entropy(scores, torch.arange(20))
                loss = loss + functional.cross_entropy(scores.T, torch.arange(20))
            adam.zero_grad()
            (loss / 6).backward()
            adam.step()
        torch.set_num_threads(threads)
        assert np.allclose(trained.model, table.detach().numpy(), atol=1e-6)

    def test_resumed_training_is_bit_identical(self, tmp_path: Path) -> None:
        start, captions = self.numbered()
        held_out = {"same": captions}
        whole = train(start, captions, held_out, self.recipe)

        class StoppedError(Exception):
            pass

        def stop(epoch: int, point: dict[str, float]) -> None:
            if epoch == 4:
                raise StoppedError

        path = tmp_path / "state.npz"
        with pytest.raises(StoppedError):
            train(start, captions, held_out, self.recipe, checkpoint=path, after_epoch=stop)
        assert path.exists()
        again = train(start, captions, held_out, self.recipe, checkpoint=path)
        assert again.model.tobytes() == whole.model.tobytes()
        assert again.curve == whole.curve

    def test_a_checkpoint_of_other_captions_is_refused(self, tmp_path: Path) -> None:
        start, captions = self.numbered()
        path = tmp_path / "state.npz"
        train(start, captions, {"same": captions}, self.recipe, checkpoint=path)
        fewer = NumberedCaptions(captions.words, captions.image_offsets[:-1], 3)
        with pytest.raises(InputError, match="another training"):
            train(start, fewer, {"same": captions}, self.recipe, checkpoint=path)

    def test_the_mean_of_several_trainings(self) -> None:
        start, captions = self.numbered()
        recipes = [self.recipe, Recipe(3, 0.02, 0.2, seed=1, batch=20)]
        each = [
            train(start, captions, {"same": captions}, recipe, keeps_last=True).model
            for recipe in recipes
        ]
        mean = train_and_average(start, captions, {"same": captions}, recipes)
        assert mean.tolist() == np.mean(each, axis=0).tolist()
