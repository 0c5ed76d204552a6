"""Published figures: found by our names, each with its paper and table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from captious.meta.benchmarks import BENCHMARKS
from captious.meta.presets import PRESETS
from captious.meta.protocol import ACCURACY
from captious.meta.published import FILE, Figure, figures, papers, published
from captious.stats.correlation import STATISTICS


def test_columns_are_the_fields_of_a_figure() -> None:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    columns = list(Figure.__dataclass_fields__)
    assert document["columns"] == columns
    assert {len(row) for row in document["rows"]} == {len(columns) - 1, len(columns)}
    assert len(figures()) == len(document["rows"]) > 800


def test_every_figure_is_well_formed() -> None:
    benchmarks = {*BENCHMARKS, "distractions", "pregen", "coco-systems"}
    amounts = {"seconds", "score", "n", "training_examples"}
    statistics = {*STATISTICS, ACCURACY, "kendall", "r_squared", "p_value", *amounts}
    for figure in figures():
        assert figure.benchmark in benchmarks
        assert figure.statistic in statistics
        # No protocol: figures that were gathered from several papers.
        assert figure.protocol in {*PRESETS, "pregen", ""}
        assert any(figure.source.startswith(paper) for paper in papers())
        assert figure.computed != figure.metric
        if figure.statistic not in amounts:
            assert -1 <= figure.value <= 1


def test_no_published_figure_is_listed_twice() -> None:
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
    several = published("composite", "kendall", "lceval", "Sharif et al. 2019")
    tables = [figure.source.rpartition(" ")[2] for figure in several]
    assert tables[0] == "4" and set(tables) == {"2", "3", "4", "5", "10", "15"}
    assert {figure.value for figure in several} == {0.418}
    assert published("wmt16-daseg", "kendall_b", "meteor", "Sharif et al. 2019, table 1") == ()


def test_what_a_paper_measured_is_found_by_either_name() -> None:
    (figure,) = published("composite", "pearson", "cider_d", "nneval")
    assert (figure.metric, figure.computed) == ("cider_d", "cider")
    assert "the paper says CIDEr;" in figure.note
    assert published("composite", "pearson", "cider", "nneval") == (figure,)
    assert published("composite", "kendall_c", "cider", "clipscore") == ()  # which is CIDEr-D
    assert published("flickr8k-cf", "kendall_b", "cider") == ()


def test_a_mistake_of_a_table_is_kept_and_noted() -> None:
    for metric, other in (("bleu_1", "BLEU-4"), ("bleu_4", "ROUGE-L")):
        (figure,) = published("composite", "pearson", metric, "Sharif et al. 2019, table 4")
        assert f"fits {other}" in figure.note
    (rouge,) = published("composite", "kendall", "rouge_l", "Sharif et al. 2019, table 4")
    (before,) = published("composite", "kendall", "rouge_l", "Sharif et al. 2018, table 1")
    assert rouge.value == before.value and "Sharif et al. 2018, table 1" in rouge.note


# The columns of a table by benchmark, statistic and group, and the papers' names of metrics.
CORRELATIONS = [("composite", name, "") for name in ("pearson", "spearman", "kendall")]
PASCAL = [("pascal-50s", ACCURACY, group) for group in ("HC", "HI", "HM", "MM", "mean")]
TASKS = ("replace_person", "replace_scene", "share_person", "share_scene", "just_person",
         "just_scene", "mean")  # fmt: skip
DISTRACTIONS = [("distractions", ACCURACY, group) for group in TASKS]
LANGUAGES = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en", "mean")
SYSTEMS = [("coco-2015", name, f"M{place}") for place in range(1, 6)
           for name in ("pearson", "p_value")]  # fmt: skip
TABLES = {
    "Sharif et al. 2018, table 1": CORRELATIONS,
    "Sharif et al. 2018, table 2": PASCAL,
    "Sharif et al. 2018, table 3": [*DISTRACTIONS, ("distractions", ACCURACY, "worst")],
    "Sharif et al. 2019, table 4": CORRELATIONS,
    "Sharif et al. 2019, table 7": PASCAL,
    "Sharif et al. 2019, table 8": [("abstract-50s", ACCURACY, g) for g in ("HC", "HI", "mean")],
    "Sharif et al. 2019, table 9": DISTRACTIONS,
    "Sharif et al. 2019, table 13": SYSTEMS,
    "Sharif et al. 2019, table 14": [("wmt16-daseg", "kendall", group) for group in LANGUAGES],
}
NAMES = {
    "bleu1": "bleu_1", "bleu4": "bleu_4", "rougel": "rouge_l", "rouge": "rouge_l",
    "meteor": "meteor", "cider": "cider_d", "ciderd": "cider_d", "spice": "spice",
    "spider": "spider", "wmd": "wmd", "nneval": "nneval", "lceval": "lceval",
    "semantic": "lceval_semantic", "syntactic": "lceval_syntactic", "lexical": "lceval_lexical",
    "semsyn": "lceval_semantic_syntactic", "semlex": "lceval_semantic_lexical",
    "synlex": "lceval_syntactic_lexical",
}  # fmt: skip


@pytest.mark.parametrize("source", TABLES)
def test_tables_are_as_printed_cell_by_cell(source: str, shared: Path) -> None:
    name = "nneval" if "2018" in source else "lceval"
    text = (shared / "papers" / f"{name}.txt").read_text(encoding="utf-8")
    title = re.search(rf"^\W*(?:<.*>)?\**Table {source.split()[-1]}[:.]", text, re.MULTILINE)
    assert title is not None
    read, columns = 0, TABLES[source]
    for line in re.sub(r"</?b>", "", text[title.start() :]).splitlines():
        first, *cells = line.replace("*", "").split()[:20] or [""]
        metric = NAMES.get(re.sub("[^a-z0-9]", "", first.lower()))
        if metric is None or len(cells) != len(columns) or not re.match(r"-?\d", cells[0]):
            if read and not line.startswith(("LIC", "#Instances")):
                break
            continue
        for cell, (benchmark, statistic, group) in zip(cells, columns, strict=True):
            (figure,) = published(benchmark, statistic, metric, source, group)
            printed = float(cell) / (100 if statistic == ACCURACY else 1)
            assert figure.value == pytest.approx(printed, abs=1e-9), (metric, statistic, group)
            read += 1
    kept = [f for f in figures() if f.source == source and not f.metric.startswith("leic")]
    assert read == len([f for f in kept if f.statistic != "n"])  # how many choices there were
