from captious.metrics.hwcm import chains_of
from captious.text.sentence import Sentence

# a bird by some leaves: bird is the root, leaves depends on it (Universal Dependencies)
SENTENCE = Sentence(
    ("a", "bird", "by", "some", "leaves"),
    ("DT", "NN", "IN", "DT", "NNS"),
    ("a", "bird", "by", "some", "leaf"),
    (2, 0, 5, 5, 2),
    ("det", "root", "case", "det", "nmod"),
)


def test_chains_go_from_a_word_to_its_heads():
    one, two, three, four = chains_of([SENTENCE], by_label=False)
    assert set(one) == {("a",), ("bird",), ("by",), ("some",), ("leaf",)}
    assert set(two) == {("a", "bird"), ("by", "leaf"), ("some", "leaf"), ("leaf", "bird")}
    assert set(three) == {("by", "leaf", "bird"), ("some", "leaf", "bird")}
    assert not four


def test_chains_of_labels():
    _, two, _, _ = chains_of([SENTENCE, SENTENCE], by_label=True)
    assert two == {
        ("det", "root"): 2,
        ("case", "nmod"): 2,
        ("det", "nmod"): 2,
        ("nmod", "root"): 2,
    }
