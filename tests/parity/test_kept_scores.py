"""Every metric's scores of the examples, as they were before the code was put into rooms.

What differs by more than another processor's rounding (docs/promises.md) is another metric.
`python -m tests.parity.test_kept_scores` writes the file anew, after a change that is meant.
"""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.metrics.declarations import METRICS
from tests.conftest import read_rows
from tests.places import EXAMPLES

KEPT = Path(__file__).with_name("kept_scores.json.gz")
NAMES = [each.name for each in METRICS.declarations if not each.needs_images]
SINGLE, DOUBLE = 1e-5, 1e-12  # what is promised of networks in single precision, and of all else
IN_SINGLE = ("bertscore", "bertscore_multiref", "encoder_consensus", "captious_full", "leic")


def scores_of(name: str) -> dict[str, list[float]]:
    """Each column's scores of a system's captions, with empty and odd ones among them."""
    candidates = {row["id"]: row["candidate"] for row in read_rows(EXAMPLES / "hasty.jsonl")}
    references = {row["id"]: row["references"] for row in read_rows(EXAMPLES / "references.jsonl")}
    odd = [
        "",
        "?!",
        "a " * 90,
        "naïve café",
        "1,000 $5.50",
        *(" ".join(r) for r in references.values()),
    ]
    for place, caption in enumerate(odd[:9]):
        candidates[f"odd {place}"] = caption
        references[f"odd {place}"] = [odd[-1 - place], caption, "a dog on a bench"]
    options = {"df": "coco-val2014"} if "df" in METRICS[name].parameters() else {}
    result = captious.score(candidates, references, [METRICS[name](**options)], cache=False)
    return {column: scores.tolist() for column, scores in result.samples.items()}


def read_kept() -> dict[str, dict[str, list[float]]]:
    """What was kept, by metric and column."""
    kept: dict[str, dict[str, list[float]]] = json.loads(gzip.decompress(KEPT.read_bytes()))
    return kept


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scores_are_those_that_were_kept(name: str) -> None:
    if not all(map(find_spec, METRICS[name].requires)):
        pytest.skip("needs a package that is not installed")
    kept, scores = read_kept()[name], scores_of(name)
    assert kept.keys() == scores.keys()
    tolerance = SINGLE if name in IN_SINGLE else DOUBLE
    for column, expected in kept.items():
        assert np.allclose(scores[column], expected, rtol=0, atol=tolerance), column


if __name__ == "__main__":
    text = json.dumps({name: scores_of(name) for name in NAMES})
    KEPT.write_bytes(gzip.compress(text.encode(), mtime=0))
