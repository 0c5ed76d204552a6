"""Names that people type: each means what papers mean by it, and what is guessed is said."""

from __future__ import annotations

import pytest

import captious
from captious.errors import UnknownMetricError
from captious.metrics.declarations import GROUPS, METRICS
from captious.metrics.names import (
    ALIASES,
    AMBIGUOUS_NAMES,
    SYSTEM_LEVEL_NAMES,
    UNAVAILABLE_METRICS,
    normalize_name,
)
from captious.registry import Selection, resolve_name, select

SILENT = {
    "Bleu_4": "bleu_4",
    "BLEU-4": "bleu_4",
    "BLEU4": "bleu_4",
    "B@4": "bleu_4",
    "BLEU": "bleu",
    "ROUGE_L": "rouge_l",
    "ROUGE-L": "rouge_l",
    "rougeL": "rouge_l",
    "METEOR": "meteor",
    "CIDEr-D": "cider_d",
    "CIDErD": "cider_d",
    "cider_d": "cider_d",
    "SPICE": "spice",
    "SPIDEr": "spider",
    "spider": "spider",
    "WMD": "wmd",
    "CLIP-S": "clipscore",
    "RefCLIPScore": "refclipscore",
    "COCO": "coco",
    "Captious": "captious",
}


@pytest.mark.parametrize("typed", SILENT)
def test_spellings_of_a_name_resolve_to_it(typed: str) -> None:
    assert resolve_name(typed) == (SILENT[typed], "")


@pytest.mark.parametrize("typed", ["CIDEr", "Cider", "CIDER", "cIDEr"])
def test_cider_as_papers_write_it_is_the_toolkits(typed: str) -> None:
    selection = select(f"{typed}(df=coco-val2014,sigma=4)")
    assert selection.columns == ("cider_d",)
    assert str(selection.metrics[0].signature()).startswith("cider_d(df=coco-val2014@")
    assert selection.notes[0].startswith(f"{typed} is read as cider_d")


def test_cider_in_lower_case_is_plain_and_says_so() -> None:
    selection = select(["cider", "bleu_1"])
    assert selection.columns == ("cider", "bleu_1")
    assert selection.notes == (f"cider {AMBIGUOUS_NAMES['cider']}",)
    assert select("lexical").notes == ()  # a group that has it means it


def test_both_spellings_of_one_metric_are_one_column() -> None:
    assert select("CIDEr,cider_d,CIDEr-D").columns == ("cider_d",)


@pytest.mark.parametrize("typed", ["clair", "CLAIR", "FENSE", "polos", "fleur"])
def test_metric_that_is_like_none_of_ours_has_no_suggestion(typed: str) -> None:
    with pytest.raises(UnknownMetricError, match="not one of our metrics; none is like it"):
        select(typed)


@pytest.mark.parametrize("typed", ["foobar", "faithscore", "cer", "vqascore", "perplexity"])
def test_unknown_name_that_is_near_to_none_has_no_suggestion(typed: str) -> None:
    with pytest.raises(UnknownMetricError, match=r"unknown metric .*; there are: "):
        select(typed)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("metoer", "meteor"), ("blue_4", "bleu_4"), ("hallucinations", "hallucination")],
)
def test_mistyped_name_has_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(UnknownMetricError, match=f"did you mean '{meant}'"):
        select(typed)


@pytest.mark.parametrize("typed", ["spider_fl", "SPIDEr-max", "sbert_sim", "fer"])
def test_unavailable_metric_suggests_the_most_similar(typed: str) -> None:
    nearest = UNAVAILABLE_METRICS[normalize_name(typed)]
    with pytest.raises(UnknownMetricError, match=rf"not one of our metrics; .* '{nearest}'"):
        select(typed)


@pytest.mark.parametrize("typed", ["diversity", "Self-CIDEr", "mBLEU", "Div-1", "vocab"])
def test_system_level_metric_refers_to_diversity(typed: str) -> None:
    with pytest.raises(UnknownMetricError, match="together: `captious score --metrics diversity`"):
        select(typed)


@pytest.mark.parametrize(
    "typed", ["", "  ", "x" * 100_000, "\ud800", "cid\x00er", "\uff23\uff29\uff24\uff25\uff32"]
)
def test_unusual_names_have_no_alias(typed: str) -> None:
    assert resolve_name(typed)[1] == ""
    if typed.strip():
        with pytest.raises(captious.CaptiousError):
            select(typed)


def test_every_alias_names_a_metric_and_hides_none() -> None:
    for meaning in ALIASES.values():
        assert METRICS.find(meaning.name) is not None
    for nearest in UNAVAILABLE_METRICS.values():
        assert nearest is None or METRICS.find(nearest) is not None
    ours = {*METRICS, *GROUPS, *(c for each in METRICS.declarations for c in each.columns)}
    assert all(resolve_name(name)[0] == name for name in ours)
    both = ours & {*UNAVAILABLE_METRICS, *SYSTEM_LEVEL_NAMES}
    assert not both, f"remove {both} from the tables of other metrics in metrics/names.py"


def test_python_is_warned_at_the_callers_line_and_not_of_what_was_selected_before() -> None:
    samples = ["a dog", "two cats"], [["a dog runs"], ["cats"]]
    with pytest.warns(captious.CaptiousWarning, match="CIDEr is read as cider_d") as warned:
        result = captious.score(*samples, "CIDEr", df="coco-val2014")
    assert warned[0].filename == __file__ and tuple(result.corpus) == ("cider_d",)
    selection = select("CIDEr", {"df": "coco-val2014"})
    assert isinstance(selection, Selection)
    captious.score(*samples, selection)  # a warning would be an error
