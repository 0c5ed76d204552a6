"""A CLIP by its folder: the original's vectors for captions and pictures; what is cut is said."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import CaptiousWarning, InputError, MissingDependencyError
from captious.images.clip import load_clip
from captious.images.encoder import load_image_encoder
from captious.images.sources import vectors_of_images
from tests.made_up.tiny_clip import save_tiny_clip
from tests.made_up.toy_images import noise, saved

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("clip")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        save_tiny_clip(path)
    return path


@pytest.fixture
def clip(folder: Any) -> Any:
    return load_clip(str(folder))


def of_the_original(folder: Any, **given: Any) -> Any:
    import torch
    import transformers

    with torch.no_grad():
        found = transformers.CLIPModel.from_pretrained(folder).eval()(**given)
    return found.text_embeds.numpy(), found.image_embeds.numpy()


def unit(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.slow
def test_caption_vectors_match_the_original(folder: Any, clip: Any) -> None:
    import torch
    import transformers

    captions = ["a dog runs", "a cat", "zebra", "A dog  runs"]
    mine = clip.caption_vectors(captions)
    tokens = transformers.AutoTokenizer.from_pretrained(folder)(
        captions, padding=True, return_tensors="pt"
    )
    theirs, _ = of_the_original(
        folder,
        input_ids=tokens["input_ids"],
        attention_mask=tokens["attention_mask"],
        pixel_values=torch.zeros(1, 3, 16, 16),
    )
    assert unit(mine) == pytest.approx(theirs, abs=1e-5)
    assert not np.allclose(mine[0], mine[1], atol=1e-3)
    assert np.isfinite(clip.caption_vectors(["", "\ud800"])).all()
    assert clip.caption_vectors([]).shape == (0, 8)


def test_image_vectors_match_the_original(folder: Any, clip: Any) -> None:
    import torch
    import transformers

    image = noise(40, 20)
    processor = transformers.CLIPImageProcessorPil.from_pretrained(folder, crop_size=16)
    pixels = processor(image, return_tensors="pt")["pixel_values"]
    _, theirs = of_the_original(
        folder, input_ids=torch.tensor(clip._tokenize(["a dog"])), pixel_values=pixels
    )
    assert unit(clip.image_encoder().vector(image)[None]) == pytest.approx(theirs, abs=1e-4)


def test_truncated_caption_is_a_warning(clip: Any) -> None:
    whole = "a dog " * 5  # ten tokens, and two marks
    long = f"{whole}runs cat"
    with pytest.warns(
        CaptiousWarning, match=r"reads 12 tokens; of caption 'a dog .*last 2 were cut: 'runs cat'$"
    ):
        cut = clip.caption_vectors([long, "a cat"])
    assert cut[0] == pytest.approx(clip.caption_vectors([whole])[0], abs=1e-6)
    with pytest.warns(CaptiousWarning, match=r"\(and 1 more captions were cut\)"):
        clip.caption_vectors([long, long + " dog"])


def test_folder_of_images_is_encoded_by_a_clip(folder: Any, tmp_path: Path, clip: Any) -> None:
    (tmp_path / "x.png").write_bytes(saved(noise(), "PNG"))
    encoder = load_image_encoder(f"clip/{folder}")
    found = vectors_of_images(tmp_path, ["x"], encoder).vectors
    assert found.vectors[0] == pytest.approx(
        unit(clip.image_encoder().vector(noise())[None])[0], abs=1e-6
    )
    assert pickle.loads(pickle.dumps(encoder)) is encoder
    assert pickle.loads(pickle.dumps(clip)) is clip
    assert clip.fingerprint in encoder.signature


def test_unknown_clip_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match="no CLIP of this name or folder"):
        load_clip(str(tmp_path / "nowhere"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_pickled_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch")
    save_tiny_clip(tmp_path)
    weights = tmp_path / "model.safetensors"
    state = pytest.importorskip("safetensors.torch").load_file(weights)
    weights.unlink()
    torch.save(state, tmp_path / "pytorch_model.bin")
    with pytest.raises(InputError, match="pickled ones are never loaded"):
        load_clip(str(tmp_path))


def test_a_clip_needs_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependencyError, match="pip install transformers torch"):
        load_clip("some/clip")
