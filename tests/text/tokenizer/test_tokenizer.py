"""The tokenizer against the COCO toolkit's answers, and against its own promises."""

# ruff: noqa: RUF001 - look-alike characters are what the tests are about

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.text.tokenizer.lexer import lex
from captious.text.tokenizer.tokenizer import tokenize, tokenize_all
from tests.places import SHARED

PARITY = SHARED / "parity"

# Answers of the COCO toolkit (CoreNLP 3.4.1 through pycocoevalcap 1.2), joined by spaces.
GOLDEN = {
    "A man's dog isn't here; it's gone.": "a man 's dog is n't here it 's gone",
    "I can't, cannot, gonna go": "i ca n't can not gon na go",
    "'single quoted' word, the '90s, rock 'n' roll": "single quoted word the '90s rock 'n' roll",
    "o'clock y'all ma'am Xi'an B'nai dogs' toys": "o'clock y' all ma'am xi'an b'nai dogs toys",
    "They'll don’t ’em ol' l'amour": "they 'll do n't ’em ol' l'amour",
    "Mr. Smith's U.S. flag ...": "mr. smith 's u.s. flag",
    "on 8th Ave. etc. no. 5, no. More": "on 8th ave. etc. no. 5 no more",
    "parked I. The street, letter K.": "parked i the street letter k.",
    "a sink., and basin.A": "a sink. and basin.a",
    "What?! Really? a?b": "what ?! really a?b",
    "C++ C# AT&T R&amp;B US$5 A+B": "c++ c# at&t r&b us$ 5 a+b",
    "1/2 1,000 3:30 +5 -.5 2.5x 1.jpg 1.5-inch": "1/2 1,000 3:30 +5 -.5 2.5 x 1.jpg 1.5-inch",
    "25 1/2 street, (415) 555-1234": "25\u00a01/2 street -lrb-415-rrb-\u00a0555-1234",
    "€5 £6 ¢8 ½ ⅓": "$ 5 # 6 cents 8 1/2 1/3",
    "a [b] {c} <d> <e f='g'> <": "a -lsb- b -rsb- -lcb- c -rcb- <d> <e\u00a0f='g'> <",
    ":) ;-( =D (^_^) x_x a:b ;person": ":-rrb- ;--lrb- =d -lrb-^_^-rrb- x_x a b person",
    "http://a.b/c, www.a-b.com/d x.com/ef me@a.b.": "http://a.b/c www.a-b.com / d x.com/ef me@a.b",
    "#tag @user a_b ** *** ----- -- -": "#tag @user a_b ** *** -----",
    "caf&eacute; &lt;b&gt; &quot;c&quot; &#39;": "caf&eacute; < b > c &#39;",
    "left/right a/b/c/d and/or-not 1/2-inch": "left/right a/b/c / d and/or-not 1/2-inch",
    "日本語 🙂 naïve soft\u00adhyphen": "日本語 naïve softhyphen",
    "don't\xada y'\xada N'ab\xadc d'\xada-b": "do n't a y a n'ab c d' a b",
    "a\xadn't -\xad1 1\xad2 a-\xadb \xada-b \xadn't": "a n't -1 12 a-b a b n t",
    "d'll o'll I'll": "d 'll o 'll i 'll",
    "the Microsoft\xa0.NET book": "the microsoft \xa0.net book",
    "a\xa0.net b\u2003x.com 5\u3000.org": "a\xa0.net b\u2003x.com 5 \u3000.org",
    "a \xa0.NET b": "a net b",
    "http://a\u2003b/c d www.a\xa0b.com x.com/a\xa0b": (
        "http://a\u2003b/c d www.a\xa0b.com x.com/a\xa0b"
    ),
    "me\xa0@a.b me\u2003@a.b me@a\xa0b.c me@a.b\u2003c": (
        "me @a b me\u2003@a.b me@a b.c me@a.b\u2003c"
    ),
    "see x.com/ab\xa0": "see x.com/ab",
    "see http://a.b/c\u2003.": "see http://a.b/c\u2003",
    "\u200bexample.com 🙂b.org \x01a.com/xy": "\u200bexample.com 🙂b.org \x01a.com/xy",
}


@pytest.mark.parametrize("caption", GOLDEN)
def test_golden(caption: str) -> None:
    assert " ".join(tokenize(caption)) == GOLDEN[caption]


@pytest.mark.skipif(not PARITY.is_dir(), reason="needs ../shared/parity")
def test_edge_cases_of_the_toolkit() -> None:
    cases = json.loads((PARITY / "ptb_edge_cases.json").read_text(encoding="utf-8"))
    assert [(case, " ".join(tokenize(case))) for case, _ in cases] == [
        (case, tokens) for case, tokens in cases
    ]


@pytest.mark.slow
@pytest.mark.skipif(not PARITY.is_dir(), reason="needs ../shared/parity")
@pytest.mark.parametrize("path", sorted(PARITY.glob("coco_*.json.gz")), ids=lambda path: path.name)
def test_captions_of_coco(path: Path) -> None:
    expected: dict[str, str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in json.load(file)["rows"]:
            expected[row["candidate"]] = row["candidate_tokens"]
            expected.update(zip(row["references"], row["reference_tokens"], strict=True))
    captions = list(expected)
    differing = {
        caption: " ".join(tokens)
        for caption, tokens in zip(captions, tokenize_all(captions), strict=True)
        if " ".join(tokens) != expected[caption]
    }
    # Java looks at the next caption's first word when a caption ends in a letter and a period.
    assert all(
        tokens.removesuffix(".") == expected[caption] and tokens[-3:-2] == " "
        for caption, tokens in differing.items()
    )
    assert len(differing) <= 1


PIECES = st.sampled_from(
    """a The K. no. 5 12 1/2 415 555-1234 (415) . .. .5 ... , - -- ' '' ` 's n't 'n 'em '90s '90
    U.S. etc. dog dog. < > <b> </b> <a b="c"> &amp; &nbsp; :) @ a@b http://a/b x.com .NET www. ½ é
    日 🙂 \u0301 \u00ad ’ “ * # $ % ( ) [ ] / \\ _ + = ~ | 1.jpg Mr. ms. ٣ \u00a0 \u2003 \u3000 \x85
    \x1f \x00""".split(" ")
)
TEXT = st.one_of(
    st.text(),
    st.text(st.characters(categories=None)),
    st.text(st.sampled_from("aK1.,:;'’`\"-/<>&@()+ \t\u00a0\n")),
    st.builds(str.join, st.sampled_from(["", " ", "  ", "\n", "\u00a0"]), st.lists(PIECES)),
)


@given(TEXT)
def test_remembered_chunks_equal_the_full_lexer(caption: str) -> None:
    assert tokenize(caption) == lex(caption)
    assert tokenize(caption) == lex(caption)  # now from memory


@given(TEXT)
def test_tokens_hold_no_white_space_but_the_no_break_space_outside_of_addresses(
    caption: str,
) -> None:
    for token in tokenize(caption):
        assert token
        assert token.strip(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029") == token
        if not any(mark in token for mark in ("@", "://", "www.", ".com", ".net", ".org", ".edu")):
            assert not any(character.isspace() for character in token.replace("\u00a0", ""))


@pytest.mark.slow
@given(st.lists(TEXT, max_size=5))
def test_captions_do_not_influence_one_another(captions: list[str]) -> None:
    assert tokenize_all(captions) == [tokenize(caption) for caption in captions]
    assert tokenize_all(iter(captions)) == tokenize_all(captions)


@given(st.sampled_from("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
def test_line_separators_are_plain_white_space(separator: str) -> None:
    captions = [f"a dog{separator}runs", "the next one"]
    assert tokenize_all(captions) == [["a", "dog", "runs"], ["the", "next", "one"]]


@pytest.mark.parametrize("separator", ["\n", "\r", "\x0b", "\x85", "\u2028"])
def test_separators_inside_one_token_become_no_break_spaces(separator: str) -> None:
    caption = f"415{separator}555{separator}1234 <a{separator}b='c{separator}d'>"
    assert tokenize(caption) == ["415\u00a0555\u00a01234", "<a\u00a0b='c\u00a0d'>"]


def test_surrogates_and_controls_vanish() -> None:
    assert tokenize("a \ud800 dog\x00\x07 \U0001f642") == ["a", "dog"]
    assert tokenize("") == tokenize(" \t\n") == []


MEGABYTES = ["a", "'", ".", "-", "1,", "<", "&", "a."]
OTHER_UNITS = ["a,", "a'", "@", "a@", "@.", "www.a_", "1.a.", "#a", "%", "(", "<!a", "<a ", "&amp;"]
OTHER_UNITS += [
    "a/",
    "a-",
    "é",
    "\u0301",
    "\u00ad",
    "a\u00ad",
    "🙂",
    "\0a.",
    "`",
    "’",
    "“",
    "http://",
    "~a.",
    "A&",
    "d'",
    "1 ",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", MEGABYTES)
def test_a_megabyte_is_tokenized(unit: str) -> None:
    tokenize(unit * (1_000_000 // len(unit)))  # finishes, as quadratic time would not


@pytest.mark.slow
@pytest.mark.parametrize("unit", OTHER_UNITS)
def test_no_unit_takes_quadratic_time(unit: str) -> None:
    tokenize(unit * (100_000 // len(unit)))


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captious.text.tokenizer.tokenizer._MAX_CACHED_CHUNKS", 10)
    captions = [f"word{number}x" for number in range(100)]
    assert tokenize_all(captions) == [[caption] for caption in captions]
