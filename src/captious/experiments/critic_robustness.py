"""How critics and other metrics fall as captions are made worse: LEIC's figure 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from captious.critic.leic import Leic
from captious.critic.recipe import BOTH, FUSIONS, MLP
from captious.experiments.critic_recipes import AUGMENTATION
from captious.experiments.critics import Critics
from captious.experiments.experiment import Experiment
from captious.experiments.judged_scores import robust_rows
from captious.experiments.result import Cell, Finding, Panel, Table
from captious.experiments.sighted_scores import Sighted, sighted_rows
from captious.experiments.workbench import Workbench
from captious.images.vectors import ImageVectors
from captious.learned.captious_image import CaptiousImage
from captious.meta.robustness.pathological import STRENGTHS
from captious.text.transformations import TRANSFORMATIONS

KIND = "pathological"
OTHERS = ("bleu_4", "meteor", "rouge_l", "cider_d", "spice", "lceval", "captious")
TITLES = dict(
    zip(
        TRANSFORMATIONS,
        ("captions of other images", "words permuted", "words replaced"),
        strict=True,
    )
)
Rows = dict[str, Mapping[str, Any]]  # what `robustness` says of a metric, by name


def critic_robustness(bench: Workbench) -> Finding:
    """Curves and areas of critics, with and without augmentation, and of other metrics."""
    critics = Critics(bench)
    ours: Rows = {}
    for label, against in AUGMENTATION.items():
        for fusion in FUSIONS:
            trained = critics.trained(against.recipe(BOTH, fusion))
            (row,) = sighted_rows(bench, lambda crop, *_, own=trained: own.metric(crop), KIND)
            ours[f"critic, {fusion}, {label}"] = row
    chosen = f"critic, {MLP}, {next(iter(AUGMENTATION))}"
    theirs: Rows = {chosen: ours[chosen], **_others(bench)}
    return Finding(
        "critic-robustness",
        "How scores fall as captions are made worse",
        (
            _areas("Area under the curve, critics of image and reference", ours),
            _areas("Area under the curve, beside other metrics", theirs),
        ),
        (*_panels("critics", ours), *_panels("metrics", theirs)),
        (
            "A point is the mean score of all captions of the test images of Flickr8k made worse "
            "with that strength, over the mean score of the captions as they were; the area is "
            "taken over strengths from 0 to 1, and stands after each name in the plot. Lower is "
            "more robust. Each caption is scored beside the four others of its image, as "
            "`captious robustness` does.",
            "The paper draws the linear and the MLP's critic, and says that compact bilinear "
            "pooling is like the latter. It measures on COCO, where its critics learnt from COCO.",
        ),
    )


def _others(bench: Workbench) -> Rows:
    """Metrics that ship: one at a time, so that a run that was stopped goes on."""
    found: Rows = {}
    for name in OTHERS:
        for row in robust_rows(bench, [name], KIND):
            found[row["metric"]] = row
    for sighted in SIGHTED:
        for row in sighted_rows(bench, sighted, KIND):
            found[row["metric"]] = row
    return found


def _leic(crop: ImageVectors, *_: ImageVectors) -> Leic:
    """The critic that ships, which sees one view of an image."""
    return Leic(crop)


def _areas(title: str, rows: Rows) -> Table:
    names = (*TRANSFORMATIONS, "average", "worst")
    cells: list[list[Cell]] = [
        [name, *(row["auc"][column] for column in names)] for name, row in rows.items()
    ]
    return Table.of(title, ["metric", *(TITLES.get(name, name) for name in names)], cells)


def _panels(what: str, rows: Rows) -> list[Panel]:
    return [
        Panel(
            f"{title[0].upper()}{title[1:]}: {what}",
            "strength, %",
            "score, that of people's captions = 1",
            {
                f"{name.removeprefix('critic, ')}  {row['auc'][kind]:.3f}": tuple(
                    zip(map(float, STRENGTHS), row["curves"][kind], strict=True)
                )
                for name, row in rows.items()
            },
        )
        for kind, title in TITLES.items()
    ]


SIGHTED: tuple[Sighted, ...] = (CaptiousImage, _leic)  # metrics that ship and see images

CRITIC_ROBUSTNESS = Experiment(
    "critic-robustness",
    "LEIC figure 6",
    "how scores of critics and of other metrics fall as captions are made worse",
    critic_robustness,
    trains=True,
    draws=True,
)
