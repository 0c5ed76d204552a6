"""captious pregen: scores, searches, and mistakes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from captious.pregen import METRICS, WordProbabilities, write_probabilities
from tests.cli.command import captious

BEST = "mean_max_normcount_prefix0"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.npz"
    given = WordProbabilities.of(
        [[[0.5, 0.5], [0.25]], [[0.125, 0.5]]], [[[True, False], [False]], [[True, True]]]
    )
    write_probabilities(path, given)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    quality = rng.random(12)
    rows = [f"dataset,architecture,run,CIDEr,{BEST},geomean_join_pplx_none,min_min_prob_prefix0"]
    rows += [
        f"toy,{'ab'[row % 2]},{row // 4},{quality[row]},{quality[row] ** 2},{rng.random()},inf"
        for row in range(12)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_scores_as_a_table(words: Path) -> None:
    done = captious("pregen", "score", words)
    assert done.returncode == 0, done.stderr
    assert f"{BEST}" in done.stdout and "0.75" in done.stdout
    assert "2 images, 3 captions" in done.stderr
    for format in ("markdown", "latex"):
        assert captious("pregen", "score", words, "--format", format).returncode == 0


def test_scores_as_json(words: Path) -> None:
    done = captious(
        "pregen", "score", words, "--format", "json", "--quiet", "--metrics",
        f"{BEST},perplexity,mean_join_pplx_prefix0",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "images": 2,
        "captions": 3,
        "words": 5,
        "variant": "paper",
        "metrics": {
            BEST: 0.75,
            "geomean_join_pplx_none": pytest.approx(32 ** (1 / 3)),
            "mean_join_pplx_prefix0": None,  # infinite: one caption has no prefix
        },
    }


def test_all_metrics_in_both_variants(words: Path) -> None:
    found = {}
    for variant in ("paper", "released"):
        done = captious(
            "pregen", "score", words, "--metrics", "all", "--variant", variant, "--format", "json"
        )
        found[variant] = json.loads(done.stdout)["metrics"]
    assert set(found["paper"]) == set(METRICS)
    assert found["paper"]["sum_sum_count_filter0"] == 3
    assert found["released"]["sum_sum_count_filter0"] == 2


def test_the_list_of_metrics() -> None:
    listed = json.loads(captious("pregen", "metrics", "--format", "json").stdout)
    assert listed == list(METRICS)
    assert len(captious("pregen", "metrics").stdout.splitlines()) == 504 + 2


@pytest.mark.slow
def test_a_search_with_figures_and_a_file(table: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = captious(
        "pregen", "search", table, "--plots", tmp_path / "plots", "--output", tmp_path / "r2.csv",
        "--resamples", "100",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert BEST in done.stdout and "95% interval" in done.stdout
    assert "12 rows of 6 models; 2 metrics ranked, 1 infinite or constant" in done.stderr
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    assert names == {"perplexity.svg", "best.svg", "ranking.svg"}
    header = (tmp_path / "r2.csv").read_text().splitlines()[0]
    assert header == "post,place,metric,r2,r,low,high,r2_toy"


def test_a_search_as_json(table: Path) -> None:
    done = captious("pregen", "search", table, "--top", "1", "--format", "json", "--quiet")
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert (data["rows"], data["models"], data["kept"]) == (12, 6, 2)
    (best,) = data["rankings"]["CIDEr"]
    assert best["metric"] == BEST and math.isclose(best["r"] ** 2, best["r2"])
    low, high = best["interval"]
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "nothing.npz"], "nothing.npz: cannot be read"),
        (["score", "words.npz", "--metrics", "mean_max_normcount"], "unknown pre-gen metric"),
        (["search", "words.npz"], "unknown kind of file"),
        (["search", "table.csv", "--top", "0"], "argument --top: a whole number from 1"),
        (["search", "table.csv", "--post", "BLEU"], "no column 'BLEU'"),
        (["search", "table.csv", "--output", "r2.xyz"], "unknown kind of file"),
        (
            ["search", "table.csv", "--resamples", "-1"],
            "--resamples: a whole number from 0",
        ),
        (["score"], "the following arguments are required: FILE"),
        ([], "the following arguments are required: PART"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(
    arguments: list[str], message: str, words: Path, table: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    done = captious("pregen", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before
