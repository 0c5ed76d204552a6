"""Published figures: found by our names, each with its paper and table."""

from __future__ import annotations

import json

import pytest

from captious.meta.benchmarks import BENCHMARKS
from captious.meta.presets import PRESETS
from captious.meta.protocol import ACCURACY, STATISTICS
from captious.meta.published import FILE, Figure, figures, papers, published


def test_columns_are_the_fields_of_a_figure() -> None:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    assert document["columns"] == list(Figure.__dataclass_fields__)
    assert len(figures()) == len(document["rows"]) > 800


def test_every_figure_is_well_formed() -> None:
    benchmarks = {*BENCHMARKS, "distractions", "pregen", "coco-systems"}
    statistics = {*STATISTICS, ACCURACY, "kendall", "r_squared", "seconds", "score"}
    for figure in figures():
        assert figure.benchmark in benchmarks
        assert figure.statistic in statistics
        # No protocol: figures that were gathered from several papers.
        assert figure.protocol in {*PRESETS, "pregen", ""}
        assert any(figure.source.startswith(paper) for paper in papers())
        if figure.statistic not in ("seconds", "score"):
            assert -1 <= figure.value <= 1


def test_no_figure_stands_twice() -> None:
    keys = [(f.benchmark, f.statistic, f.group, f.metric, f.source) for f in figures()]
    assert len(set(keys)) == len(keys)


# As printed in the papers.
@pytest.mark.parametrize(
    ("benchmark", "statistic", "metric", "source", "group", "value"),
    [
        ("flickr8k-expert", "kendall_c", "cider_d", "clipscore", "", 0.439),
        ("flickr8k-expert", "kendall_b", "unigram_multiref", "Yi et al. 2020, table 3", "", 0.471),
        ("flickr8k-cf", "kendall_b", "meteor", "leic", "", 0.242),
        ("composite", "kendall_b", "nneval", "Sharif et al. 2018, table 1", "", 0.404),
        ("composite", "pearson", "lceval", "Sharif et al. 2019, table 4", "", 0.562),
        ("composite", "kendall_b", "lceval_syntactic", "Sharif et al. 2019, table 15", "", 0.298),
        ("composite", "spearman", "lceval_semantic_lexical", "lceval", "", 0.529),
        ("pascal-50s", "accuracy", "meteor", "nneval", "HC", 0.611),
        ("pascal-50s", "accuracy", "bertscore_multiref", "yi2020", "MM", 0.603),
        ("abstract-50s", "accuracy", "spider", "lceval", "mean", 0.748),
        ("coco-2015", "pearson", "meteor", "lceval", "M4", 0.09),
        ("coco-2015", "pearson", "bleu_4", "leic", "M2", -0.005),
        ("coco-2015", "pearson", "meteor_joined", "yi2020", "M1", 0.662),
        ("wmt16-daseg", "kendall_b", "cider_d", "lceval", "ro-en", 0.330),
        ("wmt16-daseg", "kendall_b", "rouge_l", "lceval", "mean", 0.374),
        ("distractions", "accuracy", "nneval", "nneval", "worst", 0.858),
        ("distractions", "accuracy", "wmd", "lceval", "replace_scene", 0.878),
        ("pascal-50s", "seconds", "spice", "lceval", "", 95.6),
        ("coco-2015", "pearson", "bertscore_multiref", "Yi et al. 2020, table 2", "M1", 0.875),
        ("coco-systems", "score", "bertscore_multiref", "yi2020", "AoAnet", 0.3529),
        ("coco-systems", "score", "cider_d", "yi2020", "NeuralTalk", 0.692),
        ("pregen", "r_squared", "mean_max_normcount_prefix0", "pregen", "meteor", 0.965),
        ("pregen", "r_squared", "geomean_join_pplx_none", "pregen", "cider_d", 0.756),
    ],
)
def test_figures_are_those_of_the_papers(
    benchmark: str, statistic: str, metric: str, source: str, group: str, value: float
) -> None:
    (figure,) = published(benchmark, statistic, metric, source, group)
    assert figure.value == value


def test_all_sources_and_groups_unless_one_is_named() -> None:
    everywhere = published("pascal-50s", "accuracy", "meteor")
    assert {figure.protocol for figure in everywhere} == {"clipscore", "lceval", "nneval", "yi2020"}
    assert {figure.group for figure in everywhere} == {"HC", "HI", "HM", "MM", "mean"}
    assert published("pascal-50s", "accuracy", "no such metric") == ()


def test_an_unnamed_tau_answers_for_every_tau_and_a_named_one_for_itself() -> None:
    (unnamed,) = published("composite", "kendall_c", "meteor", "nneval")
    assert unnamed.statistic == "kendall"
    assert published("composite", "kendall_b", "meteor", "clipscore") == ()
    assert published("composite", "kendall", "meteor", "clipscore") == ()
    assert len(published("composite", "kendall_c", "meteor", "clipscore")) == 1


def test_a_table_is_not_the_beginning_of_another() -> None:
    tables = {f.source for f in published("composite", "kendall", "lceval", "Sharif et al. 2019")}
    assert tables == {"Sharif et al. 2019, table 4"}
    assert published("wmt16-daseg", "kendall_b", "meteor", "Sharif et al. 2019, table 1") == ()


def test_what_papers_call_cider_says_so() -> None:
    (figure,) = published("composite", "pearson", "cider_d", "nneval")
    assert "CIDEr-D" in figure.note
    assert published("composite", "pearson", "cider") == ()
