"""What was trained: weights, checkpoints, captioners and critics; and the recipes to train by.

These files carry a hash of their contents. Damage alone would nearly always end at it, so that half
of the damaged files are sealed anew: what lies behind the hash is tried, too.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import captious
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.network import Network, new_network
from captious.metrics.learned.weights import LearnedModel, Scaling, load_model
from captious.metrics.leic.critic import Critic, load_critic
from captious.metrics.leic.fusion import CountSketch
from captious.metrics.leic.leic import Leic
from captious.metrics.leic.recipe import CriticRecipe
from captious.text.encoder.onnx_encoder import OnnxEncoder, Settings
from captious.text.encoder.wordpiece import SpecialTokens
from captious.text.vocabulary import Vocabulary
from captious.training.checkpoint import Checkpoint
from captious.training.learned_metrics.job import features_and_recipe
from tests.fuzz import arrays
from tests.fuzz.file_damage import damage_file
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kinds.vectors_in_files import npz

REFERENCES = [["a dog runs on the beach", "a brown dog"], ["two men sit on a bench"]]
CANDIDATES = ["a dog on a beach", "two men"]
RECIPE = b"""name = "mine"
scaling = "fixed"
pool = "max"

[training]
hidden = [4, 3]
learning_rate = 0.01
batch = 8
epochs = 2
patience = 2
l2 = 0.0001
seed = 1

[[feature]]
column = "bleu_1"
shift = 0.5
divisor = 2.0

[[feature]]
column = "cider_d"
options = { sigma = 4.0 }
pool = "mean"
"""


def _saved_files(save: Callable[[Path], None]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder) / "model.npz")
        return (Path(folder) / "model.npz").read_bytes()


def _weights() -> Files:
    feature_set = FeatureSet.of(["bleu_1", "rouge_l"], name="mine")
    scaling = Scaling(np.zeros(2), np.ones(2))
    return {
        "model.npz": _saved_files(LearnedModel(feature_set, scaling, new_network(2, (3,), 0)).save)
    }


def _fresh_network() -> Checkpoint:
    network = new_network(2, (3,), 0)
    return Checkpoint.fresh([*network.weights, *network.biases], "key", ("loss", "tau"))


def _checkpoint() -> Files:
    state = _fresh_network()
    state.add({"loss": 0.5, "tau": 0.1}, is_best=True)
    return {"state.npz": _saved_files(state.write)}


def _critic() -> Files:
    recipe = CriticRecipe(size=3, hidden=4, sketch=8, context="reference")
    chance = np.random.default_rng(0)
    words = Vocabulary(("a", "dog", "cat"))
    width = recipe.size
    shapes = {
        "words.weight": (len(words), 3),
        "memory.weight_ih_l0": (4 * width, 3),
        "memory.weight_hh_l0": (4 * width, width),
        "memory.bias_ih_l0": (4 * width,),
        "memory.bias_hh_l0": (4 * width,),
        "hidden.weight": (recipe.hidden, 2 * width),
        "hidden.bias": (recipe.hidden,),
        "output.weight": (2, recipe.hidden),
        "output.bias": (2,),
    }
    weights: dict[str, Any] = {
        name: chance.normal(0, 1, shape).astype(np.float32) for name, shape in shapes.items()
    }
    sketches = tuple(CountSketch.random(width, recipe.sketch, chance) for _ in range(2))
    critic = Critic.of(recipe, weights, words, None, (sketches[0], sketches[1]), {})
    return {"critic.npz": _saved_files(critic.save)}


def _damage_with_hash(seal: Callable[[dict[str, Any], dict[str, Any]], Any]) -> Any:
    """Damage after which, half the time, the hash fits what is in the file."""

    def damage(name: str, content: bytes, random: Random) -> bytes:
        if not name.endswith(".npz") or random.random() < 0.5:
            return damage_file(name, content, random)
        changed = arrays.change_npz(content, random)
        try:
            with np.load(io.BytesIO(changed), allow_pickle=False) as file:
                members = {name: file[name] for name in file.files}
            about = json.loads(str(members.pop("about")))
            about["fingerprint"] = seal(members, about)
            return npz(about=np.array(json.dumps(about)), **members)
        except Exception:  # whatever keeps a hash from being made of damaged arrays
            return changed

    return damage


def _seal_weights(members: dict[str, Any], about: dict[str, Any]) -> str:
    layers = range(sum(name.startswith("weights_") for name in members))
    found = Network(
        tuple(np.asarray(members[f"weights_{place}"], np.float64) for place in layers),
        tuple(np.asarray(members[f"bias_{place}"], np.float64) for place in layers),
    )
    return found.fingerprint


def _seal_critic(members: dict[str, Any], about: dict[str, Any]) -> str:
    words = Vocabulary(tuple(about["words"]))
    return Critic(CriticRecipe(**about["recipe"]), members, words, {}).fingerprint


def _seal_captioner(members: dict[str, Any], about: dict[str, Any]) -> str:
    from captious.io.array_files import fingerprint

    return fingerprint(members)


def _captioner() -> Files:
    from captious.captioners.captioner import Captioner
    from captious.captioners.decoder import Decoder, Shape
    from captious.images.vectors import ImageScaling

    words = Vocabulary(("a", "dog", "cat"))
    decoder = Decoder(Shape("merge", 3, len(words), 4), 0)
    features = np.random.default_rng(0).random((2, 4)).astype(np.float32)
    return {
        "captioner.npz": _saved_files(Captioner(ImageScaling.none(4), decoder, words, {}).save),
        "i.npz": npz(files=np.array(["1.jpg", "2.jpg"]), features=features),
        "names.txt": b"1.jpg\n2.jpg\n",
        "captions.txt": b"1.jpg#0\ta dog\n1.jpg#1\ta cat\n2.jpg#0\ta dog\n",
    }


def _load_captioner(folder: Path) -> None:
    from captious.captioners.captioner import load_captioner

    load_captioner(folder / "captioner.npz")


def _resume(folder: Path) -> None:
    """Go on from a checkpoint as training does: what it holds must be of use, or be refused."""
    state = _fresh_network().resume(folder / "state.npz")
    layers = len(state.kept) // 2
    Network(tuple(state.kept[:layers]), tuple(state.kept[layers:]))
    state.add({"loss": 0.4, "tau": 0.2}, is_best=bool(state.best) and state.best_point["tau"] < 0.2)


def _encoder() -> Files:
    """What an encoder says of itself, and its pieces; a graph is known by its hash."""
    pieces = ["<s>", "</s>", "[UNK]", "<pad>", "a", "dog", "##s", "on", "beach", "two", "men"]
    marks = SpecialTokens("<s>", "</s>", "[UNK]", ("<pad>",))
    settings = Settings("small", 2, 8, 40, len(pieces), marks, "0" * 64)
    return {
        "encoder.json": settings.to_json().encode(),
        "vocabulary.txt": "\n".join(pieces).encode(),
    }


KINDS: list[FileKind] = [
    FileKind(
        "encoder",
        1.0,
        _encoder,
        [Reader(lambda folder: OnnxEncoder.load(folder).pieces(CANDIDATES))],
    ),
    FileKind(
        "weights",
        3.0,
        _weights,
        [
            Reader(lambda folder: load_model(folder / "model.npz")),
            Reader(
                lambda folder: captious.score(
                    CANDIDATES, REFERENCES, LearnedMetric(folder / "model.npz")
                ).to_text("json")
            ),
        ],
        damage=_damage_with_hash(_seal_weights),
    ),
    FileKind("checkpoint", 2.0, _checkpoint, [Reader(_resume)]),
    FileKind(
        "critic",
        2.0,
        _critic,
        [
            Reader(lambda folder: load_critic(folder / "critic.npz")),
            Reader(
                lambda folder: captious.score(
                    CANDIDATES, REFERENCES, Leic(critic=folder / "critic.npz")
                ).to_text("json")
            ),
        ],
        damage=_damage_with_hash(_seal_critic),
    ),
    FileKind(
        "captioner",
        0.3,
        _captioner,
        [
            Reader(_load_captioner),
            Command("captioner generate @captioner.npz --features @i.npz --longest 5"),
            Command("captioner generate @captioner.npz --features @i.npz --images @names.txt "
                    "--temperature 1 --longest 5 --output @out.csv", ("out.csv",)),
            Command("captioner probabilities @captioner.npz --features @i.npz "
                    "--captions @captions.txt --output @p.npz --format json", ("p.npz",)),
        ],
        damage=_damage_with_hash(_seal_captioner),
        needs=("torch",),
    ),
    FileKind(
        "recipe",
        3.0,
        lambda: {"mine.toml": RECIPE},
        [Reader(lambda folder: features_and_recipe(str(folder / "mine.toml"), None))],
    ),
]  # fmt: skip
