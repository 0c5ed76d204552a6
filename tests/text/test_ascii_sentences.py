"""Many captions split at once, compared with the rules that split them one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.text import ascii_sentences
from captious.text.ascii_sentences import MAX_GAP_CHARS, split_ascii_captions
from captious.text.english import ENGLISH
from captious.text.sentence_rules import may_have_several, split

PARTS = [
    *"aA15.!?_-*#([)\"' \t\x1c\n\r\xa0\u2026\u3002\0",
    *(
        "The dog runs",
        "St.",
        "messrs.",
        "U.S.",
        "p.m.",
        "Ph.D.",
        "...",
        "1.",
        "(a)",
        ". ",
        "\n\n- ",
    ),
    *("x" * 38, "x" * 50, ")" * 39, ")" * 40, " " * MAX_GAP_CHARS, " " * 40),
]


def split_one_by_one(caption: str) -> list[str]:
    sentences = list(split(caption)) if may_have_several(caption) else []
    return sentences if len(sentences) > 1 else []


def split_all(captions: list[str]) -> list[list[str] | None]:
    """Return the sentences of each caption, None for captions that are left to the rules."""
    sentences, counts, is_split = split_ascii_captions(captions)
    assert counts.sum() == len(sentences)
    assert not counts[~is_split].any()
    rest = iter(sentences)
    return [
        [next(rest) for _ in range(count)] if done else None
        for count, done in zip(counts.tolist(), is_split.tolist(), strict=True)
    ]


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), max_size=8))
def test_sentences_are_those_of_the_rules(captions: list[str]) -> None:
    for caption, sentences in zip(captions, split_all(captions), strict=True):
        assert sentences in (None, split_one_by_one(caption))


@pytest.mark.parametrize(
    "caption",
    [
        "A dog. A cat.",
        "dog. A cat.",
        "A dog!  Two cats?\tYes",
        " A dog. A cat.  ",
        'He says "No." She goes.',
        "St. Mark is here. Mr. X. is not.",
        "(Messrs. Y went. It is so. A messrss. B",
        "In the U.S. a man. At 5 p.m. it rains. e.g. this.",
        "x.etc. y is it. a-st. Bernard. a_st. One.",
        "(123) A dog. (12). 1. B. ab. ?! _. abcdef. 12345. x12. 6",
        f"Yes.{')' * 39} No. Yes.{')' * 40} No",
        f"One.{' ' * MAX_GAP_CHARS} Two.",
        f"a.{'b' * 36}. Two. a.{'b' * 37}. Two. a.{'b' * 38}. Two. {'b' * 50}. Two",
        "",
        " ",
        "...",
        "a. b. c.",
        "1. A dog.\n2. A cat (brown).\n\n- 3 birds\n",
        "A dog\nruns on. grass\nyes\n",
        "\n A dog.\nruns etc.\nand z\r\n{ A cat.)\n b `\n",
        "\r\na dog \v B\f. x.'\ty",
        f"One{' ' * (MAX_GAP_CHARS - 1)}\n{' '}Two. c\n{' ' * MAX_GAP_CHARS}Three",
    ],
)
def test_plain_captions_are_split(caption: str) -> None:
    assert split_all([caption]) == [split_one_by_one(caption)]
    # The same between others, of which nothing belongs to it.
    neighbours = ["A dog", caption, "cats. A dog", caption, ""]
    assert split_all(neighbours)[1::2] == [split_one_by_one(caption)] * 2


@pytest.mark.parametrize(
    "caption",
    [
        "A dog. \0A cat.",
        "\0",
        "Caf\u00e9. Yes.",
        f"A.{' ' * (MAX_GAP_CHARS + 2)}dog. B.",
        f"A{' ' * (MAX_GAP_CHARS + 1)}\ndog. B.",
        f"A\n{' ' * (MAX_GAP_CHARS + 1)}dog. B.",
    ],
)
def test_others_are_left_to_the_rules(caption: str) -> None:
    assert split_all(["One. Two.", caption, "Three. Four."]) == [
        ["One.", "Two."],
        None,
        ["Three.", "Four."],
    ]


@pytest.mark.parametrize("abbreviation", sorted(ENGLISH.orthography.ABBREVIATIONS))
def test_no_sentence_ends_behind_an_abbreviation(abbreviation: str) -> None:
    capital = abbreviation.capitalize()
    caption = f"Here {abbreviation}. ({capital}. it goes. x{abbreviation}. On"
    expected = [f"Here {abbreviation}. ({capital}. it goes.", f"x{abbreviation}.", "On"]
    if "." in abbreviation or f"x{abbreviation}" in ENGLISH.orthography.ABBREVIATIONS:
        expected[1:] = [f"x{abbreviation}. On"]
    assert split_all([caption]) == [expected]


def test_blocks_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascii_sentences, "BLOCK_CAPTIONS", 2)
    captions = ["One. Two.", "a cat", "Caf\u00e9", "\u00e9", "A. B", "Three. Four. Five."]
    several = [["One.", "Two."], [], None, None, [], ["Three.", "Four.", "Five."]]
    assert split_all(captions) == several
    assert split_all([]) == []
