from captious.text.analysis import Analysis
from captious.text.tokens import SplitTokens, Tokens


def test_words_of_base_keep_their_numbers_and_new_ones_follow():
    base = Analysis(["a dog", "the cat"])
    above = Analysis(["the bird sees a dog"], base=base)
    numbers = base.layer(Tokens).vocabulary
    assert list(numbers) == ["a", "cat", "dog", "the"]
    assert above.layer(Tokens).ids.values.tolist() == [3, 4, 5, 0, 2]
    assert numbers == {"a": 0, "cat": 1, "dog": 2, "the": 3}


def test_tokens_with_a_no_break_space_are_split_for_ngrams_alone():
    base = Analysis(["a 4 1/2 cup"])
    above = Analysis(["4 1/2 cups"], base=base)
    assert base.layer(Tokens).words == [["a", "4\u00a01/2", "cup"]]
    assert base.layer(SplitTokens).words == [["a", "4", "1/2", "cup"]]
    assert above.layer(SplitTokens).words == [["4", "1/2", "cups"]]
    vocabulary = base.layer(SplitTokens).vocabulary
    assert above.layer(SplitTokens).ids.values[:2].tolist() == [vocabulary["4"], vocabulary["1/2"]]


def test_without_such_tokens_nothing_is_done_twice():
    analysis = Analysis(["a dog"])
    assert analysis.layer(SplitTokens) is analysis.layer(Tokens)


def test_captions_tokenised_already_are_split_at_white_space():
    words = (
        Analysis(["can  not\tgo", "4\u00a01/2 cups"], tokenizer="whitespace").layer(Tokens).words
    )
    assert words == [["can", "not", "go"], ["4\u00a01/2", "cups"]]
