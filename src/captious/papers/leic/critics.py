"""LEIC's figures of critics: words, capability and robustness, on COCO and on Flickr8k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from captious.metrics.leic.recipe import (
    BILINEAR,
    BOTH,
    CONTEXTS,
    FUSIONS,
    IMAGE,
    LINEAR,
    MLP,
    REFERENCE,
)
from captious.papers.declaration import (
    COCO,
    FLICKR8K,
    WHOLE,
    AnyMetric,
    ImageMetric,
    MetricVariant,
    RobustnessTask,
    TrainedCritic,
    run_procedure,
)
from captious.papers.exhibit import Claim, Content, Exhibit
from captious.papers.rows import LEIC, Column, Labels, cross_table

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import PartResult, Table

WITH, WITHOUT = "with augmentation", "without"
LARGEST_EQUAL_GAIN = 0.02  # of performance, up to which two critics are called alike
AUGMENTATION = {WITH: "evenly", WITHOUT: "machines"}
WITHOUT_IMAGES = (
    "The paper's critics see COCO's images and are trained on the captions of three captioners. "
    "No vectors of those images are available here: on COCO, critics read references only and are "
    "trained on nine systems; on Flickr8k, they see images and are trained on our own captioners."
)
FEWER = (
    "Critics are trained on 34,504 images of COCO and 6,000 of Flickr8k; the paper's on 113,287, "
    "with twice as many units."
)


def with_captioners(content: Callable[[Experiment], PartResult]) -> Content:
    """A part that needs captioners, which is left out where there are none."""

    def measure_if_possible(experiment: Experiment) -> PartResult:
        from captious.papers.measurements.caption_datasets import WITHOUT_CAPTIONERS
        from captious.papers.result import PartResult

        if experiment.captioners:
            return content(experiment)
        return PartResult(remarks=(f"Flickr8k is left out: {WITHOUT_CAPTIONERS}.",))

    return measure_if_possible


def _people_use_rarer_words(tables: Sequence[Table]) -> bool:
    """Whether people use more different words than every machine, and common ones less."""
    people, _, *machines = (row[0] for row in tables[0].rows)
    words, common = "vocabulary", "share of the 100 most frequent"
    return all(
        tables[0].value(f"{people}, ", words) > 1.5 * tables[0].value(f"{name}, {BEST}", words)
        and tables[0].value(f"{people}, ", common) < tables[0].value(f"{name}, {BEST}", common)
        for name in machines
    )


BEST = "best captions"
WORD_FREQUENCIES = Exhibit(
    LEIC.figure(4),
    "word frequencies in human and generated captions",
    (
        run_procedure("word_frequencies.measure_word_frequencies", dataset_name=COCO),
        with_captioners(
            run_procedure("word_frequencies.measure_word_frequencies", dataset_name=FLICKR8K)
        ),
    ),
    (
        Claim(
            "system captions have drastically different word frequencies (people use at least 1.5 "
            "times as many different words as any system, and common words less often)",
            _people_use_rarer_words,
        ),
    ),
    notes=(
        "One caption per image is counted for people and for each system, so numbers of different "
        "words can be compared. The distance is half the sum of the absolute differences of "
        "relative frequencies: 0 if the frequencies are the same and 1 if no word is shared. The "
        "second row gives the distance between two sets of human captions (the next caption of "
        "every image). The paper's figure has curves of three captioners and no numbers.",
    ),
    requires_pytorch=True,
)

# By context, fusion and augmentation; the paper varies the first two with augmentation only.
BOTH_WHOLE = "both, whole image"  # vectors of whole images, not of their middle square
CAPABILITY_CRITICS = {
    COCO: {
        (REFERENCE, fusion, label): TrainedCritic(REFERENCE, fusion, negatives, dataset_name=COCO)
        for label, negatives in AUGMENTATION.items()
        for fusion in FUSIONS
        if label == WITH or fusion != BILINEAR
    },
    FLICKR8K: {
        **{
            (context, fusion, WITH): TrainedCritic(context, fusion, AUGMENTATION[WITH])
            for context in CONTEXTS
            for fusion in FUSIONS
        },
        (BOTH_WHOLE, MLP, WITH): TrainedCritic(BOTH, MLP, AUGMENTATION[WITH], view=WHOLE),
        (BOTH, MLP, WITHOUT): TrainedCritic(BOTH, MLP, AUGMENTATION[WITHOUT]),
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
    other, people = "people, other images", "people"
    table, name = tables[0], f"{REFERENCE}, {MLP}, "
    with_it, unavailable = (
        table.value(name + label, other) / table.value(name + label, people)
        for label in AUGMENTATION
    )
    return unavailable > 0.9 > with_it


def _gains(tables: Sequence[Table], context: str) -> dict[str, float]:
    """How much better image and reference are than one of them, by fusion; none without images."""
    performance = {_name(row): row[-1] for table in tables[1:] for row in table.rows}
    pairs = {
        fusion: [performance.get(f"{each}, {fusion}, {WITH}") for each in (BOTH, context)]
        for fusion in FUSIONS
    }
    return {
        fusion: both - one
        for fusion, (both, one) in pairs.items()
        if isinstance(both, float) and isinstance(one, float)
    }


def _images_help(tables: Sequence[Table]) -> bool | None:
    gains = _gains(tables, REFERENCE)
    return all(gain > 0 for gain in gains.values()) if gains else None


def _images_suffice(tables: Sequence[Table]) -> bool | None:
    gains = _gains(tables, IMAGE)
    return all(gain <= LARGEST_EQUAL_GAIN for gain in gains.values()) if gains else None


def _describe_gains(tables: Sequence[Table]) -> str:
    """What the image adds to the reference, and the other way round, on Flickr8k."""
    by_image, by_reference = (_gains(tables, context) for context in (REFERENCE, IMAGE))
    if not by_image:
        return "On COCO alone, nothing can be said of images."

    def listed(gains: Mapping[str, float]) -> str:
        return ", ".join(f"{gain:+.3f} ({fusion})" for fusion, gain in gains.items())

    text = (
        f"On Flickr8k the image changes the performance of the reference by {listed(by_image)}, "
        f"and the reference that of the image by {listed(by_reference)}."
    )
    whole, crop = (f"{context}, {MLP}, {WITH}" for context in (BOTH_WHOLE, BOTH))
    if any(_name(row) == whole for row in tables[1].rows):
        value = tables[1].value
        difference = value(whole, "performance") - value(crop, "performance")
        text += (
            " With vectors of whole images instead of their middle square, the performance of "
            f"image and reference changes by {difference:+.3f} ({MLP})."
        )
    return text


def _name(row: Sequence[object]) -> str:
    return ", ".join(map(str, row[:3]))


CAPABILITY = Exhibit(
    LEIC.figure(5),
    "human and generated captions told apart, by context and fusion",
    (
        run_procedure(
            "critics.measure_capability",
            critics=CAPABILITY_CRITICS[COCO],
            dataset_name=COCO,
            split="test",
        ),
        with_captioners(
            run_procedure("critics.measure_capability", critics=CAPABILITY_CRITICS[FLICKR8K])
        ),
    ),
    (
        Claim(
            "every critic scores human captions much higher than system captions (by .2 or more)",
            _people_higher,
        ),
        Claim("without augmentation, a critic tells them apart even better", _without_is_higher),
        Claim(
            "but it then scores human captions of other images nearly as high as those of the "
            "image itself (.9 or more of their score), which it does not with augmentation",
            _without_is_fooled,
        ),
        Claim(
            "the image helps: image and reference are ahead of the reference alone, with every "
            "fusion",
            _images_help,
            "Unknown. Tried: three fusions, and vectors of whole images (below). Not tried: more "
            "images than 6,000 (the paper's critics saw 113,287), more epochs than eight (30), and "
            "vectors of another encoder than that of our captioners.",
        ),
        Claim(
            "a reference adds nothing of significance to the image (no more than "
            f"{LARGEST_EQUAL_GAIN:g}, with every fusion)",
            _images_suffice,
            "Unknown. A critic of the image alone learns from 6,000 images here; the paper's saw "
            "113,287, which was not tried.",
        ),
    ),
    reason=WITHOUT_IMAGES,
    notes=(
        "Performance is equation 10 applied to the human and the systems' best captions, half of "
        "each: the mean of the scores of the former and of one minus the scores of the latter. "
        "Sampled captions and human captions of other images do not enter it. A human caption is "
        "scored against the other captions of its image, any other caption against all of them. "
        "In the plot, critics that tell captions apart are at the top left. The paper's figure "
        "has bars and no numbers.",
        f"{WITHOUT_IMAGES} With augmentation, the negatives are system captions, sampled captions "
        "if there are any, and human captions corrupted by the three transformations, in the "
        "shares of the released code, together with the contrastive task (docs/critic.md); "
        "without, system captions only. COCO's images are Karpathy's test split, on which no "
        "critic was trained; Flickr8k's are the dev images, which were used for early stopping of "
        "critics and captioners.",
        _describe_gains,
        FEWER,
    ),
    requires_pytorch=True,
)

# Captions made worse: critics by fusion, and one of them beside metrics that ship.
CORRUPTIONS = {
    "random_caption": "captions of other images",
    "word_permutation": "words permuted",
    "random_word": "words replaced",
}
CRITICS: dict[Labels, AnyMetric] = {
    f"critic, {fusion}, {label}": critic
    for (_, fusion, label), critic in CAPABILITY_CRITICS[COCO].items()
}
USUAL_CRITIC = f"critic, {MLP}, {WITH}"
CLASSICAL = ("bleu_4", "rouge_l", "meteor", "cider_d", "spice")
CRITIC_AND_CLASSICAL: dict[Labels, AnyMetric] = {
    USUAL_CRITIC: CRITICS[USUAL_CRITIC],
    **dict(zip(CLASSICAL, CLASSICAL, strict=True)),
}
SHIPPED: dict[Labels, AnyMetric] = {
    "leic": ImageMetric("leic"),
    "leic, reference alone": MetricVariant("leic", (("critic", "reference"),)),
    "captious_image": ImageMetric("captious_image"),
    "captious": "captious",
}


def robustness_contents(
    dataset_name: str, **metrics_by_title: dict[Labels, AnyMetric]
) -> tuple[Content, ...]:
    """Areas and curves of metrics as captions are made worse, a table and a plot for each set."""
    columns = [
        Column(
            CORRUPTIONS.get(group, group),
            RobustnessTask("pathological", "auc", group, dataset_name),
        )
        for group in (*CORRUPTIONS, "average", "worst")
    ]
    return (
        *(
            cross_table(
                f"Area under the curve on {dataset_name}, {title}", "metric", scored, columns
            )
            for title, scored in metrics_by_title.items()
        ),
        run_procedure(
            "critics.draw_score_curves",
            metrics=metrics_by_title,
            kinds=CORRUPTIONS,
            dataset_name=dataset_name,
        ),
    )


def _smaller_area_claim(
    table: int, row: str, others: Sequence[str], *kinds: str, reason: str = ""
) -> Claim:
    """A claim that a row has the smallest areas; `reason` is said where it has not."""
    columns = [CORRUPTIONS[kind] for kind in kinds]
    return Claim(
        f"`{row}` has a smaller area than {', '.join(f'`{other}`' for other in others)} for "
        f"{' and '.join(columns)}",
        lambda tables: all(
            tables[table].value(row, column) < tables[table].value(other, column)
            for column in columns
            for other in others
        ),
        reason,
    )


CRITIC_ROBUSTNESS = Exhibit(
    LEIC.figure(6),
    "robustness: scores of critics and other metrics as captions are corrupted",
    (
        *robustness_contents(COCO, critics=CRITICS, metrics=CRITIC_AND_CLASSICAL),
        *robustness_contents(FLICKR8K, shipped=SHIPPED),
    ),
    (
        _smaller_area_claim(0, USUAL_CRITIC, [f"critic, {MLP}, {WITHOUT}"], *CORRUPTIONS),
        _smaller_area_claim(0, USUAL_CRITIC, [f"critic, {LINEAR}, {WITH}"], "random_caption"),
        _smaller_area_claim(
            1,
            USUAL_CRITIC,
            CLASSICAL,
            "word_permutation",
            "random_word",
            reason="Only BLEU-4 has smaller areas: it is almost 0 as soon as no four consecutive "
            "words match, so it falls faster when words are permuted or replaced.",
        ),
        _smaller_area_claim(1, "cider_d", [USUAL_CRITIC], "random_caption"),
        _smaller_area_claim(1, "spice", [USUAL_CRITIC], "random_caption"),
    ),
    reason=f"{WITHOUT_IMAGES} {FEWER}",
    notes=(
        "A point is the mean score of all captions of the test images, corrupted with that "
        "strength, divided by the mean score of the original captions. The area is over strengths "
        "from 0 to 1 and is given after each name in the plot. Lower is more robust. Each caption "
        "is scored against the others of its image, as in `captious robustness`. Similar images "
        "are found by the vectors of their captions on COCO, and by image vectors on Flickr8k.",
        "The paper plots the critics with linear and MLP fusion, and says that compact bilinear "
        "pooling is like the latter. The areas printed next to its curves are not in its text. "
        "The shipped metrics are measured on Flickr8k, whose images they can see.",
    ),
    requires_pytorch=True,
)
