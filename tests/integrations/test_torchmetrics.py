"""CaptionMetric with the real torchmetrics: batches and processes give what scoring all gives."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.errors import InputError
from tests.integrations.captions import CANDIDATES, REFERENCES
from tests.integrations.processes import in_two_processes

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

from captious.integrations.torchmetrics import CaptionMetric  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore::captious.CaptiousWarning"),
    # As Metric.forward does with what was computed before.
    pytest.mark.filterwarnings("ignore:The ``compute`` method of metric"),
]

METRICS = ["bleu", "rouge_l", "cider_d", "cider", "meteor", "captious"]
SUMMED = ["bleu", "rouge_l", "meteor", "captious", "cider_d(df=coco-val2014)"]


def batches(size: int) -> list[tuple[list[str], list[list[str]]]]:
    starts = range(0, len(CANDIDATES), size)
    return [(CANDIDATES[s : s + size], REFERENCES[s : s + size]) for s in starts]


def floats(scores: Any) -> dict[str, float]:
    return {name: score.item() for name, score in scores.items()}


def test_batches_give_what_all_captions_give_to_the_last_bit() -> None:
    metric = CaptionMetric(METRICS)
    for candidates, references in batches(7):
        metric.update(candidates, references)
    expected = captious.score(CANDIDATES, REFERENCES, METRICS).corpus
    assert floats(metric.compute()) == expected
    metric.reset()
    for candidates, references in reversed(batches(13)):
        metric.update(candidates, references)
    assert floats(metric.compute()) == expected


def test_captions_are_kept_only_where_documents_are_counted() -> None:
    metric = CaptionMetric(SUMMED)
    metric.update(CANDIDATES, REFERENCES)
    assert metric.captions == [] and not metric.gathered_metrics
    assert floats(metric.compute()) == captious.score(CANDIDATES, REFERENCES, SUMMED).corpus


def test_one_column_is_a_tensor_and_one_reference_may_be_text() -> None:
    metric = CaptionMetric("bleu_4")
    value = metric(["a dog runs on the beach"], ["a dog runs on the beach"])
    assert value.dtype == torch.float64 and value.shape == () and value.item() == pytest.approx(1)


def test_forward_gives_the_batch_and_keeps_the_sum() -> None:
    metric = CaptionMetric(["rouge_l", "cider_d"])
    for candidates, references in batches(20):
        found = metric(candidates, references)
        assert (
            floats(found) == captious.score(candidates, references, ["rouge_l", "cider_d"]).corpus
        )
    whole = captious.score(CANDIDATES, REFERENCES, ["rouge_l", "cider_d"]).corpus
    assert floats(metric.compute()) == whole


def test_collections_do_not_take_two_metrics_for_one() -> None:
    # After this batch all means are 1 and all sums alike; what comes next is not.
    equal = (["a dog runs on the beach"], [["a dog runs on the beach"]])
    options = {"df": "coco-val2014"}
    names = ["rouge_l", "ngram_precision_1", "unigram_recall", "bleu_1", "bleu_4", "cider_d"]
    collection = torchmetrics.MetricCollection(
        {
            name: CaptionMetric(name, options=options if name == "cider_d" else None)
            for name in names
        }
    )
    for candidates, references in [equal, *batches(30)]:
        collection.update(candidates, references)
    expected = captious.score(
        [*equal[0], *CANDIDATES], [*equal[1], *REFERENCES], names, df="coco-val2014"
    ).corpus
    assert floats(collection.compute()) == {name: expected[name] for name in names}


def test_collections_do_not_take_two_functions_for_one() -> None:
    collection = torchmetrics.MetricCollection(
        {
            "words": CaptionMetric(lambda candidate, references: len(candidate.split())),
            "letters": CaptionMetric(lambda candidate, references: candidate.count("a")),
        }
    )
    collection.update(["a"], ["b"])
    collection.update(["a man ran"], ["b"])
    assert floats(collection.compute()) == {"words": 2, "letters": 2}
    collection.update(["many"], ["b"])
    assert floats(collection.compute()) == {"words": 5 / 3, "letters": 5 / 3}
    collection.update(["no"], ["b"])
    assert floats(collection.compute()) == {"words": 1.5, "letters": 1.25}


def test_pickled_copied_and_saved() -> None:
    metric = CaptionMetric(["rouge_l", "cider_d"])
    first, *others = batches(20)
    metric.update(*first)
    metric.persistent(True)
    loaded = CaptionMetric(["rouge_l", "cider_d"])
    loaded.load_state_dict(metric.state_dict())
    for other in (metric, pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), loaded):
        for batch in others:
            other.update(*batch)
        expected = captious.score(CANDIDATES, REFERENCES, ["rouge_l", "cider_d"]).corpus
        assert floats(other.compute()) == expected


def test_the_state_of_another_metric_is_refused() -> None:
    metric, other = CaptionMetric("rouge_l"), CaptionMetric("unigram_recall")
    other.persistent(True)
    metric.load_state_dict(other.state_dict(), strict=False)
    with pytest.raises(InputError, match="other metrics than rouge_l"):
        metric.update(*batches(3)[0])


@pytest.mark.parametrize(
    ("candidates", "references"),
    [
        (["a dog"], [[]]),
        (["a dog"], [["a dog"], ["a cat"]]),
        ([None], [["a dog"]]),
        ("a dog", ["a dog"]),
        (["a dog"], [[1]]),
        (["a dog"], [{"a dog": 1}]),
        ([], []),
    ],
)
def test_bad_captions_are_refused_and_change_nothing(candidates: Any, references: Any) -> None:
    metric = CaptionMetric(["rouge_l", "cider_d"])
    metric.update(["a dog"], [["the dog"]])
    before = floats(metric.compute())
    with pytest.raises(InputError):
        metric.update(candidates, references)
    assert floats(metric.compute()) == before


@pytest.mark.filterwarnings("ignore:The ``compute``")
def test_nothing_to_compute() -> None:
    with pytest.raises(InputError, match="no samples"):
        CaptionMetric("rouge_l").compute()


def half_of_the_captions(rank: int, folder: Path) -> None:
    metric = CaptionMetric(METRICS)
    mine = [batch for place, batch in enumerate(batches(9)) if place % 3 % 2 == rank]
    for batch in mine:
        metric.update(*batch)
    torch.save(floats(metric.compute()), folder / f"scores_{rank}.pt")
    metric.reset()
    if rank == 0:  # the other has nothing, as at the end of uneven data
        metric.update(CANDIDATES[:20], REFERENCES[:20])
    torch.save(floats(metric.compute()), folder / f"uneven_{rank}.pt")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_two_processes_give_what_one_gives_to_the_last_bit(tmp_path: Path) -> None:
    in_two_processes(half_of_the_captions, tmp_path)
    expected = captious.score(CANDIDATES, REFERENCES, METRICS).corpus
    uneven = captious.score(CANDIDATES[:20], REFERENCES[:20], METRICS).corpus
    for rank in (0, 1):
        assert torch.load(tmp_path / f"scores_{rank}.pt") == expected
        assert torch.load(tmp_path / f"uneven_{rank}.pt") == uneven


def test_captions_of_another_language_are_cut_and_scored_as_such() -> None:
    said, references = (
        ["一只狗在草地上跑", "两只猫"],
        [["一只棕色的狗在草地上奔跑"], ["两只小猫", "猫"]],
    )
    expected = captious.score(said, references, ["bleu", "rouge_l"], language="zh")
    metric = CaptionMetric(["bleu", "rouge_l"], language="zh")
    for caption, group in zip(said, references, strict=True):
        metric.update([caption], [group])
    assert floats(metric.compute()) == expected.corpus and expected.corpus["bleu_1"] > 0
    with pytest.raises(InputError, match="meteor: English only"):
        CaptionMetric("meteor", language="zh")
    english = CaptionMetric(["bleu", "rouge_l"], tokenizer="zh")
    with pytest.raises(InputError, match="the state is of other metrics"):
        english.signature.copy_(metric.signature)
        english.compute()


def test_higher_is_better_follows_the_metrics() -> None:
    assert CaptionMetric("bleu").higher_is_better is True
    assert CaptionMetric("chair").higher_is_better is False
    assert CaptionMetric(["bleu", "chair"]).higher_is_better is None
