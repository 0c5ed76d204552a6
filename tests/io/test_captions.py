from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError, MissingDependencyError
from captious.io.caption_tables import ReadOptions
from captious.io.captions import read_corpus
from captious.io.formats import write_columns
from captious.io.training_captions import read_generated_captions

CANDIDATES = [{"id": "a", "candidate": "a dog"}, {"id": "b", "candidate": ""}]
REFERENCES = [{"id": "b", "references": ["x", "y"]}, {"id": "a", "references": ["a cat"]}]


def write(path: Path, text: bytes | str) -> Path:
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("kind", ["json", "jsonl", "csv", "parquet"])
def test_every_format_gives_the_same_corpus(tmp_path: Path, kind: str, packed: str) -> None:
    candidates, references = tmp_path / f"c.{kind}{packed}", tmp_path / f"r.{kind}{packed}"
    write_columns(candidates, columns(CANDIDATES))
    lists = columns(REFERENCES)
    if kind == "csv":
        lists["references"] = [json.dumps(captions) for captions in lists["references"]]
    write_columns(references, lists)
    corpus = read_corpus(candidates, references)
    assert corpus.candidates == ["a dog", ""]
    assert corpus.references.ids == ["a", "b"]
    assert corpus.references.captions == ["a cat", "x", "y"]


def test_coco_files(tmp_path: Path) -> None:
    captions = [
        {"image_id": 7, "id": 1, "caption": "x"},
        {"image_id": 9, "id": 2, "caption": "y"},
        {"image_id": 7, "id": 3, "caption": "z"},
    ]
    references = write(tmp_path / "r.json", json.dumps({"annotations": captions, "info": {}}))
    candidates = write(tmp_path / "c.json", json.dumps([{"image_id": 7, "caption": "w"}]))
    corpus = read_corpus(candidates, references)
    assert corpus.references.ids == [7]
    assert corpus.references.captions == ["x", "z"]
    assert corpus.unused_references == 1


def test_one_reference_a_row_and_ids_of_other_types(tmp_path: Path) -> None:
    references = write(tmp_path / "r.csv", 'id,reference\n7,"a, b"\n7,c\n')
    candidates = write(tmp_path / "c.json", json.dumps([{"image_id": 7, "caption": "w"}]))
    assert read_corpus(candidates, references).references.captions == ["a, b", "c"]


def test_generated_captions_may_repeat_an_id(tmp_path: Path) -> None:
    path = tmp_path / "drawn.jsonl"
    rows = [{"id": name, "candidate": said} for name, said in ((7, "a dog"), ("b", "x"), (7, "y"))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_generated_captions(path) == {"7": ["a dog", "y"], "b": ["x"]}
    path.write_text('{"id": 7, "candidate": 3}\n')
    with pytest.raises(InputError, match=r"line 1: id 7: 'candidate' must be a string"):
        read_generated_captions(path)


def test_references_beside_the_candidates(tmp_path: Path) -> None:
    rows = [{"id": 1, "candidate": "a\u2028b\x0c", "references": ["x\ny"]}]
    path = write(tmp_path / "c.jsonl", "\n\n".join(map(json.dumps, rows)) + "\r\n")
    corpus = read_corpus(path)
    assert (corpus.candidates, corpus.references.captions) == (["a\u2028b\x0c"], ["x\ny"])


GOOD = json.dumps([{"id": "a", "candidate": "x", "references": ["y"]}])
LONG = json.dumps([{"id": str(i), "candidate": "x" * 50, "references": ["y"]} for i in range(99)])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.json", '[{"id": 1,\n "candidate" "x"}]', "c.json: line 2, column 14: malformed JSON"),
        ("c.json", "", "line 1, column 1: malformed JSON"),
        ("c.json", "[" * 100_000, "nested too deeply"),
        ("c.json", "{}", "expected a list of rows, COCO's object"),
        ("c.json", "3", "expected a list of rows, found int 3"),
        ("c.json", "[]", "no samples; the file has no rows"),
        ("c.json", "[3]", "row 1: expected an object"),
        ("c.jsonl", GOOD[1:-1] + "\n{oops", "c.jsonl: line 2, column 2: malformed JSON"),
        ("c.json.gz", gzip.compress(LONG.encode())[:-40], "gzip file is cut off"),
        ("c.json.gz", b"no gzip", "not a valid gzip file"),
        ("c.json", b'[{"id": 1,\n"candidate": "caf\xe9"}]', "line 2: not UTF-8 .byte 0xe9"),
        ("c.json", '[{"id": 1, "note": "x"}]', "no column 'candidate' or 'caption'; the columns"),
        ("c.json", '[{"candidate": "x"}]', "no column 'references'; add one"),
        ("c.json", '[{"id": 1, "candidate": null}]', "row 1: id 1: 'candidate' .* found null"),
        ("c.json", '[{"id": 1, "candidate": 5}]', "found int 5"),
        ("c.json", '[{"id": 1, "candidate": "x"}, {"id": 2}]', "row 2: id 2: .* found nothing"),
        ("c.json", '[{"id": null, "candidate": "x"}]', "an id must be text or a whole number"),
        ("c.json", '[{"id": 1.5, "candidate": "x"}]', "an id must be text or a whole number"),
        ("c.json", '[{"id": [1], "candidate": "x"}]', "an id must be text or a whole number"),
        ("c.json", '[{"id": "\\ud800", "candidate": "x"}]', "is not valid text"),
        (
            "c.json",
            '[{"id": 1, "candidate": "x"}, {"id": "1", "candidate": "x"}]',
            "row 2: id '1' occurs twice",
        ),
        ("c.json", '[{"id": 1, "candidate": "x"}]', "no column 'references'; add one, or name"),
        ("c.json", '[{"id": 1, "candidate": "x", "references": []}]', "row 1: id 1: no references"),
        ("c.json", '[{"id": 1, "candidate": "x", "references": 5}]', "must be a list of strings"),
        ("c.json", '[{"id": 1, "candidate": "x", "references": {}}]', "must be a list of strings"),
        ("c.json", '[{"id": 1, "candidate": "x", "references": [1]}]', "found int 1"),
        ("c.csv", "id,candidate\n1,a,b\n", "c.csv: line 2: 3 cells under a header of 2"),
        ("c.csv", 'id,candidate\n1,"a', "malformed CSV"),
        ("c.csv", "id,id\n1,2\n", "two columns have the same name"),
        ("c.csv", "", "no samples"),
        ("c.parquet", b"PAR1nonsense", "not a valid Parquet file"),
        ("c.text", "x", "unknown kind of file"),
    ],
)
def test_errors_name_file_and_row(
    tmp_path: Path, name: str, content: bytes | str, message: str
) -> None:
    if isinstance(content, bytes) and name.endswith(".gz"):
        path = tmp_path / name
        path.write_bytes(content)
    else:
        path = write(tmp_path / name, content)
    with pytest.raises(InputError, match=message) as error:
        read_corpus(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_corpus(tmp_path / "absent.json")


def test_candidate_without_references_is_an_error(tmp_path: Path) -> None:
    candidates = write(tmp_path / "c.json", json.dumps(CANDIDATES))
    references = write(tmp_path / "r.json", json.dumps(REFERENCES[:1]))
    with pytest.raises(InputError, match=r"id 'a' has no references in .*r\.json"):
        read_corpus(candidates, references)


def test_repeated_id_among_reference_lists_is_an_error(tmp_path: Path) -> None:
    candidates = write(tmp_path / "c.json", json.dumps(CANDIDATES))
    references = write(tmp_path / "r.json", json.dumps([*REFERENCES, REFERENCES[0]]))
    with pytest.raises(InputError, match="row 3: id 'b' occurs twice"):
        read_corpus(candidates, references)


def test_parquet_without_pyarrow_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    path = write(tmp_path / "c.parquet", b"PAR1")
    with pytest.raises(MissingDependencyError, match=r"pip install 'captious\[parquet\]'"):
        read_corpus(path)


def test_id_mismatch_error_names_the_guessed_id_column(tmp_path: Path) -> None:
    images = [{"cocoid": 42, "filename": "a.jpg", "sentences": [{"raw": "a dog"}]}]
    references = write(tmp_path / "dataset.json", json.dumps({"images": images}))
    candidates = write(tmp_path / "c.json", '[{"image_id": "a.jpg", "caption": "x"}]')
    with pytest.raises(InputError, match=r"ids are from 'cocoid'; others: --columns id=NAME"):
        read_corpus(candidates, references)
    reading = ReadOptions({"id": "filename"}, report=lambda _: None)
    assert read_corpus(candidates, references, reading).references.captions == ["a dog"]


@pytest.mark.parametrize("given", ["one+other", ["one", "other"], "one+oth*"])
def test_a_column_that_is_nowhere_is_an_error_beside_one_that_is_there(
    tmp_path: Path, given: Any
) -> None:
    path = write(tmp_path / "c.csv", "id,candidate,one\n1,a dog,a dog\n")
    with pytest.raises(InputError, match=r"no column 'oth(er|\*)' for references"):
        read_corpus(path, reading=ReadOptions({"references": given}))
