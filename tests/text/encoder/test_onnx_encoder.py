"""Encoders in folders: built by the tools, equal to the originals, and refused when damaged."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import CaptiousError, InputError
from captious.text.encoder.encoder import Encoder, load_encoder
from captious.text.encoder.onnx_encoder import OnnxEncoder, Settings
from captious.text.encoder.wordpiece import SpecialTokens, WordPiece
from tests.places import ROOT
from tests.same_scores import ENCODER_TOLERANCE

MARKS = SpecialTokens("<s>", "</s>", "[UNK]", ("<pad>",))
PIECES = ["<s>", "<pad>", "</s>", "[UNK]", "a", "dog", "runs", "##s", "<", "s", ">"]
WIDTH, WIDE, HEADS, LAYERS, WINDOW, KINDS = 8, 16, 2, 2, 40, 32


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pytest.importorskip("onnx")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "encoder_export"]:
        del sys.modules[name]


def mpnet_weights() -> dict[str, np.ndarray]:
    """Weights of a small MPNet, drawn once."""
    draw = np.random.default_rng(0)

    def draw_array(*shape: int) -> np.ndarray:
        return draw.normal(size=shape).astype(np.float32)

    def dense(name: str, into: int, out: int) -> dict[str, np.ndarray]:
        return {f"{name}.weight": draw_array(out, into), f"{name}.bias": draw_array(out)}

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.weight": draw_array(WIDTH), f"{name}.bias": draw_array(WIDTH)}

    weights = {
        "embeddings.word_embeddings.weight": draw_array(len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": draw_array(WINDOW + 2, WIDTH),
        "encoder.relative_attention_bias.weight": draw_array(KINDS, HEADS),
        **norm("embeddings.LayerNorm"),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in "qkvo":
            weights |= dense(f"{name}.attention.attn.{part}", WIDTH, WIDTH)
        weights |= norm(f"{name}.attention.LayerNorm") | norm(f"{name}.output.LayerNorm")
        weights |= dense(f"{name}.intermediate.dense", WIDTH, WIDE)
        weights |= dense(f"{name}.output.dense", WIDE, WIDTH)
    return weights


@pytest.fixture
def folder(tools: None, tmp_path: Path) -> Path:
    """A small MPNet as the tool would export it."""
    pytest.importorskip("onnxruntime")
    from hashlib import sha256

    from encoder_export.network import MPNET, Network

    network = Network("small", MPNET, LAYERS, WIDTH, HEADS, WINDOW, 1e-5, first_place=2)
    graph = network.build(mpnet_weights(), quantized=False).SerializeToString()
    settings = Settings(
        "small", LAYERS, WIDTH, WINDOW, len(PIECES), MARKS, sha256(graph).hexdigest()
    )
    (tmp_path / "small.onnx").write_bytes(graph)
    (tmp_path / "vocabulary.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    (tmp_path / "encoder.json").write_text(settings.to_json(), encoding="utf-8")
    return tmp_path


def test_a_folder_is_an_encoder(folder: Path) -> None:
    encoder = load_encoder(folder)
    assert isinstance(encoder, OnnxEncoder) and encoder.name == str(folder)
    states = encoder.token_states(["A dog runs", "dogs"], 1)
    assert states.pieces.values.tolist() == [0, 4, 5, 6, 2, 0, 5, 7, 2]
    assert states.states.shape == (9, WIDTH)
    assert pickle.loads(pickle.dumps(encoder)) is encoder
    with pytest.raises(InputError, match="layers 0 to 2"):
        encoder.token_states(["a"], 3)


def test_several_layers_at_once_equal_single_layers(folder: Path) -> None:
    encoder = load_encoder(folder)
    captions = ["a dog", "a dog runs", "", "dogs", "a a a a"]
    every = encoder.states_of_layers(captions, [2, 0, 1])
    for layer, states in zip([2, 0, 1], every, strict=True):
        alone = encoder.token_states(captions, layer)
        assert states.states == pytest.approx(alone.states, abs=ENCODER_TOLERANCE)


def test_special_tokens_in_a_caption_are_recognized(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("\n".join(PIECES), encoding="utf-8")
    word_piece = WordPiece(tmp_path / "v.txt", MARKS)
    [row], _ = word_piece.tokenize(["a <s> dog < s > [UNK]"], 20)
    assert row == [0, 4, 0, 5, 8, 9, 10, 3, 2]
    with pytest.raises(InputError, match=r"v\.txt: has no '\[CLS\]'"):
        WordPiece(tmp_path / "v.txt")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_graph_matches_the_original_network(folder: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    config = transformers.MPNetConfig(
        vocab_size=len(PIECES),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=WIDE,
        max_position_embeddings=WINDOW + 2,
        relative_attention_num_buckets=KINDS,
        layer_norm_eps=1e-5,
    )
    model = transformers.MPNetModel(config).eval()
    weights = {name: torch.from_numpy(array) for name, array in mpnet_weights().items()}
    model.load_state_dict(weights, strict=False)
    captions = ["a dog runs", "a dog " * 18]
    encoder = load_encoder(folder)
    for caption in captions:
        pieces = encoder.pieces([caption]).values
        with torch.no_grad():
            reference_states = model(
                torch.from_numpy(pieces)[None], output_hidden_states=True
            ).hidden_states
        for layer in range(LAYERS + 1):
            ours = encoder.token_states([caption], layer).states
            assert ours == pytest.approx(reference_states[layer][0].numpy(), abs=1e-5)


def test_distance_buckets_match_mpnet(tools: None) -> None:
    from encoder_export.network import kinds_of_distance

    # From transformers 5, MPNetEncoder.relative_position_bucket.
    kinds = kinds_of_distance(300, 32)
    assert kinds[0, [0, 1, 7, 8, 11, 12, 16, 32, 64, 128, 299]].tolist() == [
        0, 17, 23, 24, 24, 25, 26, 28, 30, 31, 31,
    ]  # fmt: skip
    assert kinds[[1, 7, 8, 12, 299], 0].tolist() == [1, 7, 8, 9, 15]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"layers": 0}, '"layers" is not what is written there'),
        ({"layers": True}, '"layers"'),
        ({"width": 1.5}, '"width"'),
        ({"window": 2}, '"window"'),
        ({"name": "../small"}, '"name"'),
        ({"sha256": "0"}, '"sha256"'),
        ({"marks": {**vars(MARKS), "others": [3]}}, '"others"'),
        ({"marks": {**vars(MARKS), "end": None}}, '"end"'),
        ({"marks": 3}, "not what an encoder says of itself"),
        ({"more": 3}, "not what an encoder says of itself"),
    ],
)
def test_impossible_settings_are_errors(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    table = json.loads(Settings("small", 2, 8, 40, 11, MARKS, "0" * 64).to_json())
    (tmp_path / "encoder.json").write_text(json.dumps({**table, **change}), encoding="utf-8")
    with pytest.raises(InputError, match=reason) as caught:
        load_encoder(tmp_path)
    assert "\n" not in str(caught.value) and "encoder.json" in str(caught.value)


def test_malformed_settings_are_errors(tmp_path: Path) -> None:
    for text in ("", "[]", "3", "{", "[" * 100_000):
        (tmp_path / "encoder.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="not what an encoder says of itself"):
            load_encoder(tmp_path)


def test_changed_graph_has_another_hash(folder: Path) -> None:
    graph = bytearray((folder / "small.onnx").read_bytes())
    graph[len(graph) // 2] ^= 1
    (folder / "small.onnx").write_bytes(graph)
    with pytest.raises(CaptiousError, match=r"small\.onnx: not the encoder's weights \(sha256"):
        OnnxEncoder.load(folder).token_states(["a dog"])
    (folder / "vocabulary.txt").write_text("\n".join([*PIECES, "cat"]), encoding="utf-8")
    with pytest.raises(InputError, match=r"vocabulary\.txt: 12 pieces, .* are for 11"):
        OnnxEncoder.load(folder).pieces(["a dog"])
    (folder / "vocabulary.txt").unlink()
    with pytest.raises(CaptiousError, match=r"vocabulary\.txt"):
        OnnxEncoder.load(folder).pieces(["a dog"])


def test_encoder_object_is_used_unchanged(folder: Path) -> None:
    encoder: Encoder = OnnxEncoder.load(folder)
    assert load_encoder(encoder) is encoder
