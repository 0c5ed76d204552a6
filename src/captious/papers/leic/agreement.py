"""LEIC's tables: correlation with people, caption by caption and system by system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from captious.metrics.leic.recipe import BOTH, CONTEXTS, MLP
from captious.papers.declaration import (
    COCO,
    FLICKR8K,
    AnyMetric,
    ImageMetric,
    MetricVariant,
    Task,
    TrainedCritic,
    run_procedure,
)
from captious.papers.exhibit import Claim, Exhibit, Reason
from captious.papers.lceval.agreement import TEAMS, TEAMS_MISSING
from captious.papers.rows import (
    LEIC,
    Column,
    Labels,
    Measurable,
    PublishedRow,
    cross_table,
    has_highest,
)

if TYPE_CHECKING:
    from captious.papers.result import Table

PROTOCOL = "leic"
BENCHMARKS = {  # the statistic of each that published numbers stand beside
    "flickr8k-expert": ("Expert", "kendall_c"),
    "flickr8k-cf": ("Crowd Flower", "kendall_b"),
}
STATISTICS = {"kendall_c": "tau_c", "kendall_b": "tau_b"}
CLASSICAL = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "meteor", "rouge_l", "cider_d", "spice")
PAPER_CRITIC = f"critic, {BOTH}, against other images"
CRITICS: dict[Labels, AnyMetric] = {
    # The paper's critic is one that is trained here, and not the one that ships.
    f"critic, {context}, against other images": TrainedCritic(
        context, MLP, "other images", name="leic" if context == BOTH else ""
    )
    for context in CONTEXTS
}
SHIPPED: dict[Labels, AnyMetric] = {
    "leic": ImageMetric("leic"),
    "leic, image and reference": ImageMetric("leic", options=(("critic", "image"),)),
    "leic, reference alone": MetricVariant("leic", (("critic", "reference"),)),
    "leic, released": ImageMetric("leic", options=(("variant", "released"),)),
    "captious": "captious",
    "captious_image": ImageMetric("captious_image"),
}
CORRELATION = Exhibit(
    LEIC.table(1),
    "correlation with people on Flickr8k, of critics that see the image",
    (
        cross_table(
            "Kendall's tau, caption by caption",
            "metric",
            {**{name: name for name in CLASSICAL}, **CRITICS, **SHIPPED},
            [
                Column(
                    f"{label}: {statistic_label}",
                    Task(benchmark, PROTOCOL, statistic),
                    (LEIC.table(1).source,) if statistic == published_statistic else (),
                )
                for benchmark, (label, published_statistic) in BENCHMARKS.items()
                for statistic, statistic_label in STATISTICS.items()
            ],
        ),
    ),
    tuple(
        Claim(
            f"the critic correlates better than every other metric on {label}",
            has_highest(PAPER_CRITIC, CLASSICAL, f"{label}: {STATISTICS[statistic]}"),
        )
        for label, statistic in BENCHMARKS.values()
    ),
    reason="Expert: the paper's numbers for BLEU, ROUGE-L, METEOR and CIDEr fit no protocol that "
    "was tried, and the paper itself notes that they differ from SPICE's paper; those for SPICE "
    "and the critic agree. Crowd Flower: all agree.",
    reasons=(
        Reason(
            "Unknown. Tried: ratings flattened, their mean and their mode; pairs whose candidate "
            "is among the references dropped, kept, or kept without that reference; tau_b and "
            "tau_c. All are above the paper's numbers: BLEU-1 .322 to .381 (.191), ROUGE-L .321 "
            "to .382 (.218), CIDEr-D .435 to .498 (.289). The paper says that it follows SPICE's, "
            "in which BLEU-1 and ROUGE-L have .32, METEOR .42 and CIDEr .44, as here.",
            tuple(name for name in CLASSICAL if name != "spice"),
            ("Expert: tau_c",),
        ),
    ),
    notes=(
        "Expert: ratings flattened, pairs whose candidate is among the references dropped, tau_c "
        "as in SPICE's paper, which this one follows. Crowd Flower: the share of raters who said "
        "yes, all pairs, tau_b. Both are the standard protocols of `captious meta`. The paper "
        "does not say which tau it uses. It gives .736 as the agreement among experts.",
        "For this table, human captions of other images are the only negatives of the paper's "
        "critic. The paper does not state its context and fusion; its numbers are compared with "
        f"`{PAPER_CRITIC}`. All critics here have {MLP} fusion and are trained on Flickr8k's "
        "training images; none was trained, or its epoch selected, on human judgements. `leic` is "
        "the shipped metric: the mean of the two critics below it.",
    ),
    requires_pytorch=True,
)

MEASURES = ("M1", "M2")
TEAMS_ROWS: dict[str, Measurable] = {
    **{name: name for name in CLASSICAL},
    "LEIC, without augmentation": PublishedRow(
        "leic_without_augmentation", (LEIC.table(2).source,)
    ),
    "LEIC": PublishedRow("leic", (LEIC.table(2).source,)),
}
SYSTEMS = Exhibit(
    LEIC.table(2),
    "system-level correlation with the 2015 challenge's judgements",
    (
        cross_table(
            "Pearson's r over teams",
            "metric",
            TEAMS_ROWS,
            [
                Column(
                    measure,
                    Task("coco-2015", PROTOCOL, "pearson", measure),
                    (LEIC.table(2).source,),
                )
                for measure in MEASURES
            ],
        ),
        run_procedure("two_folds.score_teams", source=LEIC.table(2).source, measures=MEASURES),
    ),
    required_path=TEAMS,
    unavailable=f"{TEAMS_MISSING} LEIC's rows are then measured in two folds, by critics whose "
    "context is the reference. Section 3.5 below applies the two folds to nine systems whose "
    "captions are distributed.",
    requires_pytorch=True,
)
AGAINST_PEOPLE = Exhibit(
    LEIC.figure(7),
    "two-fold scores compared with human judgements of the 2015 challenge's teams",
    (run_procedure("two_folds.score_teams", source=LEIC.table(2).source, measures=MEASURES[:1]),),
    required_path=TEAMS,
    unavailable=f"{TEAMS_MISSING} The figure shows points without numbers.",
    requires_pytorch=True,
)

TWO_FOLD_METRICS = (
    "cider_d",
    "spice",
    "meteor",
    "bleu_4",
    "rouge_l",
    "lceval",
    "captious",
    "consensus",
)


def _people_score_higher(tables: Sequence[Table]) -> bool:
    """Whether people's captions have more than every system's, beyond chance of the images."""
    differences = [row[3] for row in tables[0].rows]
    return all(getattr(difference, "low", 0) > 0 for difference in differences)


TWO_FOLDS = Exhibit(
    LEIC.section("3.5"),
    "scores of systems by critics trained against their captions",
    (
        run_procedure("two_folds.score_systems", dataset_name=COCO, metrics=TWO_FOLD_METRICS),
        run_procedure(
            "two_folds.score_systems", dataset_name=FLICKR8K, metrics=TWO_FOLD_METRICS[:3]
        ),
    ),
    (
        Claim(
            "critics tell the captions of every system from human ones (section 4.2), on COCO",
            _people_score_higher,
        ),
    ),
    notes=(
        f"As in {LEIC.source}, section 3.5: the images are split into halves. A critic is trained "
        "on one half to tell human captions from those of the system and from corrupted human "
        "ones, and scores the other half; then the halves change places. A higher score means "
        "that a system's captions pass for human ones more often. Human captions are scored by "
        "the same critics. On COCO the critics read references; on Flickr8k they also see the "
        "images. The systems are the nine of van Miltenburg et al. (2018) and the twelve runs of "
        "Tanti et al. (2018). There are no human judgements of their captions, so the paper's "
        "correlation with people cannot be measured here.",
        "`captious critic judge` does the same for any system.",
    ),
    requires_pytorch=True,
)
