"""Which scores depend on other samples' references, as metrics say of themselves."""

from __future__ import annotations

import pytest

import captious
from captious.metrics.declarations import METRICS
from captious.registry import select
from tests.same_scores import are_same

CANDIDATES = ["a dog runs on the beach", "two men ride a horse"]
REFERENCES = [["a brown dog runs", "a dog on sand"], ["two men on a horse", "men ride a dog"]]
BLIND = [each.name for each in METRICS.declarations if not each.needs_images]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
@pytest.mark.parametrize("name", [*BLIND, "bertscore(idf=true)"])
def test_a_score_depends_on_other_references_where_the_metric_says_so(name: str) -> None:
    metric = select(name).metrics[0]
    together = captious.score(CANDIDATES, REFERENCES, metric).samples
    alone = captious.score(CANDIDATES[:1], REFERENCES[:1], metric).samples
    differs = not all(
        are_same(column, together[column][0], alone[column][0]) for column in metric.columns
    )
    assert differs == metric.needs_whole_corpus


def test_given_frequencies_make_scores_independent() -> None:
    for name in ("cider_d", "cider", "spider"):
        assert select(name).metrics[0].needs_whole_corpus
        assert not select(name, {"df": "coco-val2014"}).metrics[0].needs_whole_corpus
