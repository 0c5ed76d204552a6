"""Contents of pages made up by chance, of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from captious.report.browser.contents import (
    JUDGEMENTS,
    SYSTEMS,
    Attribute,
    Bucket,
    Bucketing,
    Cell,
    Contents,
    IntervalEstimate,
    Measure,
    PageTable,
    Provenance,
    SceneTuple,
    Sentence,
    Series,
    SeriesFinding,
)

LABELS = {
    "bleu_1": "BLEU-1",
    "bleu_2": "BLEU-2",
    "bleu_3": "BLEU-3",
    "bleu_4": "BLEU-4",
    "rouge_l": "ROUGE-L",
    "meteor": "METEOR",
    "cider_d": "CIDEr-D",
    "spice": "SPICE",
    "spider": "SPIDEr",
    "wmd": "WMD",
    "consensus": "consensus",
    "captious": "captious",
}
NAMES = ("careful", "terse", "hasty", "plain", "bold", "quiet", "quick", "late", "odd")
NOUNS = (
    "dog cat man woman child horse bus train table sofa street beach field tree ball kite".split()
)
QUALITIES = "red brown small large old wooden wet striped quiet busy empty green".split()
RELATIONS = "on near behind under beside holding watching riding".split()
MADE = Provenance(
    version="0.1.0",
    signatures=("cider_d(df=corpus)|n:40|v:0.1.0",),
    commands=("captious score careful.jsonl --references references.jsonl",),
)


def caption(chance: random.Random) -> str:
    """A caption of a dozen words."""
    pick = chance.choice
    text = f"a {pick(QUALITIES)} {pick(NOUNS)} {pick(RELATIONS)} a {pick(QUALITIES)} {pick(NOUNS)}"
    return f"{text} and a {pick(NOUNS)}" if chance.random() < 0.5 else text


def scene(text: str) -> list[SceneTuple]:
    """Something like a scene graph of such a caption."""
    words = text.split()
    first, second = words[2], words[6]
    return [
        (first,),
        (second,),
        (first, words[1]),
        (second, words[5]),
        (first, words[3], second),
    ]


def made_up(
    rows: int = 40,
    systems: int = 3,
    seed: int = 0,
    *,
    measures: Sequence[str] = tuple(LABELS),
    kind: str = SYSTEMS,
) -> Contents:
    """Contents with everything that a page can show, but for images."""
    chance = random.Random(seed)
    numbers = np.random.default_rng(seed)
    references = [[caption(chance) for _ in range(5)] for _ in range(rows)]
    groups = [chance.choice(("near", "far", "out of domain")) for _ in range(rows)]
    attributes = [Attribute("domain", groups, "where it comes from")]
    if kind == JUDGEMENTS:
        rating = np.round(numbers.uniform(1, 5, rows))
        attributes.append(Attribute("rating", rating, "the mean of three people's"))
    series = [
        _series(NAMES[index], references, chance, numbers, measures, 0.45 - 0.03 * index)
        for index in range(systems)
    ]
    return Contents(
        kind=kind,
        title=f"{systems} systems on {rows} made-up samples",
        ids=[f"sample {row}" for row in range(rows)],
        series=series,
        measures=[Measure(name, LABELS[name], f"what {name} is", 0, 1) for name in measures],
        made=MADE,
        tables=[_leaderboard(series, measures)],
        references=references,
        reference_scenes=[scene(texts[0]) for texts in references],
        attributes=attributes,
        bucketings=[_bucketing(systems, measures)],
        findings=[
            SeriesFinding(
                "hasty", "warning", "captions end in a comma", "see <i>why</i>", ["sample 1"]
            )
        ],
    )


def _series(
    name: str,
    references: Sequence[Sequence[str]],
    chance: random.Random,
    numbers: np.random.Generator,
    measures: Sequence[str],
    mean: float,
) -> Series:
    captions = [
        chance.choice(texts) if chance.random() < 0.2 else caption(chance) for texts in references
    ]
    unsupported, missing = [], []
    for text, texts in zip(captions, references, strict=True):
        words, others = set(text.split()), {word for other in texts for word in other.split()}
        unsupported.append(sorted(words - others))
        missing.append(sorted(others - words)[:6])
    quality = numbers.normal(mean, 0.15, len(captions))
    return Series(
        name,
        captions,
        {
            measure: np.clip(quality + numbers.normal(0, 0.1, len(captions)), 0, 1)
            for measure in measures
        },
        unsupported,
        missing,
        [scene(text) for text in captions],
        sentences=[
            (Sentence(text, 0.75), Sentence("Nothing else is there.", 0.25)) if row % 2 else ()
            for row, text in enumerate(captions)
        ],
    )


def _leaderboard(series: Sequence[Series], measures: Sequence[str]) -> PageTable:
    means = {name: [float(np.mean(one.scores[name])) for one in series] for name in measures}
    return PageTable(
        title="Leaderboard",
        header=["system", *(LABELS[name] for name in measures)],
        rows=[
            [
                one.name,
                *(
                    Cell(
                        f"{means[name][index]:.3f}",
                        means[name][index] == max(means[name]),
                        IntervalEstimate(
                            means[name][index], means[name][index] - 0.02, means[name][index] + 0.02
                        ),
                    )
                    for name in measures
                ),
            ]
            for index, one in enumerate(series)
        ],
        caption="Best of a column in bold. Lines are 95% confidence intervals.",
    )


def _bucketing(systems: int, measures: Sequence[str]) -> Bucketing:
    return Bucketing(
        "Words in the references",
        [
            Bucket(
                label,
                count,
                {
                    name: [
                        IntervalEstimate(
                            0.5 - 0.04 * index - 0.05 * place, 0.42 - 0.05 * place, 0.6
                        )
                        for index in range(systems)
                    ]
                    for name in measures
                },
            )
            for place, (label, count) in enumerate([("up to 7", 12), ("8 to 9", 20), ("10 up", 8)])
        ],
        "by the mean of all references",
    )
