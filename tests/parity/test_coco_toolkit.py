"""Every caption's score beside what pycocoevalcap 1.2 gave for it (../shared/parity)."""

import gzip
import json

import numpy as np
import pytest

import captious

FILES = ["coco_1000_dai2017", "coco_1000_liu2017", "coco_5000_vinyals2017"]
EXACT = ["bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider_d"]


@pytest.fixture(scope="module", params=FILES)
def both(request, shared):
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
def test_every_score_is_the_toolkits(both, name):
    result, samples, corpus = both
    assert np.abs(result.samples[name] - samples[name]).max() < 1e-9
    assert abs(result.corpus[name] - corpus[name]) < 1e-9


def test_meteor(both):
    result, samples, corpus = both
    apart = np.abs(result.samples["meteor"] - samples["meteor"])
    assert (apart < 1e-6).mean() >= 0.999
    assert abs(result.corpus["meteor"] - corpus["meteor"]) < 1e-5
