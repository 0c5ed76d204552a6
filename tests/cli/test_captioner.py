"""captious captioner: train, tune, generate and probabilities on a toy world, and mistakes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.cli.main import main
from captious.io.captions import read_candidates

pytestmark = pytest.mark.slow

ANIMALS = ("dog", "cat", "horse")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of image vectors and captions; images 0 to 23 to train on, 24 to 29 to validate on."""
    folder = tmp_path_factory.mktemp("world")
    chance = np.random.default_rng(0)
    features = 0.1 * chance.random((30, 4))
    features[np.arange(30), np.arange(30) % 3] = 1
    names = [f"{row}.jpg" for row in range(30)]
    np.savez(folder / "vectors.npz", files=np.array(names), features=features.astype(np.float16))
    said = {name: f"A {ANIMALS[row % 3]} is here." for row, name in enumerate(names)}
    lines = [f"{name}#{number}\t{said[name]}\n" for name in names for number in range(2)]
    (folder / "captions.txt").write_text("".join(lines))
    for split, own in (("train", names[:24]), ("dev", names[24:])):
        (folder / f"{split}.txt").write_text("\n".join(own) + "\n")
        rows = [{"id": name, "references": [said[name]]} for name in own]
        (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture
def run(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Run a part of the command in the folder: its exit code, output and errors."""
    monkeypatch.chdir(world)

    def call(*arguments: object) -> tuple[int, str, str]:
        code = main(["captioner", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


TRAIN = ("train", "--features", "vectors.npz", "--size", 8, "--epochs", 4, "--learning-rate", 0.02)
FILES = ("--captions", "train.jsonl", "--validation", "dev.jsonl")


@pytest.fixture
def model(run: Callable[..., Any], world: Path) -> str:
    pytest.importorskip("torch")
    if not (world / "model.npz").exists():
        code, _, errors = run(
            *TRAIN, *FILES, "--output", "model.npz", "--architecture", "merge", "--quiet"
        )
        assert (code, errors) == (0, "")
    return "model.npz"


def test_lists_of_images_split_one_file_of_captions(
    run: Callable[..., Any], world: Path, model: str
) -> None:
    code, output, errors = run(
        *TRAIN, "--captions", "captions.txt", "--images", "train.txt", "--validation", "dev.txt",
        "--architecture", "par", "--output", "par.npz", "--checkpoint", "state.npz",
        "--keep-epochs", "kept/par", "--format", "json",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert (data["architecture"], data["words"], data["epochs"]) == ("par", 6, 4)
    assert data["validation_perplexity"] == pytest.approx(np.exp(data["validation_loss"]))
    assert len(list((world / "kept" / "par").iterdir())) == 4
    assert (world / "par.npz").exists() and (world / "state.npz").exists()


def test_captions_are_written_for_score_to_read(
    run: Callable[..., Any], world: Path, model: str
) -> None:
    code, output, _ = run(
        "generate", model, "--features", "vectors.npz", "--images", "dev.txt", "--output",
        "written.json", "--format", "json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(output) == {"output": "written.json", "captions": 6}
    found = read_candidates(world / "written.json")
    assert found.ids == [f"{row}.jpg" for row in range(24, 30)]
    code, output, _ = run(
        "generate", model, "--features", "vectors.npz", "--images", "dev.txt", "--format", "json"
    )
    assert code == 0
    assert [row["candidate"] for row in json.loads(output)] == list(found.captions.values())
    code, output, _ = run("generate", model, "--features", "vectors.npz", "--beam", 1)
    assert code == 0 and output.count("\n") == 32


def test_captions_by_chance(run: Callable[..., Any], model: str) -> None:
    draw = ("generate", model, "--features", "vectors.npz", "--temperature", 1, "--samples", 3)
    _, output, _ = run(*draw, "--format", "json")
    rows = json.loads(output)
    assert [row["id"] for row in rows[:4]] == ["0.jpg"] * 3 + ["1.jpg"]
    assert json.loads(run(*draw, "--format", "json")[1]) == rows
    assert json.loads(run(*draw, "--seed", 1, "--format", "json")[1]) != rows


def test_probabilities_are_written_in_five_arrays(
    run: Callable[..., Any], world: Path, model: str
) -> None:
    code, output, _ = run(
        "probabilities", model, "--features", "vectors.npz", "--captions", "captions.txt",
        "--images", "dev.txt", "--output", "p.npz", "--format", "json",
    )  # fmt: skip
    assert code == 0
    data = json.loads(output)
    assert (data["images"], data["captions"], data["words"]) == (6, 12, 60)
    with np.load(world / "p.npz", allow_pickle=False) as file:
        assert file["image_offsets"].tolist() == list(range(0, 13, 2))
        assert file["caption_offsets"].tolist() == list(range(0, 61, 5))
        assert file["images"].tolist() == [f"{row}.jpg" for row in range(24, 30)]
        assert data["loss"] == pytest.approx(-np.log(file["probabilities"]).mean())
        assert data["share_first"] == file["is_first"].mean()


TUNE = ("tune", "model.npz", "--features", "vectors.npz", "--longest", 6, "--epochs", 2)


def test_a_captioner_is_tuned_and_writes_again(
    run: Callable[..., Any], world: Path, model: str
) -> None:
    code, output, errors = run(
        *TUNE, "--captions", "captions.txt", "--images", "train.txt", "--validation", "dev.txt",
        "--reward", "cider_d=1,captious=.5", "--samples", 3, "--end-word", "--output", "tuned.npz",
        "--checkpoint", "tuning.npz", "--half", "--format", "json", "--quiet",
    )  # fmt: skip
    assert (code, errors) == (0, "")
    data = json.loads(output)
    assert (data["reward"], data["words"], data["epochs"]) == ("cider_d=1,captious=.5", 6, 2)
    assert data["validation_reward_before"] > 0 and data["validation_reward"] > 0
    assert (world / "tuning.npz").exists()
    code, output, _ = run("generate", "tuned.npz", "--features", "vectors.npz", "--format", "json")
    assert code == 0 and len(json.loads(output)) == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*TRAIN, *FILES, "--output", "x.txt"), "x.txt: name the file .npz"),
        ((*TRAIN, *FILES, "--output", "no/x.npz"), "cannot be written"),
        ((*TRAIN, *FILES, "--output", "x.npz", "--dropout", 1), "dropout: a number from 0"),
        (
            (*TRAIN, "--captions", "captions.txt", "--validation", "dev.txt", "--output", "x.npz"),
            "'24.jpg' is both for training and for validation",
        ),
        (
            (*TRAIN, *FILES, "--output", "x.npz", "--keep-epochs", "train.txt"),
            "train.txt: not a folder to write to",
        ),
        ((*TUNE, *FILES, "--output", "x.txt"), "x.txt: name the file .npz"),
        ((*TUNE, *FILES, "--output", "x.npz", "--reward", "cidr"), "did you mean 'cider'"),
        ((*TUNE, *FILES, "--output", "x.npz", "--reward", "coco"), "a group is no reward"),
        ((*TUNE, *FILES, "--output", "x.npz", "--reward", "bleu_1=much"), "a weight is a number"),
        ((*TUNE, *FILES, "--output", "x.npz", "--samples", 1), "needs two samples per image"),
        ((*TUNE, *FILES, "--output", "x.npz", "--beam", 0), "beam: a whole number from 1"),
        ((*TUNE, *FILES, "--output", "x.npz", "--checkpoint", "names.txt"), "not a checkpoint"),
        (
            ("tune", "vectors.npz", *TUNE[2:], *FILES, "--output", "x.npz"),
            "not a captioner's file",
        ),
        (
            (*TUNE, "--captions", "captions.txt", "--validation", "dev.txt", "--output", "x.npz"),
            "'24.jpg' is both for training and for validation",
        ),
        (("generate", "model.npz", "--features", "train.jsonl"), "'files' and 'features'"),
        (("generate", "vectors.npz", "--features", "vectors.npz"), "not a captioner's file"),
        (
            ("generate", "model.npz", "--features", "vectors.npz", "--images", "names.txt"),
            "vectors.npz: no vector for image '99.jpg'",
        ),
        (
            ("generate", "model.npz", "--features", "v.npz", "--beam", 2, "--temperature", 1),
            "--beam or --temperature",
        ),
        (("generate", "model.npz", "--features", "v.npz", "--samples", 2), "needs --temperature"),
        (
            ("generate", "model.npz", "--features", "vectors.npz", "--output", "x.doc"),
            "unknown kind of file",
        ),
        (
            ("probabilities", "model.npz", "--features", "vectors.npz", "--captions",
             "captions.txt", "--images", "names.txt", "--output", "p.npz"),
            "captions.txt: no captions of '99.jpg', which names.txt names",
        ),
    ],
)  # fmt: skip
def test_invalid_arguments_give_a_one_line_error(
    run: Callable[..., Any], world: Path, model: str, arguments: tuple[Any, ...], message: str
) -> None:
    (world / "names.txt").write_text("99.jpg\n")
    code, output, errors = run(*arguments)
    assert (code, output) == (2, "")
    assert message in errors and errors.count("\n") == 1


def test_missing_torch_error_says_how_to_install_it(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    code, _, errors = run(*TRAIN, *FILES, "--output", "x.npz")
    assert code == 2
    assert "pip install 'captious[train]'" in errors and errors.count("\n") == 1
