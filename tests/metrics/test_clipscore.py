"""CLIPScore and RefCLIPScore: by hand from vectors, and through a CLIP of random weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.images.vectors import CaptionVectors, ImageVectors
from captious.metrics.clipscore import PROMPT, ClipScore, clip_scores, ref_clip_scores
from captious.samples import References, Samples
from captious.scorer import Scorer

IMAGES = ImageVectors.of(["x.jpg", "y.jpg"], np.array([[2.0, 0, 0], [0, 1, 0]]))
CAPTIONS = CaptionVectors.of(
    ["dog", "cat", "car", "fish"],
    np.array([[0.6, 0.8, 0], [0, 3.0, 0], [-1, 0, 0], [0.6, 0, 0.8]]),
)
REFERENCES = {"x": ["fish", "cat"], "y": ["dog"]}


def scores(
    candidates: dict[str, str], metric: ClipScore, references: dict[str, list[str]] = REFERENCES
) -> tuple[np.ndarray, np.ndarray]:
    result = Scorer(references, [metric], cache=False).score(candidates)
    return result.samples["clipscore"], result.samples["refclipscore"]


def test_a_clipscore_is_two_and_a_half_cosines_and_never_negative() -> None:
    assert clip_scores(np.array([0.4, -0.3, 1.0])).tolist() == [1.0, 0.0, 2.5]


def test_a_refclipscore_is_the_harmonic_mean_with_the_nearest_reference() -> None:
    actual = ref_clip_scores(
        np.array([1.0, 0.0, 0.5, 0.0]),
        np.array([0.2, 0.5, 0.9, -0.4, -0.1, -0.2]),
        np.array([0, 2, 3, 5, 6]),
    )
    # 2 · 1 · .5 / 1.5; nothing to see; no reference alike; neither.
    assert actual == pytest.approx([2 / 3, 0.0, 0.0, 0.0])


def test_scores_from_vectors_equal_hand_computed_values() -> None:
    metric = ClipScore(images=IMAGES, captions=CAPTIONS)
    seen, both = scores({"x": "dog", "y": "cat"}, metric)
    # x: 2.5 · .6; the nearest reference is `cat`, .8. y: 2.5 · 1; `dog`, .8.
    assert seen == pytest.approx([1.5, 2.5], abs=1e-6)
    assert both == pytest.approx([2 * 1.5 * 0.8 / 2.3, 2 * 2.5 * 0.8 / 3.3], abs=1e-6)
    seen, both = scores({"x": "car", "y": "fish"}, metric)
    assert seen.tolist() == both.tolist() == [0.0, 0.0]


def test_the_corpus_score_is_the_mean() -> None:
    scorer = Scorer(REFERENCES, [ClipScore(images=IMAGES, captions=CAPTIONS)], cache=False)
    result = scorer.score(["dog", "cat", "fish"], ids=["x", "y", "x"])
    assert result.corpus["clipscore"] == pytest.approx((1.5 + 2.5 + 1.5) / 3, abs=1e-6)


def test_images_are_found_by_name_where_references_carry_names() -> None:
    references = References(["fish", "cat", "dog"], np.array([0, 2, 3]))
    references.image_names = ["y", "x"]
    metric = ClipScore(images=IMAGES, captions=CAPTIONS)
    assert metric.prepare(references).tolist() == [[0, 1, 0], [1, 0, 0]]
    references.image_names = ["y", "z"]
    with pytest.raises(InputError, match="no image 'z'"):
        metric.prepare(references)


def test_vectors_from_files_and_the_signature(tmp_path: Path) -> None:
    IMAGES.write(tmp_path / "images.npz")
    CAPTIONS.write(tmp_path / "captions.npz")
    by_file = ClipScore(images=tmp_path / "images.npz", captions=str(tmp_path / "captions.npz"))
    given = ClipScore(images=IMAGES, captions=CAPTIONS)
    candidates = {"x": "dog", "y": "dog"}
    assert scores(candidates, by_file)[1].tolist() == scores(candidates, given)[1].tolist()
    hashes = (IMAGES.fingerprint, CAPTIONS.fingerprint)
    for metric, (images, captions) in (
        (by_file, ("images.npz", "captions.npz")),
        (given, ("given", "given")),
    ):
        expected = "clipscore(images={}@{},captions={}@{},w=2.5)"
        message = expected.format(images, hashes[0], captions, hashes[1])
        assert str(metric.signature()) == message
    other = ImageVectors.of(["x.jpg", "y.jpg"], np.eye(3)[:2][::-1])
    assert ClipScore(images=other, captions=CAPTIONS).signature() != given.signature()


def test_missing_captions_and_images_are_errors() -> None:
    metric = ClipScore(images=IMAGES, captions=CAPTIONS)
    with pytest.raises(InputError, match="no vector for caption 'horse'"):
        scores({"x": "horse", "y": "dog"}, metric)
    with pytest.raises(InputError, match="no vector for caption 'horse'"):
        Scorer({"x": ["horse"], "y": ["dog"]}, [metric], cache=False)
    with pytest.raises(InputError, match="1 images without names"):
        metric.prepare(References(["dog"], np.array([0, 1])))


def test_vectors_of_different_widths_are_an_error() -> None:
    narrow = ImageVectors.of(["x", "y"], np.eye(2))
    with pytest.raises(InputError, match="vectors of 3 numbers and images of 2"):
        scores({"x": "dog", "y": "dog"}, ClipScore(images=narrow, captions=CAPTIONS))


def test_missing_parameters_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs images"):
        ClipScore(captions=CAPTIONS)
    both: dict[str, Any] = {"captions": CAPTIONS, "clip": "some/clip"}
    for given in ({}, both):
        with pytest.raises(InputError, match="either a CLIP's name"):
            ClipScore(images=IMAGES, **given)
    with pytest.raises(InputError, match="images in a folder need a CLIP"):
        ClipScore(images=tmp_path, captions=CAPTIONS)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.slow
def test_scores_through_a_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from captious.images.clip import load_clip
    from tests.made_up.tiny_clip import save_tiny_clip
    from tests.made_up.toy_images import noise, saved

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model, folder = tmp_path / "clip", tmp_path / "images"
    model.mkdir()
    folder.mkdir()
    save_tiny_clip(model, seed=12)  # one whose captions lie near both images
    for number, name in enumerate("xy"):
        (folder / f"{name}.png").write_bytes(saved(noise(seed=number), "PNG"))
    metric = ClipScore(images=folder, clip=model)
    references = References(["a dog runs", "a cat"], np.array([0, 1, 2]))
    references.image_names = ["x", "y"]
    clip = load_clip(str(model))
    candidates = ["a cat runs", "a dog"]

    def placed(vectors: Any) -> Any:
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    seen = placed(
        np.array([clip.image_encoder().vector(noise(seed=number)) for number in range(2)])
    )
    mine, theirs = (
        placed(clip.caption_vectors([PROMPT + caption for caption in captions]))
        for captions in (candidates, ["a dog runs", "a cat"])
    )
    expected = clip_scores((mine * seen).sum(axis=1))

    samples = Samples(candidates, np.array([0, 1]), references)
    actual = metric.statistics(samples, metric.prepare(references))
    assert (expected > 0.1).all()
    assert actual[:, 0] == pytest.approx(expected, abs=1e-5)
    nearest = np.maximum((mine * theirs).sum(axis=1), 0)
    harmonic = 2 * expected * nearest / np.maximum(expected + nearest, 1e-9)
    assert actual[:, 1] == pytest.approx(harmonic, abs=1e-5)
    signature = str(metric.signature())
    assert clip.fingerprint in signature and 'prompt="A photo depicts"' in signature


def test_the_command_finds_images_by_their_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from captious.cli.main import main

    rows = [
        {"id": "1", "image": "a.jpg", "candidate": "a dog", "references": ["the dog"]},
        {"id": "2", "image": "b.jpg", "candidate": "a cat", "references": ["the cat"]},
    ]
    (tmp_path / "c.json").write_text(json.dumps(rows))
    np.savez(tmp_path / "i.npz", files=np.array(["b.jpg", "a.jpg"]), features=np.eye(2)[::-1])
    np.savez(
        tmp_path / "c.npz",
        captions=np.array(["a dog", "the dog", "a cat", "the cat"]),
        features=np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
    )
    given = ["score", str(tmp_path / "c.json"), "--metrics", "clipscore", "--format", "json"]
    vectors = ["--images", str(tmp_path / "i.npz"), "--caption-vectors", str(tmp_path / "c.npz")]
    assert main([*given, *vectors]) == 0
    assert json.loads(capsys.readouterr().out)["corpus"]["clipscore"] == pytest.approx(2.5)
    assert main(given) == 2
    assert "--images" in capsys.readouterr().err
