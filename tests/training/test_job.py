"""From files to weights: the command that trains, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.cli import train as train_module
from captious.cli.main import make_parser
from captious.cli.options import parse_shares
from captious.errors import CaptiousError, CaptiousWarning, InputError
from captious.metrics.learned.weights import load_model
from captious.training.learned_metrics import job as job_module
from captious.training.learned_metrics import validation as validation_module
from captious.training.learned_metrics.job import features_and_recipe
from captious.training.learned_metrics.recipe import (
    LCEVAL_PAPER,
    LCEVAL_RECIPE,
    NNEVAL_PAPER,
    NNEVAL_RECIPE,
    PAPER_IMAGES,
    Recipe,
)
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


def test_the_papers_recipes_are_theirs(files: Any) -> None:
    assert features_and_recipe("nneval", kind="paper")[1] == NNEVAL_PAPER
    assert features_and_recipe("lceval(cider=cider_d)", kind="paper")[1] == LCEVAL_PAPER
    assert features_and_recipe("nneval(cider=cider_d)")[1] == NNEVAL_RECIPE
    assert (NNEVAL_PAPER.epochs, LCEVAL_PAPER.epochs) == (500, 800)
    assert NNEVAL_PAPER.batch == LCEVAL_PAPER.batch == 75
    assert (NNEVAL_PAPER.learning_rate, LCEVAL_PAPER.learning_rate) == (0.25, 0.0005)
    assert 6 * PAPER_IMAGES == 132_984
    with pytest.raises(InputError, match="unknown recipe"):
        features_and_recipe("lceval", kind="slow")
    with pytest.raises(InputError, match="--recipe"):
        features_and_recipe(str(files / "mine.toml"), kind="paper")


def test_the_papers_recipe_takes_as_many_images(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Any] = []

    def caught(job: Any, *listeners: Any) -> None:
        jobs.append(job)
        raise InputError("that will do")

    monkeypatch.setattr(train_module, "train_metric", caught)
    given = ("nneval", "--data", files / "data", "--human", files / "human.json")
    for further in ((), ("--recipe", "paper"), ("--recipe", "paper", "--images", 7)):
        with pytest.raises(InputError, match="that will do"):
            run(*given, *further)
    assert [job.images for job in jobs] == [None, PAPER_IMAGES, 7]
    assert [job.recipe for job in jobs] == [NNEVAL_RECIPE, NNEVAL_PAPER, NNEVAL_PAPER]


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        (("--machine", "absent.json"), "absent.json"),
        (("--human", "absent.json"), "absent.json"),
        (("--data", "absent"), "flickr8k"),
        (("--checkpoint", "mine.toml"), "not a checkpoint"),
        (("--checkpoint", "absent/point.npz"), "absent"),
        (("--output", "absent/mine.npz"), "absent"),
        (("--mixture", "machine_elsewhere=1"), "machine_elsewhere"),
        (("--mixture", "machine_other=1", "--references", "9"), "too few captions"),
        (("--plot", "absent/curve.png"), "absent"),
    ],
)
def test_all_files_are_checked_before_anything_is_computed(
    files: Path, monkeypatch: pytest.MonkeyPatch, changed: tuple[str, ...], word: str
) -> None:
    pytest.importorskip("torch")

    def untimely(*arguments: Any, **options: Any) -> None:
        raise AssertionError("features are extracted before all files were checked")

    monkeypatch.setattr(job_module, "extract_features", untimely)
    monkeypatch.setattr(validation_module, "extract_features", untimely)
    monkeypatch.chdir(files)
    options = {"--data": "data", "--human": "human.json", "--machine": "dull.json"}
    options |= dict(zip(changed[::2], changed[1::2], strict=True))
    before = sorted(files.rglob("*"))
    with pytest.raises(CaptiousError, match=word):
        run("mine.toml", *(text for pair in options.items() for text in pair))
    assert sorted(files.rglob("*")) == before


def test_progress_distinguishes_reading_from_epochs(files: Path) -> None:
    pytest.importorskip("torch")
    told: list[str] = []
    features, recipe = features_and_recipe(str(files / "mine.toml"))
    job = job_module.TrainingJob(
        *(features, recipe, files / "human.json", (files / "dull.json",), files / "mine.npz"),
        data=files / "data",
        mixture={"machine": 1},
    )
    with pytest.warns(CaptiousWarning, match="bleu_1"):  # three ratings, and BLEU-1 knows them
        job_module.run_job(
            job,
            progress=lambda at: told.append(f"epoch {at.epoch}"),
            extraction_progress=lambda done, total: told.append(f"{done} of {total}"),
        )
    assert told[:3] == ["60 of 60", "3 of 3", "epoch 1"]  # both sets, and only then an epoch
    assert told.count("60 of 60") == 1


def test_the_command_writes_weights_and_a_card(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    arguments = [
        *(files / "mine.toml", "--data", files / "data", "--human", files / "human.json"),
        *("--machine", files / "dull.json", "--output", files / "mine.npz", "--format", "json"),
    ]
    with pytest.warns(CaptiousWarning, match="bleu_1"):
        run(*arguments, "--mixture", "machine=1", "--checkpoint", files / "checkpoint.npz")
    captured = capsys.readouterr()
    printed = json.loads(captured.out)
    assert printed["counts"]["dull"] == 30 == printed["counts"]["human"]
    assert len(printed["curve"]) == 4
    assert "composite" in captured.err  # which was not there to be looked at
    model = load_model(files / "mine.npz")
    assert model.network.fingerprint == printed["fingerprint"]
    card = (files / "mine.md").read_text(encoding="utf-8")
    assert "dull" in card and "flickr8k-expert" in card and str(files) not in card
    first = (files / "mine.npz").read_bytes()
    with pytest.warns(CaptiousWarning, match="bleu_1"):
        run(*arguments, "--mixture", "machine=1")
    assert (files / "mine.npz").read_bytes() == first


def test_mixtures_are_read() -> None:
    assert parse_shares("--mixture", "machine=1, random_caption=0.5") == {
        "machine": 1,
        "random_caption": 0.5,
    }
    for text in ("machine", "machine=much", "=", ""):
        with pytest.raises(InputError, match="KIND=SHARE"):
            parse_shares("--mixture", text)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nneval"], "--human"),
        (["nneval", "--human", "x", "--ratings", "y"], "--judgements"),
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
