"""Folders of METEOR's tables: sound ones score, damaged or crafted ones are refused in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.mapped_arrays import map_array
from captious.metrics.meteor import Meteor
from captious.text.meteor.alignment import alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.tables import MeteorTables, fingerprint, open_tables
from tests.made_up.meteor_tables import CAPTIONS, build
from tests.places import ROOT

TOKENS = [caption.split() for caption in CAPTIONS]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build(tmp_path / "tables")


def sign(folder: Path) -> None:
    """Write the fingerprint that the tables have now, as who crafts them would."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    about["fingerprint"] = fingerprint(folder)
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        base = MeteorCaptions.analyse(TOKENS, tables=MeteorTables(folder))
        rows = np.arange(len(base))
        alignment_statistics(base, base, rows, rows[::-1])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_shipped_tables_are_valid() -> None:
    open_tables().check()


def test_small_tables_score(folder: Path) -> None:
    base = MeteorCaptions.analyse(TOKENS, tables=MeteorTables(folder))
    rows = alignment_statistics(base, base, np.array([0, 0]), np.array([0, 1]))
    assert rows[0, 21] == rows[0, 22] == 11
    assert rows[1, 16:20].sum() > 0  # "next to" for "in front of"


ARRAYS = [
    ("word_stems", lambda a: a.astype("<i8"), "type <i8, not <i4"),
    ("word_stems", lambda a: a.reshape(1, -1), "no flat array"),
    ("word_stems", lambda a: a[:-1], "numbers, not"),
    ("word_stems", lambda a: np.append(a[1:], 999).astype("<i4"), "to 999, not below"),
    ("word_stems", lambda a: np.append(a[1:], -1).astype("<i4"), "from -1 to"),
    ("word_synsets", lambda a: a + np.int32(100), "not below"),
    ("word_synset_offsets", lambda a: a[::-1], "does not ascend"),
    ("word_synset_offsets", lambda a: a[1:], "numbers, not"),
    (
        "wordnet_synset_offsets",
        lambda a: np.append(1, a[1:]).astype("<i4"),
        "does not begin with 0",
    ),
    ("phrase_words", lambda a: a + np.uint16(60000), "not below"),
    ("phrase_children", lambda a: np.append(0, a[1:]).astype("<i4"), "not behind its parent"),
    ("phrase_paraphrases", lambda a: a + np.int32(1), "does not ascend to"),
    ("paraphrases", lambda a: a[:-1], "does not ascend to"),
    ("paraphrases", lambda a: a * np.uint8(0), "is no list of paraphrases"),
    ("paraphrases", lambda a: a | np.uint8(15), "is no list of paraphrases"),
    ("paraphrases", lambda a: a | np.uint8(16), "is no list of paraphrases"),
    ("wordnet_synsets", lambda a: a + np.int32(1), "not below"),
    ("wordnet_synset_offsets", lambda a: a[:0], "has 0 numbers"),
    ("synset_numbers", lambda a: np.append(a, a).astype("<i4"), "counts other synsets"),
]


@pytest.mark.parametrize(("name", "change", "message"), ARRAYS)
def test_an_array_that_does_not_fit_is_named(
    folder: Path, name: str, change: Callable[..., Any], message: str
) -> None:
    path = folder / f"{name}.npy"
    np.save(path, change(np.load(path)))
    sign(folder)
    said = refusal(folder)
    assert message in said
    assert (f"{name}.npy" if name != "synset_numbers" else "about.json") in said


TEXTS = [
    ("words.txt", b"\xff\xfe", "not UTF-8 at byte 0"),
    ("words.txt", b"a\nb", "has 2 lines, not"),
    ("words.txt", None, "No such file"),
    ("stems.txt", b"", "has 1 lines, not"),
    ("function_words.txt", b"a\na", "has a line twice"),
    ("wordnet_exceptions.txt", b"wolves", "is not a form and the words"),
    ("wordnet_exceptions.txt", b"wolves" + b" wolf" * 100, "is not a form and the words"),
    ("word_flags.npy", b"", "is no flat array"),
    ("word_flags.npy", b"PK\x03\x04", "is no flat array"),
    ("about.json", b"[" * 100_000, "holds no METEOR tables"),
    ("about.json", b'{"format": 1}', '"words" is no number'),
    ("COPYING.WORDNET", None, "No such file"),
]


@pytest.mark.parametrize(("name", "content", "message"), TEXTS)
def test_a_file_that_holds_something_else_is_named(
    folder: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    said = refusal(folder)
    assert message in said
    assert str(folder if name == "about.json" else folder / name) in said


@pytest.mark.parametrize("name", sorted({name for name, _, _ in TEXTS} | {"wordnet_words.txt"}))
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    said = refusal(folder)
    assert "a pipe" in said or "holds no METEOR tables" in said


def test_words_of_wordnet_must_be_in_order(folder: Path) -> None:
    path = folder / "wordnet_words.txt"
    path.write_bytes(b"\n".join(reversed(path.read_bytes().split(b"\n"))))
    sign(folder)
    assert "not in order" in refusal(folder)


def test_too_long_a_phrase_is_refused(folder: Path) -> None:
    words = len(map_array(folder / "word_stems.npy", "<i4"))
    nodes = 12  # each the only child of the one before it
    np.save(folder / "phrase_words.npy", np.zeros(nodes, "<u2"))
    np.save(folder / "phrase_children.npy", np.arange(1, nodes + 2).clip(max=nodes).astype("<i4"))
    np.save(folder / "phrase_paraphrases.npy", np.zeros(nodes + 1, "<i4"))
    np.save(folder / "paraphrases.npy", np.zeros(0, "u1"))
    sign(folder)
    assert words > 0
    assert "a phrase of more than 7 words" in refusal(folder)


def test_a_changed_letter_is_noticed(folder: Path) -> None:
    path = folder / "words.txt"
    path.write_bytes(path.read_bytes().replace(b"boat", b"goat"))
    assert "has the fingerprint" in refusal(folder)


def test_damaged_tables_are_reported_before_scoring(folder: Path) -> None:
    (folder / "paraphrases.npy").write_bytes(b"")
    with pytest.raises(InputError, match=r"paraphrases\.npy: is no flat array"):
        Meteor(meteor_tables=folder)


@pytest.mark.slow
def test_a_thousand_damaged_tables_score_or_are_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.text.meteor.mutated_tables",
            str(tmp_path),
            "1000",
            "0",
        ],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert sum(answers.values()) == 1000
    assert min(answers.values()) > 50
