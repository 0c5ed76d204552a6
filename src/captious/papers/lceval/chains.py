"""Head-word chains by their length, counted in three ways: LCEval's table 6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from captious.papers.declaration import MetricVariant
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.rows import (
    AS_PUBLISHED,
    HAND_MADE,
    LCEVAL,
    ON_COMPOSITE,
    Column,
    Measurable,
    NamedMetric,
    cross_table,
)

# Chains of one length divided by the candidate's, as the paper's text has it; by the
# reference's, as in the released code; and as its numbers have it.
LENGTHS = range(1, 5)
BESIDE = ("BLEU-1", "BLEU-4", "ROUGE-L")
COUNTED = {"paper": "as in the text", "released": "as in the code"}


def _chains(length: int) -> Mapping[str, Measurable]:
    column = f"hwcm_{length}"
    several: dict[str, Measurable] = {
        label: NamedMetric(MetricVariant(column, (("variant", variant),)), "")
        for variant, label in COUNTED.items()
    }
    return several | {
        AS_PUBLISHED: NamedMetric(MetricVariant(column, (("variant", "published"),)), column)
    }


CHAIN_DEPTH = Exhibit(
    LCEVAL.table(6),
    "head-word chain matching by the length of the chain",
    (
        cross_table(
            "Kendall's tau_b on Composite",
            "length",
            {str(length): _chains(length) for length in LENGTHS},
            [
                Column(AS_PUBLISHED, ON_COMPOSITE, (LCEVAL.table(6).source,), of=AS_PUBLISHED),
                *(Column(label, ON_COMPOSITE, of=label) for label in COUNTED.values()),
                Column(
                    "ties, as in the text",
                    replace(ON_COMPOSITE, statistic="ties"),
                    of=COUNTED["paper"],
                ),
            ],
        ),
        cross_table(
            "Beside BLEU and ROUGE-L, tau_b",
            "metric",
            {label: HAND_MADE[label] for label in BESIDE},
            [Column("Kendall", ON_COMPOSITE)],
        ),
    ),
    (
        Claim(
            "chains correlate better than BLEU and ROUGE-L",
            lambda tables: (
                min(tables[0].value(str(length), AS_PUBLISHED) for length in LENGTHS)
                > max(tables[1].value(each, "Kendall") for each in BESIDE)
            ),
        ),
    ),
    notes=(
        "By the paper's text, the number of matched chains of one length is divided by the number "
        "of the candidate's chains. The paper's numbers do not fall with the length, although "
        "numbers for single lengths must: most captions share no long chain with their "
        'references, so they all score 0 ("ties" is the share of pairs of captions with equal '
        "scores). What fits the numbers is the mean over all lengths up to the given one, as Liu "
        "and Gildea define HWCM, divided by the number of the reference's chains, as in the "
        "released code.",
    ),
)
