"""Which columns are meant: documented names in silence, guesses with a note, doubts as errors."""

from __future__ import annotations

from typing import Any

import pytest

from captious.errors import InputError
from captious.io.column_roles import (
    CANDIDATE,
    REFERENCES,
    find_columns,
    is_header,
    parse_columns_option,
)
from captious.io.plain_text import detect_format

BOTH = (CANDIDATE, REFERENCES)


def found(names: str, wanted: Any = BOTH, **columns: Any) -> tuple[Any, ...]:
    columns_found = find_columns("f", names.split(), wanted, columns)
    return (columns_found.id, columns_found.candidate, columns_found.references)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("id candidate references", ("id", "candidate", ("references",))),
        ("image_id id caption", ("image_id", "caption", ())),
        ("id candidate reference image", ("id", "candidate", ("reference",))),
        ("id caption label text", ("id", "caption", ())),  # as it always was
    ],
)
def test_documented_column_names_need_no_note(names: str, expected: Any) -> None:
    assert found(names) == expected
    assert find_columns("f", names.split(), BOTH).note("") is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("file_name prediction ref1 ref2", ("file_name", "prediction", ("ref1", "ref2"))),
        ("Image_ID Generated-Text Ref_1", ("Image_ID", "Generated-Text", ("Ref_1",))),
        ("image hypothesis caption", ("image", "hypothesis", None)),
        ("key output gts", ("key", "output", ("gts",))),
        ("id candidate caption", ("id", "candidate", ("caption",))),
        ("video_id file_name caption ground_truth", ("video_id", "caption", ("ground_truth",))),
    ],
)  # fmt: skip
def test_other_names_are_guessed_with_a_note(names: str, expected: Any) -> None:
    if expected[2] is None:
        with pytest.raises(InputError, match="candidate could be 'caption' or 'hypothesis'"):
            found(names)
        return
    assert found(names) == expected
    note = find_columns("f", names.split(), BOTH).note("")
    assert note is not None and repr(expected[1]) in note and repr(expected[2][0]) in note


@pytest.mark.parametrize(
    ("names", "wanted", "first", "second"),
    [
        ("id prediction hypothesis references", BOTH, "prediction", "hypothesis"),
        ("id caption pred", BOTH, "caption", "pred"),
        ("image_id caption response", (CANDIDATE,), "caption", "response"),
        ("id ref1 ref2 caption_1 caption_2", (REFERENCES,), "ref1", "caption_1"),
        ("id caption caption_1", (REFERENCES,), "caption", "caption_1"),
        ("id refs gts", (REFERENCES,), "refs", "gts"),
        ("filename image candidate references", BOTH, "filename", "image"),
        ("Caption CAPTION id", BOTH, "Caption", "CAPTION"),
    ],
)
def test_ambiguous_columns_are_an_error_that_names_both(
    names: str, wanted: Any, first: str, second: str
) -> None:
    with pytest.raises(
        InputError, match=rf"could be '{first}' or '{second}'; rename one, or say which"
    ):
        found(names, wanted)


def test_columns_option_resolves_ambiguity() -> None:
    names = "photo ours theirs a b c*"
    assert found(names, id="photo", candidate="ours", references="a+b") == (
        "photo",
        "ours",
        ("a", "b"),
    )
    assert found("x r_a r_b id y", candidate="y", references="r_*")[2] == ("r_a", "r_b")
    assert found("x a+b id y", candidate="y", references="a+b")[2] == ("a+b",)
    assert found("id caption pred", candidate="pred", references=["caption"])[1:] == (
        "pred",
        ("caption",),
    )
    with pytest.raises(InputError, match="candidate from several columns"):
        found("x y id", candidate="x+y")


@pytest.mark.parametrize("text", ["id", "id=", "=x", "id=a,id=b", "ids=x", "candidate = ,"])
def test_invalid_columns_options_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="columns"):
        parse_columns_option(text)


def test_columns_option_is_parsed() -> None:
    assert parse_columns_option(" id = photo , candidate=the caption") == {
        "id": "photo",
        "candidate": "the caption",
    }
    assert parse_columns_option("") == {}


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"PAR1xyz", "parquet"),
        (b'{"id": 1, "candidate": "x"}', "jsonl"),
        (b'{"a": "x"}\n{"a": "y"}\n', "jsonl"),
        (b'\xef\xbb\xbf {"42": "a dog"}', "json"),
        (b'{\n"42": "a dog"}', "json"),
        (b'[{"id": 1}]', "json"),
        (b"[\n]", "json"),
        (b"[sign] a man\n", "txt"),
        (b"id,candidate\n1,x\n", "csv"),
        (b"\xef\xbb\xbfimage;caption\r\n1;x\r\n", "csv"),
        (b"image\tcaption\n", "tsv"),
        (b"ref1,ref2\n", "csv"),
        (b"a dog, a cat\n", "txt"),
        (b"image of a dog, caption\n", "txt"),
        (b"caption\n", "txt"),
        (b"\xff\xfe,\x00", "txt"),
        (b'"open, quote\n', "txt"),
        (b"", "txt"),
        (b"{", "json"),
        (b"{" * 10_000 + b"\n", "json"),
    ],
)
def test_formats_by_content(data: bytes, name: str) -> None:
    assert detect_format(data) == name


def test_captions_are_not_taken_for_a_header() -> None:
    assert is_header(["image", "caption"]) and is_header(["ref1", "ref2"])
    assert not is_header(["a dog", "a cat"]) and not is_header(["image", "name"])
