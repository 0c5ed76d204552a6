"""Our captioners as rows for pre-gen metrics."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from captious.captioners.captioner import load_captioner
from captious.captioners.generation import generate
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.io.json import json_text
from captious.papers import pregen
from captious.papers.measurements import pregen_rows
from captious.papers.measurements.caption_datasets import TEST, Flickr8k
from captious.papers.measurements.exhibits import measure_exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_rows import captioner_rows
from captious.papers.measurements.store import Store
from captious.papers.procedures import pregen_times
from captious.papers.procedures.pregen import _means_over_runs
from captious.papers.result import RANGE, Measurement, Panel
from captious.pregen import METRICS, pregen_scores
from captious.pregen.names import BEST
from captious.pregen.search import Search
from tests.made_up.animals import vectors_of
from tests.made_up.flickr8k import SPLITS, captions_of, written
from tests.made_up.pregen_data import written as authors_written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::captious.CaptiousWarning"),  # of so few images
]


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """Two small captioners of made-up images, beside the authors' made-up rows."""
    pytest.importorskip("torch")
    from captious.captioners.examples import Examples
    from captious.captioners.recipe import CaptionerRecipe
    from captious.training.captioners.training import train

    folder = tmp_path_factory.mktemp("captioner-rows")
    vectors = ImageVectors.of([f"{row}.jpg" for row in range(42)], vectors_of(42))
    training, validation = (
        Examples.of({f"{row}.jpg": captions_of(row) for row in SPLITS[split]}, vectors)
        for split in ("train", "dev")
    )
    recipe = CaptionerRecipe(size=12, learning_rate=0.02, batch=16, epochs=6, least_count=1)
    (folder / "captioners").mkdir()
    for name, architecture in (("init_4", "init"), ("pre", "pre")):
        trained = train(training, validation, replace(recipe, architecture=architecture))
        trained.model.save(folder / "captioners" / f"{name}.npz")
    return Experiment(
        written(folder / "data"),
        store=Store(folder / "kept"),
        captioners=folder / "captioners",
    )


def test_every_captioner_has_its_strata(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = captioner_rows(experiment)
    assert table is not None
    assert len(table) == 30 and list(table.pre) == list(METRICS)
    assert list(table.post) == ["meteor", "cider_d", "spice", "wmd"]
    models = list(zip(table.keys["architecture"], table.keys["run"], strict=True))
    assert models == [("init", "4")] * 15 + [("pre", "1")] * 15
    # What was measured is read again, and not measured.
    monkeypatch.setattr(pregen_rows, "word_probabilities", None)
    captioner_rows.cache_clear()
    again = captioner_rows(experiment)
    assert again is not None
    assert all(np.array_equal(again.pre[name], table.pre[name]) for name in table.pre)


def test_captioner_rows_use_the_released_filter0(experiment: Experiment) -> None:
    from captious.pregen.captioner_probabilities import word_probabilities

    assert experiment.captioners is not None
    dataset = Flickr8k(experiment)
    words = word_probabilities(
        load_captioner(experiment.captioners / "pre.npz"),
        dataset.people(TEST),
        dataset.images(TEST),
    )
    table = captioner_rows(experiment)
    assert table is not None
    name = "sum_sum_count_filter0"
    expected = pregen_scores(words, name, variant="released")[name]
    assert table.pre[name][15] == expected != pregen_scores(words, name)[name]


def test_figures_include_our_captioners(experiment: Experiment, tmp_path: Path) -> None:
    data = authors_written(tmp_path)
    for name in ("efficientnet_lite2.npz", "Flickr_8k.testImages.txt"):
        (data / "flickr8k" / name).write_bytes((experiment.data / "flickr8k" / name).read_bytes())
    tokens = [(folder / "flickr8k" / "Flickr8k.token.txt") for folder in (data, experiment.data)]
    tokens[0].write_text("\n".join(path.read_text() for path in tokens))
    both = Experiment(data, store=experiment.store, captioners=experiment.captioners)
    done = measure_exhibit(pregen.BEST, both)
    titles = [table.title for table in done.tables]
    assert titles[2:] == [
        "Captioners of ours: R² of `mean_max_normcount_prefix0`",
        "Whole test sets of flickr8k, means over runs",
        "Captioners of ours: R² of `mean_max_normcount_prefix0` within each data set and "
        "architecture",
        "The authors' rows: R² of `mean_max_normcount_prefix0` within each data set and "
        "architecture",
    ]
    assert any("(1 run of each architecture on each data set)" in line for line in done.settings)
    assert len(done.panels) == 4 * 4
    assert "Flickr8k alone" in done.notes[-1]
    ours = measure_exhibit(pregen.RANKING, both).panels[-1]
    assert ours.loose == ()  # nothing was published of them
    assert (
        Panel.from_dict(json.loads(json_text(ours.to_dict()))).curves.keys() == ours.curves.keys()
    )


def test_times_are_measured_once(experiment: Experiment) -> None:
    first, again = (measure_exhibit(pregen.TIMES, experiment).tables[0] for _ in range(2))
    assert first.rows == again.rows and len(first.rows) == 6
    seconds = {str(row[0]): first.value(str(row[0]), "seconds") for row in first.rows}
    assert min(seconds.values()) > 0
    assert list(seconds)[1:] == list(pregen_times.GENERATION_WAYS)
    assert {pregen.IN_BATCHES, pregen.READ_ANEW, pregen.AS_AUTHORS} < set(seconds)
    in_batches = first.value(pregen.IN_BATCHES, "ratio to the first")
    assert in_batches == pytest.approx(seconds[pregen.IN_BATCHES] / next(iter(seconds.values())))
    (claim,) = pregen.TIMES.claims
    assert claim.holds([first]) == (in_batches > 1)
    assert [row for row, _, _ in first.compared_numbers] == [pregen.AS_AUTHORS]


def test_all_ways_generate_the_same_greedy_captions(experiment: Experiment) -> None:
    dataset = Flickr8k(experiment)
    captioner, images = load_captioner(dataset.captioners["pre"]), dataset.images(TEST)
    greedy = [each.caption for each in generate(captioner, images, beam=1)]
    assert len(set(greedy)) > 1
    for way, generator in pregen_times.GENERATION_WAYS.items():
        if "beam of 3" not in way:
            assert generator(captioner, images) == greedy, way


@pytest.fixture
def three_runs(experiment: Experiment, tmp_path: Path) -> Experiment:
    """Three runs of one architecture, two of which are the same, and one run of another."""
    assert experiment.captioners is not None
    for name, source in (
        ("init_0", "init_4"),
        ("init_1", "pre"),
        ("init_2", "pre"),
        ("pre", "pre"),
    ):
        shutil.copy(experiment.captioners / f"{source}.npz", tmp_path / f"{name}.npz")
    return replace(experiment, captioners=tmp_path)


def test_times_are_means_of_all_runs_of_one_architecture(three_runs: Experiment) -> None:
    done = measure_exhibit(pregen.TIMES, three_runs)
    assert done.settings[0].startswith("init_0, init_1, init_2: 42 test images")
    cell = done.tables[0].rows[0][1]
    assert isinstance(cell, Measurement) and cell.spread == RANGE
    assert cell.low is not None and cell.high is not None and cell.low <= cell.value <= cell.high


def test_scores_are_means_over_runs_by_architecture(three_runs: Experiment) -> None:
    captioner_rows.cache_clear()
    table = captioner_rows(three_runs)
    assert table is not None and len(table) == 4 * 15
    assert pregen_rows.describe_runs(table) == ("1 to 3 runs of each architecture on each data set")
    search = Search(table, {}, (), 0, 0)
    means = _means_over_runs(
        three_runs, {pregen_rows.OURS: search, pregen_rows.RECOMPUTED: search}, BEST
    )
    whole = [row for row, parts in enumerate(table.keys["num_strata"]) if parts == "1"]
    cider = table.post["cider_d"][whole]
    assert [list(row[:3]) for row in means.rows[:2]] == [
        ["Captioners of ours", "init", 3],
        ["Captioners of ours", "pre", 1],
    ]
    init, pre = (row[5] for row in means.rows[:2])
    assert isinstance(init, Measurement) and isinstance(pre, Measurement)
    assert init.value == pytest.approx((cider[0] + 2 * cider[1]) / 3)
    assert (init.low, init.high) == (min(cider), max(cider))
    assert pre == Measurement(float(cider[3]))  # of one run there is no range


def test_without_captioners_there_are_no_rows_and_no_times(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, store=Store(tmp_path))
    assert captioner_rows(experiment) is None
    with pytest.raises(InputError, match="name their folder with --captioners DIR"):
        measure_exhibit(pregen.TIMES, experiment)
