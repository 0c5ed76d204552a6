"""A stream has the same scores as captions in memory, with every engine."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.io.formats import read_table, write_columns
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.streaming import preparation as prepared_module
from captious.streaming.preparation import FREQUENCIES
from captious.streaming.process_engine import ProcessEngine
from captious.streaming.score_stream import StreamedResult, score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources
from captious.streaming.tasks import ItemT, ResultT, Task
from tests.streaming.rows import captions_of, write_rows

SHIPPED = Scoring("bleu,rouge_l,cider_d,captious", {"df": "coco-val2014"})
COUNT = 120

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


def streamed(path: Path | str, scoring: Scoring = SHIPPED, **how: Any) -> StreamedResult:
    usual: dict[str, Any] = {"resamples": 50, "seed": 0, "engine": ProcessEngine(1), "rows": 50}
    return score_stream(resolve_sources([str(path)]), scoring, **usual | how)


def figures(result: StreamedResult) -> tuple[int, dict[str, float], list[tuple[float, float]]]:
    return result.n, result.corpus, [result.interval(name) for name in result.columns]


def whole(columns: dict[str, list[Any]], **options: Any) -> captious.Result:
    rows = dict(enumerate(zip(columns["candidate"], columns["references"], strict=True)))
    return captious.score(
        {row: candidate for row, (candidate, _) in rows.items()},
        {row: references for row, (_, references) in rows.items()},
        **options,
    )


def read_parts(folder: Path) -> dict[str, list[Any]]:
    tables = [read_table(path) for path in sorted(folder.glob("part-*"))]
    return {
        name: [value for table in tables for value in table.columns[name]]
        for name in tables[0].columns
    }


@pytest.mark.slow
def test_scores_are_those_of_the_whole(tmp_path: Path) -> None:
    columns = captions_of(COUNT)
    path = write_rows(tmp_path / "rows.jsonl", columns)
    result = streamed(path, output=tmp_path / "out")
    expected = whole(columns, metrics="bleu,rouge_l,cider_d,captious", df="coco-val2014")
    assert result.corpus == expected.corpus and result.n == COUNT
    parts = read_parts(tmp_path / "out")
    for name in expected.columns:
        assert parts[name] == expected.samples[name].tolist()
    for name, values in columns.items():
        assert parts[name] == values  # the user's own, as they were
    assert any(name.startswith("statistic:bleu:") for name in parts)
    assert [row["metric"] for row in result.records()] == list(expected.columns)
    low, high = result.interval("captious")
    assert low < result.corpus["captious"] < high
    assert "bootstrap:poisson,50,seed=0|samples:120" in result.signature
    assert "images:" not in result.signature
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert manifest["corpus"] == result.corpus and len(manifest["parts"]) == 3
    assert not (tmp_path / "out" / UNFINISHED).exists()


@pytest.mark.slow
def test_jobs_chunks_order_and_format_change_no_figure(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    columns = captions_of(COUNT)
    expected = figures(streamed(write_rows(tmp_path / "rows.jsonl", columns)))
    assert figures(streamed(tmp_path / "rows.jsonl", engine=ProcessEngine(2), rows=17)) == expected
    order = random.Random(5).sample(range(COUNT), COUNT)
    assert figures(streamed(write_rows(tmp_path / "other.jsonl", columns, order))) == expected
    for ending in ("csv.gz", "tsv", "parquet"):
        assert figures(streamed(write_rows(tmp_path / f"rows.{ending}", columns))) == expected
    folder = tmp_path / "folder"
    folder.mkdir()
    for part in range(3):
        rows = list(range(part * 40, part * 40 + 40))
        write_rows(folder / f"{part}.jsonl", columns, rows)
    assert figures(streamed(folder)) == expected


@pytest.mark.slow
def test_references_of_another_file_and_document_frequencies(tmp_path: Path) -> None:
    columns = captions_of(COUNT)
    path = write_rows(tmp_path / "rows.jsonl", columns)
    own = streamed(path, Scoring("cider_d"), output=tmp_path / "own")
    sets = dict(zip(columns["id"], columns["references"], strict=True))
    once = captious.Scorer(sets, "cider_d").score(columns["candidate"], columns["id"])
    assert own.corpus == once.corpus
    assert f"df={FREQUENCIES}@" in own.signature
    given = Scoring("cider_d", {"df": str(tmp_path / "own" / FREQUENCIES)})
    assert figures(streamed(path, given)) == figures(own)

    candidates = {name: columns[name] for name in ("id", "candidate")}
    write_columns(tmp_path / "candidates.csv", candidates)
    write_columns(tmp_path / "refs.jsonl", {"id": list(sets), "references": list(sets.values())})
    apart = streamed(
        tmp_path / "candidates.csv", Scoring("cider_d"), references=[str(tmp_path / "refs.jsonl")]
    )
    assert figures(apart) == figures(own)
    some = {"id": list(sets)[1:], "references": list(sets.values())[1:]}
    write_columns(tmp_path / "some.jsonl", some)
    with pytest.raises(InputError, match="has no references in the references"):
        streamed(tmp_path / "candidates.csv", references=[str(tmp_path / "some.jsonl")])


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


@pytest.mark.slow
def test_resumed_stream_writes_identical_bytes(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(COUNT))
    streamed(path, output=tmp_path / "once")
    expected = snapshot(tmp_path / "once")
    folder = tmp_path / "again"
    with pytest.MonkeyPatch.context() as patched:
        added: list[int] = []

        def stop(parts: Any, part: Any, sums: Any) -> None:
            if added:
                raise KeyboardInterrupt
            added.append(part.number)
            kept(parts, part, sums)

        kept = captious.streaming.parts.Parts.add
        patched.setattr(captious.streaming.parts.Parts, "add", stop)
        with pytest.raises(KeyboardInterrupt):
            streamed(path, output=folder)
    assert (folder / UNFINISHED).exists() and not (folder / MANIFEST).exists()
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    streamed(path, output=folder)
    assert snapshot(folder) == expected
    next(copy.glob("part-*")).write_text("damaged\n")  # noticed, and written again
    streamed(path, output=copy)
    assert snapshot(copy) == expected
    assert figures(streamed(path, output=folder)) == figures(streamed(path))  # done already
    assert snapshot(folder) == expected


class Stopping:
    """An engine of this process that remembers its tasks, and is stopped after some items."""

    def __init__(self, stop: int | None = None) -> None:
        self.stop, self.tasks = stop, list[str]()

    def __call__(
        self, task: Task[ItemT, ResultT], items: Iterable[ItemT]
    ) -> Iterator[tuple[ItemT, ResultT]]:
        self.tasks.append(type(task).__name__)
        work = task.begin()
        for number, item in enumerate(items):
            if number == self.stop and len(self.tasks) > 1:
                raise KeyboardInterrupt
            yield item, work(item)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [0, 1])
@pytest.mark.parametrize("apart", [False, True])
def test_resumed_stream_reuses_the_first_pass(
    tmp_path: Path, stop: int, apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = captions_of(COUNT)
    path = write_rows(tmp_path / "rows.jsonl", columns)
    sets = dict(zip(columns["id"], columns["references"], strict=True))
    references = tmp_path / "refs.jsonl"
    write_columns(references, {"id": list(sets), "references": list(sets.values())})
    how: dict[str, Any] = {"references": [str(references)] if apart else []}
    made: list[Path] = []

    def counted(file: Path, *others: Any) -> None:
        made.append(file)
        make_index(file, *others)

    make_index = prepared_module._build_index
    monkeypatch.setattr(prepared_module, "_build_index", counted)
    cider = Scoring("cider_d")
    streamed(path, cider, output=tmp_path / "once", **how)
    made.clear()
    first, second = Stopping(stop), Stopping()
    if apart:  # what is in an index is counted here, by no engine
        first.tasks.append("")
    with pytest.raises(KeyboardInterrupt):
        streamed(path, cider, output=tmp_path / "out", engine=first, **how)
    streamed(path, cider, output=tmp_path / "out", engine=second, **how)
    assert second.tasks == ["ScoreChunks"]
    assert len(made) == apart
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "once")


def test_a_first_pass_over_other_rows_is_done_again(tmp_path: Path) -> None:
    columns = captions_of(COUNT)
    path, engine = write_rows(tmp_path / "rows.jsonl", columns), Stopping(0)
    with pytest.raises(KeyboardInterrupt):
        streamed(path, Scoring("cider_d"), output=tmp_path / "out", engine=engine)
    columns["references"][0] = ["something else entirely"]
    write_rows(path, columns)
    with pytest.raises(InputError, match="was begun with signature"):
        streamed(path, Scoring("cider_d"), output=tmp_path / "out", engine=Stopping())


@pytest.mark.slow
def test_other_settings_and_changed_inputs_are_refused(tmp_path: Path) -> None:
    columns = captions_of(COUNT)
    path, folder = write_rows(tmp_path / "rows.jsonl", columns), tmp_path / "out"
    streamed(path, Scoring("rouge_l"), output=folder)
    expected = snapshot(folder)
    with pytest.raises(InputError, match="was begun with signature"):
        streamed(path, Scoring("bleu"), output=folder)
    with pytest.raises(InputError, match="was begun with rows of a chunk 50, now it is 60"):
        streamed(path, Scoring("rouge_l"), output=folder, rows=60)
    columns["candidate"][70] += " more"
    write_rows(path, columns)
    with pytest.raises(InputError, match="line 51 on: not what it was"):
        streamed(path, Scoring("rouge_l"), output=folder)
    write_rows(path, captions_of(COUNT), list(range(50)))
    with pytest.raises(InputError, match="more rows than there are now"):
        streamed(path, Scoring("rouge_l"), output=folder)
    assert snapshot(folder) == expected
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious.txt").write_text("precious")
    with pytest.raises(InputError, match="holds other files"):
        streamed(path, Scoring("rouge_l"), output=tmp_path / "full")


@pytest.mark.slow
def test_rows_without_ids_are_identified_by_file_and_row(tmp_path: Path) -> None:
    columns = captions_of(60)
    del columns["id"]
    write_columns(tmp_path / "rows.jsonl", columns)
    result = streamed(tmp_path / "rows.jsonl", Scoring("rouge_l"), rows=20)
    sums = result.sums.resampled.to_floats()[:, -1]
    assert len(np.unique(sums)) > 5  # were the rows of each chunk counted anew, fewer would differ
    spread = sums.std() / np.sqrt(60)
    assert 0.6 < spread < 1.5  # 60 images, not 20 of three rows each


@pytest.mark.slow
def test_single_precision_and_no_statistics(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(30))
    streamed(
        path,
        Scoring("bleu,rouge_l"),
        output=tmp_path / "out",
        statistics=False,
        precision="float32",
    )
    parts = read_parts(tmp_path / "out")
    assert not any(name.startswith("statistic:") for name in parts)
    assert parts["rouge_l"] == [float(str(np.float32(score))) for score in parts["rouge_l"]]


@pytest.mark.slow
@pytest.mark.parametrize("source", ["rows.jsonl", "rows.parquet"])
def test_single_precision_is_a_type_of_parquet(tmp_path: Path, source: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = write_rows(tmp_path / source, captions_of(30))
    how = {"ending": "parquet", "precision": "float32"}
    streamed(path, Scoring("bleu,rouge_l"), output=tmp_path / "out", **how)
    schema = parquet.read_schema(tmp_path / "out" / "part-000000.parquet")
    assert str(schema.field("rouge_l").type) == "float"
    assert str(schema.field("statistic:bleu:length").type) == "double"
    assert b"rouge_l" in schema.metadata[b"captious.signature"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "metrics", "said"),
    [
        ({"id": [], "candidate": [], "references": []}, "rouge_l", "no samples"),
        ({"id": [1], "candidate": ["a"]}, "rouge_l", "no column 'references'"),
        ({"id": [1], "candidate": ["a"], "references": [["a"]], "rouge_l": [1]}, "rouge_l",
         "a column 'rouge_l' is there already"),
        ({"id": [1], "references": [["a"]]}, "rouge_l", "candidate"),
    ],
)  # fmt: skip
def test_invalid_streams_are_errors(
    tmp_path: Path, rows: dict[str, list[Any]], metrics: str, said: str
) -> None:
    write_columns(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError, match=said):
        streamed(tmp_path / "rows.jsonl", Scoring(metrics), output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_missing_part_is_written_again(tmp_path: Path) -> None:
    path, folder = write_rows(tmp_path / "rows.jsonl", captions_of(COUNT)), tmp_path / "out"
    streamed(path, Scoring("rouge_l"), output=folder)
    expected = snapshot(folder)
    sorted(folder.glob("part-*"))[1].unlink()
    streamed(path, Scoring("rouge_l"), output=folder)
    assert snapshot(folder) == expected


@pytest.mark.slow
def test_stream_killed_before_settings_were_written_restarts(tmp_path: Path) -> None:
    path, folder = write_rows(tmp_path / "rows.jsonl", captions_of(20)), tmp_path / "out"
    (folder / UNFINISHED).mkdir(parents=True)
    streamed(path, Scoring("rouge_l"), output=folder)
    assert (folder / MANIFEST).exists() and not (folder / UNFINISHED).exists()
