"""Declarations: what they say of papers, and the cells of a table crossed from rows and columns."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.meta.benchmarks.coco import MEASURES
from captious.meta.benchmarks.wmt16_daseg import LANGUAGES
from captious.meta.presets import preset
from captious.meta.published import published
from captious.meta.robustness.distractions import DISTRACTIONS
from captious.meta.robustness.gaming import GAMES
from captious.papers import nneval
from captious.papers.catalogue import EXHIBITS, PAPERS, select_exhibits
from captious.papers.declaration import (
    ComparedCell,
    Features,
    Grid,
    MeanCell,
    MeasuredCell,
    PublishedCell,
    PValueCell,
    Task,
    TrainingTask,
)
from captious.papers.lceval import agreement, training_sets, training_tables
from captious.papers.leic import agreement as leic
from captious.papers.leic import critics
from captious.papers.measurements.exhibits import cells_to_measure
from captious.papers.measurements.experiment import (
    Experiment,
    build_feature_set,
    build_protocol,
)
from captious.papers.measurements.store import Store
from captious.papers.result import Table
from captious.papers.rows import (
    GROUPS,
    LCEVAL,
    PUBLISHED_CHAINS,
    RELEASED_CHAINS,
    Column,
    NamedMetric,
    PublishedRow,
    PValueColumn,
    cross_table,
    networks,
    stack_rows,
)
from captious.text.transformations import TRANSFORMATIONS
from captious.training.learned_metrics.training import BENCHMARK, PROTOCOL
from tests.made_up.experiment_data import written

TASK = Task("composite", "lceval")
SOURCES = (LCEVAL.table(4).source,)
EVERY = [exhibit for several in EXHIBITS.values() for exhibit in several]


def test_place_labels_and_sources() -> None:
    assert LCEVAL.table(4).source == "Sharif et al. 2019, table 4"
    assert LCEVAL.section("5.5").label == "section 5.5"


@pytest.mark.parametrize("key", PAPERS)
def test_every_numbered_table_and_figure_is_there_once(key: str) -> None:
    places = [exhibit.place for exhibit in EXHIBITS[key] if exhibit.place.kind != "section"]
    assert places == PAPERS[key].numbered_places


@pytest.mark.parametrize("exhibit", EVERY, ids=lambda e: f"{e.place.paper.key} {e.place.label}")
def test_an_exhibit_can_be_judged(exhibit: Any) -> None:
    """Something is measured and compared or claimed, or it is said why not."""
    if exhibit.drawing:
        return
    if exhibit.required_path:
        assert exhibit.unavailable
        return
    compared = [
        cell
        for content in exhibit.contents
        if isinstance(content, Grid)
        for row in content.rows
        for cell in row
        if isinstance(cell, ComparedCell)
    ]
    # Numbers of functions of the bench are not known before they are measured.
    measured_later = any(not isinstance(content, Grid) for content in exhibit.contents)
    assert exhibit.contents
    assert compared or exhibit.claims or measured_later or exhibit.reason


def test_all_exhibits_or_some() -> None:
    assert select_exhibits("lceval") == EXHIBITS["lceval"]
    several = select_exhibits("lceval", (5, 4), (7,))
    assert [each.place.label for each in several] == ["table 4", "table 5", "figure 7"]
    with pytest.raises(InputError, match="no table 16; there are 15 tables and 11 figures"):
        select_exhibits("lceval", (16,))
    with pytest.raises(InputError, match="unknown paper 'spice'; choose one of: nneval"):
        select_exhibits("spice")


def test_metrics_in_rows_and_tasks_in_columns() -> None:
    grid = cross_table("t", "metric", ["meteor"], [Column("tau", TASK, SOURCES), Column("n", TASK)])
    assert grid.header == ("metric", "tau", "n")
    ours = MeasuredCell("meteor", TASK)
    assert grid.rows == (
        ("meteor", ComparedCell(ours, PublishedCell("meteor", TASK, SOURCES)), ours),
    )
    assert grid.texts == 1


def test_row_may_have_another_published_name_or_none() -> None:
    rows = {"CIDEr": NamedMetric("cider", "cider_d"), "CIDEr-D": NamedMetric("cider_d", "")}
    grid = cross_table("t", "metric", rows, [Column("tau", TASK, SOURCES)])
    first, second = (row[1] for row in grid.rows)
    assert first == ComparedCell(
        MeasuredCell("cider", TASK), PublishedCell("cider_d", TASK, SOURCES)
    )
    assert second == MeasuredCell("cider_d", TASK)


def test_a_row_may_compare_several_things_or_nothing() -> None:
    nets = networks("lceval")
    assert [network.seed for network in nets] == [0, 1, 2]
    rows: dict[tuple[str, str], Any] = {
        ("a", "b"): {"alone": "spice", "": "meteor"},
        ("c", "d"): {"": nets},
        ("e", "published"): {"": PublishedRow("lceval", SOURCES)},
    }
    columns = [Column("x", TASK), Column("y", TASK, role="alone"), Column("learnt", TrainingTask())]
    grid = cross_table("t", ("one", "two"), rows, columns)
    assert grid.texts == 2
    first, second, third = (row[2:] for row in grid.rows)
    assert first == (MeasuredCell("meteor", TASK), MeasuredCell("spice", TASK), None)
    assert (
        second[0] == MeanCell(tuple(MeasuredCell(each, TASK) for each in nets))
        and second[1] is None
    )
    assert third[0] == PublishedCell("lceval", TASK, SOURCES)
    assert len(list(cells_to_measure(grid.rows))) == 2 + 2 * len(nets)


def test_rows_of_several_tables_are_stacked() -> None:
    first, second = (
        cross_table("t", "metric", [name], [Column("tau", replace(TASK, joined=joined))])
        for name, joined in (("meteor", False), ("spice", True))
    )
    assert stack_rows(first, second).rows == first.rows + second.rows
    other = cross_table("t", "metric", ["meteor"], [Column("rho", TASK)])
    with pytest.raises(ValueError, match="other columns"):
        stack_rows(first, other)


def test_task_may_join_references() -> None:
    task = Task("flickr8k-expert", "yi2020")
    protocols = [build_protocol(replace(task, joined=joined)) for joined in (False, True)]
    assert [protocol.joined for protocol in protocols] == [False, True]
    assert replace(protocols[1], joined=False) == protocols[0]


def test_p_value_column_compares_all_rows_with_one() -> None:
    rows: dict[str, NamedMetric | str] = {
        "CIDEr": NamedMetric("cider", "cider_d"),
        "LCEval": "lceval",
    }
    grid = cross_table("t", "metric", rows, [PValueColumn("p", "lceval", TASK)])
    assert [row[1] for row in grid.rows] == [PValueCell("cider", "lceval", TASK), None]


@pytest.mark.slow
def test_declarations_import_nothing_that_measures() -> None:
    code = (
        "import sys, captious.papers.catalogue\n"
        "print([name for name in sys.modules if name.startswith(('captious.meta', "
        "'captious.training', 'captious.papers.measurements.', 'captious.papers.proc'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_declared_tasks_exist() -> None:
    assert nneval.DISTRACTIONS == DISTRACTIONS and nneval.GAMES == GAMES
    assert agreement.LANGUAGES == LANGUAGES and tuple(critics.CORRUPTIONS) == TRANSFORMATIONS
    assert agreement.MEASURES == MEASURES
    assert training_tables.VALIDATION == (BENCHMARK, PROTOCOL)
    for benchmark in leic.BENCHMARKS:
        assert preset(leic.PROTOCOL, benchmark).statistic == leic.PUBLISHED_STATISTIC


def test_groups_have_published_numbers_under_their_names() -> None:
    compared = {label: several for label, several in GROUPS.items() if "Syn" not in label}
    for network, *_ in (*compared.values(), *PUBLISHED_CHAINS.values(), *RELEASED_CHAINS.values()):
        assert published("composite", "kendall_b", network.name, "lceval"), network.name
    for label in set(GROUPS) - set(compared):  # each published number is compared once
        assert not published("composite", "kendall_b", GROUPS[label][0].name, "lceval")
    assert len(build_feature_set(Features("semantic+lexical"))) == 11
    changed = build_feature_set(Features("syntactic", chains="published")).features
    assert {feature.options for feature in changed} == {(("variant", "published"),)}
    for each, *_ in RELEASED_CHAINS.values():
        chains = {
            feature.options
            for feature in build_feature_set(each.features).features
            if feature.column.startswith("hwcm")
        }
        assert chains == {(("variant", "released"),)}


def test_networks_are_not_measured_on_images_that_they_learned_from(tmp_path: Path) -> None:
    sets = {"flickr30k_test:pre_1": {"flickr30k_test:pre_1": 1.0}, "init_1": {"init_1": 1.0}}
    rows = {name: networks("lceval", mixture)[0] for name, mixture in sets.items()}
    tasks = (TASK, Task("pascal-50s", "lceval", "accuracy", "HC"), TrainingTask())
    grid = cross_table("t", "set", rows, [Column(task.benchmark, task) for task in tasks])
    experiment = Experiment(written(tmp_path), store=Store(tmp_path / "kept"))
    (_, seen, *others), all_cells = training_tables.without_seen(experiment, grid).rows
    assert seen is None and all(isinstance(cell, MeasuredCell) for cell in others)
    assert all_cells == grid.rows[1]


def test_weaker_systems_are_sets_by_architecture_and_all_together(tmp_path: Path) -> None:
    experiment = Experiment(written(tmp_path), store=Store(tmp_path / "kept"))
    sets = training_sets.training_sets(experiment)
    assert sets["init, weaker, COCO"] == {"init_1": 0.5, "init_2": 0.5}
    assert sets["all, weaker, Flickr30k"] == {"flickr30k_test:pre_1": 1.0}
    assert sets["weaker runs 1, other images' 3, Flickr30k"] == {
        "flickr30k_test:pre_1": 1.0,
        "flickr30k:random_caption": 3,
    }
    assert not any(name.endswith("Flickr8k") for name in sets)


def weaker_table(**taus: float | None) -> Table:
    """LCEval's tau by training set, as table 10 has it: two architectures and all together."""
    column = "LCEval: Composite, LCEval's"
    rows: list[tuple[str, str, str, float | None]] = [
        (training_sets.WEAKER, training_sets.weaker_set(name, "Flickr8k"), "0.40", tau)
        for name, tau in taus.items()
    ]
    # Another collection's, which was not measured, and a strong system's.
    unseen = training_sets.weaker_set("init", "Flickr30k")
    rows += [(training_sets.WEAKER, unseen, "0.40", None), ("one system", "zhou2017", "1.1", 0.1)]
    return Table("t", ("captions", "training set", "CIDEr", column), rows, texts=3)


@pytest.mark.parametrize(
    ("taus", "holds"),
    [
        ({"init": 0.41, "merge": 0.39, "all": 0.40}, True),
        ({"init": 0.41, "merge": 0.37, "all": 0.40}, False),
        ({"all": 0.40}, None),
    ],
)
def test_one_architecture_is_compared_with_all(taus: dict[str, float], holds: bool | None) -> None:
    claim = training_tables.ON_CORRELATION.claims[1]
    assert claim.holds([weaker_table(**taus)]) is holds


def test_variety_is_better_than_each_architecture_in_both_categories() -> None:
    def holds(together: tuple[float, float]) -> bool | None:
        rows = [
            (training_sets.weaker_set(name, "Flickr30k"), hc, hm)
            for name, hc, hm in (("init", 0.6, 0.7), ("pre", 0.5, 0.8), ("all", *together))
        ]
        table = Table("t", ("training set", "HC", "HM"), rows)
        return training_tables.ON_PREFERENCES.claims[1].holds([table])

    assert holds((0.61, 0.81)) is True
    assert holds((0.61, 0.79)) is False
    assert holds((0.59, 0.81)) is False
