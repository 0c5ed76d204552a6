"""The workbench: training rows from mixtures, everything computed once, networks kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.metrics.learned.features import FeatureSet, extract
from captious.papers.measurements import bench as bench_module
from captious.papers.measurements.bench import Workbench
from captious.papers.measurements.store import Store, key_of
from captious.training.learned_metrics.recipe import Recipe
from tests.made_up.experiment_data import written

LITTLE = FeatureSet.of(["bleu_1", "rouge_l"], "little")


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    data = tmp_path / "data"
    data.mkdir()
    return Workbench(written(data), store=Store(tmp_path / "kept"))


def test_what_is_kept_comes_back_and_grows(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add("a", {"x": np.arange(3)})
    store.add("a", {"y": np.ones(2)})
    again = Store(tmp_path).get("a")
    assert again["x"].tolist() == [0, 1, 2]
    assert set(again) == {"x", "y"}


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"PK no")
    assert Store(tmp_path).get("a") == {}


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match=r"cannot be made .*CAPTIOUS_CACHE"):
        Store(tmp_path / "file" / "folder").get("a")


def test_keys_depend_on_every_part() -> None:
    assert key_of("a", 1) == key_of("a", 1) != key_of("a", 2)


def test_every_source_is_balanced(bench: Workbench) -> None:
    sources = ("dull", "dull/other", "dull/similar", "init_1", "init_2/other", "random_caption")
    for source in (*sources, "flickr30k:word_permutation"):
        rows, is_human = bench.block(source, LITTLE)
        assert len(rows) == len(is_human) == 2 * is_human.sum() > 0
        assert is_human[::2].all() and not is_human[1::2].any()


def test_weaker_runs_are_of_their_own_images_and_no_person_is_among_them(bench: Workbench) -> None:
    assert list(bench.sources.weaker) == ["init_1", "init_2"]
    rows, _ = bench.block("init_1", LITTLE)
    assert len(rows) == 2 * 20


def test_a_mixture_has_the_shares_asked_for(bench: Workbench) -> None:
    rows, is_human = bench.training_rows(LITTLE, {"dull": 1, "random_caption": 3})
    # 40 images each, of which 36 are learned from: all of the one with three shares, a third as
    # many of the other.
    assert len(rows) == 2 * (36 + 12)
    assert is_human.sum() == len(rows) / 2


def test_images_held_out_are_not_learned_from(bench: Workbench) -> None:
    mixture = {"dull/other": 1, "random_word": 1}
    learnt, held_out = (
        bench.training_rows(LITTLE, mixture, held_out=part) for part in (False, True)
    )
    blocks = [bench.block(source, LITTLE)[0] for source in mixture]
    assert held_out.features.tolist() == [row for block in blocks for row in block[72:].tolist()]
    assert len(held_out.features) == 2 * (4 + 4) == 2 * held_out.is_human.sum()
    assert len(learnt.features) == 2 * (36 + 36)


def test_a_systems_captions_of_other_images_are_its_own(bench: Workbench) -> None:
    sources = bench.sources
    assert all(map(sources.is_machine, ("dull", "dull/other", "init_1/similar")))
    assert not sources.is_machine("random_caption")
    assert len({sources.key(name) for name in ("dull", "dull/other", "dull/similar")}) == 3
    built = sources.training_set("dull/other")
    assert set(built.sources) == {"human", "dull of another image"}


def test_features_read_a_few_references_at_a_time_are_others(bench: Workbench) -> None:
    whole, _ = bench.block("dull", LITTLE)
    alone, _ = bench.block("dull", replace(LITTLE, most_references=1))
    assert (alone < whole).any()
    assert (bench.block("dull", LITTLE)[0] == whole).all()


def test_strength_makes_captions_less_wrong(bench: Workbench) -> None:
    mild, is_human = bench.block("random_word@30", LITTLE)
    wild, _ = bench.block("random_word", LITTLE)
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
def test_unknown_sources_are_said(bench: Workbench, name: str) -> None:
    with pytest.raises(InputError, match="no captions named"):
        bench.block(name, LITTLE)


def test_features_are_extracted_once_and_column_by_column(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def spy(wanted: FeatureSet, *texts: Any) -> Any:
        asked.append(wanted.columns)
        return extract(wanted, *texts)

    monkeypatch.setattr(bench_module, "extract", spy)
    first = bench.features(LITTLE, "composite", "lceval")
    wider = FeatureSet.of(["rouge_l", "bleu_2", "bleu_1"], "wider")
    again = Workbench(bench.data, store=Store(bench.store.folder))
    both = again.features(wider, "composite", "lceval")
    assert asked == [("bleu_1", "rouge_l"), ("bleu_2",)]
    assert (both[:, [2, 0]] == first).all()


@pytest.mark.slow
def test_a_network_is_trained_once(bench: Workbench) -> None:
    pytest.importorskip("torch")
    recipe = Recipe((3,), learning_rate=0.01, batch=16, epochs=6)
    said: list[str] = []
    first = Workbench(bench.data, store=bench.store, tell=said.append)
    one = first.trained(LITTLE, recipe, {"dull": 1.0})
    assert any("training" in line for line in said)
    said.clear()
    again = Workbench(bench.data, store=Store(bench.store.folder), tell=said.append)
    other = again.trained(LITTLE, recipe, {"dull": 1.0})
    assert not said
    assert other.model.network.fingerprint == one.model.network.fingerprint
    assert other.tau == one.tau == one.curve[one.epoch - 1, 2]
    assert one.curve.shape == (6, 4)
    assert 0 <= one.held_out_accuracy == one.curve[one.epoch - 1, 3] <= 1
    one.weights.write_bytes(b"damaged")
    mended = Workbench(bench.data, store=Store(bench.store.folder)).trained(
        LITTLE, recipe, {"dull": 1.0}
    )
    assert mended.model.network.fingerprint == one.model.network.fingerprint
