"""Post-gen scores in strata: summed where that is enough, anew where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.captions import read_candidates, read_references
from captious.pregen.strata import SAMPLE_BY_SAMPLE, StratumScorer
from captious.scorer import score
from tests.places import EXAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # of so few images

CANDIDATES = read_candidates(EXAMPLES / "hasty.jsonl").captions
CAPTIONS = list(CANDIDATES.values())
BY_IMAGE = read_references(EXAMPLES / "references.jsonl")
REFERENCES = [BY_IMAGE[image] for image in CANDIDATES]
STRATUM = np.array([7, 0, 3, 5])


def part_of(metrics: list[str], tokenizer: str = "ptb") -> dict[str, float]:
    """The scores of the stratum's images, as if there were no others."""
    captions = [CAPTIONS[row] for row in STRATUM]
    references = [REFERENCES[row] for row in STRATUM]
    return score(captions, references, metrics, tokenizer=tokenizer).corpus


@pytest.mark.slow
def test_stratum_scores_equal_those_of_a_separate_corpus() -> None:
    metrics = [*sorted(SAMPLE_BY_SAMPLE), "cider_d", "cider"]
    generated = StratumScorer(REFERENCES, metrics).score_captions(CAPTIONS)
    scores, alone = generated(STRATUM), part_of(metrics)
    assert scores == {name: alone[name] for name in scores}  # to the last bit
    assert set(scores) == set(alone) - {name for name in alone if name.startswith("spice_")}
    # Fewer images have other document frequencies.
    assert scores["cider_d"] != pytest.approx(generated.cider[STRATUM].mean())
    assert generated(np.arange(len(CAPTIONS)))["cider_d"] == pytest.approx(generated.cider.mean())


def test_columns_are_those_that_were_named() -> None:
    assert StratumScorer(REFERENCES, ["rouge_l", "bleu_4"]).columns == ("rouge_l", "bleu_4")
    assert StratumScorer(REFERENCES, "spice_color").columns == ("spice_color",)
    assert StratumScorer(REFERENCES).columns == ("meteor", "cider_d", "spice", "wmd")
    generated = StratumScorer(REFERENCES, "rouge_l").score_captions(CAPTIONS)
    assert generated(STRATUM) == part_of(["rouge_l"])


def test_metric_parameters_do_not_change_strata() -> None:
    usual, other = (
        StratumScorer(REFERENCES, name).score_captions(CAPTIONS)
        for name in ("cider_d", "cider_d(sigma=4)")
    )
    assert other.cider.tolist() == usual.cider.tolist()
    assert other(STRATUM) == part_of(["cider_d(sigma=4)"]) != usual(STRATUM)


def test_tokenizer_is_used_in_every_stratum() -> None:
    metrics = ["cider_d", "bleu_1"]  # one scored anew, one summed
    split, usual = (
        StratumScorer(REFERENCES, metrics, tokenizer=name).score_captions(CAPTIONS)(STRATUM)
        for name in ("whitespace", "ptb")
    )
    assert split == part_of(metrics, tokenizer="whitespace")
    assert all(split[name] != usual[name] for name in metrics)


def test_every_image_has_a_caption() -> None:
    with pytest.raises(InputError, match="1 candidates but"):
        StratumScorer(REFERENCES).score_captions(CAPTIONS[:1])
