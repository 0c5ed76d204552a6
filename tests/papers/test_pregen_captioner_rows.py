"""Our captioners as rows for pre-gen metrics."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.io.json import json_text
from captious.papers import pregen
from captious.papers.measurements import pregen_rows
from captious.papers.measurements.exhibits import measure_exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_rows import captioner_rows
from captious.papers.measurements.store import Store
from captious.papers.result import Panel
from captious.pregen import METRICS, pregen_scores
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
    from captious.captioners.captioner import load_captioner
    from captious.papers.measurements.caption_datasets import TEST, Flickr8k
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
    assert titles[2] == "Captioners of ours: R² of `mean_max_normcount_prefix0`"
    assert len(done.panels) == 4 * 4
    assert "Flickr8k alone" in done.notes[-1]
    ours = measure_exhibit(pregen.RANKING, both).panels[-1]
    assert ours.loose == ()  # nothing was published of them
    assert (
        Panel.from_dict(json.loads(json_text(ours.to_dict()))).curves.keys() == ours.curves.keys()
    )


def test_times_are_measured_once(experiment: Experiment) -> None:
    first, again = (measure_exhibit(pregen.TIMES, experiment).tables[0] for _ in range(2))
    assert first.rows == again.rows and len(first.rows) == 4
    seconds = [first.value(str(row[0]), "seconds") for row in first.rows]
    assert min(seconds) > 0
    in_batches = first.value(pregen.IN_BATCHES, "ratio to the first")
    assert in_batches == pytest.approx(seconds[2] / seconds[0])
    (claim,) = pregen.TIMES.claims
    assert claim.holds([first]) == (in_batches > 1)


def test_without_captioners_there_are_no_rows_and_no_times(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, store=Store(tmp_path))
    assert captioner_rows(experiment) is None
    with pytest.raises(InputError, match="name their folder with --captioners DIR"):
        measure_exhibit(pregen.TIMES, experiment)
