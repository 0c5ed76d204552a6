"""The share of things that references do not support."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.corpus import Corpus
from captious.errors import InputError
from captious.metrics.hallucination.doubts import (
    CONSTANT,
    MAX_REFERENCE_WORDS,
    UNSUPPORTED_THRESHOLD,
    WEIGHTS,
    Doubts,
)
from captious.metrics.hallucination.hallucination import IMPORTANCE
from captious.metrics.hallucination.things import ATTRIBUTE, OBJECT, RELATION, Things
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.tokenizer.tokenizer import tokenize
from captious.text.tokens import words_by_id

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water"]


def doubts_of(*candidates: str, references: list[str] = REFERENCES) -> Doubts:
    corpus = Corpus.of(candidates, [references] * len(candidates))
    return Doubts.of(Samples(corpus.candidates, corpus.images, References.of(corpus.references)))


def support_of(word: str, candidate: str, references: list[str]) -> float:
    actual = doubts_of(candidate, references=references)
    words = [actual.names[number] for number in actual.words.values.tolist()]
    return float(actual.support[words.index(word)])


def of_word(word: str, name: str, actual: Doubts, sample: int = 0) -> float:
    """One number of one thing of a sample."""
    inside = range(actual.words.offsets[sample], actual.words.offsets[sample + 1])
    [place] = [at for at in inside if actual.names[actual.words.values[at]] == word]
    return float(getattr(actual, name)[place])


def score(candidate: str, references: list[str] = REFERENCES) -> float:
    return float(captious.score([candidate], [references], "hallucination").corpus["hallucination"])


def test_things_are_nouns_adjectives_numbers_and_verbs() -> None:
    analysis = Analysis(["Two red dogs are chasing a cat near the cat .", "the of and", ""])
    things = analysis.layer(Things)
    names = words_by_id(analysis)
    kinds = {
        names[word]: kind
        for word, kind in zip(things.words.values.tolist(), things.kinds.tolist(), strict=True)
    }
    assert kinds == {
        "two": ATTRIBUTE,
        "red": ATTRIBUTE,
        "dogs": OBJECT,
        "chasing": RELATION,
        "cat": OBJECT,
    }
    assert things.words.lengths.tolist() == [5, 0, 0]
    in_order = [names[things.words.values[at]] for at in np.argsort(things.firsts)]
    assert in_order == ["two", "red", "dogs", "chasing", "cat"]
    assert "dog" in things.lemmas


def test_brackets_are_not_things() -> None:
    analysis = Analysis(
        ["a tray containing a muffin , a banana ( possibly half a banana ) , and a dog"]
    )
    names = words_by_id(analysis)
    said = [names[word] for word in analysis.layer(Things).words.values.tolist()]
    assert sorted(said) == ["banana", "containing", "dog", "muffin", "tray"]


def test_unmentioned_things_have_a_doubt() -> None:
    assert doubts_of("a dog and a giraffe run").unsupported() == [["giraffe"]]
    assert score("a brown dog runs on the beach") < 0.05 < score("a dog and a giraffe run")
    assert score("a plane in the sky") > 0.7


@pytest.mark.parametrize(
    ("word", "candidate", "reference"),
    [
        ("dogs", "two dogs", "a dog"),  # another form
        ("sofa", "a cat on a sofa", "a cat on a couch"),  # a synonym
        ("animal", "an animal runs", "a dog runs"),  # a broader word
        ("moving", "a dog moving", "a dog that runs"),  # of what is done, too
        ("large", "a large dog", "a big dog"),  # a synonym of an attribute
        ("men", "two men", "a man and a dog"),  # the same lemma
        ("broken", "a broken chair", "a chair breaks"),
        ("swam", "a man swam", "a man can swim"),  # irregular forms
    ],
)
def test_forms_synonyms_and_broader_words_are_wholly_supported(
    word: str, candidate: str, reference: str
) -> None:
    assert support_of(word, candidate, [reference]) == 1


ONE_OF_FIVE = [
    "Two men ride motorcycles down a street.",
    "Black and white photograph of two men on motorcycles.",
    "Police officers on bikes in traffic.",
    "Some people riding down a busy road.",
    "A couple of motorcycle cops ride past cars.",
]


def test_word_that_one_of_many_references_says_is_in_no_doubt() -> None:
    actual = doubts_of("a black and white photo of a bear on a motorcycle", references=ONE_OF_FIVE)
    assert actual.unsupported() == [["bear"]]
    for word in ("black", "white", "photo", "motorcycle"):
        assert of_word(word, "values", actual) == 0
    assert score(ONE_OF_FIVE[1], ONE_OF_FIVE) == 0


@pytest.mark.parametrize(
    ("word", "candidate", "reference"),
    [
        ("tug", "a tug of war", "children play tug-of-war"),
        ("black", "a black robe", "a black-robed man"),
        ("robes", "men in robes", "a black-robed man"),  # another form of a part
        ("covered", "a covered hill", "a snow-covered hill"),
        ("two", "two dogs", "a two-dog team"),
        ("tug-of-war", "a game of tug-of-war", "children play tug-of-war"),  # the whole, still
    ],
)
def test_parts_of_hyphenated_words_of_a_reference_are_in_no_doubt(
    word: str, candidate: str, reference: str
) -> None:
    actual = doubts_of(candidate, references=[reference, "a plane in the sky"])
    assert of_word(word, "values", actual) == 0
    assert word not in actual.unsupported()[0]


def test_hyphenated_words_whose_parts_references_say_are_still_in_doubt() -> None:
    actual = doubts_of("a black-robed giraffe", references=["a black dog"])
    assert of_word("black-robed", "values", actual) > 0


def test_unsupported_words_are_in_no_reference() -> None:
    folder = Path(__file__).parents[3] / "examples"
    rows = [json.loads(line) for line in (folder / "references.jsonl").read_text().splitlines()]
    references = {row["id"]: row["references"] for row in rows}
    captions = [json.loads(line) for line in (folder / "hasty.jsonl").read_text().splitlines()]
    # Beside references of other images, so that much is in doubt.
    others = [references[row["id"]] + references[rows[0]["id"]] for row in captions]
    corpus = Corpus.of([row["candidate"] for row in captions], others)
    samples = Samples(corpus.candidates, corpus.images, References.of(corpus.references))
    unsupported = Doubts.of(samples).unsupported()
    assert sum(map(len, unsupported)) > 20
    for words, beside in zip(unsupported, others, strict=True):
        assert not set(words) & {token for text in beside for token in tokenize(text)}


def test_narrower_words_are_not_wholly_supported() -> None:
    assert support_of("dog", "a dog runs", ["an animal runs"]) < 1
    assert support_of("violin", "a man with a violin", ["a man with a thing"]) < 1


def test_support_is_the_mean_over_references() -> None:
    alone = [support_of("beach", "a dog on the beach", [each]) for each in REFERENCES]
    both = support_of("beach", "a dog on the beach", REFERENCES)
    assert alone[0] == 1 > alone[1]
    assert both == pytest.approx(sum(alone) / 2)
    again = support_of("beach", "a dog on the beach", REFERENCES[::-1])
    assert both == again


def test_a_caption_far_from_its_references_is_in_more_doubt() -> None:
    near = doubts_of("a dog runs with a violin")
    far = doubts_of("a violin on a piano beside an opera singer")
    names = [near.names[word] for word in near.words.values.tolist()]
    others = [far.names[word] for word in far.words.values.tolist()]
    assert near.values[names.index("violin")] < far.values[others.index("violin")]


def test_gain_is_the_difference_of_cosines_with_and_without_a_thing() -> None:
    actual = doubts_of("a brown dog runs with a violin")
    whole = captious.score(["a brown dog runs with a violin"], [REFERENCES], "consensus")
    for word, rest in (
        ("dog", "a brown runs with a violin"),
        ("violin", "a brown dog runs with a"),
        ("brown", "a dog runs with a violin"),
    ):
        without = captious.score([rest], [REFERENCES], "consensus")
        gain = whole.corpus["consensus"] - without.corpus["consensus"]
        assert of_word(word, "gains", actual) == pytest.approx(gain, abs=1e-6)
    assert of_word("dog", "gains", actual) > 0 > of_word("violin", "gains", actual)


def test_gain_removes_every_mention_of_a_thing() -> None:
    twice = "a violin and a dog and a violin"
    without = captious.score([twice, "a and a dog and a"], [REFERENCES] * 2, "consensus")
    whole, rest = without.samples["consensus"]
    assert of_word("violin", "gains", doubts_of(twice)) == pytest.approx(whole - rest, abs=1e-6)


def test_gain_of_the_only_word_is_the_whole_cosine() -> None:
    whole = captious.score(["dog"], [REFERENCES], "consensus").corpus["consensus"]
    for caption in ("dog", "dog dog dog"):
        assert of_word("dog", "gains", doubts_of(caption)) == pytest.approx(whole, abs=1e-6)


@pytest.mark.parametrize("caption", ["a qqqqq", "a 日本語", "a dog 日本語"])
def test_words_that_the_space_does_not_know_have_numbers(caption: str) -> None:
    actual = doubts_of(caption)
    assert np.isfinite(actual.features).all()
    assert ((actual.values >= 0) & (actual.values < 1)).all()


def test_gain_is_zero_without_known_reference_words() -> None:
    actual = doubts_of("a dog on a bench", references=[""])
    assert actual.gains.tolist() == [0, 0]
    assert actual.silence.tolist() == [0, 0]


def test_silence_grows_with_the_words_of_references_that_do_not_support_a_thing() -> None:
    few, more = ["a man sits"], ["a man sits", "a man on a chair"]
    for references, words in ((few, 3), (more, 8)):
        actual = doubts_of("a violin", references=references)
        expected = (1 - of_word("violin", "support", actual)) * np.log(words)
        assert of_word("violin", "silence", actual) == pytest.approx(expected)
    assert of_word("man", "silence", doubts_of("a man", references=more)) == 0
    # The same reference again and again has one support, and counts so far as trials have words.
    silences = [
        of_word("violin", "silence", doubts_of("a violin", references=few * times))
        for times in (1, 2, 21, 22, 1000)
    ]
    assert silences[0] < silences[1] < silences[2] < silences[3]
    assert silences[3] == pytest.approx(silences[4])
    unsupported = 1 - support_of("violin", "a violin", few)
    assert silences[4] == pytest.approx(unsupported * np.log(MAX_REFERENCE_WORDS))


def test_a_doubt_is_the_logistic_function_of_weighted_numbers() -> None:
    actual = doubts_of("a brown dog runs with a violin", "two cats")
    assert actual.features.shape == (6, len(WEIGHTS))
    odds = CONSTANT + actual.features @ list(WEIGHTS.values())
    chances = np.where(actual.is_mentioned, 0, 1 / (1 + np.exp(-odds)))
    assert 0 < actual.is_mentioned.sum() < len(chances)
    assert actual.values == pytest.approx(chances, abs=1e-9)


@pytest.mark.slow
def test_doubts_are_bit_identical_in_any_batch() -> None:
    long = " . ".join(["a brown dog runs with a violin on the beach near a red car"] * 30)
    captions = ["a brown dog runs with a violin", "a dog", "", long, "zebras qqqqq", "a dog"]
    alone = [doubts_of(caption) for caption in captions]
    for order in (range(len(captions)), [4, 5, 3, 2, 1, 0]):
        together = doubts_of(*(captions[at] for at in order))
        for sample, at in enumerate(order):
            one = alone[at]
            words = [one.names[word] for word in one.words.values.tolist()]
            inside = slice(*together.words.offsets[sample : sample + 2])
            assert len(together.values[inside]) == len(words)
            for name in ("values", *WEIGHTS):
                for word in words:
                    assert of_word(word, name, together, sample) == of_word(word, name, one)
    backwards = doubts_of(captions[0], references=REFERENCES[::-1])
    for word in ("brown", "dog", "runs", "violin"):
        for name in ("support", "silence", "lengths"):
            assert of_word(word, name, backwards) == of_word(word, name, alone[0])
        again = of_word(word, "values", backwards)
        assert again == pytest.approx(of_word(word, "values", alone[0]), abs=1e-6)


def test_recomputed_centroids_give_the_same_doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = doubts_of("a brown dog runs with a violin", "a dog")
    monkeypatch.setattr("captious.metrics.consensus.consensus.MAX_IMAGES_IN_MEMORY", 0)
    assert doubts_of("a brown dog runs with a violin", "a dog").values.tolist() == (
        kept.values.tolist()
    )


def test_the_score_is_a_weighted_share_and_the_corpus_one_of_all_things() -> None:
    captions = ["a red dog runs", "a plane in a big sky"]
    result = captious.score(captions, [REFERENCES] * 2, "hallucination")
    doubts = doubts_of(*captions)
    for rows, score_of in (
        ([0], result.samples["hallucination"][0]),
        ([1], result.samples["hallucination"][1]),
        ([0, 1], result.corpus["hallucination"]),
    ):
        inside = np.isin(doubts.words.owners, rows)
        weights = IMPORTANCE[doubts.kinds[inside]]
        assert score_of == pytest.approx(weights @ doubts.values[inside] / weights.sum())
    objects = doubts.values[doubts.kinds == OBJECT]
    assert result.corpus["hallucination_object"] == pytest.approx(objects.mean())


@pytest.mark.parametrize("caption", ["", "the of and", "...", "🙂", "\x00"])
def test_caption_without_things_scores_zero(caption: str) -> None:
    assert score(caption) == 0
    assert doubts_of(caption).unsupported() == [[]]


def test_without_a_word_in_references_everything_is_in_doubt() -> None:
    assert score("a dog on a bench", [""]) > 0.5
    assert doubts_of("a dog on a bench", references=[""]).unsupported() == [["dog", "bench"]]


def test_saying_a_thing_twice_changes_nothing_about_it() -> None:
    once, twice = (doubts_of(f"a giraffe{more}") for more in ("", " and a giraffe"))
    assert len(once.values) == len(twice.values) == 1


def test_lower_is_better_wherever_systems_are_ranked() -> None:
    good, bad = ["a dog runs on the beach"] * 3, ["a plane in the sky"] * 3
    results = {
        name: captious.score(captions, [REFERENCES] * 3, "hallucination,bleu_1".split(","))
        for name, captions in (("good", good), ("bad", bad))
    }
    board = captious.leaderboard(results, resamples=20)
    ranks = {(each.system, each.metric): each.rank for each in board.standings}
    for metric in ("hallucination", "bleu_1"):
        assert ranks["good", metric] == 1 and ranks["bad", metric] == 2
    assert 0 < UNSUPPORTED_THRESHOLD < 1


def test_lower_is_better_in_meta_evaluation() -> None:
    from captious.meta import Ratings, evaluate
    from captious.meta.two_metrics import versus

    candidates = [
        "a dog runs",
        "a plane flies",
        "a dog on a beach",
        "a piano",
        "the water",
        "a cat",
    ]
    ratings = np.array([[4.0], [1], [4], [1], [3], [2]])
    judgements = Ratings(candidates, [REFERENCES] * 6, list(range(6)), ratings, ["all"] * 6)
    evaluation = evaluate(judgements, ["hallucination", "consensus"], resamples=50)
    scores = evaluation.scores["hallucination"]
    assert scores[0] < scores[1]  # as they are
    row = evaluation.agreements["hallucination"]
    assert row.values["kendall_c"] > 0 and row.values["auc"] > 0.5
    assert versus(evaluation, "consensus", "hallucination").value_b == row.values["kendall_c"]


def test_robustness_respects_lower_is_better() -> None:
    from captious.registry import orient_scores

    shares = np.array([0.0, 0.25, 1.0])
    assert orient_scores("hallucination", shares).tolist() == [1, 0.75, 0]
    assert orient_scores("chair_s", shares).tolist() == [1, 0.75, 0]
    assert orient_scores("bleu_1", shares) is shares and orient_scores("my own", shares) is shares


@pytest.mark.parametrize(
    ("objects", "is_seen"),
    [
        (["cat"], True),
        (["tabby"], True),  # something narrower
        (["tabby cat", "sofa"], True),
        (["dog"], False),
        ([], False),
    ],
)
def test_objects_listed_in_a_file_have_no_doubt(
    objects: list[str], is_seen: bool, tmp_path: Path
) -> None:
    path = tmp_path / "seen.json"
    path.write_text(json.dumps({"1": objects, "2": ["cat"]}), encoding="utf-8")
    candidates = {"1": "a cat on a bench", "2": "a zebra on a bench"}
    references = {"1": ["a dog on a bench"], "2": ["a horse on a bench"]}

    def scored(metric: str) -> Any:
        return captious.score(candidates, references, [metric])

    plain, seen = scored("hallucination"), scored(f'hallucination(objects="{path}")')
    before, after = (each.samples["hallucination_object"] for each in (plain, seen))
    assert (after[0] < before[0]) == is_seen
    assert is_seen or after[0] == before[0]
    assert after[1] == before[1]
    assert "objects=seen.json@" in seen.signature
    assert "objects" not in plain.signature


def test_image_missing_from_the_objects_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    path.write_text('{"7": ["cat"]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"seen\.json: no image '1'; give its objects"):
        captious.score({"1": "a cat"}, {"1": ["a dog"]}, [f'hallucination(objects="{path}")'])
    with pytest.raises(InputError, match="hallucination: a file of objects knows images by"):
        captious.score(["a cat"], [["a dog"]], [f'hallucination(objects="{path}")'])
