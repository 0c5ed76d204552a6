"""LEIC's experiments: critics trained once, machines' captions, and the tables and curves."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.metrics.function import FunctionMetric
from captious.metrics.leic.recipe import CONTEXTS, FUSIONS, CriticRecipe
from captious.papers.declaration import COCO, CROP, FLICKR8K, WHOLE, ImageMetric, run_procedure
from captious.papers.leic import DRAWINGS, agreement, critics
from captious.papers.measurements import critics as critics_module
from captious.papers.measurements import scoring
from captious.papers.measurements.caption_datasets import (
    DEV,
    TEST,
    TRAIN,
    Coco,
    Flickr8k,
    system_captions,
)
from captious.papers.measurements.critics import CriticTrainer, critic_recipe
from captious.papers.measurements.exhibits import measure_exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import Store
from captious.papers.procedures.critics import (
    OTHER,
    PEOPLE,
    CaptionsByGroup,
    performance,
)
from captious.papers.procedures.word_frequencies import curve, distance
from captious.papers.result import Table
from captious.papers.verdicts import Verdict
from captious.training.loop import Progress
from tests.made_up.animals import vectors_of
from tests.made_up.flickr8k import SPLITS, captions_of, written

pytestmark = pytest.mark.slow

RECIPE = critic_recipe("both", "mlp", "everything")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("critics") / "data")


@pytest.fixture(scope="module")
def captioners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small captioners, one in each of the places where they are looked for."""
    pytest.importorskip("torch")
    from captious.captioners.examples import Examples
    from captious.captioners.recipe import CaptionerRecipe
    from captious.training.captioners.training import train

    vectors = ImageVectors.of([f"{row}.jpg" for row in range(42)], vectors_of(42))
    training, validation = (
        Examples.of({f"{row}.jpg": captions_of(row) for row in SPLITS[split]}, vectors)
        for split in ("train", "dev")
    )
    recipe = CaptionerRecipe(size=12, learning_rate=0.02, batch=16, epochs=6, least_count=1)
    folder = tmp_path_factory.mktemp("captioners")
    (folder / "pre_0").mkdir()
    for path, architecture in (("init.npz", "init"), ("pre_0/captioner.npz", "pre")):
        trained = train(training, validation, replace(recipe, architecture=architecture))
        trained.model.save(folder / path)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return Store(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def experiment(data: Path, captioners: Path, store: Any) -> Experiment:
    return Experiment(data, quick=True, store=store, captioners=captioners)


def column(table: Table, name: str) -> list[Any]:
    return [row[table.header.index(name)] for row in table.rows]


def test_missing_captioners_error_says_how_to_get_them(experiment: Experiment) -> None:
    unavailable = replace(experiment, captioners=None)
    with pytest.raises(InputError, match="captioner train`, and name their folder with --capt"):
        Flickr8k(unavailable).machine_captions(DEV, "machine")
    for exhibit in (critics.WORD_FREQUENCIES, critics.CAPABILITY):
        both, one = (measure_exhibit(exhibit, each) for each in (experiment, unavailable))
        assert len(both.tables) == 2 and one.tables == both.tables[:1]  # COCO's part
        assert not any("--captioners DIR" in note for note in both.notes)
        assert "Flickr8k is left out" in one.notes[-1]


def test_distance_of_word_frequencies() -> None:
    one = Counter({"a": 2, "dog": 2})
    assert distance(one, Counter({"a": 5, "dog": 5})) == 0
    assert distance(one, Counter({"cat": 3})) == pytest.approx(1)
    assert distance(one, Counter({"a": 1})) == pytest.approx(0.5)


def test_a_curve_of_frequencies_goes_from_the_commonest_word_to_the_rarest() -> None:
    points = curve(Counter({f"w{rank}": 1000 // rank for rank in range(1, 501)}))
    total = sum(1000 // rank for rank in range(1, 501))
    assert points[0] == pytest.approx((0, np.log10(1000 / total)))
    assert points[-1] == pytest.approx((np.log10(500), np.log10(2 / total)))
    assert all(left[1] >= right[1] for left, right in pairwise(points))


def test_performance_is_the_mean_probability_of_the_true_class() -> None:
    assert performance({"people": 0.9, "machine": 0.3}) == pytest.approx(0.8)
    assert performance({"people": 1.0, "machine": 0.0}) == 1


def test_machine_captions_are_generated_once(experiment: Experiment) -> None:
    first = Flickr8k(experiment).machine_captions(DEV, "sampled")
    assert list(first) == ["init", "pre_0"]
    assert all(len(own) == len(SPLITS["dev"]) for own in first.values())
    heard: list[str] = []
    again = Flickr8k(replace(experiment, progress=heard.append))
    assert again.machine_captions(DEV, "sampled") == first and not heard
    by_image = again.machines(DEV, "sampled")
    assert by_image["35.jpg"] == [own[5] for own in first.values()]


def test_a_critic_is_trained_once_for_all_experiments(experiment: Experiment) -> None:
    heard: list[str] = []
    told = replace(experiment, progress=heard.append)
    first = CriticTrainer(told).train(RECIPE)
    said = [line for line in heard if "training" in line]
    assert said == [
        "training a critic on Flickr8k: context both, fusion mlp, against machine, sampled, "
        "random_caption, word_permutation, random_word"
    ]
    heard.clear()
    second = CriticTrainer(told).train(RECIPE)
    assert not heard and second.weights == first.weights
    assert first.curve.shape == (1, 3) and first.epoch == 1
    other = CriticTrainer(told).train(critic_recipe("both", "linear", "machines"))
    assert other.weights != first.weights and len(heard) == 1
    sound = first.weights.read_bytes()
    first.weights.write_bytes(b"damaged")
    assert CriticTrainer(told).train(RECIPE).weights.read_bytes() == sound  # trained anew
    assert len(heard) == 2


def test_resumed_critic_training_gives_identical_weights(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quick(recipe: CriticRecipe) -> CriticRecipe:
        return replace(recipe, size=16, epochs=3)

    epochs: list[int] = []
    module: Any = critics_module
    real = module.train

    def stopped_in_the_second_epoch(at: Progress) -> None:
        epochs.append(at.epoch)
        if epochs == [1, 1, 1, 2]:
            raise KeyboardInterrupt

    def train(*arguments: Any, **options: Any) -> Any:
        return real(*arguments, **options, progress=stopped_in_the_second_epoch)

    recipe = critic_recipe("reference", "linear", "other images")
    monkeypatch.setattr(critics_module, "quick_recipe", quick)
    whole = CriticTrainer(replace(experiment, store=Store(tmp_path / "whole"))).train(recipe)
    monkeypatch.setattr(critics_module, "train", train)
    stopped = replace(experiment, store=Store(tmp_path / "stopped"))
    with pytest.raises(KeyboardInterrupt):
        CriticTrainer(stopped).train(recipe)
    assert len(list((tmp_path / "stopped").glob("*.checkpoint.npz"))) == 1
    epochs.clear()
    again = CriticTrainer(stopped).train(recipe)
    assert set(epochs) == {2, 3}
    assert again.weights.read_bytes() == whole.weights.read_bytes()
    assert (again.curve == whole.curve).all() and len(again.curve) == 3
    assert not list((tmp_path / "stopped").glob("*.checkpoint.npz"))


def test_recipe_gets_only_the_caption_kinds_it_uses(experiment: Experiment) -> None:
    critics = CriticTrainer(experiment)
    some = critics.training_captions(TRAIN, critic_recipe("reference", "mlp", "other images"))
    assert not some.machines and some.images is None
    more = critics.training_captions(TRAIN, RECIPE)
    assert set(more.machines) == {"machine", "sampled"} and more.images is not None


def test_word_frequencies(experiment: Experiment) -> None:
    finding = measure_exhibit(critics.WORD_FREQUENCIES, experiment)
    coco, table = finding.tables
    assert column(coco, "source") == ["people", "people, another caption", "brief", "dull"]
    names = ["people", "people, another caption", "init", "pre_0", "init", "pre_0"]
    assert column(table, "source") == names
    assert column(table, "distance from human captions")[0] == 0
    assert min(column(table, "distance from human captions")[1:]) > 0
    assert [list(panel.curves) for panel in finding.panels] == [
        ["people", "brief", "dull"],
        *[["people", "init", "pre_0"]] * 2,
    ]


def test_capability(experiment: Experiment) -> None:
    finding = measure_exhibit(critics.CAPABILITY, experiment)
    coco, flickr8k = finding.tables
    assert {row[0] for row in coco.rows} == {"reference"} and "sampled" not in coco.header
    assert Counter(row[2] for row in coco.rows) == {"with augmentation": 3, "without": 2}
    with_augmentation = [tuple(row[:2]) for row in flickr8k.rows if row[2] == "with augmentation"]
    assert with_augmentation == list(product(CONTEXTS, FUSIONS))
    assert [row[:3] for row in flickr8k.rows[9:]] == [["both", "mlp", "without"]]
    for table in finding.tables:
        for row in table.rows:
            means: dict[str, Any] = dict(zip(table.header[3:-1], row[3:-1], strict=True))
            assert all(0 < mean < 1 for mean in means.values())
            assert row[-1] == performance(means)
    assert [len(panel.curves) for panel in finding.panels] == [5, 5, 10, 10]
    assert len(finding.assessment.claims) == 5
    assert "systems, Flickr8k: init, pre_0" in finding.settings
    # A quick run has one epoch, which is not the last allowed.
    assert any(line.startswith("0 of 10 critics on Flickr8k") for line in finding.settings)
    (gains,) = (note for note in finding.notes if note.startswith("On Flickr8k the image"))
    linear = [
        flickr8k.value(f"{context}, linear, with augmentation", "performance")
        for context in ("both", "reference")
    ]
    assert f"reference by {linear[0] - linear[1]:+.3f} (linear)" in gains
    assert "whole images" not in gains  # the data have no vectors of them


def test_critics_of_whole_images_see_other_vectors(experiment: Experiment, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(experiment.data, data)
    crop, whole = (data / "flickr8k" / Flickr8k.views[view] for view in (CROP, WHOLE))
    vectors = ImageVectors.load(crop)
    ImageVectors.of(vectors.names, vectors.vectors[:, ::-1]).write(whole)
    both_views = replace(experiment, data=data)
    finding = measure_exhibit(critics.CAPABILITY, both_views)
    table = finding.tables[1]
    for view, context in ((CROP, "both"), (WHOLE, critics.BOTH_WHOLE)):
        trainer = CriticTrainer(both_views, FLICKR8K, view)
        trained = trainer.train(critic_recipe("both", "mlp", critics.AUGMENTATION[critics.WITH]))
        means = CaptionsByGroup(trainer.dataset).means(trained, view)
        row = f"{context}, mlp, {critics.WITH}"
        assert [table.value(row, group) for group in means] == list(means.values())
    usual, seen = (
        table.value(f"{context}, mlp, {critics.WITH}", "performance")
        for context in ("both", critics.BOTH_WHOLE)
    )
    assert usual != seen
    assert any("vectors of whole images" in note for note in finding.notes)


def test_the_image_helps_only_if_it_does_so_with_every_fusion() -> None:
    def tables(both: float, image: float) -> list[Table]:
        performances = {"reference": 0.8, "both": 0.82, "image": image}
        rows: list[Sequence[Any]] = [
            [context, fusion, critics.WITH, both if (context, fusion) == ("both", "mlp") else value]
            for context, value in performances.items()
            for fusion in FUSIONS
        ]
        table = Table("t", ["context", "fusion", "augmentation", "performance"], rows, texts=3)
        return [table, table]

    *_, helps, suffices = (claim.holds for claim in critics.CAPABILITY.claims)
    assert helps(tables(0.82, 0.81)) and not helps(tables(0.79, 0.81))
    assert suffices(tables(0.82, 0.81)) and not suffices(tables(0.82, 0.7))
    assert helps(tables(0.82, 0.81)[:1]) is None  # without captioners


def test_group_means_equal_the_metrics_scores(experiment: Experiment) -> None:
    critics = CriticTrainer(experiment)
    trained = critics.train(RECIPE)
    means = CaptionsByGroup(critics.dataset).means(trained)
    people = critics.dataset.people(DEV)
    metric = trained.metric(critics.vectors)
    said = critics.dataset.machine_captions(DEV, "machine")
    found = [
        captious.score(dict(zip(people, captions, strict=True)), people, [metric]).corpus["leic"]
        for captions in said.values()
    ]
    assert means["machine"] == pytest.approx(np.mean(found))
    places = range(4)
    own = [
        captious.score(
            {name: texts[place] for name, texts in people.items()},
            {name: [*texts[:place], *texts[place + 1 :]] for name, texts in people.items()},
            [metric],
        ).corpus["leic"]
        for place in places
    ]
    assert means[PEOPLE] == pytest.approx(np.mean(own))
    names = list(people)
    far = {name: people[names[(row + 6) % 12]] for row, name in enumerate(names)}
    others = [
        captious.score({name: far[name][place] for name in names}, people, [metric]).corpus["leic"]
        for place in places
    ]
    assert means[OTHER] == pytest.approx(np.mean(others))


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_critic_robustness(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped: dict[Any, Any] = {
        "bleu_4": "bleu_4",
        "rouge_l": "rouge_l",
        "seeing": ImageMetric("rouge_l"),
    }
    monkeypatch.setattr(scoring, "metric_with_images", sightless)
    beside: dict[Any, Any] = {
        name: critics.CRITIC_AND_CLASSICAL[name]
        for name in (critics.USUAL_CRITIC, "bleu_4", "rouge_l")
    }
    contents = (
        *critics.robustness_contents(COCO, critics=critics.CRITICS, metrics=beside),
        *critics.robustness_contents(FLICKR8K, shipped=shipped),
    )
    claims = critics.CRITIC_ROBUSTNESS.claims[:2]
    exhibit = replace(critics.CRITIC_ROBUSTNESS, contents=contents, claims=claims)
    finding = measure_exhibit(exhibit, experiment)
    ours, theirs, seen = finding.tables
    assert len(ours.rows) == 5 and len(seen.rows) == 3
    assert [row for row in ours.rows if row[0] == critics.USUAL_CRITIC] == list(theirs.rows[:1])
    assert column(theirs, "metric")[1:3] == ["bleu_4", "rouge_l"]
    assert theirs.value("bleu_4", "words permuted") != seen.value("bleu_4", "words permuted")
    assert len(finding.panels) == 9 and len(finding.assessment.claims) == 2
    for panel in finding.panels:
        for name, points in panel.curves.items():
            assert points[0] == pytest.approx((0.0, 1.0)) and points[-1][0] == 100.0, name
    area = theirs.value("bleu_4", "words permuted")
    assert f"bleu_4  {area:.3f}" in finding.panels[4].curves


def sightless(column: str, folder: Path, **options: str) -> FunctionMetric:
    """In place of a metric whose weights want other image vectors than made-up ones."""

    def length(candidate: str, references: Sequence[str]) -> float:
        return float(len(candidate))

    return FunctionMetric(length, column)


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_correlation_of_critics(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "metric_with_images", sightless)
    finding = measure_exhibit(agreement.CORRELATION, experiment)
    one, all_five = finding.tables
    by_name = {row["metric"]: row for row in one.to_dict()["rows"]}
    assert len(by_name) == 18 and len(finding.assessment.claims) == 2
    assert by_name["bleu_1"]["Expert: tau_b"]["published"] == 0.191
    assert by_name["cider_d"]["Crowd Flower: tau_b"]["published"] == 0.264
    papers = by_name["critic, both, against other images"]
    assert papers["Expert: tau_b"]["published"] == 0.466
    assert papers["Crowd Flower: tau_b"]["published"] == 0.295
    assert "published" not in by_name["critic, image, against other images"]["Expert: tau_b"]
    # What reads references has one of them in the first table, all in the second.
    names = column(one, "metric")
    assert column(all_five, "metric") == names and not all_five.compared_numbers
    changed = {
        name: one.value(name, "Expert: tau_b") != all_five.value(name, "Expert: tau_b")
        for name in names
    }
    assert changed["bleu_1"] and changed["rouge_l"]
    assert not changed["critic, image, against other images"]
    comparison = next(
        note(finding.tables) for note in agreement.CORRELATION.notes if callable(note)
    )
    assert f"{one.value('captious', 'Expert: tau_b'):.3f}" in comparison


def test_two_folds(experiment: Experiment) -> None:
    measured = run_procedure(
        "two_folds.score_systems",
        dataset_name=FLICKR8K,
        metrics=("rouge_l", "meteor"),
        seeds=(0, 1),
    )
    exhibit = replace(agreement.TWO_FOLDS, contents=(measured,))
    finding = measure_exhibit(exhibit, experiment)
    scores, correlations = finding.tables
    assert column(scores, "system") == ["dull_1", "fair_1"]
    for cell in column(scores, "two folds"):
        assert 0 < cell.low <= cell.value <= cell.high < 1
    assert column(scores, "rouge_l")[0] < column(scores, "rouge_l")[1]
    assert abs(correlations.value("Pearson's r", "rouge_l")) == pytest.approx(1)  # of two systems
    heard: list[str] = []
    assert measure_exhibit(exhibit, replace(experiment, progress=heard.append)) == finding
    assert not heard


def test_systems_of_coco_are_judged_by_references(experiment: Experiment) -> None:
    measured = run_procedure("two_folds.score_systems", dataset_name=COCO, metrics=("rouge_l",))
    finding = measure_exhibit(replace(agreement.TWO_FOLDS, contents=(measured,)), experiment)
    assert column(finding.tables[0], "system") == ["brief", "dull"]
    assert "context reference" in finding.settings[0]
    assert "50% of what they tell" in finding.settings[0]


def test_teams_are_judged_where_their_captions_are(experiment: Experiment, tmp_path: Path) -> None:
    unavailable = measure_exhibit(agreement.SYSTEMS, experiment)
    assert unavailable.assessment.verdict == Verdict.IMPOSSIBLE
    assert column(unavailable.tables[0], "M1")[-1] == 0.939
    data = tmp_path / "data"
    shutil.copytree(experiment.data / "coco", data / "coco")
    said = {"A": "a dog", "B": "a dog on the grass", "C": "the animal by the water"}
    folder = data / "coco" / "systems_2015"
    folder.mkdir()
    entries = []
    for place, (team, caption) in enumerate(said.items()):
        rows = [{"image_id": image, "caption": caption} for image in range(60)]
        (folder / f"{team}.json").write_text(json.dumps(rows))
        marks = {f"q{number}": 0.1 * (place + number) for number in range(1, 6)}
        entries.append({"team": {"name": team}, "results": json.dumps(marks)})
    (data / "coco" / "cap_challenge2015.json").write_text(json.dumps(entries))
    finding = measure_exhibit(agreement.AGAINST_PEOPLE, replace(experiment, data=data))
    teams, correlations = finding.tables
    assert column(teams, "team") == list(said)
    assert column(teams, "M1") == pytest.approx([0.1, 0.2, 0.3])
    assert column(correlations, "M1")[0].published == 0.939


def test_examples_of_transformations(experiment: Experiment) -> None:
    finding = measure_exhibit(DRAWINGS[2], experiment)
    assert finding.assessment.verdict == Verdict.DRAWING
    rows = [list(map(str, row)) for row in finding.tables[0].rows]
    for image in {row[0] for row in rows}:
        captions = {row[1]: row[2] for row in rows if row[0] == image}
        first, other, *changed = captions.values()
        assert other in [row[2] for row in rows if row[0] != image and row[1] == "as it was"]
        for kind, text in captions.items():
            if "permuted" in kind:
                assert text != first and sorted(text.split()) == sorted(first.split())
        assert len({first, other, *changed}) == 2 + len(changed)


def test_missing_coco_data_are_an_error(experiment: Experiment, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(experiment.data / "coco", data / "coco")
    (data / "coco" / "karpathy_test_ids.json").write_text("{}")
    with pytest.raises(InputError, match="a list of images' numbers is needed"):
        Coco(replace(experiment, data=data)).people(TRAIN)
    with pytest.raises(InputError, match="dull: no caption of image '2'"):
        system_captions("dull", {"1": "a dog"}, ["1", "2"])


def test_critics_are_not_trained_on_test_images(experiment: Experiment) -> None:
    dataset = Coco(experiment)
    tested = set(dataset.people(TEST))
    assert len(tested) == 40
    for names in (dataset.people(TRAIN), dataset.people(DEV), dataset.judged_systems().people):
        assert names and not tested & set(names)
    assert not set(dataset.people(TRAIN)) & set(dataset.people(DEV))
