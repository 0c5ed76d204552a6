from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.errors import InputError
from captious.metrics.meteor import drop_perfect_chunks, meteor_scores
from captious.text.meteor.alignment import STATISTICS, alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.normalizer import normalize
from captious.text.meteor.tables import MeteorTables, open_tables

# What METEOR's own normalizer answers (the jar was asked).
NORMALISED = {
    "a man 's t-shirt": "a man ' s t shirt",
    "the man's 90's hat isn't": "the man 's 90 's hat isn 't",
    "the u.s. army": "the us army",
    "st. john a. b": "st. john a. b",
    "end of st.": "end of st .",
    "No. 5 No. x": "no. 5 no. x",
    "a,b 1,000 ,a , , b": "a , b 1,000 , a , , b",
    "wait ... what....": "wait ... what ....",
    "50% #1 $5 left/right": "50 % # 1 $ 5 left / right",
    "\u201cquoted\u201d ''so'' \u2018too\u2019": '" quoted " " so " \' too \'',
    "-lrb- a--b a\u2013b": "-lrb- a b a - b",
    "DOTMULTI a DOTDOTMULTI": ". a ..",
    "caf\u00e9\u3000na\u00efve\u00a0x": "caf\u00e9 na\u00efve x",
    "": "",
}

# Candidate, references, and what METEOR 1.5 (java -jar meteor-1.5.jar - - -stdio -l en -norm)
# answers: the 23 statistics of the best reference, and its score.
GOLDEN = [
    (
        "a man riding a wave on a surfboard",
        ["a man is surfing on a wave"],
        "8 7 4 4 2 2 3 3 0 0 0 0 1 1 0 0 0 0 0 0 4 6 6",
        0.37864549334312136,
    ),
    (
        "two dogs run through the grass",
        ["two dogs running in the grass"],
        "6 6 2 3 2 2 2 2 1 1 0 0 0 0 0 0 0 0 0 0 2 5 5",
        0.398746921989999,
    ),
    (
        "a kid plays with a ball",
        ["a child is playing with a ball", "a boy kicks the ball"],
        "6 7 3 4 1 1 3 3 0 0 0 0 1 1 0 0 1 1 0 1 1 6 7",
        0.8335981838819523,
    ),
    (
        "a large plane is taking off from the runway",
        ["a big airplane takes off at the airport"],
        "9 8 4 3 1 1 2 2 0 0 0 0 2 2 0 0 1 1 1 0 2 7 6",
        0.3387952908245359,
    ),
    (
        "a person 's hand holding a t-shirt",
        ["the man holds a shirt in his hand"],
        "9 8 4 4 2 2 1 1 1 1 0 0 0 0 0 0 1 1 0 0 4 5 5",
        0.2746260243972866,
    ),
    (
        "a cat a cat a cat",
        ["a cat and a cat"],
        "6 5 3 3 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 2 4 4",
        0.40437643345805335,
    ),
    (
        "a group of people standing next to each other",
        ["several people stand side by side", "a crowd of people stand together"],
        "9 6 5 3 0 0 3 3 1 1 0 0 0 0 0 0 0 0 0 0 2 4 4",
        0.17982857864369903,
    ),
    (
        "the dog",
        ["the dog"],
        "2 2 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 1 2 2",
        1.0,
    ),
    (
        "dog",
        ["cat"],
        "1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        0.0,
    ),
    (
        "",
        ["a dog"],
        "0 2 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        0.0,
    ),
    (
        "a dog",
        [""],
        "2 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        0.0,
    ),
    (
        "",
        [""],
        "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        0.0,
    ),
    (
        "a dog",
        ["", "a dog runs"],
        "2 3 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 1 2 2",
        0.29170666383042776,
    ),
    (
        "the u.s. flag can n't wave 1,000 times",
        ["the us flag can not wave 1,000 times"],
        "9 8 3 3 5 5 2 2 0 0 0 0 0 0 0 0 0 0 0 0 2 7 7",
        0.4910905407142579,
    ),
    (
        "wolves lie in front of a couple of trees",
        ["a wolf is lying before some trees"],
        "9 7 4 3 1 1 1 1 1 1 0 0 0 0 0 0 1 1 1 0 3 5 4",
        0.22058902601913663,
    ),
    (
        "on a table there is food",
        ["food is on the table", "there is food on a table"],
        "6 6 4 4 2 2 4 4 0 0 0 0 0 0 0 0 0 0 0 0 2 6 6",
        0.5183550629438616,
    ),
]
GOLDEN_CORPUS = 0.34791602111215925


def statistics_of(
    candidate: list[str], references: Sequence[list[str]], tables: MeteorTables | None = None
) -> np.ndarray:
    base = MeteorCaptions.analyse(references, tables=tables)
    text = MeteorCaptions.analyse([candidate], base)
    rows = np.zeros(len(references), np.int64)
    return alignment_statistics(text, base, rows, np.arange(len(references)))


def best(rows: np.ndarray) -> np.ndarray:
    row: np.ndarray = rows[int(np.argmax(meteor_scores(rows)))]
    return row


def score(candidate: list[str], *references: list[str]) -> float:
    return float(meteor_scores(statistics_of(candidate, references)).max())


@pytest.mark.parametrize("text", NORMALISED)
def test_normalized_text_matches_meteor(text: str) -> None:
    assert " ".join(normalize(text)) == NORMALISED[text]


@pytest.mark.parametrize(("candidate", "references", "statistics", "expected"), GOLDEN)
def test_statistics_match_meteor(
    candidate: str, references: list[str], statistics: str, expected: float
) -> None:
    rows = statistics_of(candidate.split(), [text.split() for text in references])
    assert best(rows).tolist() == [int(number) for number in statistics.split()]
    assert meteor_scores(best(rows)) == pytest.approx(expected, abs=1e-15)


def test_corpus_score_is_of_sums_to_which_perfect_captions_add_no_chunk() -> None:
    rows = [
        best(statistics_of(candidate.split(), [text.split() for text in references]))
        for candidate, references, _, _ in GOLDEN
    ]
    assert meteor_scores(drop_perfect_chunks(np.array(rows)).sum(0)) == pytest.approx(
        GOLDEN_CORPUS, abs=1e-15
    )


def test_numbers_that_no_caption_quotes_have_their_paraphrases() -> None:
    row = statistics_of("a crowd of 1000 people".split(), ["a crowd of thousand people".split()])[0]
    meteors = "5 5 3 3 1 1 2 2 0 0 0 0 0 0 0 0 1 1 1 1 1 5 5"  # METEOR 1.5's own statistics
    assert row.tolist() == [int(number) for number in meteors.split()]


def test_there_is_a_name_for_every_statistic() -> None:
    assert len(set(STATISTICS)) == len(STATISTICS) == 23
    row = dict(zip(STATISTICS, statistics_of(["a", "dog"], [["the", "dog"]])[0], strict=True))
    assert row["candidate_exact_content"] == row["reference_exact_content"] == 1
    assert row["candidate_function_words"] == row["reference_function_words"] == 1
    assert row["chunks"] == row["candidate_matches"] == row["reference_matches"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1000_dai2017", "1000_liu2017", "5000_vinyals2017"])
def test_parity_with_the_coco_toolkit(shared: Path, name: str) -> None:
    with gzip.open(shared / "parity" / f"coco_{name}.json.gz", "rt", encoding="utf-8") as file:
        parity = json.load(file)
    rows = parity["rows"]
    references = [text.split() for row in rows for text in row["reference_tokens"]]
    counts = [len(row["reference_tokens"]) for row in rows]
    base = MeteorCaptions.analyse(references)
    text = MeteorCaptions.analyse([row["candidate_tokens"].split() for row in rows], base)
    pairs = np.repeat(np.arange(len(rows)), counts)
    statistics = alignment_statistics(text, base, pairs, np.arange(len(references)))
    chosen = np.array([best(part) for part in np.split(statistics, np.cumsum(counts)[:-1])])
    expected = [row["scores"]["meteor"] for row in rows]
    assert np.abs(meteor_scores(chosen) - expected).max() < 1e-12
    corpus = meteor_scores(drop_perfect_chunks(chosen).sum(0))
    assert corpus == pytest.approx(parity["corpus"]["meteor"], abs=1e-12)


def test_tokens_that_depend_on_their_neighbours_are_read_in_context() -> None:
    tokens = [
        ["a", "st.", "bernard"],
        ["at", "the", "st."],
        ["a,", ",b"],
        ["dogs'", "'s"],
        ["a", "|||", "b"],
        [",", "|||", ","],
        ["plain", "words"],
        [],
        ["u.s."],
        ["a@b.c\x01", "dog"],
        ["dog", "\x01@b.c"],
        ["dog", "a@b.c\x01"],
    ]
    text = MeteorCaptions.analyse(tokens)
    names = [*text.tables.word_ids, *text.extra.words]
    words = [names[number] for number in text.words.values]
    for row, start, end in zip(tokens, text.words.offsets, text.words.offsets[1:], strict=False):
        # As the toolkit passes a candidate on.
        line = " ".join(row).replace("|||", "").replace("  ", " ")
        assert words[start:end] == normalize(line)


def test_words_unknown_to_the_tables_have_one_number_on_both_sides() -> None:
    base = MeteorCaptions.analyse([["zqxv", "flies"], ["blorptings"]])
    before = pickle.dumps(base)
    text = MeteorCaptions.analyse([["zqxv", "flies"], ["blorpted", "wug"]], base)
    rows = alignment_statistics(text, base, np.array([0, 1]), np.array([0, 1]))
    assert meteor_scores(rows)[0] == 1.0
    assert dict(zip(STATISTICS, rows[1], strict=True))["candidate_stem_content"] == 1
    assert pickle.dumps(base) == before


def test_candidates_must_be_analysed_on_the_references() -> None:
    one, other = MeteorCaptions.analyse([["zqxv"]]), MeteorCaptions.analyse([["zqxw"]])
    with pytest.raises(ValueError, match="as base"):
        alignment_statistics(one, other, np.array([0]), np.array([0]))
    with pytest.raises(IndexError):
        alignment_statistics(one, one, np.array([0]), np.array([1]))
    with pytest.raises(ValueError, match="2 candidates"):
        alignment_statistics(one, one, np.array([0, 0]), np.array([0]))
    assert alignment_statistics(one, one, np.array([], int), np.array([], int)).shape == (0, 23)


def test_a_pickled_base_serves_many_threads() -> None:
    base = pickle.loads(
        pickle.dumps(MeteorCaptions.analyse([["a", "zqxv", "dog"], ["the", "cat"]]))
    )

    def run(number: int) -> Any:
        text = MeteorCaptions.analyse([["a", "zqxv", f"dog{number}"]], base)
        return alignment_statistics(text, base, np.array([0, 0]), np.array([0, 1])).tolist()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(run, range(40)))
    assert all(answer == answers[0] for answer in answers)


def test_a_folder_without_tables_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="build_meteor_tables"):
        MeteorTables(tmp_path)
    assert pickle.loads(pickle.dumps(open_tables())) is open_tables()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:meteor. .* of more than 4,000 words")
def test_very_long_captions_end() -> None:
    words = ["run", "running", "ran", *(f"word{number}" for number in range(100))]
    generator = np.random.default_rng(0)
    long = [words[i] for i in generator.integers(0, len(words), 20_000)]
    assert 0 <= score(long, ["a", "dog"]) < 0.01
    assert 0 <= score(["a", "dog"], long) < 0.01
    assert score(long, long) == 1.0
    assert 0 < score(long, long[1:]) < 0.5
    assert score(["." * 100_000], ["a"]) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "DOT",
        "DOT.",
        "DOTMULTI",
        "DOTMULTI.",
        ".",
        "a.",
        "'",
        " -",
        "a-",
        ",",
        "1,",
        "--",
        "''",
        "` ",
    ],
)
def test_no_unit_takes_quadratic_time(unit: str) -> None:
    normalize(unit * (400_000 // len(unit)))  # ends, as quadratic time would not: that is minutes


token = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["a", "the", "dog", "dogs", "man", "'s", "n't", "u.s.", ",", "'", "...", "|||", "t-shirt", " "]
)
caption = st.lists(token, max_size=12)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(caption, st.lists(caption, min_size=1, max_size=3))
def test_any_tokens_score_between_0_and_1(
    candidate: list[str], references: list[list[str]]
) -> None:
    rows = statistics_of(candidate, references)
    assert np.all(rows >= 0)
    values = meteor_scores(rows)
    assert np.all(np.isfinite(values))
    assert np.all((values >= 0) & (values <= 1))


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), max_size=12, unique=True))
def test_a_caption_without_repetitions_matches_itself_perfectly(words: list[str]) -> None:
    # With repeated words METEOR's beam may miss the straight alignment; a single caption of
    # different words scores 1, and no words score 0.
    assert score(words, words) == pytest.approx(1.0 if words else 0.0, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(caption, min_size=2, max_size=5))
def test_caption_is_analysed_the_same_alone_and_among_others(captions: list[list[str]]) -> None:
    together = MeteorCaptions.analyse(captions)
    for place, row in enumerate(captions):
        alone = MeteorCaptions.analyse([row], together)
        start, end = together.words.offsets[place], together.words.offsets[place + 1]
        assert np.array_equal(alone.words.values, together.words.values[start:end])
