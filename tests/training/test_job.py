"""From files to weights: the command that trains, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import make_parser
from captious.cli.networks import read_shares
from captious.errors import InputError
from captious.learned.weights import load_model
from captious.training.learned_metrics.job import features_and_recipe
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE, NNEVAL_RECIPE, Recipe
from tests.made_up.captions_to_learn import machine, people

TOML = """
feature = ["bleu_1", "rouge_l"]
[training]
hidden = [3]
epochs = 4
batch = 32
"""


def run(*arguments: object) -> None:
    options = make_parser("train").parse_args(["train", *map(str, arguments)])
    options.run(options)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Captions, a machine's captions, a plan, and judgements as Flickr8k distributes them."""
    human = people()
    rows = [{"image_id": image, "caption": text} for image in human for text in human[image]]
    (tmp_path / "human.json").write_text(json.dumps({"annotations": rows}))
    dull = [{"image_id": image, "caption": text} for image, text in machine().items()]
    (tmp_path / "dull.json").write_text(json.dumps(dull))
    (tmp_path / "mine.toml").write_text(TOML)
    folder = tmp_path / "data" / "flickr8k"
    folder.mkdir(parents=True)
    tokens = [
        f"f{image}.jpg#{place}\ta {word} {noun} waits"
        for image, noun in enumerate(["man", "woman", "child"])
        for place, word in enumerate(["tall", "small", "happy", "cold", "tired"])
    ]
    (folder / "Flickr8k.token.txt").write_text("\n".join(tokens))
    judged = ["f0.jpg\tf1.jpg#0\t1\t1\t2", "f1.jpg\tf1.jpg#1\t4\t4\t4", "f2.jpg\tf0.jpg#2\t2\t1\t1"]
    (folder / "ExpertAnnotations.txt").write_text("\n".join(judged))
    return tmp_path


def test_published_names_have_their_recipes(files: Any) -> None:
    assert features_and_recipe("nneval")[1] == NNEVAL_RECIPE
    assert features_and_recipe("lceval", seed=7)[1].seed == 7
    assert features_and_recipe("lceval_released")[1].hidden == ()
    assert features_and_recipe("nneval_released")[1].hidden == (72, 72)
    assert features_and_recipe("semantic")[1] == LCEVAL_RECIPE
    features, recipe = features_and_recipe(str(files / "mine.toml"))
    assert features.name == "mine"
    assert recipe == Recipe((3,), epochs=4, batch=32)


def test_the_command_writes_weights_and_a_card(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    arguments = [
        *(files / "mine.toml", "--data", files / "data", "--human", files / "human.json"),
        *("--machine", files / "dull.json", "--output", files / "mine.npz", "--format", "json"),
    ]
    run(*arguments, "--checkpoint", files / "checkpoint.npz")
    captured = capsys.readouterr()
    said = json.loads(captured.out)
    assert said["counts"]["dull"] == 30 == said["counts"]["human"]
    assert len(said["curve"]) == 4
    assert "composite" in captured.err  # which was not there to be looked at
    model = load_model(files / "mine.npz")
    assert model.network.fingerprint == said["fingerprint"]
    card = (files / "mine.md").read_text(encoding="utf-8")
    assert "dull" in card and "flickr8k-expert" in card and str(files) not in card
    first = (files / "mine.npz").read_bytes()
    run(*arguments, "--mixture", "machine=1")
    assert (files / "mine.npz").read_bytes() == first


def test_mixtures_are_read() -> None:
    assert read_shares("--mixture", "machine=1, random_caption=0.5") == {
        "machine": 1,
        "random_caption": 0.5,
    }
    for text in ("machine", "machine=much", "=", ""):
        with pytest.raises(InputError, match="KIND=SHARE"):
            read_shares("--mixture", text)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nneval"], "--data"),
        (["nneval", "--data", "x"], "--human"),
        (["nneval", "--data", "x", "--human", "y", "--output", "z.bin"], "npz"),
        (["nothing", "--data", "x", "--human", "y"], "no feature set"),
        (["nothing.toml", "--data", "x", "--human", "y"], "cannot be read"),
    ],
)
def test_mistakes_are_named(arguments: list[str], word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(*arguments)


def test_a_recipe_that_is_no_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("training = 3\nfeature = ['bleu_1']")
    with pytest.raises(InputError, match="table"):
        features_and_recipe(str(path))
