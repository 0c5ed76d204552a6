"""Experiment inputs: training rows from mixtures, stored results, networks trained once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.formats import write_columns
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.papers.measurements import experiment as experiment_module
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.sources import CAPTIONED_IN_FOLDS
from captious.papers.measurements.store import Store, hash_parts
from captious.training.learned_metrics.recipe import Recipe
from tests.made_up.experiment_data import written

LITTLE = FeatureSet.of(["bleu_1", "rouge_l"], "little")


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    data = tmp_path / "data"
    data.mkdir()
    return Experiment(written(data), store=Store(tmp_path / "kept"))


def test_store_returns_and_extends_arrays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add("a", {"x": np.arange(3)})
    store.add("a", {"y": np.ones(2)})
    again = Store(tmp_path).get("a")
    assert again["x"].tolist() == [0, 1, 2]
    assert set(again) == {"x", "y"}


def test_damaged_store_file_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"PK no")
    assert Store(tmp_path).get("a") == {}


def test_store_folder_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match=r"cannot be made .*CAPTIOUS_CACHE"):
        Store(tmp_path / "file" / "folder").get("a")


def test_keys_depend_on_every_part() -> None:
    assert hash_parts("a", 1) == hash_parts("a", 1) != hash_parts("a", 2)


def test_every_source_is_balanced(experiment: Experiment) -> None:
    sources = ("dull", "dull/other", "dull/similar", "init_1", "init_2/other", "random_caption")
    for source in (*sources, "flickr30k:word_permutation"):
        rows, is_human = experiment.source_rows(source, LITTLE)
        assert len(rows) == len(is_human) == 2 * is_human.sum() > 0
        assert is_human[::2].all() and not is_human[1::2].any()


def test_weaker_systems_use_their_own_images_and_no_human_captions(
    experiment: Experiment,
) -> None:
    assert experiment.sources.weaker_of("coco") == ["init_1", "init_2"]
    assert experiment.sources.weaker_of("flickr30k_test") == ["flickr30k_test:pre_1"]
    rows, _ = experiment.source_rows("init_1", LITTLE)
    assert len(rows) == 2 * 20


def test_a_collection_leaves_out_the_images_of_its_benchmarks(experiment: Experiment) -> None:
    sources = experiment.sources
    of_people = sources.training_set("flickr30k:random_caption")
    weaker = sources.training_set("flickr30k_test:pre_1")
    assert set(of_people.images).isdisjoint({"c0", "c1"}) and len(set(of_people.images)) == 28
    assert {"c0", "c1"} < set(weaker.images) and set(weaker.sources) == {"human", "pre_1"}
    assert sources.seen_benchmarks("flickr30k_test:pre_1") == {"composite"}
    assert not sources.seen_benchmarks("flickr30k:random_caption")


@pytest.mark.parametrize("name", ["init_0.json", "init_0.json.gz"])
def test_captions_written_in_folds_are_weaker_systems_of_flickr8k(
    experiment: Experiment, tmp_path: Path, name: str
) -> None:
    assert experiment.sources.weaker_of("flickr8k") == []
    folder = tmp_path / "captioners" / CAPTIONED_IN_FOLDS
    folder.mkdir(parents=True)
    columns = {
        "id": [f"f{image}.jpg" for image in range(10)],
        "candidate": [f"it is a {image}" for image in range(10)],
    }
    write_columns(folder / name, columns)
    sources = replace(experiment, captioners=tmp_path / "captioners").sources
    assert sources.weaker_of("flickr8k") == ["flickr8k:init_0"]
    built = sources.training_set("flickr8k:init_0")
    # Four of the ten are judged.
    assert set(built.images) == {f"f{image}" for image in range(4, 10)}
    before = sources.key("flickr8k:init_0")
    write_columns(folder / name, {**columns, "candidate": ["it is"] * 10})
    assert replace(experiment, captioners=tmp_path / "captioners").sources.key(
        "flickr8k:init_0"
    ) not in (before, sources.key("flickr8k:random_caption"))


def test_training_rows_follow_the_shares_of_a_mixture(experiment: Experiment) -> None:
    rows, is_human = experiment.training_rows(LITTLE, {"dull": 1, "random_caption": 3})
    # 40 images each, of which 36 are learned from: all of the one with three shares, a third as
    # many of the other.
    assert len(rows) == 2 * (36 + 12)
    assert is_human.sum() == len(rows) / 2


def test_held_out_images_are_not_in_training_rows(experiment: Experiment) -> None:
    mixture = {"dull/other": 1, "random_word": 1}
    training, held_out = (
        experiment.training_rows(LITTLE, mixture, held_out=part) for part in (False, True)
    )
    blocks = [experiment.source_rows(source, LITTLE)[0] for source in mixture]
    assert held_out.features.tolist() == [row for block in blocks for row in block[72:].tolist()]
    assert len(held_out.features) == 2 * (4 + 4) == 2 * held_out.is_human.sum()
    assert len(training.features) == 2 * (36 + 36)


def test_a_systems_captions_of_other_images_are_its_own(experiment: Experiment) -> None:
    sources = experiment.sources
    assert all(map(sources.is_machine, ("dull", "dull/other", "init_1/similar")))
    assert not sources.is_machine("random_caption")
    assert len({sources.key(name) for name in ("dull", "dull/other", "dull/similar")}) == 3
    built = sources.training_set("dull/other")
    assert set(built.sources) == {"human", "dull of another image"}


def test_features_from_few_references_differ(experiment: Experiment) -> None:
    whole, _ = experiment.source_rows("dull", LITTLE)
    alone, _ = experiment.source_rows("dull", replace(LITTLE, most_references=1))
    assert (alone < whole).any()
    assert (experiment.source_rows("dull", LITTLE)[0] == whole).all()


def test_strength_makes_captions_less_wrong(experiment: Experiment) -> None:
    mild, is_human = experiment.source_rows("random_word@30", LITTLE)
    wild, _ = experiment.source_rows("random_word", LITTLE)
    assert mild[~is_human].mean() > wild[~is_human].mean()


@pytest.mark.parametrize(
    "name",
    [
        "nobody",
        "flickr30k:dull",
        "random_word@x",
        "mars:random_word",
        "dull/own",
        "dull@30",
        "x/other",
    ],
)
def test_unknown_source_is_an_error(experiment: Experiment, name: str) -> None:
    with pytest.raises(InputError, match="no captions named"):
        experiment.source_rows(name, LITTLE)


def test_features_are_extracted_once_and_column_by_column(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def spy(wanted: FeatureSet, *texts: Any) -> Any:
        asked.append(wanted.columns)
        return extract_features(wanted, *texts)

    monkeypatch.setattr(experiment_module, "extract_features", spy)
    first = experiment.features(LITTLE, "composite", "lceval")
    wider = FeatureSet.of(["rouge_l", "bleu_2", "bleu_1"], "wider")
    again = Experiment(experiment.data, store=Store(experiment.store.folder))
    both = again.features(wider, "composite", "lceval")
    assert asked == [("bleu_1", "rouge_l"), ("bleu_2",)]
    assert (both[:, [2, 0]] == first).all()


@pytest.mark.slow
def test_a_network_is_trained_once(experiment: Experiment) -> None:
    pytest.importorskip("torch")
    recipe = Recipe((3,), learning_rate=0.01, batch=16, epochs=6)
    said: list[str] = []
    first = Experiment(experiment.data, store=experiment.store, progress=said.append)
    one = first.train_network(LITTLE, recipe, {"dull": 1.0})
    assert any("training" in line for line in said)
    said.clear()
    again = Experiment(experiment.data, store=Store(experiment.store.folder), progress=said.append)
    other = again.train_network(LITTLE, recipe, {"dull": 1.0})
    assert not said
    assert other.model.network.fingerprint == one.model.network.fingerprint
    assert other.tau == one.tau == one.curve[one.epoch - 1, 2]
    assert one.curve.shape == (6, 4)
    assert 0 <= one.held_out_accuracy == one.curve[one.epoch - 1, 3] <= 1
    one.weights.write_bytes(b"damaged")
    mended = Experiment(experiment.data, store=Store(experiment.store.folder)).train_network(
        LITTLE, recipe, {"dull": 1.0}
    )
    assert mended.model.network.fingerprint == one.model.network.fingerprint
