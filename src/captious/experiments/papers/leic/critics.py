"""LEIC's figures of critics: words, capability and robustness, on COCO and on Flickr8k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from captious.critic.recipe import BILINEAR, BOTH, FUSIONS, IMAGE, LINEAR, MLP, REFERENCE
from captious.experiments.declaration import (
    COCO,
    FLICKR8K,
    Scored,
    Seeing,
    TrainedCritic,
    Variant,
    Worsened,
    measured_by,
)
from captious.experiments.exhibit import Claim, Content, Exhibit
from captious.experiments.papers.rows import LEIC, Column, Labels, crossed

if TYPE_CHECKING:
    from captious.experiments.result import Measured, Table
    from captious.experiments.workbench.bench import Workbench

WITH, WITHOUT = "with augmentation", "without"
AUGMENTATION = {WITH: "evenly", WITHOUT: "machines"}
WITHOUT_IMAGES = (
    "The paper's critics see COCO's images and learn from the captions of three captioners; here "
    "there are no vectors of those images: on COCO critics read references alone, and learn from "
    "nine systems; on Flickr8k they see images, and learn from captioners of ours."
)
FEWER = (
    "Critics learn from 12,000 images of COCO and 6,000 of Flickr8k, the paper's from 113,287, "
    "with twice as many units."
)


def with_captioners(content: Callable[[Workbench], Measured]) -> Content:
    """A part that needs captioners, which is left out where there are none."""

    def given(bench: Workbench) -> Measured:
        from captious.experiments.result import Measured
        from captious.experiments.workbench.grounds import WITHOUT_CAPTIONERS

        if bench.captioners:
            return content(bench)
        return Measured(remarks=(f"Flickr8k is left out: {WITHOUT_CAPTIONERS}.",))

    return given


def _rarer(tables: Sequence[Table]) -> bool:
    """Whether people use more different words than every machine, and common ones less."""
    people, _, *machines = (row[0] for row in tables[0].rows)
    words, common = "different words", "100 commonest: share"
    return all(
        tables[0].value(f"{people}, ", words) > 1.5 * tables[0].value(f"{name}, {BEST}", words)
        and tables[0].value(f"{people}, ", common) < tables[0].value(f"{name}, {BEST}", common)
        for name in machines
    )


BEST = "best captions"
WORD_FREQUENCIES = Exhibit(
    LEIC.figure(4),
    "how often people and captioners use their common and their rare words",
    (
        measured_by("word_frequencies", on=COCO),
        with_captioners(measured_by("word_frequencies", on=FLICKR8K)),
    ),
    (
        Claim(
            "machines' captions have drastically different word frequencies: people use half as "
            "many different words again as any system, or more, and common words less often",
            _rarer,
        ),
    ),
    notes=(
        "Everyone has one caption of each image, so that counts of different words can be "
        "compared; the distance is half the sum of all differences of relative frequencies, 0 "
        "where words are used alike and 1 where none is shared. What two captions of people "
        "differ by is in the second row (people has every image's next caption there). The "
        "paper's figure has curves of three captioners and no numbers.",
    ),
    trains=True,
)

# By context, fusion and augmentation; the paper varies the first two with augmentation only.
CAPABLE = {
    COCO: {
        (REFERENCE, fusion, label): TrainedCritic(REFERENCE, fusion, against, on=COCO)
        for label, against in AUGMENTATION.items()
        for fusion in FUSIONS
        if label == WITH or fusion != BILINEAR
    },
    FLICKR8K: {
        (context, MLP, label): TrainedCritic(context, MLP, against)
        for label, against in AUGMENTATION.items()
        for context in (IMAGE, REFERENCE, BOTH)
        if label == WITH or context == BOTH
    },
}


def _people_higher(tables: Sequence[Table]) -> bool:
    return all(
        table.value(_name(row), "people") > table.value(_name(row), "machine") + 0.2
        for table in tables
        for row in table.rows
    )


def _without_is_higher(tables: Sequence[Table]) -> bool:
    return all(
        tables[0].value(f"{REFERENCE}, {fusion}, {WITHOUT}", "performance")
        > tables[0].value(f"{REFERENCE}, {fusion}, {WITH}", "performance")
        for fusion in (LINEAR, MLP)
    )


def _without_is_fooled(tables: Sequence[Table]) -> bool:
    other, people = "people, of other images", "people"
    table, name = tables[0], f"{REFERENCE}, {MLP}, "
    with_it, without = (
        table.value(name + label, other) / table.value(name + label, people)
        for label in AUGMENTATION
    )
    return without > 0.9 > with_it


def _images_help(tables: Sequence[Table]) -> bool | None:
    if len(tables) < 2:  # without captioners
        return None
    performance = {
        context: tables[1].value(f"{context}, {MLP}, {WITH}", "performance")
        for context in (IMAGE, REFERENCE, BOTH)
    }
    return performance[BOTH] > performance[REFERENCE]


def _name(row: Sequence[object]) -> str:
    return ", ".join(map(str, row[:3]))


CAPABILITY = Exhibit(
    LEIC.figure(5),
    "whether critics tell people's captions from machines', by context and fusion",
    (
        measured_by("capability", critics=CAPABLE[COCO], on=COCO, split="test"),
        with_captioners(measured_by("capability", critics=CAPABLE[FLICKR8K])),
    ),
    (
        Claim(
            "every critic gives people's captions much more than machines' (.2 or more)",
            _people_higher,
        ),
        Claim("without augmentation a critic tells them apart even better", _without_is_higher),
        Claim(
            "and gives people's captions of other images nearly as much as the image's own (.9 of "
            "it or more); with augmentation it does not",
            _without_is_fooled,
        ),
        Claim(
            "the image helps: image and reference are ahead of the reference",
            _images_help,
            "Unknown; not tried: other vectors of images, or more images. Our captioners wrote "
            "from the same vectors that the critics see here, of 6,000 images; the paper's critics "
            "saw those of 113,287.",
        ),
    ),
    reason=WITHOUT_IMAGES,
    notes=(
        "Performance is what equation 10 makes of people's and of machines' best captions, "
        "each half of it: the mean of the scores of the former and of 1 less those of the "
        "latter. Captions drawn by chance (sampled) and people's captions of other images are "
        "no part of it. A person's caption is scored beside the others of its image, all else "
        "beside all of them. In the plot, critics that tell captions apart are at the top "
        "left. The paper's figure has bars and no numbers.",
        f"{WITHOUT_IMAGES} With augmentation: machines' captions, captions drawn by chance where "
        "there are any, and people's made worse by the three transformations, in the shares of the "
        "released code, and contexts to be found among others; without: machines' alone. COCO's "
        "are the images of Karpathy's test split, of which no critic learned; Flickr8k's are the "
        "dev images, by which critics and captioners were stopped.",
        FEWER,
    ),
    trains=True,
)

# Captions made worse: critics by fusion, and one of them beside metrics that ship.
WORSE = {
    "random_caption": "captions of other images",
    "word_permutation": "words permuted",
    "random_word": "words replaced",
}
CRITICS: dict[Labels, Scored] = {
    f"critic, {fusion}, {label}": critic for (_, fusion, label), critic in CAPABLE[COCO].items()
}
USUAL = f"critic, {MLP}, {WITH}"
HAND_MADE = ("bleu_4", "rouge_l", "meteor", "cider_d", "spice")
BESIDE: dict[Labels, Scored] = {
    USUAL: CRITICS[USUAL],
    **dict(zip(HAND_MADE, HAND_MADE, strict=True)),
}
SHIPPED: dict[Labels, Scored] = {
    "leic": Seeing("leic"),
    "leic, reference alone": Variant("leic", (("critic", "reference"),)),
    "captious_image": Seeing("captious_image"),
    "captious": "captious",
}


def falling(on: str, **every: dict[Labels, Scored]) -> tuple[Content, ...]:
    """Areas and curves of metrics as captions are made worse, a table and a plot for each set."""
    columns = [
        Column(WORSE.get(group, group), Worsened("pathological", "auc", group, on))
        for group in (*WORSE, "average", "worst")
    ]
    return (
        *(
            crossed(f"Area under the curve on {on}, {title}", "metric", scored, columns)
            for title, scored in every.items()
        ),
        measured_by("decay", scored=every, kinds=WORSE, on=on),
    )


def _lower(table: int, row: str, others: Sequence[str], *kinds: str, reason: str = "") -> Claim:
    """A claim that a row has the smallest areas; `reason` is said where it has not."""
    columns = [WORSE[kind] for kind in kinds]
    return Claim(
        f"{row} is ahead of {', '.join(others)} for {' and '.join(columns)}",
        lambda tables: all(
            tables[table].value(row, column) < tables[table].value(other, column)
            for column in columns
            for other in others
        ),
        reason,
    )


CRITIC_ROBUSTNESS = Exhibit(
    LEIC.figure(6),
    "how scores of critics and of other metrics fall as captions are made worse",
    (
        *falling(COCO, critics=CRITICS, metrics=BESIDE),
        *falling(FLICKR8K, shipped=SHIPPED),
    ),
    (
        _lower(0, USUAL, [f"critic, {MLP}, {WITHOUT}"], *WORSE),
        _lower(0, USUAL, [f"critic, {LINEAR}, {WITH}"], "random_caption"),
        _lower(
            1,
            USUAL,
            HAND_MADE,
            "word_permutation",
            "random_word",
            reason="BLEU-4 alone is below it: it is next to nothing once no four words in a row "
            "match, and falls faster where words are permuted or replaced.",
        ),
        _lower(1, "cider_d", [USUAL], "random_caption"),
        _lower(1, "spice", [USUAL], "random_caption"),
    ),
    reason=f"{WITHOUT_IMAGES} {FEWER}",
    notes=(
        "A point is the mean score of all captions of the test images made worse with that "
        "strength, over the mean score of the captions as they were; the area is taken over "
        "strengths from 0 to 1, and stands after each name in the plot. Lower is more robust. "
        "Each caption is scored beside the others of its image, as `captious robustness` does. "
        "Which images of COCO are alike is known by their captions' vectors, of Flickr8k by the "
        "images'.",
        "The paper draws the linear and the MLP's critic, and says that compact bilinear "
        "pooling is like the latter; the areas that it prints beside its curves are not in its "
        "text. What ships is measured on Flickr8k, whose images it sees.",
    ),
    trains=True,
)
