"""The parser: well-formed trees for anything, the same whatever else is parsed, and good ones."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.errors import CaptiousError
from captious.text.english.lemmatizer import lemma, lemma_by_rule
from captious.text.parser.network import are_trees, best_projective, decode_heads
from captious.text.parser.parser import Parser, Sentence
from captious.text.parser.sentence_splitter import MAX_SENTENCE_WORDS, split_sentences
from captious.text.parser.word_layer import BATCH_ROWS

CAPTIONS = [
    "a man riding a wave on top of a surfboard",
    "a buffet with a lot of different foods some on skewers",
    "two dogs are playing with a frisbee in the park",
    "a red and white bus parked next to a tall building",
    "there is a cat that is sleeping on the couch",
    "surfing",
    "the man 's dog does n't want to be washed",
    "three women sitting at a table eating pizza and drinking wine",
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load()


def is_tree(heads: list[int] | tuple[int, ...]) -> bool:
    """Whether one root is above every word, told word by word."""
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def check(tokens: list[str], sentences: tuple[Sentence, ...]) -> None:
    """A result is whole: every word once, every column as long, every tree a tree."""
    assert [list(sentence.words) for sentence in sentences] == split_sentences(tokens)
    for sentence in sentences:
        assert isinstance(sentence, Sentence)
        assert len({len(column) for column in sentence}) == 1
        assert is_tree(sentence.heads)
        assert all(0 <= head <= len(sentence.words) for head in sentence.heads)
        roots = [label == "root" for label in sentence.labels]
        assert roots == [head == 0 for head in sentence.heads]


def test_caption_is_parsed_like_corenlp(parser: Parser) -> None:
    caption = "a clock attached to a building hanging above a stop light"
    [[sentence]] = parser.parse_all([caption.split()])
    assert sentence.tags == tuple("DT NN VBN TO DT NN VBG IN DT NN NN".split())
    assert sentence.lemmas == tuple("a clock attach to a building hang above a stop light".split())
    assert sentence.heads == (2, 3, 0, 6, 6, 3, 6, 11, 11, 11, 7)
    expected = "det nsubj root case det nmod acl case det compound nmod"
    assert sentence.labels == tuple(expected.split())


def test_clause_is_parsed_like_corenlp(parser: Parser) -> None:
    [[sentence]] = parser.parse_all([CAPTIONS[2].split()])
    assert sentence.tags == tuple("CD NNS VBP VBG IN DT NN IN DT NN".split())
    assert sentence.lemmas == tuple("two dog be play with a frisbee in the park".split())
    assert sentence.heads[:7] == (2, 4, 4, 0, 7, 7, 4)
    assert sentence.labels[:7] == tuple("nummod nsubj aux root case det nmod".split())


def test_empty_caption_has_no_sentence(parser: Parser) -> None:
    assert parser.parse_all([]) == []
    assert parser.parse_all([[], [""], ["surfing"]])[:2] == [(), ()]


def test_one_word_is_the_root(parser: Parser) -> None:
    [[sentence]] = parser.parse_all([["dog"]])
    assert (sentence.heads, sentence.labels) == ((0,), ("root",))


@pytest.mark.slow
def test_parse_does_not_depend_on_the_batch(parser: Parser) -> None:
    """BLAS may sum differently in matrices of another shape; the parser must not show it."""
    words = sorted({word for caption in CAPTIONS for word in caption.split()})
    chance = random.Random(3)
    captions = [caption.split() for caption in CAPTIONS]
    captions += [chance.choices(words, k=chance.randint(1, 14)) for _ in range(400)]
    together = parser.parse_all(captions)
    order = list(range(len(captions)))
    chance.shuffle(order)
    shuffled = parser.parse_all([captions[number] for number in order])
    assert shuffled == [together[number] for number in order]
    for number in order[:25]:
        assert parser.parse_all([captions[number]]) == [together[number]]
    afresh = Parser.load()  # one that has learnt its words in another order
    assert afresh.parse_all(captions[::-7]) == together[::-7]


@pytest.mark.slow
def test_scores_are_the_same_to_the_last_bit(
    parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stronger than equal trees: no near tie can turn over either, whatever stands beside."""
    network: Any = parser._contents[0]
    seen: list[np.ndarray] = []
    decoded = decode_heads

    def spy(arcs: np.ndarray) -> Any:
        seen.append(arcs.copy())
        return decoded(arcs)

    monkeypatch.setattr("captious.text.parser.network.decode_heads", spy)
    caption = CAPTIONS[0].split()
    network.analyse([caption])
    [[alone]] = seen
    others = [
        word.split()[: len(caption)] for word in CAPTIONS if len(word.split()) >= len(caption)
    ]
    assert len(others) > 2
    for beside, place in (
        ([*others, caption], len(others)),
        ([caption, *others], 0),
        ([*others, caption, *others, caption[::-1]], len(others)),
        ([caption] * BATCH_ROWS, BATCH_ROWS - 1),
    ):
        seen.clear()
        network.analyse(beside)
        [alike] = seen
        assert np.array_equal(alike[place], alone)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.text(max_size=10), max_size=20), max_size=4))
def test_any_tokens_make_trees(parser_of_the_session: Parser, captions: list[list[str]]) -> None:
    for tokens, sentences in zip(captions, parser_of_the_session.parse_all(captions), strict=True):
        check(tokens, sentences)


@pytest.fixture(scope="session")
def parser_of_the_session() -> Parser:
    return Parser.load()


@pytest.mark.parametrize(
    "caption",
    [
        "ein hund läuft über die straße",
        "a mann ridng a whaev",
        "狗 在 跑",
        "? ! .",
        "a " * 70,
        "\ud800 x",
    ],
)
def test_odd_captions_are_parsed(parser: Parser, caption: str) -> None:
    tokens = caption.split()
    [sentences] = parser.parse_all([tokens])
    check(tokens, sentences)


@pytest.mark.slow
def test_a_very_long_caption_is_cut(parser: Parser) -> None:
    tokens = ("a man and a dog on the beach with " * 700).split()
    [sentences] = parser.parse_all([tokens])
    check(tokens, sentences)
    assert max(len(sentence.words) for sentence in sentences) == MAX_SENTENCE_WORDS
    assert [word for sentence in sentences for word in sentence.words] == tokens


def test_extremely_long_word_is_parsed(parser: Parser) -> None:
    [[sentence]] = parser.parse_all([["a", "x" * 100_000, "dog"]])
    assert is_tree(sentence.heads)


@pytest.mark.slow
def test_the_memory_for_words_is_bounded(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    before = parser.parse_all([CAPTIONS[0].split()])
    monkeypatch.setattr("captious.text.parser.word_layer._MAX_CACHED_WORDS", 50)
    fresh = Parser.load()
    for number in range(10):
        fresh.parse_all([[f"word{number}x{place}" for place in range(20)]])
        assert len(fresh._contents[0]._word_layer._number) <= 50
    assert fresh.parse_all([CAPTIONS[0].split()]) == before


@pytest.mark.slow
def test_loading_is_lazy_and_needs_no_torch() -> None:
    code = (
        "import sys; from captious.text.parser.parser import Parser; Parser.load('nowhere');"
        "parser = Parser.load(); parser.parse_all([['a', 'dog']]);"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_missing_weights_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaptiousError, match=r"none\.npz: cannot be read"):
        Parser.load(tmp_path / "none.npz").parse_all([["dog"]])


def test_fingerprint_and_pickling(parser: Parser) -> None:
    assert len(parser.fingerprint) == 12
    again = pickle.loads(pickle.dumps(parser))
    assert again.fingerprint == parser.fingerprint
    assert again.parse_all([["a", "dog"]]) == parser.parse_all([["a", "dog"]])


@pytest.mark.slow
@given(st.integers(1, 7), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_decoded_trees(length: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(5, length, length + 1)).astype(np.float32)
    word = np.arange(length)
    scores[:, word, word + 1] = -1e9
    for heads in (decode_heads(scores), best_projective(scores)):
        assert all(is_tree(row) for row in heads.tolist())
    alone = np.concatenate([decode_heads(scores[row : row + 1]) for row in range(5)])
    assert np.array_equal(alone, decode_heads(scores))
    some = np.random.default_rng(seed).integers(0, length + 1, (20, length))
    assert are_trees(some).tolist() == [is_tree(row) for row in some.tolist()]


def is_projective(heads: list[int]) -> bool:
    arcs = [sorted((head, word)) for word, head in enumerate(heads, start=1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_the_projective_tree_is_the_best() -> None:
    """Against every tree of four words."""
    scores = np.random.default_rng(0).normal(size=(30, 4, 5)).astype(np.float32)
    word = np.arange(4)
    scores[:, word, word + 1] = -1e9
    every = np.array(np.meshgrid(*[np.arange(5)] * 4)).reshape(4, -1).T
    trees = every[[is_tree(heads) and is_projective(heads) for heads in every.tolist()]]
    for row, heads in zip(scores, best_projective(scores), strict=True):
        totals = row[word, trees].sum(axis=1)
        assert row[word, heads].sum() == pytest.approx(totals.max())


@pytest.mark.parametrize(
    ("tokens", "sentences"),
    [
        ("a stop sign on konnowac pass rd.", ["a stop sign on konnowac pass rd. ."]),
        ("signs on 3rd ave.", ["signs on 3rd ave."]),
        ("an airport runway.", ["an airport runway ."]),
        ("thank you !!! good dog", ["thank you !!!", "good dog"]),
        ("what ? ! yes", ["what ? !", "yes"]),
        ("photo in b&w", ["photo in b & w"]),
        ("thanks :-rrb-", ["thanks : -rrb-"]),
        ("do n't walk", ["do n't walk"]),
        ("", []),
    ],
)
def test_sentences(tokens: str, sentences: list[str]) -> None:
    assert split_sentences(tokens.split()) == [sentence.split() for sentence in sentences]


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("riding", "VBG", "ride"),
        ("sitting", "VBG", "sit"),
        ("gathered", "VBD", "gather"),
        ("carries", "VBZ", "carry"),
        ("watches", "VBZ", "watch"),
        ("hanging", "VBG", "hang"),
        ("benches", "NNS", "bench"),
        ("firemen", "NNS", "fireman"),
        ("puppies", "NNS", "puppy"),
        ("benches", "NN", "benches"),
        ("her", "PRP$", "she"),
        ("n't", "RB", "not"),
    ],
)
def test_lemmas_by_rule(word: str, tag: str, expected: str) -> None:
    assert lemma(word, tag, {}) == expected


@given(st.text(), st.sampled_from(["VB", "NNS"]))
def test_rules_for_lemmas_take_any_word(word: str, kind: str) -> None:
    assert lemma_by_rule(word, kind) or not word


def test_irregular_lemmas(parser: Parser) -> None:
    sentences = parser.parse_all(["the children are feeding geese".split(), "he ate it".split()])
    assert sentences[0][0].lemmas == ("the", "child", "be", "feed", "goose")
    assert sentences[1][0].lemmas == ("he", "eat", "it")


@pytest.mark.slow
def test_against_corenlp(shared: Path, parser: Parser) -> None:
    """Every ninth caption of the test split; the whole of it gives the figures of the card."""
    rows = []
    with gzip.open(shared / "data" / "silver" / "captions.jsonl.gz", "rt") as lines:
        # Rows of the test split are many enough for a cheap look at the text to pay.
        rows = [json.loads(line) for line in lines if '"split": "test"' in line][::9]
    assert len(rows) > 400
    right = dict.fromkeys(("words", "tags", "lemmas", "unlabelled", "labelled"), 0)
    for row, sentences in zip(
        rows, parser.parse_all([row["caption"].split(" ") for row in rows]), strict=True
    ):
        assert [list(each.words) for each in sentences] == [x["words"] for x in row["sentences"]]
        for ours, theirs in zip(sentences, row["sentences"], strict=True):
            heads = [a == b for a, b in zip(ours.heads, theirs["heads"], strict=True)]
            labels = [a == b for a, b in zip(ours.labels, theirs["labels"], strict=True)]
            right["words"] += len(heads)
            right["tags"] += sum(map(str.__eq__, ours.tags, theirs["tags"]))
            right["lemmas"] += sum(map(str.__eq__, ours.lemmas, theirs["lemmas"]))
            right["unlabelled"] += sum(heads)
            right["labelled"] += sum(map(bool.__and__, heads, labels))
    shares = {name: count / right["words"] for name, count in right.items()}
    assert shares["tags"] > 0.975
    assert shares["lemmas"] > 0.99
    assert shares["unlabelled"] > 0.937
    assert shares["labelled"] > 0.925
