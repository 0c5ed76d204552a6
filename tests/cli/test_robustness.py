"""captious robustness: what it prints, draws and writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import captious
from tests.cli.test_meta import METRICS, read_output
from tests.made_up.judged_captions import REFERENCES


@pytest.fixture
def flickr8k(tmp_path: Path) -> Path:
    """Test images as Flickr8k distributes them, with features."""
    names = [f"{name}.jpg" for name in REFERENCES]
    lines = [f"{n}.jpg#{i}\t{text}" for n, own in REFERENCES.items() for i, text in enumerate(own)]
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(lines))
    (tmp_path / "Flickr_8k.testImages.txt").write_text("\n".join(names))
    features = np.random.default_rng(0).normal(size=(len(names), 8))
    np.savez(tmp_path / "efficientnet_lite2.npz", files=np.array(names), features=features)
    return tmp_path


def robustness(folder: Path, kind: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return captious(
        "robustness", "--data", ".", "--kind", kind, *METRICS, "--quiet", *arguments, cwd=folder
    )


@pytest.mark.slow
def test_robustness_is_drawn_and_written(flickr8k: Path) -> None:
    files = ("--plot", "curves.svg", "--output", "all.json")
    data = read_output(robustness(flickr8k, "pathological", *files, "--format", "json"))
    assert [row["metric"] for row in data["rows"]] == ["bleu_1", "rouge_l"]
    assert json.loads((flickr8k / "all.json").read_text()) == data
    drawn = (flickr8k / "curves.svg").read_text()
    assert "<svg" in drawn and "bleu_1" in drawn


@pytest.mark.slow
def test_failed_plot_leaves_no_output(flickr8k: Path) -> None:
    before = set(flickr8k.iterdir())
    done = robustness(flickr8k, "gaming", "--output", "x.json", "--plot", "x.svg")
    assert done.returncode == 2 and "ask for that kind" in done.stderr
    assert set(flickr8k.iterdir()) == before
    assert robustness(flickr8k, "gaming", "--output", "x.json").returncode == 0
    assert len(json.loads((flickr8k / "x.json").read_text())["rows"]) == 2


def test_robustness_without_features_says_so(flickr8k: Path) -> None:
    (flickr8k / "efficientnet_lite2.npz").unlink()
    done = robustness(flickr8k, "pathological")
    assert done.returncode == 2 and "need image features" in done.stderr
    assert done.stderr.count("\n") == 1 and done.stdout == ""
