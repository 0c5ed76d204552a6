"""WordPiece: the pieces that BERT's own tokenizer gives."""

from __future__ import annotations

import gzip
import json
import unicodedata
from pathlib import Path

import pytest

from captious.text.encoder.onnx_encoder import SHIPPED
from captious.text.encoder.wordpiece import WordPiece, _decompose_accents, split_words


@pytest.fixture(scope="module")
def word_piece() -> WordPiece:
    return WordPiece(SHIPPED / "vocabulary.txt")


def pieces(word_piece: WordPiece, caption: str, window: int = 256) -> tuple[list[str], int]:
    [row], shortened = word_piece.tokenize([caption], window)
    assert word_piece.pieces[row[0]] == "[CLS]" and word_piece.pieces[row[-1]] == "[SEP]"
    return [word_piece.pieces[number] for number in row[1:-1]], shortened


def test_word_pieces_match_the_original(word_piece: WordPiece) -> None:
    # As transformers 5 cuts it with the model's own tokenizer.
    caption = "Embeddings of a café: snowboarder's t-shirts, 狗!"
    expected = "em ##bed ##ding ##s of a cafe : snow ##board ##er ' s t - shirts , [UNK] !"
    assert pieces(word_piece, caption) == (expected.split(), 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n", []),
        ("a\x00b\x0bc\x7f d", ["abc", "d"]),  # control characters go
        ("a\u2028b\u200bc", ["a", "bc"]),
        ("ÀÉ\ufffd", ["ae"]),
        ("\u03a3\u03a3", ["\u03c3\u03c3"]),  # no sigma of its own at a word's end
        ("狗a猫", ["狗", "a", "猫"]),
        ("a_b—c", ["a", "_", "b", "—", "c"]),
        ("\ud800dog", ["dog"]),
    ],
)
def test_text_is_cleaned(text: str, words: list[str]) -> None:
    assert list(split_words(text)) == words


def test_special_tokens_in_a_caption_are_recognized(word_piece: WordPiece) -> None:
    assert pieces(word_piece, "a [MASK]dog [sep]")[0] == "a [MASK] dog [ sep ]".split()


def test_overlong_words_are_unknown(word_piece: WordPiece) -> None:
    assert pieces(word_piece, "x" * 101)[0] == ["[UNK]"]
    assert pieces(word_piece, "x" * 100)[0] != ["[UNK]"]


def test_window_truncates_and_counts_captions(word_piece: WordPiece) -> None:
    assert pieces(word_piece, "a dog runs", 5) == (["a", "dog", "runs"], 0)
    assert pieces(word_piece, "a dog runs fast", 5) == (["a", "dog", "runs"], 1)


def test_real_captions_match_the_tokenizers_package(word_piece: WordPiece, shared: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    peer = tokenizers.BertWordPieceTokenizer(str(SHIPPED / "vocabulary.txt"), lowercase=True)
    with gzip.open(shared / "data" / "coco" / "captions_val2014.json.gz", "rt") as stream:
        rows = json.load(stream)["annotations"]
    captions = [row["caption"] for row in rows[::20]]
    expected_ids = [found.ids for found in peer.encode_batch(captions)]
    assert word_piece.tokenize(captions, 256) == (expected_ids, 0)


def test_letters_are_decomposed_as_in_nfd() -> None:
    text = "".join(map(chr, [*range(0xA0, 0xD800), *range(0xE000, 0x1F000)]))
    accents = "\u0301\u0316a\u302e\u0327\U0001d165\u0e38\u0344\u0301"
    for part in (text, text[::-1], accents, accents[::-1]):
        assert "".join(_decompose_accents(part)) == unicodedata.normalize("NFD", part)


@pytest.mark.slow
def test_many_accents_take_linear_time() -> None:
    assert split_words("a" + "\u0301\u0316" * 200_000) == ["a"]  # quadratic time would take minutes
