"""Results beside each other: the same rows in the same order."""

from __future__ import annotations

import captious
from captious.report.systems.systems import Systems, reorder_rows

REFERENCES = {1: ["a dog runs"], 2: ["a cat sits on a bench"], 3: ["two men"]}


def test_rows_come_in_the_first_ones_order() -> None:
    one = captious.score({1: "a dog", 2: "a cat", 3: "a man"}, REFERENCES, "bleu,rouge_l")
    two = captious.score({3: "two men", 1: "a car", 2: "a bench"}, REFERENCES, "rouge_l,bleu_1")
    both = Systems.of({"one": one, "two": two})
    assert both.columns == ["bleu_1", "rouge_l"]
    second = both.results["two"]
    assert list(second.ids) == [1, 2, 3]
    assert second.captions is not None
    assert list(second.captions.candidates) == ["a car", "a bench", "two men"]
    assert second.captions.reference_sets() == list(REFERENCES.values())
    assert second.samples["rouge_l"].tolist() == two.samples["rouge_l"][[1, 2, 0]].tolist()
    assert second.corpus == two.corpus


def test_samples_of_one_id_stay_in_their_order() -> None:
    scorer = captious.Scorer(REFERENCES, "bleu")
    first = scorer.score(["a", "b", "c"], [1, 2, 1])
    other = scorer.score(["x", "y", "z"], [2, 1, 1])
    moved = reorder_rows(first, other)
    assert moved.captions is not None
    assert list(moved.captions.candidates) == ["y", "x", "z"]


def test_foreign_signature_is_ignored() -> None:
    from dataclasses import replace

    one = captious.score({1: "a dog"}, {1: ["a dog"]}, "bleu")
    for text in ("", "nonsense", one.signature.replace("ptb", "martian")):
        strange = Systems.of({"one": replace(one, signature=text)})
        assert strange.signature is None
        assert (strange.tokenizer, strange.language) == ("ptb", "en")
    zh = captious.score({1: "狗"}, {1: ["一只狗"]}, "bleu", language="zh")
    assert Systems.of({"one": zh}).language == "zh"
