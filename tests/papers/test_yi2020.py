"""Combined references reproduced: states computed once, systems as wholes, the worked example."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from captious.errors import InputError
from captious.papers import yi2020
from captious.papers.declaration import (
    ComparedCell,
    EncoderMetric,
    EncoderStates,
    Grid,
    MeasuredCell,
    Task,
)
from captious.papers.measurements import scoring
from captious.papers.measurements.exhibits import measure_exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import CachingEncoder, DeclarationScorer
from captious.papers.measurements.store import Store
from captious.papers.procedures.examples import EXAMPLE_REFERENCES, combine_example_references
from captious.papers.procedures.system_means import measure_system_means
from captious.papers.result import Measurement
from captious.papers.rows import published_name
from captious.papers.verdicts import Verdict
from captious.papers.yi2020 import metrics as yi2020_metrics
from captious.text.encoder.encoder import load_encoder
from tests.made_up import experiment_data
from tests.made_up.toy_encoder import ToyEncoder


class CountingEncoder(ToyEncoder):
    """A toy that counts how often it is run."""

    runs = 0

    def _states(self, pieces: np.ndarray, layers: Sequence[int]) -> list[np.ndarray]:
        self.runs += 1
        return [
            states * (1 + layer)
            for layer, states in zip(layers, super()._states(pieces, layers), strict=True)
        ]


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    data = experiment_data.written(tmp_path)
    ids = json.dumps(list(range(10)))
    (data / "coco" / "karpathy_test_ids.json").write_text(ids, encoding="utf-8")
    return Experiment(data, quick=True, store=Store(tmp_path / "store"))


def test_published_numbers_are_compared_with_the_same_encoder_if_available(
    experiment: Experiment,
) -> None:
    names = {published_name(row) for row in yi2020_metrics.MINILM_METRICS.values()}
    assert names == {""}  # what ships is MiniLM, of which the paper reports nothing
    for folder, _, _ in yi2020_metrics.ENCODERS.values():
        (experiment.data / folder).mkdir(parents=True)
    rows = yi2020_metrics.encoder_rows(experiment)
    published_names = {
        label: published_name(row) for label, row in rows.items() if not isinstance(row, Mapping)
    }
    assert published_names == {
        "BS (mpnet, layer 8)": "",
        "Ours (mpnet, layer 8)": "",
        "BS (BERT-base, layer 8)": "bertscore_bert",
        "Ours (BERT-base, layer 8)": "bertscore_multiref",
        "BS (RoBERTa-large, layer 17)": "bertscore_roberta",
        "Ours (RoBERTa-large, layer 17)": "bertscore_multiref_roberta",
    }
    labels = list(yi2020_metrics.published_rows("Yi et al. 2020, table 1"))
    assert labels[:2] == ["BS (BERT-base), as published", "Ours (BERT-base), as published"]


def test_concatenated_references_are_measured_and_compared(experiment: Experiment) -> None:
    exhibits = {exhibit.place.label: exhibit for exhibit in yi2020.EXHIBITS}
    (teams,) = exhibits["table 2"].contents
    assert isinstance(teams, Grid)
    rows = {row[0]: row[1:] for row in teams.rows}
    for label in ("BLEU-1", "ROUGE-L", "METEOR"):
        for cell, joined in zip(rows[f"{label} (cat)"], rows[label], strict=True):
            assert isinstance(cell, ComparedCell) and isinstance(cell.ours, MeasuredCell)
            assert isinstance(joined, ComparedCell) and isinstance(joined.ours, MeasuredCell)
            task = joined.ours.task
            assert isinstance(task, Task) and cell.ours.task == replace(task, joined=True)
    # The teams' captions are not there: published numbers stand alone.
    impossible = measure_exhibit(exhibits["table 2"], experiment)
    assert impossible.verdict == Verdict.IMPOSSIBLE
    assert [impossible.tables[0].value("BLEU-1 (cat)", measure) for measure in ("M1", "M2")] == [
        0.351,
        0.175,
    ]


def test_captions_are_encoded_once_for_all_layers() -> None:
    inner = CountingEncoder()
    encoder = CachingEncoder(inner, [2, 5])
    captions = ["dog cat", "red"]
    plain = CountingEncoder()
    for layer in (2, 5, 2):
        states = encoder.token_states(captions, layer)
        assert states.states.tolist() == plain.token_states(captions, layer).states.tolist()
        states.states[:] = 0  # what others do with them is theirs
    assert inner.runs == 2  # a batch for each length
    assert encoder.token_states(captions, 3).states.max() == 16  # not kept, and right
    assert inner.runs == 4


def test_encoder_cache_drops_oldest_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "MAX_CACHE_BYTES", 3 * 6 * 4)
    inner = CountingEncoder()
    encoder = CachingEncoder(inner, [0])
    for caption, runs in (("dog", 1), ("dog", 1), ("cat", 2), ("cat", 2), ("dog", 3)):
        encoder.token_states([caption], 0)
        assert inner.runs == runs


def test_metric_on_cached_states_gives_equal_scores(experiment: Experiment) -> None:
    pytest.importorskip("onnxruntime")
    scoring = DeclarationScorer(experiment)
    shipped = EncoderStates((3, 6))
    metric, column = scoring.build_metric(EncoderMetric("bertscore_multiref", shipped))
    usual, _ = scoring.build_metric("bertscore_multiref")
    assert column == "bertscore_multiref" and metric.signature() == usual.signature()
    other, _ = scoring.build_metric(EncoderMetric("bertscore_recall", shipped, (("layer", 3),)))
    assert getattr(other, "model") is getattr(metric, "model")  # noqa: B009
    assert getattr(other, "model") is not load_encoder()  # noqa: B009


def test_systems_are_compared_by_corpus_scores(experiment: Experiment) -> None:
    metrics = {"ROUGE-L": "rouge_l", "words": "unigram_multiref"}
    measured = measure_system_means(experiment, metrics, beside="ROUGE-L")
    (table,) = measured.tables
    assert [row[0] for row in table.rows] == ["dull", "shetty2017", "rank correlation with ROUGE-L"]
    assert table.rows[-1][1] == pytest.approx(1.0)
    cell = table.rows[0][2]
    assert isinstance(cell, Measurement) and cell.low is not None and cell.low <= cell.value
    assert measured.settings == (
        "10 images of Karpathy's test split, all their captions as references",
    )
    again = measure_system_means(experiment, metrics, beside="ROUGE-L")
    assert again.tables[0].rows == table.rows


def test_image_ids_that_are_not_a_list_are_an_error(experiment: Experiment) -> None:
    path = experiment.data / "coco" / "karpathy_test_ids.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"karpathy_test_ids\.json: not a list of image ids"):
        measure_system_means(experiment, {"words": "unigram_multiref"}, beside="words")


@pytest.mark.slow
def test_the_example_shows_what_each_reference_adds(experiment: Experiment) -> None:
    pytest.importorskip("onnxruntime")
    (table,) = combine_example_references(experiment).tables
    first = [row[0] for row in table.rows if row[1] == "reference 1"]
    assert first == EXAMPLE_REFERENCES[0].split()
    added = [row[0] for row in table.rows if row[1] == "reference 2"]
    assert "brown" in added and "a" not in added


def test_missing_encoder_has_a_row_with_its_folder(experiment: Experiment) -> None:
    rows = yi2020_metrics.encoder_rows(experiment)
    assert len(rows) == len(yi2020_metrics.ENCODERS) and not any(rows.values())
    (experiment.data / "encoders" / "all-mpnet-base-v2").mkdir(parents=True)
    measured = [
        label for label, compared in yi2020_metrics.encoder_rows(experiment).items() if compared
    ]
    assert measured == ["BS (mpnet, layer 8)", "Ours (mpnet, layer 8)"]
