"""SPIDEr: the mean of its two parts, with either kind of CIDEr."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.metrics.spider import Spider

CANDIDATES = ["a dog runs on the grass", "two men ride horses horses", "a red car"]
REFERENCES = [
    ["a brown dog runs over grass", "the dog is running"],
    ["two men on horses", "men ride horses along a beach"],
    ["a blue car parked by a house", "a car"],
]


@pytest.mark.parametrize("cider", ["cider_d", "cider"])
def test_spider_is_the_mean_of_spice_and_a_cider(cider: str) -> None:
    df = "coco-val2014"
    spider = f"spider(cider={cider},df={df})"
    scores = captious.score(CANDIDATES, REFERENCES, ["spice", f"{cider}(df={df})", spider]).samples
    assert np.array_equal(scores["spider"], (scores["spice"] + scores[cider]) / 2)


def test_default_is_cider_d() -> None:
    usual, plain = (
        captious.score(CANDIDATES, REFERENCES, [metric])
        for metric in (Spider(df="coco-val2014"), Spider(df="coco-val2014", cider="cider"))
    )
    named = captious.score(CANDIDATES, REFERENCES, ["spider(cider=cider_d,df=coco-val2014)"])
    assert usual.samples["spider"].tolist() == named.samples["spider"].tolist()
    assert usual.signature == named.signature != plain.signature
    assert (usual.samples["spider"] != plain.samples["spider"]).any()
    again = captious.score(CANDIDATES, REFERENCES, plain.signature.split("|")[2])
    assert again.samples["spider"].tolist() == plain.samples["spider"].tolist()
    with pytest.raises(InputError, match="spider: unknown cider 'bleu'"):
        Spider(cider="bleu")
