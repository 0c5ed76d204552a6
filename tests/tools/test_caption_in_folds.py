"""Captions in folds: every training image once, by a captioner that has not learned from it."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from captious.captioners.recipe import default_recipe
from tests.places import ROOT

TRAIN = {f"{number}.jpg": [f"caption {number}"] for number in range(5)}


class MadeUpData:
    """Captions of five training images; a captioner scores .15 more after each epoch."""

    captions: ClassVar = {"train": TRAIN, "dev": {"d.jpg": ["a dog"]}}
    vectors = SimpleNamespace(take=lambda names: SimpleNamespace(names=tuple(names)))

    def examples(self, split: str) -> Any:
        return split

    def generate(self, captioner: Any, split: str, beam: int) -> list[str]:
        return [captioner.epoch]

    def score(self, split: str, candidates: list[Any]) -> dict[str, float]:
        return {"cider_d": 0.15 * candidates[0] if split == "dev" else 0.0}


def test_captioners_stop_early_and_caption_what_they_have_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    tool: Any = importlib.import_module("caption_in_folds")
    seen: list[str] = []

    def train(examples: list[str], validation: Any, recipe: Any, **paths: Any) -> None:
        name = f"epoch_{recipe.epochs:02}.npz"
        captioner = {"epoch": recipe.epochs, "seen": examples}
        (paths["keep_epochs"] / name).write_text(json.dumps(captioner))

    def generate(captioner: Any, images: Any, beam: int) -> list[Any]:
        assert set(images.names).isdisjoint(captioner.seen)
        seen.extend(captioner.seen)
        return [SimpleNamespace(caption=f"epoch {captioner.epoch}") for _ in images.names]

    monkeypatch.setattr(tool, "train", train)
    monkeypatch.setattr(tool, "generate", generate)
    monkeypatch.setattr(
        tool, "load_captioner", lambda path: SimpleNamespace(**json.loads(path.read_text()))
    )
    monkeypatch.setattr(tool, "Examples", SimpleNamespace(of=lambda seen, vectors: list(seen)))
    tool.caption_run(MadeUpData(), default_recipe("init"), tmp_path, "init_0")
    written = json.loads((tmp_path / "init_0.json").read_text())
    assert [row["id"] for row in written] == list(TRAIN)
    assert {row["candidate"] for row in written} == {"epoch 2"}  # the first with .3 or more
    assert sorted(seen) == sorted(TRAIN)
