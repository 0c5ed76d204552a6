"""What LEIC's paper reports: critics that see the image, trained on Flickr8k here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from captious.critic.recipe import BOTH, CONTEXTS, FUSIONS, MLP
from captious.experiments.declaration import (
    Grid,
    Scored,
    Seeing,
    Task,
    TrainedCritic,
    Variant,
    Worsened,
    measured_by,
)
from captious.experiments.exhibit import Content, Exhibit
from captious.experiments.papers.rows import LEARNED, LEIC, Column, Labels, crossed

if TYPE_CHECKING:
    from captious.experiments.result import Table
    from captious.experiments.workbench.bench import Workbench

AUGMENTATION = {"with augmentation": "everything", "without": "machines"}

WORD_FREQUENCIES = Exhibit(
    LEIC.figure(4),
    "how often people and captioners use their common and their rare words",
    (measured_by("word_frequencies"),),
    notes=(
        "These are the captions that critics of the other experiments learn from. Everyone has "
        "one caption of each image, so that counts of different words can be compared; the "
        "distance is half the sum of all differences of relative frequencies, 0 where words "
        "are used alike and 1 where none is shared. What two captions of people differ by is "
        "in the second row (people has every image's next caption there).",
    ),
    trains=True,
)

# By context, fusion and augmentation; the paper varies the first two with augmentation only.
CAPABLE = {
    (context, fusion, label): TrainedCritic(context, fusion, against)
    for label, against in AUGMENTATION.items()
    for context in CONTEXTS
    for fusion in FUSIONS
    if context == BOTH or label != "without"
}


def _whose_captions(bench: Workbench, _: Sequence[Table]) -> str:
    from captious.experiments.workbench.grounds import Flickr8k

    names = ", ".join(Flickr8k(bench).captioners)
    return (
        f"Machines are those that the critics learnt from, {names}, "
        "of images that neither they nor the critics were trained on (both stopped by them). "
        "With augmentation: machines' captions, captions drawn by chance, and people's made "
        "worse by the three transformations, in the shares of the critics that ship, and their "
        "contexts to be found among others; without: machines' alone. The paper's figure has "
        "bars and no numbers."
    )


CAPABILITY = Exhibit(
    LEIC.figure(5),
    "whether critics tell people's captions from machines', by context and fusion",
    (measured_by("capability", critics=CAPABLE),),
    notes=(
        "Performance is what equation 10 makes of people's and of machines' best captions, "
        "each half of it: the mean of the scores of the former and of 1 less those of the "
        "latter. Captions drawn by chance (sampled) and people's captions of other images are "
        "no part of it. A person's caption is scored beside the others of its image, all else "
        "beside all of them. In the plot, critics that tell captions apart are at the top "
        "left.",
        _whose_captions,
    ),
    trains=True,
)

# Captions made worse: critics by fusion, and one of them beside metrics that ship.
WORSE = {
    "random_caption": "captions of other images",
    "word_permutation": "words permuted",
    "random_word": "words replaced",
}
SEEING: dict[Labels, Scored] = {  # what ships and sees images
    "captious_image": Seeing("captious_image"),
    "captious_image_alone": Seeing("captious_image_alone"),
    "leic": Seeing("leic"),
}
CRITICS: dict[Labels, Scored] = {
    f"critic, {fusion}, {label}": TrainedCritic(BOTH, fusion, against)
    for label, against in AUGMENTATION.items()
    for fusion in FUSIONS
}
UNSEEING = ("bleu_4", "meteor", "rouge_l", "cider_d", "spice", "lceval", "captious")
SHIPPED: dict[Labels, Scored] = {**dict(zip(UNSEEING, UNSEEING, strict=True)), **SEEING}


def falling(critics: dict[Labels, Scored], shipped: dict[Labels, Scored]) -> tuple[Content, ...]:
    """Areas and curves of critics, and of the usual one of them beside metrics that ship."""
    usual = f"critic, {MLP}, {next(iter(AUGMENTATION))}"
    every = {"critics": critics, "metrics": {usual: critics[usual], **shipped}}
    titles = ("critics of image and reference", "beside other metrics")
    columns = [
        Column(WORSE.get(group, group), Worsened("pathological", "auc", group))
        for group in (*WORSE, "average", "worst")
    ]
    return (
        *(
            crossed(f"Area under the curve, {title}", "metric", scored, columns)
            for title, scored in zip(titles, every.values(), strict=True)
        ),
        measured_by("decay", scored=every, kinds=WORSE),
    )


CRITIC_ROBUSTNESS = Exhibit(
    LEIC.figure(6),
    "how scores of critics and of other metrics fall as captions are made worse",
    falling(CRITICS, SHIPPED),
    notes=(
        "A point is the mean score of all captions of the test images of Flickr8k made worse "
        "with that strength, over the mean score of the captions as they were; the area is "
        "taken over strengths from 0 to 1, and stands after each name in the plot. Lower is "
        "more robust. Each caption is scored beside the four others of its image, as "
        "`captious robustness` does.",
        "The paper draws the linear and the MLP's critic, and says that compact bilinear "
        "pooling is like the latter. It measures on COCO, where its critics learnt from COCO.",
    ),
    trains=True,
)

# Correlation on Flickr8k: the statistic of each benchmark that published figures stand beside.
PROTOCOL = "leic"
BENCHMARKS = {
    "flickr8k-expert": ("Expert", "kendall_c"),
    "flickr8k-cf": ("Crowd Flower", "kendall_b"),
}
STATISTICS = {"kendall_c": "tau_c", "kendall_b": "tau_b"}
PAPERS_OWN = (BOTH, "other images")  # context, and what a critic learnt to tell
METRICS: dict[Labels, Scored] = {
    **{
        n: n
        for n in (
            "bleu_1",
            "bleu_2",
            "bleu_3",
            "bleu_4",
            "rouge_l",
            "meteor",
            "cider_d",
            "spice",
            "spider",
            "wmd",
            *LEARNED,
            "captious",
        )
    },
    **SEEING,
    "leic, reference alone": Variant("leic", (("critic", "leic_reference"),)),
}


def _on_flickr8k(bench: Workbench) -> Grid:
    """Hand-made metrics, what ships, and critics by context and by what they learnt from."""
    source = LEIC.table(1).source
    critics: dict[Labels, Scored] = {
        # The paper's critic is one that is trained here, and not the one that ships.
        f"critic, {context}, against {against}": TrainedCritic(
            context, MLP, against, name="leic" if (context, against) == PAPERS_OWN else ""
        )
        for against in ("other images", *(("everything",) if bench.captioners else ()))
        for context in CONTEXTS
    }
    return crossed(
        "Kendall's tau, {0:,} pairs of Expert, {1:,} pairs of Crowd Flower; published: "
        f"{source}",
        "metric",
        {**METRICS, **critics},
        [
            Column(
                f"{label}: {shown}",
                Task(benchmark, PROTOCOL, statistic),
                (source,) if statistic == papers else (),
            )
            for benchmark, (label, papers) in BENCHMARKS.items()
            for statistic, shown in STATISTICS.items()
        ],
    )


def _left_out(bench: Workbench, _: Sequence[Table]) -> str:
    from captious.experiments.workbench.grounds import WITHOUT_CAPTIONERS

    without = f"Critics against everything are left out: {WITHOUT_CAPTIONERS}."
    return "" if bench.captioners else without


IMAGE_CORRELATION = Exhibit(
    LEIC.table(1),
    "how critics that see the image correlate with people on Flickr8k",
    (_on_flickr8k,),
    notes=(
        "Expert: ratings flattened, pairs with an own caption dropped, tau_c as in SPICE's "
        "paper, which this one follows. Crowd Flower: the share of raters who said yes, all "
        "pairs, tau_b. Both are the standard protocols of `captious meta`. The paper does not say "
        "which tau; its Expert figures of BLEU, ROUGE-L, METEOR and CIDEr fit no rule that was "
        "tried.",
        "For this table the paper's critic learns from people's captions of other images "
        "alone; its context and fusion are not said, and its figures stand beside "
        f"`critic, {BOTH}, against other images`. `everything` adds machines' captions, "
        "captions drawn by chance, the other transformations, and the second task of the "
        f"critics that ship. All critics here have {MLP} fusion and Flickr8k's training "
        "images; none was trained on judgements, nor its epoch chosen by them.",
        _left_out,
    ),
    trains=True,
)

TWO_FOLDS = Exhibit(
    LEIC.section("3.5"),
    "how captioners score by critics trained against their own captions",
    (
        measured_by(
            "two_folds", on="Flickr8k", metrics=("cider_d", "meteor", "spice"), seeds=(0, 1)
        ),
    ),
    notes=(
        f"As in {LEIC.source}, section 3.5: the images are split in halves, a critic of image "
        "and reference learns from one half to tell the system's captions, and people's made "
        "worse, from people's, and scores the other half; then the other way round. A higher "
        "score is of a system whose captions are taken for people's more often. People's own "
        "captions are scored by the same critics. The systems are the runs of Tanti et al. "
        "(2018), whose captions nobody has judged: the paper's correlation with people is not "
        "to be had here.",
    ),
    trains=True,
)

DRAWINGS = (
    Exhibit(
        LEIC.figure(1),
        "what the metric does, in one drawing",
        drawing="A critic tells people's captions from machines' beside an image and a reference: "
        "docs/critic.md.",
    ),
    Exhibit(
        LEIC.figure(2),
        "the architecture with compact bilinear pooling",
        drawing="`captious.critic`; fusions are linear, mlp and bilinear: docs/critic.md.",
    ),
    Exhibit(
        LEIC.figure(3),
        "captions before and after each transformation",
        drawing="Examples. The three transformations are in `captious.text.transformations`.",
    ),
)
_EVERY = (*DRAWINGS, WORD_FREQUENCIES, CAPABILITY, CRITIC_ROBUSTNESS, IMAGE_CORRELATION)
EXHIBITS = (
    *sorted(_EVERY, key=lambda exhibit: LEIC.numbered.index(exhibit.place)),
    TWO_FOLDS,
)
