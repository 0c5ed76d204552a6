"""captious meta and captious robustness before metrics that see images."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.images.vectors import ImageVectors
from captious.meta import evaluate
from captious.meta.robustness.captioned_images import read_flickr8k
from captious.meta.robustness.evaluation import robustness
from tests.cli.command import captious
from tests.made_up.judged_captions import REFERENCES, rated
from tests.made_up.toy_images import noise, saved

NAMES = [f"{name}.png" for name in REFERENCES]
META = ("meta", "custom", "--judgements", "ratings.jsonl", "--resamples", "0")
ROBUSTNESS = ("robustness", "--data", ".", "--kind", "gaming")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judged captions, those of Flickr8k, and vectors of their images in another order."""
    ratings = rated()
    columns = (ratings.candidates, ratings.references, ratings.images, ratings.ratings.tolist())
    rows: list[dict[str, Any]] = [
        {"candidate": candidate, "references": references, "image": image, "rating": said}
        for candidate, references, image, said in zip(*columns, strict=True)
    ]
    (tmp_path / "ratings.jsonl").write_text("\n".join(map(json.dumps, rows)))
    nameless = [{key: row[key] for key in row if key != "image"} for row in rows]
    (tmp_path / "nameless.jsonl").write_text("\n".join(map(json.dumps, nameless)))
    captions = [
        f"{name}.png#{place}\t{text}"
        for name, texts in REFERENCES.items()
        for place, text in enumerate(texts)
    ]
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(captions))
    (tmp_path / "Flickr_8k.testImages.txt").write_text("\n".join(NAMES))
    random = np.random.default_rng(0)
    for file in ("crop.npz", "whole.npz"):
        ImageVectors.of(NAMES[::-1], random.random((6, 1280))).write(tmp_path / file)
    ImageVectors.of(NAMES[1:], random.random((5, 1280))).write(tmp_path / "five.npz")
    np.savez(tmp_path / "twice.npz", files=[*NAMES, NAMES[2]], features=random.random((7, 1280)))
    return tmp_path


def run_meta(folder: Path, *arguments: object) -> Any:
    done = captious(*arguments, "--format", "json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.slow
def test_meta_takes_images_as_score_does(folder: Path) -> None:
    views = ("--images", "crop.npz", "--whole", "whole.npz")
    metrics = ("--metrics", "leic,captious_image,rouge_l")
    data = run_meta(folder, *META, *metrics, *views)
    assert "images=crop.npz@" in data["signature"] and "views=two" in data["signature"]
    seen: dict[str, Any] = {"images": folder / "crop.npz", "whole": folder / "whole.npz"}
    names = ["leic", "captious_image", "rouge_l"]
    assert evaluate(rated(), names, resamples=0, **seen).to_dict()["rows"] == data["rows"]
    # And the same as scoring elsewhere what `--samples` writes, images' names and all.
    captious(*META, "--samples", "rows.jsonl", cwd=folder)
    rows = ("score", "rows.jsonl", *metrics, *views, "--output", "scores.csv", "--quiet")
    assert captious(*rows, cwd=folder).returncode == 0
    again = run_meta(folder, *META, "--scores", "scores.csv")
    assert [row for row in again["rows"] if row["metric"] == "leic"] == [
        row for row in data["rows"] if row["metric"] == "leic"
    ]


@pytest.mark.slow
def test_robustness_takes_images_as_score_does(folder: Path) -> None:
    seen = ("--metrics", "leic", "--images", "crop.npz")
    data = run_meta(folder, *ROBUSTNESS, *seen)
    worsened = read_flickr8k(folder)
    wanted = robustness(worsened, "leic", "gaming", images=folder / "crop.npz")
    assert data["rows"] == wanted.to_dict()["rows"]
    others = run_meta(folder, *ROBUSTNESS, "--metrics", "leic", "--images", "whole.npz")
    assert data["rows"] != others["rows"]
    assert run_meta(folder, *ROBUSTNESS, *seen, "--first", "2")["images"] == 2


@pytest.mark.slow
def test_a_folder_of_photographs(folder: Path) -> None:
    pytest.importorskip("onnxruntime")
    (folder / "photos").mkdir()
    for seed, name in enumerate(NAMES):
        (folder / "photos" / name).write_bytes(saved(noise(seed=seed), "PNG"))
    data = run_meta(folder, *META, "--metrics", "leic", "--images", "photos", "--no-cache")
    assert (
        evaluate(rated(), "leic", resamples=0, images=folder / "photos").to_dict()["rows"]
        == (data["rows"])
    )
    data = run_meta(folder, *ROBUSTNESS, "--metrics", "leic", "--images", "photos")
    assert "images=photos" in data["signature"]
    (folder / "photos" / NAMES[0]).write_bytes(b"no image")
    for command in (META, ROBUSTNESS):
        done = captious(*command, "--metrics", "leic", "--images", "photos", cwd=folder)
        assert done.returncode == 2 and "beach.png: not a readable image" in done.stderr
        assert done.stderr.count("\n") == 1


LEIC = ("--metrics", "leic", "--images")


@pytest.mark.parametrize("command", [META, ROBUSTNESS], ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*LEIC, "five.npz"), "five.npz: no image 'beach"),
        ((*LEIC, "twice.npz"), "twice.npz: the image 'cats.png' occurs twice; keep one"),
        ((*LEIC, "nowhere"), "nowhere: no such folder of images"),
        ((*LEIC, "nowhere.npz"), "nowhere.npz: cannot be read"),
        (("--metrics", "captious_image"), "captious_image: needs images"),
        (("--metrics", "rouge_l", "--images", "five.npz"), "five.npz: no image 'beach"),
        (("--metrics", "rouge_l", "--clip", "x"), "has the option 'clip'"),
    ],
)
def test_images_that_cannot_be_used(
    folder: Path, command: tuple[str, ...], arguments: tuple[str, ...], message: str
) -> None:
    refused(folder, (*command, *arguments), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*META[:3], "nameless.jsonl", *LEIC, "crop.npz"), "name each row's in the column 'image'"),
        (("meta", "all", "--data", ".", *LEIC, "crop.npz"), "--images is for one benchmark"),
        ((*META, "--scores", "x.csv", "--images", "crop.npz"), "x.csv: cannot be read"),
    ],
)
def test_judgements_that_cannot_be_seen(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    refused(folder, arguments, message)


def refused(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """One line, and nothing is written."""
    before = set(folder.iterdir())
    done = captious(*arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert set(folder.iterdir()) == before
