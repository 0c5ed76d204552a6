"""Every metric's scores of the examples equal the stored ones, in every variant.

The tolerance is the rounding of other processors (docs/promises.md).

    python -m tests.parity.test_stored_scores             # stores the scores of new metrics
    python -m tests.parity.test_stored_scores NAME NAME   # stores these metrics' scores again

A variant's name is its address, `lceval(variant=released)`. Scores of other metrics stay as they
are.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.metrics.declarations import METRICS
from captious.metrics.parameters import VARIANT, make_metric
from captious.signature import Address
from tests.conftest import read_rows
from tests.places import EXAMPLES

STORED = Path(__file__).with_name("stored_scores.json.gz")


def addresses_of_variants(name: str) -> list[str]:
    """Return the addresses of a metric's variants other than the default."""
    variant = METRICS[name].parameters().get(VARIANT)
    if variant is None:
        return []
    return [f"{name}({VARIANT}={each})" for each in variant.choices if each != variant.default]


NEED_IMAGES = ("leic(variant=released)",)  # of metrics that otherwise need none
NAMES = [
    name
    for each in METRICS.declarations
    if not each.needs_images
    for name in (each.name, *addresses_of_variants(each.name))
    if name not in NEED_IMAGES
]
SINGLE, DOUBLE = 1e-5, 1e-12  # promised for networks in single precision, and for others
COMMAND = "python -m tests.parity.test_stored_scores"
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
    address = Address.parse(name)
    metric = make_metric(METRICS[address.name], address, {"df": "coco-val2014"})
    result = captious.score(candidates, references, [metric], cache=False)
    return {column: scores.tolist() for column, scores in result.samples.items()}


def read_stored() -> dict[str, dict[str, list[float]]]:
    """Read the stored scores, by metric and column."""
    stored: dict[str, dict[str, list[float]]] = json.loads(gzip.decompress(STORED.read_bytes()))
    return stored


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scores_equal_stored_scores(name: str) -> None:
    metric = Address.parse(name).name
    if not all(map(find_spec, METRICS[metric].requires)):
        pytest.skip("needs a package that is not installed")
    stored, scores = read_stored(), scores_of(name)
    assert name in stored, f"{name} has no stored scores: run `{COMMAND} {name}`"
    assert stored[name].keys() == scores.keys()
    tolerance = SINGLE if metric in IN_SINGLE else DOUBLE
    for column, expected in stored[name].items():
        assert np.allclose(scores[column], expected, rtol=0, atol=tolerance), (
            f"{column} differs; if this is intended, run `{COMMAND} {name}`"
        )


def test_only_named_or_new_metrics_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "stored.json.gz"
    monkeypatch.setitem(globals(), "STORED", path)
    others = {name: {"old": [0.5]} for name in NAMES if name != "bleu"}
    write_stored(others)
    main([])
    assert read_stored() == {**others, "bleu": scores_of("bleu")}
    main(["rouge_l"])
    assert read_stored() == {name: scores_of(name) for name in ("bleu", "rouge_l")} | {
        name: scores for name, scores in others.items() if name != "rouge_l"
    }


def write_stored(scores: dict[str, dict[str, list[float]]]) -> None:
    """Write the stored scores, in the order in which metrics are declared."""
    ordered = {name: scores[name] for name in sorted(scores, key=NAMES.index)}
    STORED.write_bytes(gzip.compress(json.dumps(ordered).encode(), mtime=0))


def main(arguments: Sequence[str] | None = None) -> None:
    """Store scores of the named metrics, or of those that have none yet."""
    parser = argparse.ArgumentParser(COMMAND, description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a metric to store again")
    names = parser.parse_args(arguments).names
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"no metric {unknown[0]!r}; there are: {', '.join(NAMES)}")
    stored = {name: scores for name, scores in read_stored().items() if name in NAMES}
    for name in names or [name for name in NAMES if name not in stored]:
        stored[name] = scores_of(name)
        print(f"stored the scores of {name}")
    write_stored(stored)


if __name__ == "__main__":
    main()
