"""Search: strata, tables, R² and ranking, and what the authors' own table gives."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError, OutputError
from captious.io.formats import write_columns
from captious.pregen import METRICS, TOP, WordProbabilities, pregen_scores
from captious.pregen.search import Search, search
from captious.pregen.search_table import SearchTable, read_search_table, read_search_tables
from captious.pregen.strata import split_into_strata, stratified_rows

BEST, OTHER = "mean_max_normcount_prefix0", "sum_sum_pplx_none"
PERPLEXITY = "geomean_join_pplx_none"


def columns(rows: int = 24) -> dict[str, list[Any]]:
    """Three models on each of two data sets, four strata each."""
    rng = np.random.default_rng(0)
    quality = rng.random(rows)
    return {
        "dataset": ["a"] * (rows // 2) + ["b"] * (rows // 2),
        "architecture": [f"kind{row // 4 % 3}" for row in range(rows)],
        "run": [1] * rows,
        "stratum": [row % 4 for row in range(rows)],
        "cider_d": quality.tolist(),
        "wmd": (1 - quality + rng.normal(0, 0.3, rows)).tolist(),
        BEST: (quality * 3 + 5).tolist(),
        OTHER: (-quality + rng.normal(0, 0.2, rows)).tolist(),
        PERPLEXITY: [*([2.0] * (rows - 1)), math.inf],
        "max_join_count_none": [*([7.0] * (rows // 2)), *rng.random(rows // 2).tolist()],
    }


def test_ranking_by_r2_and_dropped_metrics() -> None:
    given = columns()
    found = search(SearchTable.of(given), resamples=0)
    assert (found.models, found.ranked_count) == (6, 2)
    assert set(found.dropped) == {PERPLEXITY, "max_join_count_none"}
    assert list(found.rankings) == ["cider_d", "wmd"]
    assert [row.metric for row in found.rankings["cider_d"]] == [BEST, OTHER]
    assert found.row("cider_d", BEST).r2 == pytest.approx(1)
    other = found.row("wmd", OTHER)
    assert other.r == pytest.approx(np.corrcoef(given[OTHER], given["wmd"])[0, 1], abs=1e-12)
    half = np.corrcoef(given[OTHER][:12], given["wmd"][:12])[0, 1]
    assert other.by_dataset["a"] == pytest.approx(half**2, abs=1e-12)
    assert math.isnan(other.interval[0]) and other.to_dict()["interval"] == [None, None]
    assert found.rank("wmd", PERPLEXITY) is None
    with pytest.raises(InputError, match="not ranked"):
        found.row("wmd", PERPLEXITY)


def test_the_best_on_average_and_rows_by_key() -> None:
    table = SearchTable.of(columns())
    assert search(table, resamples=0).best_on_average() == BEST
    part = table.where("stratum", "2")
    assert len(part) == 6 and part.post["wmd"].tolist() == table.post["wmd"][2::4].tolist()
    with pytest.raises(InputError, match="no key 'epoch'"):
        table.where("epoch", "1")


def test_intervals_resample_models() -> None:
    given = columns()
    table = SearchTable.of(given)
    found = search(table, resamples=300, seed=4)
    x, y = np.array(given[OTHER]), np.array(given["wmd"])
    rng = np.random.default_rng(4)
    drawn = []
    for models in rng.integers(6, size=(300, 6)):
        rows = np.concatenate([np.flatnonzero(table.models == model) for model in models])
        drawn.append(np.corrcoef(x[rows], y[rows])[0, 1] ** 2)
    expected = np.quantile(drawn, [0.025, 0.975])
    assert found.row("wmd", OTHER).interval == pytest.approx(expected, abs=1e-9)
    assert found.row("cider_d", BEST).interval == pytest.approx((1, 1))


def test_very_small_and_very_large_numbers_keep_their_correlation() -> None:
    given = columns()
    plain = search(SearchTable.of(given), resamples=0).row("wmd", OTHER)
    given[OTHER] = [value * 1e-290 for value in given[OTHER]]
    given["wmd"] = [value * 1e290 for value in given["wmd"]]
    assert search(SearchTable.of(given), resamples=0).row("wmd", OTHER).r == pytest.approx(plain.r)


@pytest.mark.parametrize("name", ["table.csv", "table.jsonl.gz", "table.txt", "table.tsv.gz"])
def test_tables_from_files(name: str, tmp_path: Path) -> None:
    given = columns()
    path = tmp_path / name
    if "csv" in name or "jsonl" in name:
        write_columns(path, given)
    else:
        path = tmp_path / "table.txt"
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter="\t")
            writer.writerow(given)
            writer.writerows(zip(*given.values(), strict=True))
    found = read_search_table(path)
    assert found.pre[OTHER].tolist() == given[OTHER]
    assert found.pre[PERPLEXITY][-1] == math.inf
    assert found.models.tolist() == SearchTable.of(given).models.tolist()
    assert list(read_search_table(path, ["wmd"]).post) == ["wmd"]


def test_several_files_are_one_table(tmp_path: Path) -> None:
    given = columns()
    halves = [tmp_path / "a.csv", tmp_path / "b.jsonl"]
    for path, rows in zip(halves, (slice(12), slice(12, None)), strict=True):
        write_columns(path, {name: values[rows] for name, values in given.items()})
    whole, read = SearchTable.of(given), read_search_tables(halves)
    assert read.keys == whole.keys and read.models.tolist() == whole.models.tolist()
    assert {name: cells.tolist() for name, cells in (read.post | read.pre).items()} == {
        name: cells.tolist() for name, cells in (whole.post | whole.pre).items()
    }
    write_columns(halves[1], {name: given[name] for name in given if name != OTHER})
    with pytest.raises(InputError, match=f"b.jsonl: other columns than .*a.csv, such as '{OTHER}'"):
        read_search_tables(halves)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset": None}, "no column 'dataset'"),
        ({BEST: None, OTHER: None, PERPLEXITY: None, "max_join_count_none": None}, "no column is"),
        ({"cider_d": None, "wmd": None}, "no column of a post-gen metric"),
        ({"note": ["x"] * 24}, "row 1: 'note' must be a number, found str 'x'"),
        ({"wmd": [math.inf] * 24}, "row 1: 'wmd' must be a number"),
        ({BEST: [math.nan] * 24}, f"row 1: '{BEST}' must be a number"),
        ({"wmd": [1.0]}, "columns of different lengths"),
    ],
)
def test_malformed_search_tables_are_an_error(change: dict[str, Any], message: str) -> None:
    given = {name: values for name, values in (columns() | change).items() if values is not None}
    with pytest.raises(InputError, match=message):
        SearchTable.of(given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wmd": [1.0] * 24}, "wmd: the same for all rows"),
        ({BEST: [1.0] * 24, OTHER: [math.inf] * 24}, "every pre-gen metric is infinite or const"),
    ],
)
def test_search_without_usable_rows_is_an_error(change: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        search(SearchTable.of(columns() | change))


def test_errors_name_the_line_of_a_tabbed_file(tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text("dataset\tx\na\t1\n\na\n")
    with pytest.raises(InputError, match="line 4: 1 cells under a header of 2"):
        read_search_table(path)
    path.write_text("dataset\tdataset\n")
    with pytest.raises(InputError, match="two columns have the same name"):
        read_search_table(path)


def test_strata_ascend_in_equal_parts_and_drop_the_remainder() -> None:
    scores = np.array([0.5, 0.1, 0.9, 0.3, 0.7])
    found = [
        (each.num_strata, each.stratum, each.images.tolist()) for each in split_into_strata(scores)
    ]
    assert found[0] == (1, 0, [1, 3, 0, 4, 2])
    assert found[1:3] == [(2, 0, [1, 3]), (2, 1, [0, 4])]
    assert found[3:6] == [(3, 0, [1]), (3, 1, [3]), (3, 2, [0])]
    assert len(found) == 15 and found[-1] == (5, 4, [2])
    with pytest.raises(InputError, match="5 images cannot be split into 6 parts"):
        list(split_into_strata(scores, [6]))


def test_a_model_becomes_rows_of_the_table() -> None:
    words = WordProbabilities.of(
        [[[0.5]], [[0.25, 0.5]], [[0.5, 0.5]], [[0.125]]],
        [[[True]], [[True, False]], [[False, True]], [[True]]],
    )
    cider = np.array([0.4, 0.1, 0.2, 0.3])
    keys = {"dataset": "toy", "architecture": "init", "run": 1}
    rows = stratified_rows(
        keys, words, cider, lambda images: {"cider_d": float(cider[images].mean())}, parts=(1, 2)
    )
    assert [(row["num_strata"], row["stratum"]) for row in rows] == [(1, 0), (2, 0), (2, 1)]
    assert [row["cider_d"] for row in rows] == pytest.approx([0.25, 0.15, 0.35])
    assert {name: rows[0][name] for name in METRICS} == pregen_scores(words, "all")
    assert rows[1][BEST] == 0.25 and rows[2][BEST] == 1
    assert all(row["dataset"] == "toy" for row in rows)
    told: list[tuple[int, int]] = []
    stratified_rows(
        keys, words, cider, lambda images: {}, metrics=BEST, parts=(2,),
        progress=lambda *at: told.append(at),
    )  # fmt: skip
    assert told == [(1, 2), (2, 2)]
    with pytest.raises(InputError, match="for 4 images"):
        stratified_rows(keys, words, cider[:3], lambda images: {})


@pytest.mark.slow
def test_the_figures_of_a_search(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from captious.report.pregen_plots import plot_search

    found = search(SearchTable.of(columns()), resamples=50)
    written = plot_search(tmp_path / "new", found, kind="png")
    assert [path.name for path in written] == ["best.png", "ranking.png"]  # perplexity is infinite
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="no such folder"):
        plot_search(tmp_path / "file" / "in", found)


@pytest.fixture(scope="module")
def authors(shared: Path) -> Search:
    """The search over Tanti et al.'s own table of 36 models."""
    return search(read_search_table(shared / "data" / "pregen" / "data.txt.gz"), resamples=0)


def test_the_columns_of_the_authors_are_our_504_in_their_order(authors: Search) -> None:
    assert list(authors.table.pre) == list(METRICS)
    assert list(authors.table.post) == ["METEOR", "CIDEr", "SPICE", "WMD"]
    assert (len(authors.table), authors.models, authors.ranked_count) == (540, 36, 361)


def test_every_correlation_of_the_authors_is_reproduced(authors: Search, shared: Path) -> None:
    for post, rows in authors.rankings.items():
        path = shared / "data" / "pregen" / f"correlations_{post}.txt"
        with path.open(newline="") as stream:
            published = {row["pregen"]: row for row in csv.DictReader(stream, delimiter="\t")}
        assert {row.metric for row in rows} == set(published)
        for row in rows:
            theirs = published[row.metric]
            assert row.r == pytest.approx(float(theirs["all_R"]), abs=1e-10)
            assert row.r2 == pytest.approx(float(theirs["all_R^2"]), abs=1e-10)
            if row.metric == "geomean_sum_normcount_none":
                continue  # within a data set it is 5 but for rounding, which correlates with none
            for dataset, r2 in row.by_dataset.items():
                assert r2 == pytest.approx(float(theirs[f"{dataset}_R^2"]), abs=1e-10)


# Tanti et al. (2018): section 4 names the best four and the fifth; R² of the best and of perplexity
# are from their released correlations (the paper's figures 4 and 6 have .76 and .94).
@pytest.mark.parametrize(
    ("post", "fifth", "best", "perplexity"),
    [
        ("CIDEr", "mean_min_count_filter0", 0.937, 0.756),
        ("METEOR", "mean_mean_count_prefix0", 0.965, 0.831),
        ("SPICE", "geomean_min_pplx_filter0", 0.950, 0.830),
        ("WMD", "mean_join_count_prefix0", 0.954, 0.739),
    ],
)
def test_published_ranking_is_reproduced(
    authors: Search, post: str, fifth: str, best: float, perplexity: float
) -> None:
    assert [row.metric for row in authors.rankings[post][:5]] == [*TOP, fifth]
    assert round(authors.rankings[post][0].r2, 3) == best
    assert round(authors.row(post, PERPLEXITY).r2, 3) == perplexity
    assert authors.row(post, PERPLEXITY).r < 0
