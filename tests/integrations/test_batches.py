"""BatchScorer on plain batches, with the real `datasets`, and with the real Ray."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.integrations import BatchScorer
from tests.integrations.captions import CANDIDATES, REFERENCES

METRICS = ["rouge_l", "cider_d", "captious"]
WHOLE = captious.score(CANDIDATES, REFERENCES, METRICS, df="coco-val2014").samples


def scorer(**options: Any) -> BatchScorer:
    return BatchScorer(METRICS, df="coco-val2014", **options)


def test_lists_and_arrays_whatever_the_batch() -> None:
    arrays = np.empty(5, object)
    arrays[:] = [np.array(each, object) for each in REFERENCES[:5]]
    for candidates, references in [
        (CANDIDATES[:5], REFERENCES[:5]),
        (np.array(CANDIDATES[:5], object), arrays),
        (tuple(CANDIDATES[:5]), tuple(map(tuple, REFERENCES[:5]))),
    ]:
        batch = {"candidate": candidates, "references": references, "other": range(5)}
        scored = pickle.loads(pickle.dumps(scorer()))(batch)
        assert list(batch) == ["candidate", "references", "other"]
        assert list(scored) == [*batch, *METRICS]
        for name in METRICS:
            assert (scored[name] == WHOLE[name][:5]).all()


def test_columns_by_name_one_reference_and_a_prefix() -> None:
    batch = {"caption": ["a dog runs"], "truth": ["the dog runs"]}
    named = BatchScorer("rouge_l", candidate="caption", references="truth", prefix="score/")
    expected = captious.score(["a dog runs"], [["the dog runs"]], "rouge_l").corpus["rouge_l"]
    assert named(batch)["score/rouge_l"] == [expected]


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"candidate": CANDIDATES[:5], "references": REFERENCES[:5]})
    scored = scorer()(frame)
    assert list(frame) == ["candidate", "references"]
    assert (scored["rouge_l"].to_numpy() == WHOLE["rouge_l"][:5]).all()


def test_no_rows_give_no_scores() -> None:
    assert scorer()({"candidate": [], "references": []})["captious"].shape == (0,)


@pytest.mark.parametrize("name", ["cider_d", "cider", "spider", "bertscore_multiref", "coco"])
def test_scores_that_would_depend_on_the_batch_are_refused(name: str) -> None:
    pytest.importorskip("onnxruntime")
    with pytest.raises(InputError, match="df='coco-val2014'"):
        BatchScorer(name)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ({"candidate": ["a"]}, "no column 'references'"),
        ({"candidate": ["a", None], "references": [["b"], ["b"]]}, "column 'candidate', row 1"),
        ({"candidate": ["a", "b"], "references": [["b"], []]}, "column 'references', row 1"),
        ({"candidate": ["a", "b"], "references": [["b"]]}, "2 rows of 'candidate' but 1"),
        ({"candidate": ["a"], "references": [None]}, "a list of texts, not None"),
        (["a"], "no column 'candidate'"),
        (None, "no column 'candidate'"),
    ],
)
def test_bad_batches_are_named(batch: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        scorer()(batch)


@pytest.mark.slow
def test_images_by_name(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    pil = pytest.importorskip("PIL.Image")
    for name, colour in (("red.png", "red"), ("blue.png", "blue")):
        pil.new("RGB", (64, 64), colour).save(tmp_path / name)
    batch: dict[str, list[Any]] = {
        "candidate": ["a red square", "a blue square", "a dog"],
        "references": [["something red"], ["something blue"], ["red"]],
        "file": ["red.png", "blue.png", "red.png"],
    }
    with pytest.raises(InputError, match="sees images; name the column"):
        BatchScorer("captious_image", images=str(tmp_path))
    found = BatchScorer("captious_image", images=str(tmp_path), image="file")(batch)
    for row in range(3):
        name = batch["file"][row]
        expected = captious.score(
            {name: batch["candidate"][row]},
            {name: batch["references"][row]},
            "captious_image",
            images=str(tmp_path),
        ).corpus
        for column in expected:
            assert found[column][row] == expected[column]


def test_dependencies_are_loaded_on_construction() -> None:
    asked: list[str] = []

    def judge(candidate: str, references: Any) -> float:
        asked.append(candidate)
        return 1.0

    critic = BatchScorer(judge)
    assert asked  # before any batch has come
    assert critic({"candidate": ["a"], "references": ["b"]})["judge"] == [1.0]


@pytest.mark.filterwarnings("ignore")
def test_the_real_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    numbers = range(len(CANDIDATES))
    # What no column needs is not decoded: these bytes are no image.
    pictures = [{"bytes": b"no image", "path": None} for _ in numbers]
    columns = {"candidate": CANDIDATES, "references": REFERENCES, "number": numbers}
    dataset = datasets.Dataset.from_dict({**columns, "picture": pictures})
    dataset = dataset.cast_column("picture", datasets.Image())
    scored = dataset.map(
        scorer(), batched=True, batch_size=7, cache_file_name=str(tmp_path / "scored.arrow")
    )
    assert scored.column_names == [*columns, "picture", *METRICS]
    assert list(scored["number"]) == list(range(len(CANDIDATES)))
    for name in METRICS:
        assert list(scored[name]) == WHOLE[name].tolist()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_real_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    # A cluster of its own, also where another test's cluster runs on this machine.
    ray.init(
        "local", num_cpus=2, include_dashboard=False, configure_logging=False, log_to_driver=False
    )
    try:
        rows = [
            {"candidate": candidate, "references": references, "number": number}
            for number, (candidate, references) in enumerate(
                zip(CANDIDATES, REFERENCES, strict=True)
            )
        ]
        scored = ray.data.from_items(rows).map_batches(
            BatchScorer,
            fn_constructor_kwargs={"metrics": METRICS, "df": "coco-val2014"},
            batch_size=16,
            concurrency=1,
        )
        found = sorted(scored.take_all(), key=lambda row: row["number"])
    finally:
        ray.shutdown()
    for name in METRICS:
        assert [row[name] for row in found] == WHOLE[name].tolist()
