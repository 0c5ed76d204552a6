"""Captions in chunks."""

from __future__ import annotations

from collections.abc import Iterable

from captious.text.analysis import Analysis
from captious.text.tokenizer.chunks import Chunks
from captious.text.tokenizer.tokenizer import tokenize_to_chunks
from captious.text.tokens import Tokens


def letters(chunks: Iterable[str]) -> list[tuple[str, ...]]:
    return list(map(tuple, chunks))


def test_each_distinct_chunk_is_tokenized_once() -> None:
    seen: list[str] = []

    def tokens_of(chunks: Iterable[str]) -> list[tuple[str, ...]]:
        seen.extend(chunks)
        return letters(seen)

    chunks = Chunks.build(["ab c", "", "c ab ab"], str.split, tokens_of)
    assert seen == ["ab", "c"]
    assert chunks.words() == [["a", "b", "c"], [], ["c", "a", "b", "a", "b"]]
    numbers = chunks.map_tokens([[10, 11], [12]])
    assert numbers.values.tolist() == [10, 11, 12, 12, 10, 11, 10, 11]
    assert numbers.offsets.tolist() == [0, 3, 3, 8]


def test_captions_can_be_replaced_by_one_chunk() -> None:
    chunks = Chunks.build(["ab c", "c d", "d"], str.split, letters).replace_captions(
        {1: ("whole",)}
    )
    assert chunks.words() == [["a", "b", "c"], ["whole"], ["d"]]
    alone = Chunks.build(["ab", "x y"], str.split, letters).replace_captions({1: ("whole",)})
    assert alone.tokens == [("a", "b"), (), (), ("whole",)]  # x and y are in no caption now


def test_words_of_chunks_that_were_taken_whole_are_in_no_vocabulary() -> None:
    assert tokenize_to_chunks(["dial 415 555-1234"]).words() == [["dial", "415\u00a0555-1234"]]
    vocabulary = Analysis(["dial 415 555-1234"]).layer(Tokens).vocabulary
    assert set(vocabulary) == {"dial", "415\u00a0555-1234", "415", "555-1234"}


def test_no_captions_have_no_chunks() -> None:
    assert Chunks.build([], str.split, letters).words() == []
