import sys

import numpy as np
import pytest

from captious.loops import is_compiled, meteor_aligner, meteor_matches, meteor_phrases
from captious.text import meteor_alignment, meteor_text
from tests.loops.uncompiled import uncompiled

PLAIN_PHRASES = uncompiled(meteor_phrases)
PLAIN_MATCHES = uncompiled(meteor_matches)
with pytest.MonkeyPatch.context() as patch:
    # The aligner's class extends the other one's, which must be uncompiled as well.
    patch.setitem(sys.modules, meteor_matches.__name__, PLAIN_MATCHES)
    PLAIN_ALIGNER = uncompiled(meteor_aligner)

MOST_FREQUENT = """
    a a a the of on in man men woman people person dog dogs puppy cat kitten child children kid
    riding rides ride surfing surf wave surfboard board skateboard horse street road sitting sits
    standing next to front side large big small little red blue black white zqxv zqxvs t-shirt
    group couple several two 2 of of people food plate table is are with
"""
WORDS = MOST_FREQUENT.split()


def real_looking_captions(count, longest):
    generator = np.random.default_rng(7)
    return [
        [WORDS[i] for i in generator.integers(0, len(WORDS), generator.integers(0, longest))]
        for _ in range(count)
    ]


def statistics(candidates, references):
    base = meteor_text.MeteorText.analyse(references)
    text = meteor_text.MeteorText.analyse(candidates, base)
    rows = np.arange(len(candidates))
    return meteor_alignment.alignment_statistics(text, base, rows, rows)


@pytest.fixture
def plain(monkeypatch):
    """Use the uncompiled loops."""

    def switch():
        monkeypatch.setattr(meteor_alignment, "PairAligner", PLAIN_ALIGNER.PairAligner)
        monkeypatch.setattr(meteor_alignment, "mark_words", PLAIN_PHRASES.mark_words)
        monkeypatch.setattr(
            meteor_alignment, "choose_paraphrases", PLAIN_PHRASES.choose_paraphrases
        )
        monkeypatch.setattr(meteor_text, "find_phrases", PLAIN_PHRASES.find_phrases)

    return switch


@pytest.mark.parametrize(("count", "longest"), [(300, 14), (6, 90)])
def test_compiled_and_uncompiled_agree(plain, count, longest):
    if not is_compiled(meteor_aligner):
        pytest.skip("no compiler")
    captions = real_looking_captions(2 * count, longest)
    compiled = statistics(captions[:count], captions[count:])
    plain()
    assert np.array_equal(statistics(captions[:count], captions[count:]), compiled)


def test_the_two_are_different_code():
    if not is_compiled(meteor_aligner):
        pytest.skip("no compiler")
    assert is_compiled(meteor_phrases)
    assert is_compiled(meteor_matches)
    assert not is_compiled(PLAIN_ALIGNER)
    assert not is_compiled(PLAIN_PHRASES)
    assert issubclass(PLAIN_ALIGNER.PairAligner, PLAIN_MATCHES.MatchFinder)


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
def test_ties_among_repeated_words_fall_as_in_meteor(candidate, reference, expected):
    row = statistics([candidate.split()], [reference.split()])[0]
    assert " ".join(map(str, row)) == expected


@pytest.mark.parametrize(("candidate", "reference", "expected"), REPEATS[:3])
def test_uncompiled_code_answers_the_same(plain, candidate, reference, expected):
    plain()
    row = statistics([candidate.split()], [reference.split()])[0]
    assert " ".join(map(str, row)) == expected


def test_more_matches_than_there_is_room_for_are_left_out():
    words = ["a", "the"] * 300
    base = meteor_text.MeteorText.analyse([words[1:]])
    text = meteor_text.MeteorText.analyse([words], base)
    most = meteor_alignment.MOST_MATCHES
    try:
        meteor_alignment.MOST_MATCHES = 500
        rows = meteor_alignment.alignment_statistics(text, base, np.array([0]), np.array([0]))
    finally:
        meteor_alignment.MOST_MATCHES = most
    assert 0 < rows[0, 21] <= 600
