from __future__ import annotations

import pytest

import captious
from captious.errors import InputError
from captious.text.analysis import Analysis
from captious.text.tokens import MAX_DISTINCT_WORDS, Tokens


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
