"""The encoder: vectors of the original model, the same whatever else is encoded."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from captious.errors import CaptiousError, CaptiousWarning, InputError, MissingDependencyError
from captious.io.cache import AnalysisCache
from captious.text.analysis import Analysis
from captious.text.encoder.encoder import (
    BATCH_PIECES,
    DEFAULT,
    load_encoder,
    normalize_vectors,
    sentence_vectors,
)
from captious.text.encoder.onnx_encoder import SHIPPED, MiniLM
from tests.made_up.toy_encoder import ToyEncoder
from tests.same_scores import ENCODER_TOLERANCE

CAPTIONS = [
    "a dog runs on the beach",
    "a puppy is running along the shore",
    "two men cook in a kitchen",
    "A man in a red shirt climbs a rock .",
]
# Cosines of the official weights in float32, by transformers 5 and torch 2.13.
COSINES = [
    [1.0000, 0.7075, -0.1268, 0.0486],
    [0.7075, 1.0000, -0.1347, 0.0080],
    [-0.1268, -0.1347, 1.0000, 0.0041],
    [0.0486, 0.0080, 0.0041, 1.0000],
]
approx = partial(pytest.approx, abs=ENCODER_TOLERANCE)


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    pytest.importorskip("onnxruntime")
    encoder = load_encoder()
    assert isinstance(encoder, MiniLM)
    return encoder


def test_similarities_match_the_original_model(encoder: MiniLM) -> None:
    vectors = encoder.encode(CAPTIONS)
    assert vectors @ vectors.T == pytest.approx(np.array(COSINES), abs=0.015)


@pytest.mark.slow
def test_vectors_do_not_depend_on_what_else_is_encoded(encoder: MiniLM) -> None:
    many = [*CAPTIONS, *(f"{caption} {word}" for caption in CAPTIONS for word in ("now", "there"))]
    together, states = encoder.encode(many), encoder.token_states(many, 3)
    for row, caption in enumerate(many):
        assert encoder.encode([caption])[0] == approx(together[row])
        alone = encoder.token_states([caption], 3)
        start, end = states.pieces.offsets[row : row + 2]
        assert alone.pieces.values.tolist() == states.pieces.values[start:end].tolist()
        assert alone.states == approx(states.states[start:end])


def test_full_batch_and_one_more(encoder: MiniLM) -> None:
    length = int(encoder.pieces(CAPTIONS[:1]).lengths[0])
    alone = encoder.encode(CAPTIONS[:1])
    for count in (BATCH_PIECES // length, BATCH_PIECES // length + 1):
        vectors = encoder.encode([CAPTIONS[0]] * count)
        assert len(vectors) == count
        assert vectors == approx(np.tile(alone, (count, 1)))


def test_every_caption_is_in_one_batch_of_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = []

    class Recorder(ToyEncoder):
        def _states(self, pieces: np.ndarray, layers: Sequence[int]) -> list[np.ndarray]:
            shapes.append(pieces.shape)
            return super()._states(pieces, layers)

    monkeypatch.setattr("captious.text.encoder.encoder.BATCH_PIECES", 12)
    words = ("dog", "red dog", "the red dog", "the " * 20)
    captions = [words[row % 4] for row in range(18)]  # 5, 5, 4 and 4 captions
    states = Recorder().token_states(captions)
    assert sorted(shapes) == [
        *[(1, 3), (1, 22), (1, 22), (1, 22), (1, 22)],
        *[(2, 4), (2, 5), (2, 5), (3, 4), (4, 3)],
    ]
    expected = [ToyEncoder().token_states([caption]).states for caption in captions]
    assert states.states.tolist() == np.concatenate(expected).tolist()


@pytest.mark.slow
def test_caption_longer_than_half_a_batch_is_a_batch_by_itself(encoder: MiniLM) -> None:
    captions = [f"{'dog ' * 200}{word}" for word in ("runs", "sleeps", "runs")]
    vectors = encoder.encode(captions)
    assert vectors[0].tolist() == vectors[2].tolist()
    assert vectors[1] == approx(encoder.encode(captions[1:2])[0])


def test_a_sentence_vector_is_the_mean_of_the_last_layers_states(encoder: MiniLM) -> None:
    states = encoder.token_states(CAPTIONS[:1]).states
    assert normalize_vectors(states.mean(axis=0)) == pytest.approx(
        encoder.encode(CAPTIONS[:1])[0], abs=1e-6
    )


def test_states_of_every_layer(encoder: MiniLM) -> None:
    found = [encoder.token_states(CAPTIONS, layer).states for layer in range(7)]
    assert {states.shape for states in found} == {(len(found[0]), 384)}
    assert all(not np.allclose(one, other) for one, other in pairwise(found))
    wrong: Any
    for wrong in (7, -1, True, 1.5):
        with pytest.raises(InputError, match="layers 0 to 6"):
            encoder.token_states(CAPTIONS, wrong)


@pytest.mark.slow
def test_captions_beyond_the_window_are_truncated_with_a_warning(encoder: MiniLM) -> None:
    with pytest.warns(CaptiousWarning, match="1 caption truncated to the first 256 word pieces"):
        cut = encoder.encode(["dog " * 300])
    assert cut == approx(encoder.encode(["dog " * 254]))


def test_no_captions_and_empty_captions(encoder: MiniLM) -> None:
    assert encoder.encode([]).shape[0] == 0
    assert len(encoder.token_states([]).states) == 0
    assert np.isfinite(encoder.encode(["", "\ud800"])).all()


def test_encoder_is_loaded_once_and_pickled(encoder: MiniLM) -> None:
    assert load_encoder("all-minilm-l6-v2") is encoder
    assert pickle.loads(pickle.dumps(encoder)) is encoder


def test_without_onnx_runtime_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingDependencyError, match=r"captious\[encoder\]"):
        MiniLM().encode(["a dog"])


def test_missing_weights_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaptiousError, match="can't be read"):
        MiniLM(tmp_path).fingerprint  # noqa: B018


@pytest.mark.slow
def test_damaged_weights_are_a_one_line_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    whole = (SHIPPED / f"{DEFAULT}.onnx").read_bytes()
    shutil.copy(SHIPPED / "vocabulary.txt", tmp_path)
    for damaged in (b"", b"text", whole[:5000], whole[:-9000], whole[9000:]):
        (tmp_path / f"{DEFAULT}.onnx").write_bytes(damaged)
        with pytest.raises(CaptiousError, match=r"not the encoder's weights \(") as caught:
            MiniLM(tmp_path).encode(["a dog"])
        assert "\n" not in str(caught.value)
    # What ONNX Runtime would run, and get wrong, is known by its hash.
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    (tmp_path / f"{DEFAULT}.onnx").write_bytes(changed)
    monkeypatch.setattr("captious.text.encoder.onnx_encoder.SHIPPED", tmp_path)
    with pytest.raises(CaptiousError, match=r"not the encoder's weights \(sha256"):
        MiniLM(tmp_path).encode(["a dog"])


def test_invalid_model_name_is_an_error() -> None:
    with pytest.raises(InputError, match="a name or a path"):
        load_encoder(cast(Any, 3))


def test_hugging_face_model_needs_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependencyError, match="pip install transformers torch"):
        load_encoder("some/model")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_hugging_face_bert_is_an_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "dog", "runs"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = transformers.BertTokenizer(vocab=str(tmp_path / "vocab.txt"), model_max_length=12)
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(0)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(words),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=16,
        )
    ).save_pretrained(tmp_path)
    encoder = load_encoder(tmp_path)
    states = encoder.token_states(["a dog runs", "A cat"], 1)
    assert encoder.layers == 2 and encoder.window == 12
    assert states.pieces.values.tolist() == [2, 5, 6, 7, 3, 2, 5, 1, 3]
    assert encoder.piece_names()[6] == "dog"
    assert states.states.shape == (9, 16)
    alone = encoder.token_states(["A cat"], 1)
    assert alone.states == approx(states.states[5:])
    with pytest.warns(CaptiousWarning, match="first 12 word pieces"):
        assert encoder.pieces(["dog " * 20]).values.tolist() == [2, *[6] * 10, 3]
    with pytest.raises(InputError, match="no encoder of this name"):
        load_encoder(tmp_path / "nowhere")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_pickled_weights_programs_and_damage_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    sound = tmp_path / "sound"
    sound.mkdir()
    (sound / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na", encoding="utf-8")
    transformers.BertTokenizer(vocab=str(sound / "vocab.txt")).save_pretrained(sound)
    sizes = {"hidden_size": 8, "num_attention_heads": 2, "intermediate_size": 8, "vocab_size": 6}
    model = transformers.BertModel(transformers.BertConfig(num_hidden_layers=1, **sizes))
    model.save_pretrained(sound)
    whole = (sound / "model.safetensors").read_bytes()
    for name, damaged in {"cut": whole[:-900], "empty": b"", "other": b"text"}.items():
        shutil.copytree(sound, tmp_path / name)
        (tmp_path / name / "model.safetensors").write_bytes(damaged)
        with pytest.raises(InputError, match="no encoder of this name or folder") as caught:
            load_encoder(tmp_path / name)
        assert "\n" not in str(caught.value)
    (sound / "model.safetensors").unlink()
    torch.save(model.state_dict(), sound / "pytorch_model.bin")
    with pytest.raises(InputError, match="pickled ones are never loaded"):
        load_encoder(sound)
    settings = json.loads((sound / "config.json").read_text(encoding="utf-8"))
    settings |= {"auto_map": {"AutoModel": "mine.Model", "AutoConfig": "mine.Config"}}
    settings["model_type"] = "mine"
    (sound / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    (sound / "mine.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    with pytest.raises(InputError, match="no encoder of this name or folder"):
        load_encoder(sound)


class Lengths:
    """An encoder that says how long a caption is, and counts what it was asked."""

    width = 2
    fingerprint = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, captions: list[str]) -> np.ndarray:
        self.asked += captions
        return np.array([[len(caption), 0.1] for caption in captions], np.float32)


def test_cached_vectors_are_not_computed_again(tmp_path: Path) -> None:
    encoder: Any = Lengths()
    for captions in (["a", "bb"], ["bb", "ccc", "a"]):
        analysis = Analysis(captions, cache=AnalysisCache(tmp_path))
        vectors = sentence_vectors(analysis, encoder)
        expected = np.array([[len(caption), 0.1] for caption in captions], np.float32)
        assert vectors.dtype == np.float32 and vectors.tolist() == expected.tolist()
        assert sentence_vectors(analysis, encoder) is vectors
    assert encoder.asked == ["a", "bb", "ccc"]


def test_without_cache_all_vectors_are_computed() -> None:
    encoder: Any = Lengths()
    assert sentence_vectors(Analysis(["a"]), encoder).shape == (1, 2)
    assert sentence_vectors(Analysis([]), encoder).shape[0] == 0
    assert encoder.asked == ["a"]
