import pytest

from captious.corpus import Corpus
from captious.errors import InputError


def test_dicts_are_matched_by_id_and_unused_references_counted():
    corpus = Corpus.of({"b": "x", "a": "y"}, {"a": ["1"], "b": ["2", "3"], "c": ["4"]})
    assert corpus.references.ids == ["b", "a"]
    assert corpus.references.captions == ["2", "3", "1"]
    assert corpus.unused_references == 1


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        ([], [], "no samples"),
        (["a"], [], "1 candidates but 0 sets"),
        ({"a": "x"}, {"b": ["y"]}, "id 'a': has a candidate but no references"),
        ({"a": "x"}, {"a": []}, "id 'a': no references"),
        ({"a": None}, {"a": ["y"]}, "id 'a': the candidate must be a string"),
        ({"a": "x"}, {"a": [None]}, "id 'a': a reference must be a string"),
        ({"a": "x"}, {"a": "y"}, "id 'a': references must be a list of strings"),
        ({"a": "x"}, [["y"]], "both be lists, or both dicts"),
        ("caption", [["y"]], "candidates must be a list or a dict"),
        (["a"], "b", "references must be a list or a dict"),
    ],
)
def test_what_cannot_be_scored_is_said(candidates, references, message):
    with pytest.raises(InputError, match=message):
        Corpus.of(candidates, references)
