"""Alignments that METEOR's jar answered, compiled or not, and the room that a search has."""

from __future__ import annotations

import numpy as np
import pytest

from captious.errors import CaptiousWarning
from captious.text.meteor import alignment as meteor_alignment
from captious.text.meteor.captions import MeteorCaptions
from tests._internal.loops.uncompiled import in_use, plain_loops


def statistics(candidates: list[list[str]], references: list[list[str]]) -> np.ndarray:
    base = MeteorCaptions.analyse(references)
    text = MeteorCaptions.analyse(candidates, base)
    rows = np.arange(len(candidates))
    return meteor_alignment.alignment_statistics(text, base, rows, rows)


# Candidate, reference, and the 23 statistics that METEOR 1.5's jar answers.
REPEATS = [
    (
        "side of of to food puppy dogs to next group people dogs the of run",
        "a side group a people in of group people group",
        "15 10 7 6 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 3 4 4",
    ),
    (
        "people a to a a a puppy runs people a",
        "of man of food puppy to runs group run next a a of group running of side a running man",
        "10 20 8 8 2 2 4 4 0 0 0 0 0 0 0 0 0 0 0 0 5 6 6",
    ),
    (
        "runs to run a a food the in the run in a a a puppy puppy a next in in",
        "a food group puppy running man a run man a of the dog runs",
        "20 14 13 5 4 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 7 8 8",
    ),
    (
        "the a a of next dogs side puppy of to puppy dog of group in the in of puppy",
        "running food run a puppy dogs in people",
        "19 8 11 3 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 4 4 4",
    ),
    (
        "food the a dog puppy of running a people man run in a a a puppy food group",
        "a people on on people of dog food next food dog",
        "18 11 9 6 3 3 3 3 0 0 0 0 0 0 0 0 0 0 0 0 5 6 6",
    ),
    (
        "dogs group dog run runs people runs puppy dogs group side puppy in next",
        "a of a the the a to running runs in running of people next run to dogs",
        "14 17 2 11 4 4 2 2 0 0 0 0 0 0 0 0 0 0 0 0 6 6 6",
    ),
    (
        "a dog runs next side group people people a running puppy puppy a a running of of runs a",
        "dogs run on to food dog a on",
        "19 8 9 4 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 2 2 2",
    ),
    (
        "of man to food dog food a a next on",
        "run a a people group a next a run man dog a a of side on a dog man",
        "10 19 5 10 3 3 4 4 0 0 0 0 0 0 0 0 0 0 0 0 6 7 7",
    ),
    (
        "a next a of a next food a people in in food a",
        "a a a group the running of man in food of of of side a to to",
        "13 17 9 12 1 1 6 6 0 0 0 0 0 0 0 0 0 1 1 0 7 8 8",
    ),
    (
        "puppy puppy in runs food man puppy dog dog next on a a running",
        "the of next running puppy of in group to next",
        "14 10 4 5 3 3 1 1 0 0 0 0 0 0 0 0 0 0 0 0 4 4 4",
    ),
    (
        "man people of man a a running people a running food on run group food a group dog",
        "of puppy a running runs dog a group the of the group side group",
        "18 14 8 6 4 4 3 3 0 0 0 0 0 0 0 0 0 0 0 0 5 7 7",
    ),
    (
        "on a puppy puppy next running dogs a next side a dogs runs running on side to to",
        "dogs in runs a of in dog of of puppy group a in side food group to",
        "18 17 7 9 4 4 3 3 0 0 0 0 0 0 0 0 0 0 0 0 7 7 7",
    ),
]


@pytest.mark.parametrize(("candidate", "reference", "expected"), REPEATS)
def test_ties_among_repeated_words_match_meteor(
    candidate: str, reference: str, expected: str
) -> None:
    row = statistics([candidate.split()], [reference.split()])[0]
    assert " ".join(map(str, row)) == expected


@pytest.mark.parametrize(("candidate", "reference", "expected"), REPEATS[:3])
def test_uncompiled_code_gives_the_same_results(
    candidate: str, reference: str, expected: str
) -> None:
    with in_use(plain_loops()):
        row = statistics([candidate.split()], [reference.split()])[0]
    assert " ".join(map(str, row)) == expected


def test_matches_beyond_capacity_are_dropped() -> None:
    words = ["a", "the"] * 300
    base = MeteorCaptions.analyse([words[1:]])
    text = MeteorCaptions.analyse([words], base)
    most = meteor_alignment.MAX_MATCHES
    try:
        meteor_alignment.MAX_MATCHES = 500
        rows = meteor_alignment.alignment_statistics(text, base, np.array([0]), np.array([0]))
    finally:
        meteor_alignment.MAX_MATCHES = most
    assert 0 < rows[0, 21] <= 600


@pytest.mark.parametrize("words", ["run runs running ran", "big large", "car auto automobile"])
def test_work_on_repeated_forms_and_synonyms_is_bounded_by_the_room_for_matches(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops = plain_loops()
    aligner = loops["meteor_aligner"].PairAligner
    add_match = aligner.add_match
    tried = 0

    def count(self: object, *match: int) -> None:
        nonlocal tried
        tried += 1
        add_match(self, *match)

    monkeypatch.setattr(aligner, "add_match", count)
    monkeypatch.setattr(meteor_alignment, "MAX_MATCHES", 1000)
    several = words.split() * 40
    with in_use(loops):
        statistics([several], [several[1:]])
    # Words before which there is room may have a match of each kind with every word.
    assert 1000 <= tried <= 1000 + 2 * len(several)


def test_a_rank_has_room_for_every_caption_that_is_searched() -> None:
    aligner = plain_loops()["meteor_aligner"]
    words, matches = meteor_alignment.MAX_ALIGNED_WORDS, meteor_alignment.MAX_MATCHES
    # All distances, all chunks and all words of the largest search stay within their fields.
    assert matches * words < aligner.CHUNK
    assert (words + 1) * aligner.CHUNK <= aligner.WORD
    assert (2 * words + 1) * aligner.WORD < 2**63


@pytest.mark.slow
@pytest.mark.parametrize("words", [4002, 20_000])
def test_words_beyond_the_limit_count_as_unmatched_with_a_warning(words: int) -> None:
    candidate = [f"w{number}" for number in range(words)]
    with pytest.warns(CaptiousWarning, match="2 captions of more than 4,000 words"):
        row = statistics([candidate], [candidate[:-1]])[0]
    assert row[:2].tolist() == [words, words - 1]
    assert row[4:6].tolist() == [4000, 4000]


@pytest.mark.slow
def test_captions_within_the_search_are_matched_to_their_end() -> None:
    candidate = [f"w{number}" for number in range(4000)]
    row = statistics([candidate], [candidate[:-1]])[0]
    assert row[4:6].tolist() == [3999, 3999]
