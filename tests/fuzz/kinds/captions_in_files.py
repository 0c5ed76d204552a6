"""Candidates, references and scores in every format that Captious reads."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from captious.comparison.leaderboard import leaderboard
from captious.comparison.score_files import read_scores
from captious.comparison.two_systems import compare
from captious.io.captions import read_candidates, read_corpus, read_references
from captious.io.formats import read_table, write_columns
from captious.io.training_captions import read_training_captions
from captious.streaming.chunks import iter_chunks
from captious.streaming.sources import STREAMABLE_FORMATS, resolve_sources
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind

SAMPLES = {
    1: ("a dog on a bench", ["a brown dog sits on a bench", "the dog is on the bench"]),
    2: ("two men in the snow", ["two men ski down a hill", "men with red jackets in snow"]),
    3: ("a cat", ["a cat sleeps on a bed"]),
}
ROWS = [
    {"id": image, "candidate": caption, "references": references}
    for image, (caption, references) in SAMPLES.items()
]
RESULTS = [{"image_id": image, "caption": caption} for image, (caption, _) in SAMPLES.items()]
ANNOTATIONS = {
    "images": [{"id": image} for image in SAMPLES],
    "annotations": [
        {"image_id": image, "id": 10 * image + place, "caption": caption}
        for image, (_, references) in SAMPLES.items()
        for place, caption in enumerate(references)
    ],
}
SCORES = [
    {
        "id": image,
        "candidate": caption,
        "references": references,
        "group:kind": "animals" if image != 2 else "people",
        "cider_d": 0.5 * image,
        "bleu_1": 0.25,
        "bleu_2": 0.125,
        "bleu_3": 0.0,
        "bleu_4": 0.0,
        **{
            f"statistic:bleu:{name}": number
            for name, number in zip(
                ("match_1", "match_2", "match_3", "match_4", "count_1", "count_2", "count_3",
                 "count_4", "candidate_length", "reference_length"),
                (3, 2, 1, 0, 4, 3, 2, 1, 4, 5), strict=True,
            )
        },
        "mine": image - 2,
        "signature": "captious:0.1.0|tokenizer:ptb",
    }
    for image, (caption, references) in SAMPLES.items()
]  # fmt: skip

OTHER = "other.jsonl"  # a sound file of scores, to compare with
FORMATS = (".json", ".jsonl", ".csv", ".tsv", ".parquet")
CHEAP = "--metrics bleu_2,rouge_l,unigram_recall --no-cache"


def format_rows(rows: list[dict[str, Any]], ending: str) -> bytes:
    """Rows as a file of a format, written as Captious writes it."""
    if ending == ".json":
        return json.dumps(rows).encode()
    if ending == ".jsonl":
        return "\n".join(map(json.dumps, rows)).encode()
    columns: Mapping[str, list[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{ending}"
        write_columns(path, columns)
        return path.read_bytes()


def _single_file(name: str, rows: list[dict[str, Any]], ending: str, packed: bool) -> Files:
    content = format_rows(rows, ending)
    return (
        {f"{name}{ending}.gz": gzip.compress(content, 1, mtime=0)}
        if packed
        else {f"{name}{ending}": content}
    )


def _scores(ending: str, packed: bool) -> Files:
    return {**_single_file("scores", SCORES, ending, packed), OTHER: format_rows(SCORES, ".jsonl")}


def _reader_of(read: Callable[[Path], object], name: str) -> Reader:
    return Reader(lambda folder: read(folder / name))


def _chunk_readers(ending: str, packed: bool, name: str) -> list[Reader]:
    """A reader in chunks, where a file can be read so."""
    is_streamed = ending[1:] in STREAMABLE_FORMATS and not (packed and ending == ".parquet")
    return [Reader(lambda folder: _check_chunks(folder / name))] if is_streamed else []


def _check_chunks(path: Path) -> None:
    """A file read in chunks has the rows that it has when it is read whole."""
    tables = [chunk.table() for chunk in iter_chunks(resolve_sources([str(path)]), 2)]
    whole = read_table(path)
    if whole.form or "tsv" in path.name:  # forms are told by all rows, and quotes of a TSV
        return
    for name in whole.columns:
        values = [value for table in tables for value in table.columns.get(name, [])]
        if len(values) == len(whole) and values != whole.columns[name]:
            raise AssertionError(f"{name}: other values in chunks")


def _kinds_of_format(ending: str, packed: bool) -> list[Kind]:
    whole = f"rows{ending}.gz" if packed else f"rows{ending}"
    scores = whole.replace("rows", "scores")
    needs = ("pyarrow",) if ending == ".parquet" else ()
    label = f"{ending[1:]}{'-gz' if packed else ''}"
    share = 1.5 if packed else 4.0
    return [
        FileKind(
            f"captions-{label}",
            2 * share,
            partial(_single_file, "rows", ROWS, ending, packed),
            [
                _reader_of(read_corpus, whole),
                _reader_of(read_candidates, whole),
                _reader_of(read_references, whole),
                _reader_of(read_training_captions, whole),
                Command(f"score @{whole} {CHEAP} --format json"),
                Command(f"score @{whole} {CHEAP} --output @out{ending}", (f"out{ending}",)),
                Command(f"score @{whole} --metrics diversity --training @{whole} --format json"),
                Command(f"check @{whole} --format json"),
                Command(f"check @{whole} --language zh"),
                Command(f"df @{whole} --output @df.npz", ("df.npz",)),
                *_chunk_readers(ending, packed, whole),
            ],
            needs=needs,
        ),
        FileKind(
            f"scores-{label}",
            share,
            partial(_scores, ending, packed),
            [
                _reader_of(read_scores, scores),
                Reader(lambda folder: _compare_with_itself(folder / scores)),
                Command(f"compare @{scores} @{OTHER} --resamples 30 --format json"),
                Command(f"compare @{OTHER} @{scores} --resamples 30 --by kind --format json"),
                Command(f"compare @{scores} @{OTHER} --resamples 30 --format latex"),
                Command(f"report @{scores} --resamples 10 --output @out.html", ("out.html",)),
            ],
            needs=needs,
            spared=(OTHER,),
        ),
    ]


def _compare_with_itself(path: Path) -> None:
    result = read_scores(path)
    compare(result, result, resamples=20).to_text("json")
    leaderboard({"a": result, "b": result, "c": result}, resamples=60).to_text("csv")
    result.to_text("text")
    result.save(path.with_name("again.jsonl"))
    path.with_name("again.jsonl").unlink()


def _coco_files() -> Files:
    return {
        "results.json": json.dumps(RESULTS).encode(),
        "captions.json": json.dumps(ANNOTATIONS).encode(),
    }


def _system_files() -> Files:
    """Three systems for the same images: a file, a folder with two parts, and a pattern."""
    results = json.dumps(RESULTS).encode()
    domains = [{"id": image, "domain": "in" if image < 3 else "out"} for image in SAMPLES]
    return {
        "first.json": results,
        "second/1.json": json.dumps(RESULTS[:1]).encode(),
        "second/2.json": json.dumps(RESULTS[1:]).encode(),
        "third.jsonl": "\n".join(map(json.dumps, RESULTS)).encode(),
        "captions.json": json.dumps({**ANNOTATIONS, "images": domains}).encode(),
    }


def _part_files() -> Files:
    """Scores in two parts, as a stream writes them, and others of the same images in a file."""
    parts = {
        "out/part-000000.jsonl": format_rows(SCORES[:2], ".jsonl"),
        "out/part-000001.jsonl": format_rows(SCORES[2:], ".jsonl"),
    }
    listed = [
        {"number": number, "file": Path(name).name, "sha256": hashlib.sha256(part).hexdigest()}
        for number, (name, part) in enumerate(parts.items())
    ]
    manifest = {
        "corpus": {"cider_d": 1.0, "bleu_1": 0.25},
        "signature": "captious:0.1.0|tokenizer:ptb",
        "settings": {"columns": {"id": "id"}},
        "parts": listed,
    }
    return {
        **parts,
        "out/manifest.json": json.dumps(manifest).encode(),
        OTHER: format_rows(SCORES, ".jsonl"),
    }


def _read_with_drop_in(folder: Path) -> None:
    from captious.pycocoevalcap.coco import COCO

    coco = COCO(folder / "captions.json")
    coco.loadRes(folder / "results.json")
    coco.loadRes(str(folder / "results.json")).getImgIds()


KINDS: list[Kind] = [
    *(
        kind
        for ending in FORMATS
        for packed in (False, True)
        for kind in _kinds_of_format(ending, packed)
    ),
    FileKind(
        "captions-coco",
        4.0,
        _coco_files,
        [
            Reader(lambda folder: read_corpus(folder / "results.json", folder / "captions.json")),
            Reader(_read_with_drop_in),
            _reader_of(read_training_captions, "captions.json"),
            Command(f"score @results.json --references @captions.json {CHEAP} --format json"),
        ],
    ),
    FileKind(
        "captions-systems",
        4.0,
        _system_files,
        [
            Command(
                f"score @first.json @second @t*.jsonl --references @captions.json {CHEAP} "
                "--by domain --format json --output @out",
                ("out", "out/first.csv", "out/second.csv", "out/t.csv"),
            ),
            Command(f"score @first.json @second --references @captions.json {CHEAP}"),
        ],
    ),
    FileKind(
        "scores-parts",
        4.0,
        _part_files,
        [
            _reader_of(read_scores, "out"),
            Command(f"compare @out @{OTHER} --resamples 30 --format json"),
            Command("report @out --resamples 10 --output @out.html", ("out.html",)),
            Command(f"score @out {CHEAP} --format json"),
        ],
        spared=(OTHER,),
    ),
]
