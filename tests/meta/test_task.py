"""Tasks: read once, put under any protocol, handed to all that evaluates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.cli.main import make_parser
from captious.errors import InputError
from captious.io.formats import write_columns
from captious.meta import Protocol, evaluate, evaluate_by_references, judged, survey
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.benchmarks.benchmark import Benchmark, Files
from captious.meta.judgements import Preferences, Ratings
from captious.meta.task import CUSTOM, Task, read_task, split_options
from tests.made_up.judged_captions import preferred, rated

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # few images


@pytest.fixture
def times_read(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The names of benchmarks, once for each time that their files were really read."""
    names: list[str] = []
    load = Benchmark.load

    def counted(self: Benchmark, folder: Path | str, **options: Any) -> Ratings | Preferences:
        read = load(self, folder, **options)
        names.append(self.name)
        return read

    monkeypatch.setattr(Benchmark, "load", counted)
    return names


def test_task_is_read_once_and_evaluates_like_its_benchmark(
    ratings_file: Path, times_read: list[Any]
) -> None:
    protocol = Protocol(references=2, raters="mean")
    task = read_task("custom", data=ratings_file, protocol=protocol)
    found = evaluate(task, ["rouge_l"], resamples=20)
    again = evaluate(task, ["rouge_l"], resamples=20)
    assert times_read == ["custom"]
    whole = evaluate("custom", ["rouge_l"], data=ratings_file, protocol=protocol, resamples=20)
    assert found.to_dict() == again.to_dict() == whole.to_dict()


def test_another_protocol_needs_no_files(ratings_file: Path, times_read: list[Any]) -> None:
    task = read_task("custom", data=ratings_file)
    assert {len(own) for own in task.judgements.references} == {3}
    one = Protocol(references=1)
    left = [
        task.under(one).judgements,
        judged(task, protocol=one),
        read_task(task, protocol=one).judgements,
    ]
    assert times_read == ["custom"]
    assert {len(own) for own in left[0].references} == {1}
    fresh = judged("custom", data=ratings_file, protocol=one)
    assert all(each.references == fresh.references for each in left)
    assert read_task(task) is task and task.protocol == Protocol()


def test_judgements_are_a_task_as_they_are() -> None:
    pairs = preferred()
    task = read_task(pairs)
    assert (task.name, task.as_read, task.protocol.statistic) == (CUSTOM, pairs, "accuracy")
    other = task.under(Protocol(name="mine", statistic="pearson"))
    assert other.protocol == Protocol(name="mine", statistic="accuracy")
    assert read_task(rated()).protocol.statistic == "kendall_c"
    assert repr(task).count("dog") == 0  # captions are left out


def test_labels_are_read_and_not_changed_afterwards() -> None:
    task = Task("pascal-50s", Protocol(votes=11), preferred())
    with pytest.raises(InputError, match=r"'more' asks for .*11, not votes: 48.*again"):
        task.under(Protocol("more", votes=48))
    kept = task.under(replace(task.protocol, references=1)).judgements
    assert {len(own) for own in kept.references} == {1}


def test_a_protocol_chooses_the_labels_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}

    def reader(files: Files, **options: Any) -> Preferences:
        asked.update(options)
        return preferred()

    pascal = replace(BENCHMARKS["pascal-50s"], reader=reader)
    assert "votes" in pascal.options
    task = read_task(pascal, data=".", protocol=Protocol(votes=11), all_references=True)
    assert asked == {"votes": 11, "all_references": True}
    assert (task.name, task.kind, task.is_mean) == (pascal.name, pascal.kind, pascal.is_mean)


def test_options_go_to_the_files_or_elsewhere(ratings_file: Path) -> None:
    options = {"votes": 11, "resamples": 3}
    assert split_options("pascal-50s", options) == ({"votes": 11}, {"resamples": 3})
    assert split_options("flickr8k-expert", options) == ({}, options)
    assert split_options(rated(), options) == split_options(read_task(rated()), options)
    assert split_options(rated(), options) == ({}, options)
    with pytest.raises(InputError, match="custom has no option 'spam'"):
        judged("custom", data=ratings_file, spam=1)


def test_files_are_read_once_for_all_numbers_of_references(
    ratings_file: Path, times_read: list[Any]
) -> None:
    found = evaluate_by_references(
        "custom", [1, 2, 3], "rouge_l", data=ratings_file, pools=[None, "max"], resamples=0
    )
    assert len(found.evaluations) == 6 and times_read == ["custom"]
    task = read_task("custom", data=ratings_file)
    again = evaluate_by_references(task, [1, 2, 3], "rouge_l", pools=[None, "max"], resamples=0)
    assert again.to_dict() == found.to_dict() and times_read == ["custom"] * 2


def test_a_survey_reads_each_benchmark_once(flickr8k: Path, times_read: list[Any]) -> None:
    found = survey(["bleu_1"], data=flickr8k, resamples=0)
    assert list(found.evaluations) == times_read == ["flickr8k-expert"]


@pytest.mark.parametrize("others", [[], ["--scores", "mine.csv"], ["--references", "1,2"]])
def test_the_command_reads_once(
    ratings_file: Path,
    times_read: list[Any],
    others: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ratings_file.parent)
    write_columns("mine.csv", {"id": np.arange(12).tolist(), "mine": np.arange(12.0).tolist()})
    wanted = ["--metrics", "bleu_1", "--resamples", "5", "--quiet", *others]
    options = make_parser("meta").parse_args(
        ["meta", "custom", "--judgements", str(ratings_file), *wanted]
    )
    options.run(options)
    assert times_read == ["custom"]
    assert "bleu_1" in capsys.readouterr().out


def test_leic_reads_the_first_caption_of_the_file_and_no_pair_of_an_own_caption(
    flickr8k: Path,
) -> None:
    first = {}
    for line in (flickr8k / "Flickr8k.token.txt").read_text().splitlines():
        name, _, caption = line.partition("\t")
        if name.endswith("#0"):
            first[name.removesuffix("#0")] = caption
    found = judged("flickr8k-expert", data=flickr8k, protocol="leic")
    assert list(found.images) == ["beach.jpg", "horse.jpg", "bus.jpg", "kite.jpg", "boat.jpg"]
    assert found.references == [[first[image]] for image in map(str, found.images)]
