"""LEIC's agreement with people, as docs/metrics/leic.md has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import captious
from captious.meta.agreement import agree
from captious.meta.judgements import Ratings
from captious.meta.presets import preset
from captious.meta.task import read_task
from captious.metrics.leic.leic import Leic

pytestmark = pytest.mark.slow

# Measured when the weights were made.
FIGURES = {"mean": 0.4666, "image": 0.4569, "reference": 0.4555}


@pytest.mark.parametrize("name", FIGURES)
def test_agreement_on_flickr8k_expert(shared: Path, name: str) -> None:
    folder = shared / "data" / "flickr8k"
    judged = read_task("flickr8k-expert", data=shared / "data").judgements
    assert isinstance(judged, Ratings)
    images = list(map(str, judged.images))
    references = dict(zip(images, judged.references, strict=True))
    metric = Leic(folder / "efficientnet_lite2.npz", critic=name)
    scorer = captious.Scorer(references, [metric])
    samples = scorer.score(judged.candidates, images).samples
    actual = agree(dict(samples), judged, preset("leic", "flickr8k-expert"), resamples=0)
    assert actual["leic"].values["kendall_c"] == pytest.approx(FIGURES[name], abs=5e-4)
