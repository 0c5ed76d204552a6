"""Whole filters: the same rows from any chunks and any order of work, and counts that add up."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import captious
from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.streaming.chunks import Chunk, iter_chunks
from captious.streaming.filtering.counts import FilterCounts
from captious.streaming.filtering.filtered_parts import FilteredParts
from captious.streaming.filtering.planning import FilterRequest, Plan, peek_columns, plan_filter
from captious.streaming.filtering.selection import Sample, SelectionRules
from captious.streaming.folder_lock import lock_folder
from captious.streaming.preparation import prepare_stream
from captious.streaming.raw_rows import RawRows
from captious.streaming.sources import resolve_sources
from captious.streaming.tasks import Engine, ItemT, ResultT, Task
from tests.streaming.rows import captions_of, write_rows

COUNT = 150
ASKED = {
    "where": FilterRequest(where="captious > .1 AND words > 2 AND source = 'web'"),
    "top": FilterRequest(
        where="number >= 5", by="captious - words / 100", wanted=SelectionRules(top=20)
    ),
    "images": FilterRequest(by="length(candidate)", wanted=SelectionRules(per_image=1, top=40)),
    "sample": FilterRequest(wanted=SelectionRules(sample=Sample(count=30)), seed=3),
    "share": FilterRequest(wanted=SelectionRules(sample=Sample(0.4)), duplicates="text"),
    "text": FilterRequest(duplicates="text", where="characters > 0"),
    "text within": FilterRequest(duplicates="text", within_image=True, where="words > 3"),
    "vectors": FilterRequest(duplicates=0.9, wanted=SelectionRules(sample=Sample(count=60))),
    "vectors within": FilterRequest(duplicates=0.8, within_image=True, where="words > 1"),
}
pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


class Shuffled:
    """An engine of this process, which does its work in no order."""

    def __init__(self, seed: int | None = None, stop: int | None = None) -> None:
        self.seed, self.stop = seed, stop
        self.done = 0

    def __call__(
        self, task: Task[ItemT, ResultT], items: Iterable[ItemT]
    ) -> Iterator[tuple[ItemT, ResultT]]:
        work = task.begin()
        listed = list(items)
        if self.seed is not None:
            random.Random(self.seed).shuffle(listed)
        for item in listed:
            if self.done == self.stop:
                raise KeyboardInterrupt
            self.done += 1
            yield item, work(item)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("rows") / "rows.jsonl", captions_of(COUNT))


def plan_of(asked: FilterRequest, path: Path, size: int) -> tuple[Plan, Iterator[Chunk]]:
    columns, chunks = peek_columns(iter_chunks(resolve_sources([str(path)]), size))
    return plan_filter(asked, columns), chunks


def kept(
    asked: FilterRequest, path: Path, size: int = 1000, **how: Any
) -> tuple[bytes, FilterCounts]:
    plan, chunks = plan_of(asked, path, size)
    return joined(plan, chunks, path.suffix[1:], Shuffled(**how))


def joined(
    plan: Plan, chunks: Iterator[Chunk], ending: str, engine: Engine
) -> tuple[bytes, FilterCounts]:
    stream = io.BytesIO()
    with TemporaryDirectory() as folder, lock_folder(Path(folder) / "parts"):
        parts = FilteredParts(
            Path(folder) / "parts", ending, plan.filter, plan.settings, joined=True
        )
        counts = parts.run(chunks, engine)
        parts.join(stream)
    assert counts.read == counts.kept + sum(counts.dropped.values()) + sum(
        each.rows + each.missing for each in counts.failed
    )
    return stream.getvalue(), counts


def parsed(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_chunks_and_the_order_of_work_change_nothing(name: str, rows: Path) -> None:
    whole, counts = kept(ASKED[name], rows)
    assert 0 < counts.kept < COUNT
    assert len(parsed(whole)) == counts.kept
    for size, seed in ((1, 1), (7, None), (64, 2)):
        again, same = kept(ASKED[name], rows, size, seed=seed)
        assert again == whole
        assert same.to_dict() == counts.to_dict()


@pytest.mark.slow
def test_scores_are_those_of_captious(rows: Path) -> None:
    everything = parsed(rows.read_bytes())
    score = captious.score(
        [row["candidate"] for row in everything],
        [row["references"] for row in everything],
        metrics=["captious"],
    )
    scores = score.samples["captious"].tolist()
    expected = [
        {**row, "captious": value}
        for row, value in zip(everything, scores, strict=True)
        if value > 0.1 and row["source"] == "web"
    ]
    found = parsed(kept(FilterRequest(where="captious > .1 AND source = 'web'"), rows, 11)[0])
    assert found == expected


@pytest.mark.slow
def test_the_best_are_the_best(rows: Path) -> None:
    everything = parsed(rows.read_bytes())
    order = sorted(range(COUNT), key=lambda row: (-len(everything[row]["candidate"]), row))
    top = FilterRequest(by="length(candidate)", wanted=SelectionRules(top=20))
    assert parsed(kept(top, rows, 9)[0]) == [everything[row] for row in sorted(order[:20])]
    first: dict[str, int] = {}
    for row in order:
        first.setdefault(everything[row]["id"], row)
    best = FilterRequest(by="length(candidate)", wanted=SelectionRules(per_image=1))
    assert parsed(kept(best, rows, 9)[0]) == [everything[row] for row in sorted(first.values())]


def test_a_sample_is_the_same_of_shuffled_rows(rows: Path, tmp_path: Path) -> None:
    lines = rows.read_bytes().splitlines(keepends=True)
    random.Random(0).shuffle(lines)
    shuffled = tmp_path / "shuffled.jsonl"
    shuffled.write_bytes(b"".join(lines))
    asked = FilterRequest(wanted=SelectionRules(sample=Sample(0.3)), seed=5)
    one, other = (kept(asked, path)[0] for path in (rows, shuffled))
    assert sorted(one.splitlines()) == sorted(other.splitlines())
    assert one != kept(FilterRequest(wanted=SelectionRules(sample=Sample(0.3)), seed=6), rows)[0]


def test_cheap_conditions_first_and_only_what_is_left_is_scored(
    rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[int] = []
    from captious.scorer import Scorer

    whole = Scorer.score_checked

    def counted(self: Scorer, captions: Any, *others: Any) -> Any:
        scored.append(len(captions))
        return whole(self, captions, *others)

    monkeypatch.setattr(Scorer, "score_checked", counted)
    counts = kept(FilterRequest(where="captious > .1 and number < 30"), rows)[1]
    assert [each.condition for each in counts.failed] == ["number < 30", "captious > .1"]
    assert counts.failed[0].rows == COUNT - 30
    assert scored == [30]


def test_columns_of_the_input_come_before_facts_and_metrics(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    some = [{"candidate": "a dog", "captious": n, "words": n} for n in range(4)]
    path.write_text("\n".join(map(json.dumps, some)))
    found, _ = kept(FilterRequest(where="captious > 1 and words < 3"), path)
    assert parsed(found) == [some[2]]


@pytest.mark.slow
def test_a_column_that_only_later_rows_have_is_no_score(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = [{"candidate": "a dog", "references": ["a dog"]}] * 1000
    late = {**first[0], "captious": 1}
    path.write_text("\n".join(map(json.dumps, [*first, late])))
    for size in (16, 5000):
        with pytest.raises(InputError, match="line 1001: has a column 'captious'"):
            kept(FilterRequest(where="captious > 2"), path, size)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("captios > 1", "character 1: 'captios' is no column.*did you mean 'captious'"),
        ("1 < numbr", "character 5: 'numbr' is no column.*did you mean 'number'"),
        ("wordz > 1", "did you mean 'words'"),
        ("qqqq > 1", "facts are words.*the columns are: 'id', 'candidate'"),
        ("bleu > 1", "'bleu' has several columns; name one: bleu_1, bleu_2"),
        ("coco > 1", "'coco' is a group of metrics"),
        ("source = web", "'web' is no column.*texts stand in single quotes"),
        ("number > 1 and source > 5", "line 1: column 'source': a number is needed"),
        ('"cider_d(sgima=4)" > 1', "no parameter 'sgima'|sgima.*did you mean"),
        ("lower(\"webb\") = 'x'", "character 7: 'webb' in double quotes is a name.*quotes: 'webb'"),
        ('source = "it\'s here"', "character 10: .*single quotes: 'it''s here'"),
    ],
)
def test_names_that_mean_nothing(where: str, said: str, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "r.jsonl", captions_of(5))
    with pytest.raises(InputError, match=said):
        kept(FilterRequest(where=where.replace("number > 1 and ", "")), path)


def test_cells_of_csv_stay_and_compare_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,candidate,n,note\n1,a dog,10,=x\n2,a cat,9,\n3,a bus,,'-1\n")
    found, counts = kept(FilterRequest(where="n > 9"), path)
    assert found == b"id,candidate,n,note\n1,a dog,10,=x\n"
    assert (counts.failed[0].rows, counts.failed[0].missing) == (1, 1)
    found, _ = kept(FilterRequest(where="note IS NULL OR words < 0"), path)
    assert found == b"id,candidate,n,note\n2,a cat,9,\n"


def test_references_of_another_file(rows: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    references = tmp_path / "references.jsonl"
    everything = parsed(rows.read_bytes())
    without = [{n: v for n, v in row.items() if n != "references"} for row in everything]
    bare.write_text("\n".join(map(json.dumps, without)))
    of_image = {row["id"]: row["references"] for row in everything}
    references.write_text(
        "\n".join(json.dumps({"id": image, "references": of_image[image]}) for image in of_image)
    )
    asked = FilterRequest(where="captious > .1 and reference_count > 1")
    plan, chunks = plan_of(asked, bare, 40)
    sources = resolve_sources([str(bare)])
    scoring = plan.filter.chunk_filter.scoring
    ready = prepare_stream(sources, [str(references)], scoring, Shuffled(), tmp_path)
    plan = plan.with_scoring(ready.scoring, ready.references)
    found, _ = joined(plan, chunks, "jsonl", Shuffled())
    own = parsed(kept(asked, rows)[0])
    assert [(row["number"], row["captious"]) for row in parsed(found)] == [
        (row["number"], row["captious"]) for row in own
    ]


def into(folder: Path, asked: FilterRequest, rows: Path, engine: Engine) -> FilterCounts:
    """Rows filtered into a folder of parts."""
    plan, chunks = plan_of(asked, rows, 20)
    with lock_folder(folder):
        return FilteredParts(folder, "jsonl", plan.filter, plan.settings).run(chunks, engine)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_parts_are_gone_on_with(name: str, rows: Path, tmp_path: Path) -> None:
    asked = ASKED[name]
    straight, stopped = tmp_path / "straight", tmp_path / "stopped"
    counts = into(straight, asked, rows, Shuffled())
    whole = kept(asked, rows)[0]
    parts = sorted(straight.glob("part-*"))
    assert b"".join(part.read_bytes() for part in parts) == whole
    with pytest.raises(KeyboardInterrupt):
        into(stopped, asked, rows, Shuffled(stop=3))
    engine = Shuffled(seed=1)
    assert into(stopped, asked, rows, engine).to_dict() == counts.to_dict()
    assert content(stopped) == content(straight)
    assert not (stopped / UNFINISHED).exists()
    assert engine.done == 5  # of 8 chunks, three of which were done
    again = Shuffled()
    assert into(stopped, asked, rows, again).to_dict() == counts.to_dict()
    assert again.done == 0
    parts[0].write_bytes(b"changed")
    with pytest.raises(InputError, match="a part was changed or removed"):
        into(straight, asked, rows, Shuffled())
    assert (straight / MANIFEST).exists() and not (straight / UNFINISHED).exists()


@pytest.mark.slow
def test_filter_interrupted_during_selection_resumes_from_filtered_chunks(
    rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, stopped = ASKED["top"], tmp_path / "stopped"
    into(tmp_path / "straight", asked, rows, Shuffled())
    with monkeypatch.context() as patched:
        written: list[RawRows] = []

        def stop(piece: RawRows, places: Sequence[int]) -> RawRows:
            if len(written) == 2:
                raise KeyboardInterrupt
            written.append(piece)
            return taken(piece, places)

        taken = RawRows.take
        patched.setattr(RawRows, "take", stop)
        with pytest.raises(KeyboardInterrupt):
            into(stopped, asked, rows, Shuffled())
    assert len(list(stopped.glob("part-*"))) == 2
    damaged = stopped / UNFINISHED / "sifted-000004.npz"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    engine = Shuffled()
    into(stopped, asked, rows, engine)
    assert engine.done == 1
    assert content(stopped) == content(tmp_path / "straight")


@pytest.mark.parametrize("name", ["where", "top"])
def test_filter_killed_while_it_removed_its_notes_leaves_none_when_resumed(
    name: str, rows: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "parts"
    counts = into(folder, ASKED[name], rows, Shuffled())
    finished = content(folder)
    (folder / UNFINISHED).mkdir()
    (folder / UNFINISHED / "noted-000004.json").write_text("{}", encoding="utf-8")
    assert into(folder, ASKED[name], rows, Shuffled()).to_dict() == counts.to_dict()
    assert content(folder) == finished
    assert not (folder / UNFINISHED).exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["top", "text", "where"])
def test_parquet_is_put_aside_and_gone_on_with(name: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = write_rows(tmp_path / "rows.parquet", captions_of(COUNT))
    whole, counts = kept(ASKED[name], path)
    (tmp_path / "whole.parquet").write_bytes(whole)
    table = read_table(tmp_path / "whole.parquet")
    lines = parsed(kept(ASKED[name], write_rows(tmp_path / "rows.jsonl", captions_of(COUNT)))[0])
    assert table.columns["number"] == [row["number"] for row in lines]
    assert len(table) == counts.kept
    small = kept(ASKED[name], path, 20)[0]
    (tmp_path / "small.parquet").write_bytes(small)
    assert dict(read_table(tmp_path / "small.parquet").columns) == dict(table.columns)


def test_counts_as_tables(rows: Path) -> None:
    counts = kept(FilterRequest(where="number < 10 and words > 0", duplicates="text"), rows)[1]
    assert json.loads(counts.to_json())["read"] == COUNT
    assert "fails: number < 10" in counts.to_text()
    assert len(list(csv.reader(io.StringIO(counts.to_markdown())))) > 4
