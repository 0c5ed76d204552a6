from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import captious
from captious.errors import InputError
from captious.text.analysis import TOKENIZERS, Analysis
from captious.text.tokenizer.chunks import Chunks
from captious.text.tokens import MAX_DISTINCT_WORDS, Tokens, check_long_captions, have_tokens


def test_words_of_base_keep_their_numbers_and_new_ones_follow() -> None:
    base = Analysis(["a dog", "the cat"])
    above = Analysis(["the bird sees a dog"], base=base)
    numbers = base.layer(Tokens).vocabulary
    assert numbers == {"a": 0, "dog": 1, "the": 2, "cat": 3}
    assert above.layer(Tokens).ids.values.tolist() == [2, 4, 5, 0, 1]
    assert numbers == {"a": 0, "dog": 1, "the": 2, "cat": 3}


def test_tokens_with_a_no_break_space_are_also_split() -> None:
    base = Analysis(["a 4 1/2 cup"])
    above = Analysis(["4 1/2 cups", "two cups"], base=base)
    tokens = base.layer(Tokens)
    number = tokens.vocabulary
    assert tokens.words == [["a", "4\u00a01/2", "cup"]]
    assert tokens.ids.values.tolist() == [number["a"], number["4\u00a01/2"], number["cup"]]
    pieces = [number[word] for word in ("a", "4", "1/2", "cup")]
    assert tokens.pieces.values.tolist() == pieces
    assert above.layer(Tokens).pieces.values[:2].tolist() == pieces[1:3]
    assert above.layer(Tokens).pieces.lengths.tolist() == [3, 2]


def test_pieces_are_the_ids_without_no_break_spaces() -> None:
    tokens = Analysis(["a dog"]).layer(Tokens)
    assert tokens.pieces is tokens.ids


def test_captions_tokenized_already_are_split_at_white_space() -> None:
    words = (
        Analysis(["can  not\tgo", "4\u00a01/2 cups"], tokenizer="whitespace").layer(Tokens).words
    )
    assert words == [["can", "not", "go"], ["4\u00a01/2", "cups"]]


def different_words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "wmd", "captious"])
@pytest.mark.parametrize("is_candidate", [True, False])
def test_a_caption_of_too_many_different_words_is_named(metric: str, is_candidate: bool) -> None:
    captions = ["a dog", different_words(MAX_DISTINCT_WORDS + 1)]
    candidate, reference = captions[::-1] if is_candidate else captions
    with pytest.raises(InputError) as raised:
        captious.score(["a cat", candidate], [["a cat"], [reference]], [metric], cache=False)
    assert str(raised.value) == (
        f"the caption that begins {captions[1][:40]!r} has 5,001 different words, and captions "
        "may have 5,000; shorten it, or score it in parts"
    )


def test_limit_counts_distinct_words() -> None:
    caption = different_words(MAX_DISTINCT_WORDS)
    tokens = Analysis([f"{caption} {caption} w1 w2"], "whitespace").layer(Tokens)
    assert len(tokens.ids.values) == 2 * MAX_DISTINCT_WORDS + 2


ODD_PARTS = ["a", "Z", "-", "'", "`", "<", ">", "<a", "&amp;", "&", ";", ".", " ", "\xa0", "@", "/"]
ODD_PARTS += ["LRB", "nt", "\u0301", "\ufffd", "\0", "\u3002", "\u72d7", "www.", "://", "1"]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(st.lists(st.lists(st.sampled_from(ODD_PARTS), max_size=8).map("".join), max_size=8))
def test_captions_that_have_tokens_are_known_without_them(
    tokenizer: str, captions: list[str]
) -> None:
    analysis = Analysis(captions, tokenizer)
    before = have_tokens(analysis).tolist()
    assert not analysis.has(Tokens)
    assert before == (analysis.layer(Tokens).ids.lengths > 0).tolist()
    assert have_tokens(analysis).tolist() == before


def test_only_captions_that_may_have_too_many_words_are_tokenized(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokenized: list[str] = []
    analysis = Analysis(["a b c", "a b", "- a", "?"], "whitespace")
    monkeypatch.setattr("captious.text.tokens.MAX_DISTINCT_WORDS", 3)
    split = TOKENIZERS["whitespace"]

    def tokenize(captions: Sequence[str]) -> Chunks:
        tokenized.extend(captions)
        return split(captions)

    monkeypatch.setitem(TOKENIZERS, "whitespace", tokenize)
    check_long_captions(analysis)
    assert tokenized == ["a b c"]
    tokenized.clear()
    assert have_tokens(analysis).all()
    assert tokenized == ["a b c", "- a", "?"]
    with pytest.raises(InputError, match="4 different words"):
        check_long_captions(Analysis(["a", "a b c d"], "whitespace"))
    with pytest.raises(InputError, match="4 different words"):
        have_tokens(Analysis(["a", "a b c d"], "whitespace"))
