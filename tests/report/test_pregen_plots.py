"""Plots of pre-gen searches: files of both kinds, the same for the same data, or an error."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.pregen.search import search
from captious.pregen.search_table import SearchTable
from captious.report.plots.bars import RankedMetric, plot_pregen_ranking
from captious.report.pregen_plots import plot_epochs, plot_metric, plot_pregen_relation

pytest.importorskip("matplotlib")

NAN = float("nan")
VALUES = np.linspace(0, 1, 12)
POST = {"CIDEr": VALUES**2, "METEOR": 1 - VALUES, "SPICE": VALUES}
R2 = {"CIDEr": 0.9, "METEOR": 1.0, "SPICE": NAN}
DATASETS, KINDS = ["small", "large"] * 6, ["init"] * 6 + ["merge"] * 6
RANKING = {
    "CIDEr": [RankedMetric("best_of_all", 0.9, 0.85, 0.95), RankedMetric("next", 0.8, NAN, NAN)],
    "WMD": [RankedMetric("perplexity (place 9)", 0.7, 0.6, 0.8, is_baseline=True)],
}


def draw_relation(
    path: Path, values: Any = VALUES, post: dict[Any, Any] = POST, datasets: Any = DATASETS
) -> None:
    plot_pregen_relation(path, "A relation", "some_metric", values, post, datasets, KINDS, R2)


def draw_ranking(path: Path, ranking: Any = RANKING) -> None:
    plot_pregen_ranking(path, "A ranking", ranking)


def draw_epochs(path: Path) -> None:
    curves = {"CIDEr-D": {"init": [[0.1, 0.3, 0.4], [0.3, 0.5]], "merge": [[0.2]]}}
    plot_epochs(path, "By epoch", curves)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [draw_relation, draw_ranking, draw_epochs])
def test_files_of_both_kinds_the_same_each_time(draw: Callable[..., Any], tmp_path: Path) -> None:
    draw(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    draw(tmp_path / "one.svg")
    draw(tmp_path / "other.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def texts(path: Path) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)<", path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_relation_names_metrics_data_sets_and_architectures(tmp_path: Path) -> None:
    draw_relation(tmp_path / "plot.svg")
    shown = texts(tmp_path / "plot.svg")
    for text in ("A relation", "some_metric", "small", "large", "init", "merge"):
        assert text in shown
    assert "CIDEr  R² = 0.900" in shown and "SPICE  R² = undefined" in shown


def test_a_ranking_names_metrics_with_their_r2(tmp_path: Path) -> None:
    draw_ranking(tmp_path / "plot.svg")
    shown = texts(tmp_path / "plot.svg")
    for text in ("CIDEr", "WMD", "best_of_all", "perplexity (place 9)", "0.900", "0.700"):
        assert text in shown


@pytest.mark.parametrize(
    ("draw", "options", "message"),
    [
        (draw_relation, {"post": {}}, "nothing to plot"),
        (draw_relation, {"datasets": ["small"]}, "datasets: 1 rows for 12 values"),
        (draw_relation, {"values": np.full(12, np.inf)}, "infinite somewhere"),
        (draw_ranking, {"ranking": {}}, "nothing to plot"),
        (draw_ranking, {"ranking": {"CIDEr": []}}, "nothing to plot"),
    ],
)
def test_invalid_plot_data_are_an_error(
    draw: Callable[..., Any],
    options: dict[str, list[str] | np.ndarray],
    message: str,
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match=message):
        draw(tmp_path / "plot.svg", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_mean_curve_ends_where_its_first_run_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(
        "captious.report.pregen_plots.plot_panels", lambda *given: drawn.append(given)
    )
    draw_epochs(tmp_path / "plot.svg")
    (_, _, [panel]) = drawn[0]
    assert panel.title == "CIDEr-D"
    assert panel.curves["init"] == [(1, pytest.approx(0.2)), (2, pytest.approx(0.4))]
    assert panel.curves["merge"] == [(1, 0.2)]


@pytest.mark.parametrize(("datasets", "named"), [(["one"] * 12, False), (DATASETS, True)])
def test_a_single_data_set_leaves_its_colours_to_architectures(
    datasets: list[str], named: bool, tmp_path: Path
) -> None:
    columns: dict[str, Any] = {"dataset": datasets, "architecture": KINDS, "cider_d": VALUES**2}
    table = SearchTable.of(columns | {"mean_max_normcount_prefix0": VALUES})
    found = search(table, resamples=0)
    plot_metric(tmp_path / "plot.svg", found, "mean_max_normcount_prefix0", "A title")
    shown = texts(tmp_path / "plot.svg")
    assert {"init", "merge"} <= set(shown)
    assert bool({"one", "small", "large"} & set(shown)) == named
