"""The rarest word that references agree on."""

from __future__ import annotations

from captious.corpus import ReferenceColumns
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.report.systems.rarity import MAX_POWER, rarity, rarity_label
from captious.samples import References

COUNTS = {("a",): 10_000, ("dog",): 1000, ("bench",): 100, ("borzoi",): 10, ("a", "dog"): 3}
FREQUENCIES = DocumentFrequencies.of_counts(COUNTS, 10_000)


def powers(*sets: list[str]) -> list[int]:
    references = References.of(ReferenceColumns.of(list(sets)))
    found: list[int] = rarity(references, FREQUENCIES).tolist()
    return found


def test_only_words_that_two_references_share_count_unless_none_is() -> None:
    assert powers(["a dog", "a dog on a bench"]) == [1]
    assert powers(["a dog on a bench", "a bench"]) == [2]
    assert powers(["a borzoi", "the bench"]) == [MAX_POWER - 1]  # "the" is in no document
    assert powers(["a borzoi borzoi", "a bench"]) == [0]
    assert powers(["a borzoi"], [""], ["a"]) == [3, 0, 0]


def test_frequencies_of_words_alone() -> None:
    assert FREQUENCIES.of_words(["dog", "zebra", "a", "bench"]).tolist() == [1000, 0, 10_000, 100]
    shipped = DocumentFrequencies.load("coco-val2014")
    assert shipped.of_words(["a"])[0] > shipped.of_words(["giraffe"])[0] > 0


def test_labels_of_rarity_ranges() -> None:
    assert rarity_label(0, 1, True, False) == "in more than 1 image of 100"
    assert rarity_label(2, 2, False, False) == "in 1 image of 100 to 1,000"
    assert rarity_label(3, 5, False, True) == "in 1 image of 1,000 or fewer"
