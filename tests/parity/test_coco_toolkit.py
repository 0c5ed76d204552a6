"""Every caption's score beside what pycocoevalcap 1.2 gave for it.

Short captions are in ../shared/parity; long ones were joined by `tools/build_long_golden.py`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.result import Result

FILES = ["coco_1000_dai2017", "coco_1000_liu2017", "coco_5000_vinyals2017"]
EXACT = ["bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider_d"]
Both = tuple[
    Result, dict[str, np.ndarray], dict[str, float]
]  # ours; theirs of captions, of the corpus


@pytest.fixture(scope="module", params=FILES)
def both(request: pytest.FixtureRequest, shared: Path) -> Both:
    path = shared / "parity" / f"{request.param}.json.gz"
    data = json.loads(gzip.decompress(path.read_bytes()))
    rows = data["rows"]
    result = captious.score(
        [row["candidate"] for row in rows],
        [row["references"] for row in rows],
        metrics=["bleu", "rouge_l", "cider_d", "meteor"],
    )
    samples = {name: np.array([row["scores"][name] for row in rows]) for name in result.columns}
    return result, samples, data["corpus"]


@pytest.mark.parametrize("name", EXACT)
def test_scores_equal_the_toolkits(both: Both, name: str) -> None:
    result, samples, corpus = both
    assert np.abs(result.samples[name] - samples[name]).max() < 1e-9
    assert abs(result.corpus[name] - corpus[name]) < 1e-9


def test_meteor(both: Both) -> None:
    result, samples, corpus = both
    apart = np.abs(result.samples["meteor"] - samples["meteor"])
    assert (apart < 1e-6).mean() >= 0.999
    assert abs(result.corpus["meteor"] - corpus["meteor"]) < 1e-5


LONG = [*EXACT, "meteor"]
few_images = pytest.mark.filterwarnings("ignore:cider_d:captious.errors.CaptiousWarning")


def golden(name: str) -> Any:
    path = Path(__file__).with_name(f"{name}.json.gz")
    return json.loads(gzip.decompress(path.read_bytes()))


def assert_scores(data: dict[str, Any], candidates: list[str], references: list[list[str]]) -> None:
    rows = data["rows"]
    result = captious.score(
        candidates, references, metrics=["bleu", "rouge_l", "cider_d", "meteor"]
    )
    for name in LONG:
        expected = np.array([row["scores"][name] for row in rows])
        apart = np.abs(result.samples[name] - expected)
        worst = int(apart.argmax())
        assert apart[worst] < 1e-9, (name, rows[worst]["tokens"])
        assert abs(result.corpus[name] - data["corpus"][name]) < 1e-9


@pytest.mark.slow
@few_images
def test_captions_of_up_to_1500_words() -> None:
    data = golden("long_captions")
    lengths = {row["tokens"] for row in data["rows"]}
    assert {1, 40, 63, 64, 126, 127, 128, 189, 192, 1024, 1500} <= lengths
    assert_scores(
        data,
        [row["candidate"] for row in data["rows"]],
        [row["references"] for row in data["rows"]],
    )


@pytest.mark.slow
@few_images
def test_captions_of_coco_joined(shared: Path) -> None:
    data = golden("long_coco_captions")
    path = shared / "data" / "coco" / "captions_val2014.json.gz"
    annotations = json.loads(gzip.decompress(path.read_bytes()))["annotations"]
    captions = {row["id"]: " ".join(row["caption"].split()) for row in annotations}

    def joined(ids: list[int]) -> str:
        return " ".join(map(captions.__getitem__, ids))

    candidates = [joined(row["candidate"]) for row in data["rows"]]
    references = [list(map(joined, row["references"])) for row in data["rows"]]
    texts = (text for row in zip(candidates, references, strict=True) for text in (row[0], *row[1]))
    assert hashlib.sha256("\n".join(texts).encode()).hexdigest() == data["sha256"]
    assert_scores(data, candidates, references)
