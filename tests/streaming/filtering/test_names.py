"""Facts of captions: also of those without references, in any language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from captious.streaming.filtering.names import main_script
from captious.streaming.filtering.planning import FilterRequest
from tests.streaming.filtering.test_filter_stream import kept, parsed

CAPTIONS = {
    "A dog runs on the beach.": "latin",
    "Ein Hund läuft am Strand": "latin",
    "Собака бежит по пляжу": "cyrillic",
    "一只狗在海滩上奔跑": "han",
    "いぬが浜辺を走っている": "hiragana",
    "ネコ": "katakana",
    "개가 해변을 달린다": "hangul",
    "कुत्ता दौड़ रहा है": "devanagari",
    "كلب يجري على الشاطئ": "arabic",
    "\uff26ull width": "latin",
    "a собака": "cyrillic",
    "12 + 3 😀": None,
    "": None,
}


@pytest.mark.parametrize("caption", CAPTIONS)
def test_the_script_of_most_letters(caption: str) -> None:
    assert main_script(caption) == CAPTIONS[caption]


def test_of_as_many_letters_the_first_script_counts() -> None:
    assert main_script("ab вг") == "latin" and main_script("вг ab") == "cyrillic"


@pytest.mark.slow
def test_captions_without_references_by_language_and_length(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": n, "candidate": caption} for n, caption in enumerate(CAPTIONS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def found(where: str) -> list[int]:
        one, other = (parsed(kept(FilterRequest(where=where), path, size)[0]) for size in (1000, 3))
        assert one == other
        return [row["id"] for row in one]

    assert found("script = 'latin'") == [0, 1, 9]
    assert found("script = 'latin' and english and words > 2") == [0]
    assert found("script IN ('han', 'hiragana', 'katakana')") == [3, 4, 5]
    assert found("script IS NULL") == [11, 12]
    assert found("characters <= 2") == [5, 12]
    assert 0 in found("form > .5 and english")
