"""mBLEU is the mean BLEU-4 of each caption against the others, image by image."""

from __future__ import annotations

import numpy as np
import pytest

import captious
from captious.diagnostics.diversity import systems as system_captions

CAPTIONS = {
    "dog": ["a dog runs on the beach", "a dog runs on the sand", "the brown dog"],
    "men": ["two men sit on a bench in a park", "two men sit on a bench in the park"],
    "cat": ["a cat"],
    "bird": ["a bird", "", "a bird in the sky", "birds fly in the sky at night"],
}


def plainly() -> dict[str, float]:
    means = {}
    for image, captions in CAPTIONS.items():
        if len(captions) > 1:
            others = [[c for k, c in enumerate(captions) if k != n] for n in range(len(captions))]
            means[image] = captious.score(captions, others, "bleu_4").samples["bleu_4"].mean()
    return means


@pytest.mark.parametrize("most_pairs", [1, 10, 1 << 20])
def test_mbleu_equals_bleu_against_the_other_captions(
    most_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_captions, "MAX_PAIRS_AT_ONCE", most_pairs)
    measured = captious.diversity(CAPTIONS)
    assert measured.mbleu_4 is not None
    assert measured.mbleu_4.score == pytest.approx(np.mean(list(plainly().values())), rel=1e-12)
    low, high = measured.mbleu_4.interval
    assert min(plainly().values()) <= low < measured.mbleu_4.score < high
    assert measured.images_with_several == 3


def test_equal_captions_have_mbleu_of_one() -> None:
    measured = captious.diversity({1: ["a dog runs on the beach"] * 100})
    assert measured.mbleu_4 is not None
    assert measured.mbleu_4.score == pytest.approx(1.0, abs=1e-8)


def test_the_order_of_images_and_captions_does_not_matter_to_the_last_bit() -> None:
    turned = {image: captions[::-1] for image, captions in reversed(CAPTIONS.items())}
    first, second = captious.diversity(CAPTIONS), captious.diversity(turned)
    assert first.to_dict() == second.to_dict()
