"""What captioners say of images, by kind, and where captioners are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from captious.captioners.generation import generate, sample
from captious.errors import InputError
from captious.training.captioners.training import train
from captious.training.critics.machine_captions import captioner_files, write_machine_captions
from tests.made_up.captioner_world import RECIPE, examples, images


def test_captioners_are_files_or_runs(tmp_path: Path) -> None:
    (tmp_path / "b_0").mkdir()
    (tmp_path / "unfinished").mkdir()
    for name in ("c.npz", "b_0/captioner.npz", "b_0/checkpoint.npz", "notes.txt"):
        (tmp_path / name).touch()
    assert captioner_files(tmp_path) == {
        "c": tmp_path / "c.npz",
        "b_0": tmp_path / "b_0" / "captioner.npz",
    }
    (tmp_path / "b_0.npz").touch()
    with pytest.raises(InputError, match="two captioners are named 'b_0'"):
        captioner_files(tmp_path)
    with pytest.raises(InputError, match="no captioners in it"):
        captioner_files(tmp_path / "unfinished")
    with pytest.raises(InputError, match="no captioners in it"):
        captioner_files(tmp_path / "nowhere")


@pytest.mark.slow
def test_every_captioner_writes_a_caption_of_each_kind() -> None:
    pytest.importorskip("torch")
    recipe = replace(RECIPE, epochs=2)
    captioners = {
        name: train(*examples(), replace(recipe, architecture=name)).model
        for name in ("init", "merge")
    }
    some = images().take(["40.jpg", "3.jpg", "17.jpg"])
    said = write_machine_captions(captioners, some, seed=5)
    assert list(said) == ["machine", "sampled"]
    for kind in said.values():
        assert list(kind) == ["40.jpg", "3.jpg", "17.jpg"]
        assert all(len(captions) == 2 for captions in kind.values())
    best = generate(captioners["merge"], some, beam=3)
    assert [own[1] for own in said["machine"].values()] == [one.caption for one in best]
    drawn = sample(captioners["merge"], some, seed=6)  # the second captioner's own seed
    assert [own[1] for own in said["sampled"].values()] == [one.caption for (one,) in drawn]
    with pytest.raises(InputError, match="no captioners"):
        write_machine_captions({}, some)
