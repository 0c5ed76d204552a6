"""Plots: files of both kinds, whole or not at all, the same for the same data."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from captious.errors import InputError, MissingDependencyError, OutputError
from captious.report.meta_plots import mean_scores, plot_scatter
from captious.report.plots.bars import AgreementBar, plot_agreement
from captious.report.plots.curve_styles import spread
from captious.report.plots.meta_curves import Point, plot_by_references, plot_robustness

matplotlib = pytest.importorskip("matplotlib")
from matplotlib.figure import Figure  # noqa: E402

NAN = float("nan")
BARS = [
    AgreementBar("worse", 0.2, 0.1, 0.3, None),
    AgreementBar("undefined_one", NAN, NAN, NAN, 0.1),
    AgreementBar("better", 0.4, 0.35, 0.45, 0.41),
    AgreementBar("costs_$5_or_$6", -0.1, NAN, NAN, None),
]
CURVES = {
    f"metric_{i}": {
        count: Point(0.5 + k / 10, 0.4 + k / 10, 0.6 + k / 10) for k, count in enumerate([1, 5, 50])
    }
    for i in range(12)
}
DECAY = {
    task: {"falls": np.linspace(1, 0, 11), "stays": np.ones(11)}
    for task in ("random_word", "word_permutation", "random_caption", "fourth")
}
RATINGS = np.repeat([1.0, 2.0, 3.0, 4.0], 50)
SCORES = {name: np.linspace(0, 1, 200) ** power for power, name in enumerate("abcde", start=1)}


def draw_agreement(path: Path) -> None:
    plot_agreement(path, "Some benchmark", "kendall_c", BARS)


def draw_by_references(path: Path) -> None:
    plot_by_references(path, "Some pairs", "accuracy", CURVES)


def draw_robustness(path: Path) -> None:
    plot_robustness(path, range(0, 101, 10), DECAY)


def draw_scatter(path: Path) -> None:
    plot_scatter(path, "Some ratings", RATINGS, SCORES, {"a": 0.4321, "b": NAN})


DRAWN: dict[Callable[[Path], None], list[str]] = {
    draw_agreement: [
        "Some benchmark",
        "Kendall's τ-c",
        "published",
        "95% interval",
        "0.400",
        "undefined",
        *(bar.metric for bar in BARS),
    ],
    draw_by_references: ["Some pairs", "accuracy", "references", "1", "5", "50", *CURVES],
    draw_robustness: ["random word", "fourth", "falls  0.500", "stays  1.000"],
    draw_scatter: ["Some ratings", "a  τ = 0.432", "b  τ = undefined", "c", "d", "e"],
}


def texts_of(path: Path) -> list[str]:
    """The texts of an SVG, in the order in which they are drawn."""
    tree = ElementTree.parse(path)
    return ["".join(text.itertext()) for text in tree.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWN)
def test_an_svg_has_its_texts_as_text(draw: Callable[[Path], None], tmp_path: Path) -> None:
    draw(tmp_path / "plot.svg")
    texts = texts_of(tmp_path / "plot.svg")
    assert [text for text in DRAWN[draw] if text not in texts] == []


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWN)
def test_a_png_is_an_image_of_the_right_kind(draw: Callable[[Path], None], tmp_path: Path) -> None:
    draw(tmp_path / "plot.PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["plot.PNG"]
    data = (tmp_path / "plot.PNG").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert 500 < width < 2000
    assert 300 < height < 2000


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_equal_data_give_equal_bytes_whatever_the_users_settings(
    draw: Callable[[Path], None], kind: str, tmp_path: Path
) -> None:
    one, other = tmp_path / f"one.{kind}", tmp_path / f"other.{kind}"
    draw(one)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.dpi": 20}):
        draw(other)
    assert one.read_bytes() == other.read_bytes()
    assert kind == "png" or b"<dc:date>" not in one.read_bytes()


@pytest.mark.slow
def test_matplotlibs_global_state_stays_as_it_is(tmp_path: Path) -> None:
    before = matplotlib.rcParams.copy()
    draw_scatter(tmp_path / "plot.png")
    assert dict.items(matplotlib.rcParams.copy()) == dict.items(before)


@pytest.mark.parametrize("name", ["plot.pdf", "plot", "plot.svg.gz"])
@pytest.mark.parametrize("draw", DRAWN)
def test_unknown_suffix_is_an_error_that_names_the_known_ones(
    draw: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(f"{name}: plots are written as .png or .svg")):
        draw(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("draw", DRAWN)
def test_a_plot_that_fails_leaves_the_old_file(
    draw: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(self: Figure, stream: object, **_: object) -> None:
        stream.write(b"half")  # type: ignore[attr-defined]
        raise OSError("disk full")

    path = tmp_path / "plot.svg"
    path.write_text("old")
    monkeypatch.setattr(Figure, "savefig", half)
    with pytest.raises(OutputError, match="disk full"):
        draw(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="choose a folder that exists"):
        draw_agreement(tmp_path / "nowhere" / "plot.svg")


@pytest.mark.parametrize("draw", DRAWN)
def test_without_matplotlib_the_error_says_how_to_get_it(
    draw: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError) as error:
        draw(tmp_path / "plot.svg")
    assert str(error.value) == "plots need matplotlib: pip install 'captious[plot]'"
    assert list(tmp_path.iterdir()) == []


def test_the_best_metric_is_on_top_and_the_undefined_at_the_bottom(tmp_path: Path) -> None:
    draw_agreement(tmp_path / "plot.svg")
    names = {bar.metric for bar in BARS}
    drawn = [text for text in texts_of(tmp_path / "plot.svg") if text in names]
    assert drawn == ["better", "worse", "costs_$5_or_$6", "undefined_one"]


def test_a_legend_names_only_what_is_there(tmp_path: Path) -> None:
    plot_agreement(tmp_path / "plot.svg", "", "pearson", [AgreementBar("m", 0.5, NAN, NAN, None)])
    texts = texts_of(tmp_path / "plot.svg")
    assert "Pearson's r" in texts
    assert not {"published", "95% interval"} & set(texts)


@pytest.mark.slow
def test_round_numbers_of_references_keep_their_labels_where_room_is_short(tmp_path: Path) -> None:
    points = {count: Point(0.5, NAN, NAN) for count in range(1, 50)}
    plot_by_references(tmp_path / "plot.svg", "", "tau", {"metric": points})
    texts = texts_of(tmp_path / "plot.svg")
    assert {"1", "2", "5", "10", "20", "49"} <= set(texts)
    assert not {"48", "21"} & set(texts)


@pytest.mark.slow
def test_a_curve_that_is_undefined_says_so(tmp_path: Path) -> None:
    curves = {"there": {5: Point(0.5, 0.4, 0.6)}, "gone": {5: Point(NAN, NAN, NAN)}}
    plot_by_references(tmp_path / "plot.svg", "", "tau", curves)
    assert {"there", "gone (undefined)"} <= set(texts_of(tmp_path / "plot.svg"))


@pytest.mark.slow
def test_curves_may_have_other_numbers_of_references(tmp_path: Path) -> None:
    curves = {"random": {1: Point(0.4, NAN, NAN), 5: Point(0.5, NAN, NAN)},
              "first": {2: Point(0.6, NAN, NAN)}}  # fmt: skip
    plot_by_references(tmp_path / "plot.svg", "", "tau", curves)
    assert {"1", "2", "5", "random", "first"} <= set(texts_of(tmp_path / "plot.svg"))


def test_long_names_are_cut(tmp_path: Path) -> None:
    plot_scatter(tmp_path / "plot.svg", "", RATINGS, {"x" * 300: RATINGS}, {"x" * 300: 1.0})
    assert {"x" * 30 + "…", "τ = 1.000"} <= set(texts_of(tmp_path / "plot.svg"))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda path: plot_agreement(path, "", "pearson", []), "no metrics to plot"),
        (lambda path: plot_by_references(path, "", "", {}), "nothing to plot"),
        (lambda path: plot_by_references(path, "", "", {"metric": {}}), "nothing to plot"),
        (
            lambda path: plot_by_references(path, "", "", {"metric": {0: Point(0.5, NAN, NAN)}}),
            "are 1 or more, not 0",
        ),
        (lambda path: plot_robustness(path, [0, 100], {}), "nothing to plot"),
        (lambda path: plot_robustness(path, [0, 100], {"task": {}}), "nothing to plot"),
        (lambda path: plot_robustness(path, [100, 0], DECAY), "must be two or more and grow"),
        (
            lambda path: plot_robustness(path, [0, 100], DECAY),
            r"random_word, falls: a curve of shape \(11,\)",
        ),
        (lambda path: plot_scatter(path, "", RATINGS, {}), "nothing to plot"),
        (
            lambda path: plot_scatter(path, "", RATINGS[:3], SCORES),
            r"a: shape \(200,\); give one number for each of 3 ratings",
        ),
        (
            lambda path: plot_scatter(path, "", np.array([1.0, NAN]), {"a": np.ones(2)}),
            "ratings: row 1 is nan",
        ),
    ],
)
def test_invalid_plot_data_are_an_error(
    draw: Callable[[Path], None], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        draw(tmp_path / "plot.svg")
    assert list(tmp_path.iterdir()) == []


def test_mean_scores_stand_at_each_rating() -> None:
    x, y = mean_scores(np.array([1.0, 3.0, 1.0]), np.array([0.0, 5.0, 1.0]))
    assert (x.tolist(), y.tolist()) == ([1.0, 3.0], [0.5, 5.0])


@pytest.mark.slow
def test_ratings_that_differ_in_the_last_digit_are_one(tmp_path: Path) -> None:
    nearly = np.where(np.arange(len(RATINGS)) % 2, RATINGS, np.nextafter(RATINGS, 9))
    plot_scatter(tmp_path / "one.svg", "", RATINGS, SCORES)
    plot_scatter(tmp_path / "other.svg", "", nearly, SCORES)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_a_scale_is_cut_into_ten_parts() -> None:
    ratings = np.arange(100.0)
    x, y = mean_scores(ratings, -ratings)
    assert x.tolist() == [10 * part + 4.5 for part in range(10)]
    assert y.tolist() == [-place for place in x.tolist()]


def test_labels_with_room_stay_and_others_part_evenly() -> None:
    assert spread(np.array([50.0, 10.0]), 10, 0, 100).tolist() == [50.0, 10.0]
    assert spread(np.array([50.0, 50.0, 50.0]), 10, 0, 100).tolist() == [40.0, 50.0, 60.0]
    assert spread(np.array([99.0, 100.0]), 10, 0, 100).tolist() == [90.0, 100.0]
    assert spread(np.array([3.0, 2.0, 1.0]), 10, 0, 10).tolist() == [10.0, 5.0, 0.0]


def test_labels_keep_their_order_their_gap_and_the_bounds() -> None:
    random = np.random.default_rng(0)
    for count in range(1, 13):
        options = random.normal(50, 30, count)
        places = spread(options, 8, 0, 100)
        in_order = places[np.argsort(options)]
        assert (np.diff(in_order) >= 8 - 1e-9).all()
        assert in_order[0] >= -1e-9
        assert in_order[-1] <= 100 + 1e-9
