"""captious score with image files: bad ones named or skipped, and progress."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captious.cli import main, progress
from captious.images import reading
from tests.cli.command import captious
from tests.made_up.toy_images import Image, noise, png_that_says, saved

pytest.importorskip("onnxruntime")

BAD = ("torn", "text", "huge", "moving", "line")
REASONS = {
    "torn": "torn.jpg: cut off",
    "text": "text.png: not a readable image",
    "huge": "huge.png: enormous (12000 by 9000 pixels",
    "moving": "moving.gif: animated, or of several pages (2 pictures)",
    "line": "line.png: enormous (79999999 by 1 pixels",
}
CAPTIONS = {
    "dog": "a dog runs on the beach",
    "torn": "a cat on a mat",
    "text": "a red bus",
    "man": "a man climbs a rock",
    "huge": "two birds",
    "moving": "a horse jumps",
    "line": "a road",
}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    (path / "dog.png").write_bytes(saved(noise(seed=1), "PNG"))
    (path / "man.jpg").write_bytes(saved(noise(seed=2), "JPEG"))
    (path / "torn.jpg").write_bytes(saved(noise(seed=3), "JPEG")[:-300])
    (path / "text.png").write_bytes(b"a red bus")
    (path / "huge.png").write_bytes(png_that_says(12_000, 9_000))
    (path / "line.png").write_bytes(saved(Image.new("L", (79_999_999, 1)), "PNG"))
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    moving = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    (path / "moving.gif").write_bytes(moving)
    return path


@pytest.fixture
def captions(tmp_path: Path) -> Callable[..., Any]:
    def write(names: tuple[str, ...] = tuple(CAPTIONS), file: str = "captions.jsonl") -> Path:
        rows = [
            {"id": f"sample of {name}", "candidate": CAPTIONS[name], "image": name}
            | {"references": ["an animal outside", f"{CAPTIONS[name]} today"]}
            for name in names
        ]
        path = tmp_path / file
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    return write


def score(path: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return captious("score", path, "--metrics", "captious_image,cider_d", *options)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
@pytest.mark.parametrize("cache", [(), ("--no-cache",)])
def test_bad_images_are_named_and_the_rest_scored_as_if_they_had_never_been_there(
    photos: Path, captions: Callable[..., Any], tmp_path: Path, cache: tuple[str, ...]
) -> None:
    options = ("--images", photos, *cache)
    done = score(captions(), *options, "--skip-bad-images", "--output", tmp_path / "some.csv")
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stderr.splitlines() if "cider_d" not in line]
    assert len(notes) == len(BAD) + 1
    for name, line in zip(BAD, notes, strict=False):
        assert line.startswith("captious: image left out: ") and REASONS[name] in line
    assert notes[-1] == "captious: left out, samples with bad images: 5 of 7"
    sound = score(captions(("dog", "man")), *options, "--output", tmp_path / "sound.csv")
    assert sound.returncode == 0, sound.stderr
    assert [row["id"] for row in rows_of(tmp_path / "some.csv")] == [
        "sample of dog",
        "sample of man",
    ]
    assert rows_of(tmp_path / "some.csv") == rows_of(tmp_path / "sound.csv")
    assert done.stdout == sound.stdout


@pytest.mark.slow
def test_quiet_skips_without_a_word(photos: Path, captions: Callable[..., Any]) -> None:
    done = score(captions(), "--images", photos, "--skip-bad-images", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")


def test_samples_that_share_a_bad_image_are_all_left_out(
    photos: Path, captions: Callable[..., Any], tmp_path: Path
) -> None:
    path = captions(("dog", "torn", "man"))
    text = path.read_text(encoding="utf-8").replace("sample of torn", "another")
    torn = captions(("torn",), "torn.jsonl").read_text(encoding="utf-8")
    path.write_text(f"{text}\n{torn}", encoding="utf-8")
    done = score(path, "--images", photos, "--skip-bad-images")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("torn.jpg") == 1
    assert "samples with bad images: 2 of 4" in done.stderr


def one_line_of(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2 and done.stdout == ""
    line = done.stderr.removesuffix("\n")
    assert line.startswith("captious: error: ") and "\n" not in line
    return line


def test_without_the_option_the_first_bad_image_is_an_error(
    photos: Path, captions: Callable[..., Any], tmp_path: Path
) -> None:
    done = score(captions(), "--images", photos, "--output", tmp_path / "scores.csv")
    line = one_line_of(done)
    assert REASONS["torn"] in line and "--skip-bad-images" in line
    assert not (tmp_path / "scores.csv").exists()


def test_nothing_but_bad_images_is_an_error(
    photos: Path, captions: Callable[..., Any], tmp_path: Path
) -> None:
    done = score(
        captions(BAD), "--images", photos, "--skip-bad-images", "--output", tmp_path / "scores.csv"
    )
    line = one_line_of(done)
    assert "not one of 5 images can be used" in line and REASONS["torn"] in line
    assert not (tmp_path / "scores.csv").exists()


@pytest.mark.parametrize("skip", [(), ("--skip-bad-images",)])
def test_an_image_that_is_not_there_is_an_error_either_way(
    photos: Path, captions: Callable[..., Any], skip: tuple[str, ...]
) -> None:
    (photos / "man.jpg").unlink()
    line = one_line_of(score(captions(("dog", "man")), "--images", photos, *skip))
    assert "no image 'man'" in line


@pytest.mark.parametrize("images", [(), ("--images", "vectors.npz")])
def test_only_image_files_can_be_bad(captions: Callable[..., Any], images: tuple[str, ...]) -> None:
    line = one_line_of(score(captions(), "--skip-bad-images", *images))
    assert "--skip-bad-images: needs image files" in line


def test_no_folder_of_images(captions: Callable[..., Any], tmp_path: Path) -> None:
    line = one_line_of(score(captions(), "--images", tmp_path / "nowhere"))
    assert "nowhere: no such folder of images" in line


def in_this_process(path: Path, photos: Path, *options: str) -> int:
    arguments = ["score", path, "--metrics", "captious_image", "--images", photos, *options]
    return main.main(list(map(str, arguments)))


@pytest.mark.slow
def test_no_image_is_decoded_twice_for_a_view(
    photos: Path,
    captions: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = []

    def counted(content: bytes, path: Path) -> Any:
        seen.append(path.stem)
        return reading.decode_image(content, path)

    monkeypatch.setattr("captious.images.encoding.decode_image", counted)
    assert in_this_process(captions(), photos, "--skip-bad-images", "--no-cache") == 0
    # Both views of the sound ones, and the first view of the bad ones.
    assert sorted(seen) == sorted(["dog", "man"] * 2 + list(BAD))
    assert "5 of 7" in capsys.readouterr().err


@pytest.mark.slow
def test_images_have_a_bar_on_a_terminal(
    photos: Path,
    captions: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(progress, "BAR_DELAY_S", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    path = captions(("dog", "man"))
    assert in_this_process(path, photos, "--no-cache") == 0
    shown = capsys.readouterr().err
    assert shown.count("images encoded: 100%") == 2  # views
    assert "2/2" in shown
    assert in_this_process(path, photos, "--no-cache", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_image_metric_is_added_if_no_metric_uses_images(
    photos: Path, captions: Callable[..., Any]
) -> None:
    path = captions(("dog", "man"))
    given = ("--metrics", "rouge_l", "--images", photos, "--format", "json")
    done = captious("score", path, *given)
    assert done.returncode == 0
    note = "captious: captious_image is added, because no chosen metric uses --images\n"
    assert done.stderr == note
    assert list(json.loads(done.stdout)["corpus"]) == [
        *("rouge_l", "captious_image", "captious_image_alone")
    ]
    assert captious("score", path, *given, "--quiet").stderr == ""
    assert "is added" not in score(path, "--images", photos).stderr
    german = captious("score", path, *given, "--language", "de")  # what sees knows English alone
    assert german.returncode == 2 and "has the option 'images'" in german.stderr


def test_doctor_knows_what_images_need() -> None:
    found = {
        row["what"]: row
        for row in json.loads(captious("doctor", "--format", "json").stdout)["found"]
    }
    assert found["pillow"]["state"] != "missing" and found["onnxruntime"]["state"] != "missing"
    assert found["image encoder"]["state"].endswith(" MB")
