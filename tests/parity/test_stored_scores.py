"""Every metric's scores of the examples equal the stored ones.

The tolerance is the rounding of other processors (docs/promises.md). After an intended change
`python -m tests.parity.test_stored_scores` writes the stored scores again.
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

STORED = Path(__file__).with_name("stored_scores.json.gz")
NAMES = [each.name for each in METRICS.declarations if not each.needs_images]
SINGLE, DOUBLE = 1e-5, 1e-12  # promised for networks in single precision, and for others
IN_SINGLE = ("bertscore", "bertscore_multiref", "encoder_consensus", "captious_full", "leic")


def scores_of(name: str) -> dict[str, list[float]]:
    """Score a system's captions and some unusual ones, such as empty ones, by column."""
    candidates = {row["id"]: row["candidate"] for row in read_rows(EXAMPLES / "hasty.jsonl")}
    references = {row["id"]: row["references"] for row in read_rows(EXAMPLES / "references.jsonl")}
    unusual = [
        "",
        "?!",
        "a " * 90,
        "naïve café",
        "1,000 $5.50",
        *(" ".join(r) for r in references.values()),
    ]
    for place, caption in enumerate(unusual[:9]):
        candidates[f"unusual {place}"] = caption
        references[f"unusual {place}"] = [unusual[-1 - place], caption, "a dog on a bench"]
    options = {"df": "coco-val2014"} if "df" in METRICS[name].parameters() else {}
    result = captious.score(candidates, references, [METRICS[name](**options)], cache=False)
    return {column: scores.tolist() for column, scores in result.samples.items()}


def read_stored() -> dict[str, dict[str, list[float]]]:
    """Read the stored scores, by metric and column."""
    stored: dict[str, dict[str, list[float]]] = json.loads(gzip.decompress(STORED.read_bytes()))
    return stored


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scores_equal_stored_scores(name: str) -> None:
    if not all(map(find_spec, METRICS[name].requires)):
        pytest.skip("needs a package that is not installed")
    stored, scores = read_stored()[name], scores_of(name)
    assert stored.keys() == scores.keys()
    tolerance = SINGLE if name in IN_SINGLE else DOUBLE
    for column, expected in stored.items():
        assert np.allclose(scores[column], expected, rtol=0, atol=tolerance), column


if __name__ == "__main__":
    text = json.dumps({name: scores_of(name) for name in NAMES})
    STORED.write_bytes(gzip.compress(text.encode(), mtime=0))
