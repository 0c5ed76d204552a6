"""captious critic: train and judge on a toy world, the critic in use, and mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.cli.main import main

pytestmark = pytest.mark.slow

ANIMALS = ("dog", "cat", "horse")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of image vectors and captions; images 0 to 39 to train on, 40 to 47 to validate on."""
    folder = tmp_path_factory.mktemp("world")
    chance = np.random.default_rng(0)
    names = [f"{row}.jpg" for row in range(48)]
    features = 0.1 * chance.random((len(names), 4))
    features[np.arange(len(names)), np.arange(len(names)) % 3] = 1
    np.savez(folder / "vectors.npz", files=np.array(names), features=features.astype(np.float16))
    people = {
        name: [f"A {ANIMALS[row % 3]} is {where}." for where in ("here", "outside", "near")]
        for row, name in enumerate(names)
    }
    for part, own in (("train", names[:40]), ("dev", names[40:]), ("all", names)):
        rows = [{"id": name, "references": people[name]} for name in own]
        (folder / f"{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    written = [{"id": name, "candidate": f"a {ANIMALS[i % 3]}"} for i, name in enumerate(names)]
    (folder / "written.json").write_text(json.dumps(written))
    drawn = [{"id": name, "candidate": f"{n} of a"} for name in names for n in ("one", "two")]
    (folder / "drawn.jsonl").write_text("".join(json.dumps(row) + "\n" for row in drawn))
    like_people = [{"id": name, "candidate": captions[0]} for name, captions in people.items()]
    (folder / "like_people.json").write_text(json.dumps(like_people))
    return folder


@pytest.fixture
def run(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Run a command in the folder: its exit code, output and errors."""
    monkeypatch.chdir(world)

    def call(*arguments: object) -> tuple[int, str, str]:
        code = main(list(map(str, arguments)))
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


SMALL = ("--size", 8, "--hidden", 8, "--epochs", 3, "--batch", 20, "--least-count", 1,
         "--learning-rate", 0.01, "--dropout", 0.1)  # fmt: skip
TRAIN = ("critic", "train", "--captions", "train.jsonl", "--validation", "dev.jsonl", *SMALL)


@pytest.fixture
def critic(run: Callable[..., Any], world: Path) -> str:
    pytest.importorskip("torch")
    if not (world / "critic.npz").exists():
        code, _, errors = run(
            *TRAIN, "--features", "vectors.npz", "--machine", "written.json",
            "--output", "critic.npz", "--quiet",
        )  # fmt: skip
        assert (code, errors) == (0, "")
    return "critic.npz"


def test_a_critic_scores_captions_of_images(run: Callable[..., Any], critic: str) -> None:
    code, output, errors = run(
        "score", "written.json", "--references", "all.jsonl", "--metrics", "leic",
        "--critic", critic, "--images", "vectors.npz", "--format", "json", "--quiet",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert 0 < data["corpus"]["leic"] < 1
    assert "context=both,fusion=mlp" in data["signature"]
    assert "references=mean" in data["signature"]


def test_without_vectors_the_reference_is_the_context(run: Callable[..., Any], world: Path) -> None:
    pytest.importorskip("torch")
    code, output, errors = run(
        *TRAIN, "--others", "random_caption=1,word_permutation=2", "--fusion", "bilinear",
        "--output", "blind.npz", "--checkpoint", "state.npz", "--format", "json",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert (data["context"], data["fusion"], data["epochs"]) == ("reference", "bilinear", 3)
    assert 0 < data["validation_performance"] < 1
    assert (world / "state.npz").exists()
    code, _, _ = run(
        "score", "written.json", "--references", "all.jsonl", "--metrics", "leic",
        "--critic", "blind.npz",
    )  # fmt: skip
    assert code == 0


def test_a_system_is_judged_in_two_folds(run: Callable[..., Any], world: Path) -> None:
    pytest.importorskip("torch")
    code, output, errors = run(
        "critic", "judge", "written.json", "--references", "all.jsonl", "--features",
        "vectors.npz", *SMALL, "--seeds", 1, "--output", "judged.csv", "--format", "json",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert data["images"] == 48
    assert data["lowest_seed"] == data["score"] == data["highest_seed"]
    assert data["score"] < data["of_people"] and data["told_apart"] is True
    rows = (world / "judged.csv").read_text().splitlines()
    assert rows[0] == "id,leic" and len(rows) == 49


def test_several_captions_of_an_image_are_learnt_from(run: Callable[..., Any], world: Path) -> None:
    pytest.importorskip("torch")
    weights = []
    for name, files in (("one", ["written.json"]), ("all", ["written.json", "drawn.jsonl"])):
        given = [word for file in files for word in ("--machine", file)]
        code, _, errors = run(
            *TRAIN, *given, "--sampled", "drawn.jsonl", "--output", f"{name}.npz", "--quiet"
        )
        assert (code, errors) == (0, "")
        weights.append((world / f"{name}.npz").read_bytes())
    assert weights[0] != weights[1]


def test_several_captions_of_an_image_are_judged_together(
    run: Callable[..., Any], world: Path
) -> None:
    pytest.importorskip("torch")
    judge = ("critic", "judge", "drawn.jsonl", "--references", "all.jsonl", *SMALL, "--seeds", 1)
    code, output, errors = run(*judge, "--output", "drawn.csv", "--format", "json")
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert data["images"] == 48 and data["low"] <= data["score"] <= data["high"]
    rows = (world / "drawn.csv").read_text().splitlines()
    assert len(rows) == 49
    code, output, _ = run(*judge, "--sampled", "written.json", "--format", "json")
    assert code == 0 and json.loads(output)["score"] != data["score"]


@pytest.mark.filterwarnings("ignore")
def test_system_indistinguishable_from_people_is_a_warning(run: Callable[..., Any]) -> None:
    pytest.importorskip("torch")
    judge = ("critic", "judge", "like_people.json", "--references", "all.jsonl", *SMALL)
    untaught = ("--learning-rate", 1e-9, "--epochs", 1)
    code, output, errors = run(*judge, *untaught, "--seeds", 1, "--format", "json")
    assert code == 0 and json.loads(output)["told_apart"] is False
    assert "cannot tell the system's captions from human ones" in errors and errors.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((*TRAIN, "--output", "critic.txt"), "name the file .npz"),
        ((*TRAIN, "--output", "c.npz", "--context", "both"), "give --features FILE"),
        ((*TRAIN, "--output", "c.npz", "--others", "rumour=1"), "unknown captions 'rumour'"),
        ((*TRAIN, "--output", "c.npz", "--others", "machine"), "--others: 'machine' is not"),
        ((*TRAIN, "--output", "c.npz", "--others", "machine=1"), "no negatives"),
        ((*TRAIN, "--output", "c.npz", "--batch", 3), "batch: an even number"),
        (("critic", "judge", "written.json", "--references", "all.jsonl", "--seeds", 0), "--seeds"),
        (("score", "written.json", "--references", "all.jsonl", "--metrics", "leic", "--critic",
          "all.jsonl"), "not a critic's file"),
    ],
)  # fmt: skip
def test_invalid_arguments_give_a_one_line_error(
    run: Callable[..., Any], arguments: tuple[Any, ...], complaint: str
) -> None:
    pytest.importorskip("torch")
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    assert complaint in errors and errors.count("\n") == 1


def test_a_critic_that_sees_asks_for_images(run: Callable[..., Any], critic: str) -> None:
    code, _, errors = run(
        "score", "written.json", "--references", "all.jsonl", "--metrics", "leic",
        "--critic", critic,
    )  # fmt: skip
    assert code == 2 and "this critic needs images" in errors


def test_images_for_training_and_validation_are_apart(run: Callable[..., Any]) -> None:
    pytest.importorskip("torch")
    code, _, errors = run(
        "critic", "train", "--captions", "train.jsonl", "--validation", "train.jsonl",
        "--output", "c.npz",
    )  # fmt: skip
    assert code == 2 and "both for training and for validation" in errors
