"""Declarations: what they say of papers, and the cells of a table crossed from rows and columns."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

from captious.experiments.catalogue import EXPERIMENTS
from captious.experiments.declaration import Learnt, Ours, Over, Published, Task
from captious.experiments.papers import lceval, lceval_training_sets, leic, nneval
from captious.experiments.papers.rows import LCEVAL, Column, Reported, crossed, network
from captious.meta.benchmarks.wmt16_daseg import LANGUAGES
from captious.meta.presets import STANDARD, preset
from captious.meta.robustness.distractions import DISTRACTIONS
from captious.meta.robustness.gaming import GAMES
from captious.text.transformations import TRANSFORMATIONS
from captious.training.learned_metrics.validation import BENCHMARK, PROTOCOL

TASK = Task("composite", "lceval")
SOURCES = (LCEVAL.table(4).source,)


def test_where_papers_report_it() -> None:
    assert LCEVAL.table(4).source == "Sharif et al. 2019, table 4"
    assert LCEVAL.figure(7, 8).label == "figures 7 and 8"
    assert EXPERIMENTS["capability"].paper == "LEIC figure 5, equation 10"
    assert EXPERIMENTS["correlation"].paper == "NNEval table 1, LCEval table 4"


def test_metrics_in_rows_and_tasks_in_columns() -> None:
    grid = crossed("t", "metric", ["meteor"], [Column("tau", TASK, SOURCES), Column("n", TASK)])
    assert grid.header == ("metric", "tau", "published", "n")
    ours = Ours("meteor", TASK)
    assert grid.rows == (("meteor", ours, Published("meteor", TASK, SOURCES), ours),)
    assert grid.texts == 1


def test_a_row_may_compare_several_things_or_nothing() -> None:
    nets = (network("lceval", seed=0), network("lceval", seed=1))
    rows: dict[tuple[str, str], Any] = {
        ("a", "b"): {"alone": "spice", "": "meteor"},
        ("c", "d"): {"": nets},
        ("e", "published"): {"": Reported("lceval", SOURCES)},
    }
    columns = [Column("x", TASK), Column("y", TASK, of="alone"), Column("learnt", Learnt())]
    grid = crossed("t", ("one", "two"), rows, columns)
    assert grid.texts == 2
    first, second, third = (row[2:] for row in grid.rows)
    assert first == (Ours("meteor", TASK), Ours("spice", TASK), None)
    assert second[0] == Over(tuple(Ours(each, TASK) for each in nets)) and second[1] is None
    assert third[0] == Published("lceval", TASK, SOURCES)


def test_declarations_import_nothing_that_measures() -> None:
    code = (
        "import sys, captious.experiments.catalogue\n"
        "print([name for name in sys.modules if name.startswith(('captious.meta', "
        "'captious.training', 'captious.experiments.workbench.', 'captious.experiments.proc'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_declared_tasks_are_those_that_there_are() -> None:
    assert nneval.DISTRACTIONS == DISTRACTIONS and nneval.GAMES == GAMES
    assert lceval.LANGUAGES == LANGUAGES and tuple(leic.WORSE) == TRANSFORMATIONS
    assert lceval_training_sets.VALIDATION == (BENCHMARK, PROTOCOL)
    for benchmark, (_, statistic) in leic.BENCHMARKS.items():
        protocol, standard = (preset(name, benchmark) for name in (leic.PROTOCOL, STANDARD))
        assert protocol.statistic == statistic
        assert replace(protocol, name="", remark="") == replace(standard, name="", remark="")
