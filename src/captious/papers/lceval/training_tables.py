"""LCEval's tables 10 and 11: networks by the captions that they were trained against."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.papers.declaration import (
    AnyTask,
    Cell,
    Features,
    Grid,
    MeasuredCell,
    Mixture,
    Network,
    Regression,
    Task,
    TrainingTask,
)
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.lceval.training_sets import (
    SINGLE_SYSTEM,
    WEAKER,
    kind_of_set,
    mean_ciders,
    other_images_set,
    training_sets,
    weaker_set,
)
from captious.papers.nneval import OTHER_TRAINING
from captious.papers.rows import (
    CATEGORIES,
    COMPOSITE,
    LCEVAL,
    LEARNED,
    NNEVAL,
    PASCAL,
    Column,
    PublishedRow,
    Roles,
    cross_table,
    networks,
)

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment
    from captious.papers.result import PartResult, Points, Table

PAPERS = (NNEVAL, LCEVAL)  # in the order of their networks, `LEARNED`
TASKS = tuple(Task(COMPOSITE, protocol) for protocol in LEARNED)
VALIDATION = ("flickr8k-expert", "lceval")
# Whose runs have a CIDEr-D of .3 to .4.
AS_WEAK = ("Flickr30k", "Flickr8k")
TOLERANCE = 0.02  # of a correlation
MAX_FINALISTS = 3
PUBLISHED = {
    "lceval_trained_on_adaptive_attention": "published: Adaptive Attention",
    "lceval_trained_on_show_attend_tell": "published: Show, Attend and Tell",
    "lceval_trained_on_show_tell": "published: Show and Tell",
    "lceval": "published: all three",
}

ABOUT_SETS = (
    "Weaker systems are four architectures. Of COCO and Flickr30k, the captions of twelve runs are "
    "published (Tanti et al.); of Flickr8k they are those of `tools/caption_in_folds.py`, whose "
    "captioners caption images that they have not learned from and stop once their captions of "
    "the dev images have a CIDEr-D of .3. Judged images are left out, which leaves 2,916 images of "
    "COCO for a run, and 5,679 of Flickr8k. Of the 1,000 of Flickr30k Composite has 991: they are "
    "learned from, 968 of them, and these networks are not measured on Composite.",
    "If all negatives are system captions of the same images, what matters is whether they are "
    "worse than human captions. The better the system scores (single systems are listed by rising "
    "CIDEr), the lower the agreement with people of a network that was trained to score its "
    "captions low.",
    "A system's captions of other images repair this, and so do human captions of other images "
    "among the negatives. There is little room for improvement: a regression on Composite's own "
    "ratings (last table), which no training may use, is the upper bound for a weighted sum of "
    "these features. A regression on the validation ratings is below it, because Flickr8k-Expert "
    "has only human captions and says nothing about system captions.",
    "Each training set here was run with one seed; the three best with three seeds.",
)


def _first_network(kind: str, mixture: Mixture) -> Network:
    """A network from the first seed: there are many sets."""
    return networks(kind, mixture)[0]


def _measure_on_composite(experiment: Experiment) -> PartResult:
    """Both networks on every set: accuracy in training, validation, and tau on Composite."""
    from captious.papers.measurements.exhibits import as_number, measure_content
    from captious.papers.result import Measurement, Panel

    rows: dict[tuple[str, ...], Roles] = {
        ("published", name, ""): {"lceval": PublishedRow(metric, (LCEVAL.source,))}
        for metric, name in PUBLISHED.items()
    }
    for name, mixture in training_sets(experiment).items():
        label = (
            kind_of_set(experiment, name, mixture),
            name,
            f"{mean_ciders(experiment, mixture)[0]:.2f}",
        )
        rows[label] = {kind: _first_network(kind, mixture) for kind in LEARNED}
    tasks: tuple[tuple[str, AnyTask], ...] = (
        ("training accuracy", TrainingTask("accuracy")),
        ("validation", TrainingTask()),
        *((f"Composite, {paper.name}'s", task) for paper, task in zip(PAPERS, TASKS, strict=True)),
    )
    grid = cross_table(
        "Kendall's tau_b by training set",
        ("captions", "training set", "CIDEr"),
        rows,
        [
            Column(f"{paper.name}: {label}", task, role=paper.key)
            for paper in PAPERS
            for label, task in tasks
        ],
    )
    part = measure_content(experiment, without_seen(experiment, grid))
    axes = ("validation tau_b (Flickr8k-Expert)", "Composite tau_b (LCEval's protocol)")
    panels = []
    for place, paper in enumerate(PAPERS):
        families: dict[str, Points] = {}
        for row in part.tables[0].rows:
            validation, tau = row[4 + 4 * place], row[6 + 4 * place]
            if isinstance(tau, Measurement):
                point = (as_number(validation), tau.value)
                families[str(row[0])] = (*families.get(str(row[0]), ()), point)
        panels.append(Panel(paper.name, *axes, families, joined=False))
    return replace(part, panels=tuple(panels), remarks=(_legend(experiment),))


def without_seen(experiment: Experiment, grid: Grid) -> Grid:
    """A table without what networks have on benchmarks whose images they learned from."""

    def has_seen(cell: Cell) -> bool:
        return (
            isinstance(cell, MeasuredCell)
            and isinstance(cell.metric, Network)
            and any(
                cell.task.benchmark in experiment.sources.seen_benchmarks(source)
                for source, _ in cell.metric.negatives
            )
        )

    rows = (tuple(None if has_seen(cell) else cell for cell in row) for row in grid.rows)
    return replace(grid, rows=tuple(rows))


def _finalists_grid(experiment: Experiment) -> Grid:
    """The sets with machines' captions that validate best, with more seeds, beside SPICE."""
    sources = experiment.sources
    sets = {
        name: mixture
        for name, mixture in training_sets(experiment).items()
        if any(map(sources.is_machine, mixture))
        and COMPOSITE not in frozenset[str]().union(*map(sources.seen_benchmarks, mixture))
    }

    def validation(name: str) -> float:
        return sum(experiment.network(_first_network(kind, sets[name])).tau for kind in LEARNED)

    finalists = sorted(sets, key=validation, reverse=True)[:MAX_FINALISTS]
    return cross_table(
        f"The {MAX_FINALISTS} sets with machines' captions that validate best, on Composite",
        ("training set", "metric"),
        {
            **{(name, kind): networks(kind, sets[name]) for name in finalists for kind in LEARNED},
            ("hand-made", "spice"): "spice",
        },
        [
            Column("validation", TrainingTask()),
            *(
                Column(f"{paper.name}'s: {tau}", replace(task, statistic=statistic))
                for paper, task in zip(PAPERS, TASKS, strict=True)
                for statistic, tau in (("kendall_b", "tau_b"), ("kendall_c", "tau_c"))
            ),
        ],
        digits=4,
    )


def _pascal_grid(experiment: Experiment) -> Grid:
    return cross_table(
        "LCEval on PASCAL-50S, accuracy in %; published: tables 7 and 11",
        "training set",
        {
            **{label: PublishedRow(name, (LCEVAL.source,)) for name, label in PUBLISHED.items()},
            **{
                name: _first_network("lceval", mixture)
                for name, mixture in training_sets(experiment).items()
            },
        },
        [Column(group, Task(PASCAL, "lceval", "accuracy", group)) for group in CATEGORIES],
        percent=True,
    )


# How far features can go: scores fitted to people's ratings, which no training here sees.
CEILINGS = Grid(
    "How far the features go: linear regressions on people's ratings, tau_b on Composite",
    ("features", "ratings of", *(f"{paper.name}'s protocol" for paper in PAPERS)),
    tuple(
        (
            kind,
            benchmark,
            *(
                MeasuredCell(Regression(Features(kind), benchmark, protocol or task.protocol), task)
                for task in TASKS
            ),
        )
        for kind in LEARNED
        for benchmark, protocol in ((COMPOSITE, ""), VALIDATION)
    ),
)


def _legend(experiment: Experiment) -> str:
    first = next(iter(training_sets(experiment).values()))
    return (
        "CIDEr: the mean of what is to be scored low; people's captions have "
        f"{mean_ciders(experiment, first)[1]:.2f} or so. Right: the share that the network "
        "classifies rightly in training. Validation is what the papers choose by; Composite "
        "decides nothing."
    )


def _taus(tables: Sequence[Table], family: str) -> dict[str, float]:
    """LCEval's tau on Composite by training set, in the order of the table, where measured."""
    column = f"{LCEVAL.name}: Composite, {LCEVAL.name}'s"
    taus = {
        str(row[1]): tables[0].value(tables[0].name_of(row), column)
        for row in tables[0].rows
        if row[0] == family
    }
    return {name: tau for name, tau in taus.items() if not math.isnan(tau)}


def _weaker_is_better(tables: Sequence[Table]) -> bool | None:
    """Whether LCEval trained against the weakest of the systems is above the strongest's."""
    taus = list(_taus(tables, SINGLE_SYSTEM).values())
    return taus[0] > taus[-1] if taus else None


def _as_weak(names: Iterable[str]) -> list[list[str]]:
    """Sets of systems about as weak as the paper's, by collection: architectures, then all."""
    collections = [
        [name for name in names if name.endswith(weaker_set("", images))] for images in AS_WEAK
    ]
    return [several for several in collections if len(several) > 2]


def _one_architecture_suffices(tables: Sequence[Table]) -> bool | None:
    """Whether LCEval trained on one architecture is about where it is trained on all."""
    taus = _taus(tables, WEAKER)
    differences = [
        abs(taus[alone] - taus[together]) for *each, together in _as_weak(taus) for alone in each
    ]
    return max(differences) <= TOLERANCE if differences else None


def _single(table: Table) -> list[str]:
    """Rows of single systems, the weakest first: each has a second one, of other images."""
    names = [str(row[0]) for row in table.rows]
    return [name for name in names if other_images_set(name) in names]


def _weaker_tells_machines_apart(tables: Sequence[Table]) -> bool | None:
    """Whether LCEval trained against the weakest system is above the strongest's in MM."""
    accuracies = [tables[0].value(name, "MM") for name in _single(tables[0])]
    return accuracies[0] > accuracies[-1] if accuracies else None


def _describe_weaker(tables: Sequence[Table]) -> str:
    """What weak captions make of LCEval, beside better ones and the paper's."""
    weaker, strong = _taus(tables, WEAKER), _taus(tables, SINGLE_SYSTEM)
    as_weak = [weaker[name] for several in _as_weak(weaker) for name in several]
    if not as_weak:
        return (
            "Not measured: weaker systems' captions of Flickr8k, which `tools/caption_in_folds.py` "
            "writes and `captious reproduce lceval --captioners RUNS` reads."
        )
    column = f"{LCEVAL.name}: Composite, {LCEVAL.name}'s"
    paper = [tables[0].value(f"published, {name}, ", column) for name in PUBLISHED.values()]
    return (
        "What the paper has is what weak captions of the images themselves give: trained on those "
        f"of Flickr8k, LCEval has {_describe_range(as_weak)} under its own protocol (published: "
        f"{_describe_range(paper)}); on those of the nine strong systems "
        f"{_describe_range(strong.values())}. No set was selected by such results."
    )


def _describe_range(values: Iterable[float]) -> str:
    several = sorted(values)
    return f"{several[0]:.3f} to {several[-1]:.3f}"


def _variety_helps(tables: Sequence[Table]) -> bool | None:
    """Whether all weaker systems of a collection are above each architecture in HM and HC."""
    value = tables[0].value
    compared = [
        value(together, group) > value(alone, group)
        for *each, together in _as_weak([str(row[0]) for row in tables[0].rows])
        for alone in each
        for group in ("HM", "HC")
    ]
    return all(compared) if compared else None


ON_CORRELATION = Exhibit(
    LCEVAL.table(10),
    "training data: single systems, weak, strong, all, and mixtures",
    (_measure_on_composite, _finalists_grid, CEILINGS),
    (
        Claim(
            "training on the captions of a good system alone is worse than training on those of a "
            "bad one",
            _weaker_is_better,
        ),
        Claim(
            "fewer captions do not matter much: trained on the captions of one of several weaker "
            f"architectures, LCEval is within {TOLERANCE:g} of where it is trained on those of all",
            _one_architecture_suffices,
        ),
    ),
    tolerance=TOLERANCE,
    reason=OTHER_TRAINING,
    notes=(
        "The published numbers belong to three captioners, trained on COCO and run on Flickr30k, "
        "whose captions are not distributed. Those of other captioners are shown beside them and "
        "compared with none of them. The paper does not train on a system's captions of other "
        "images.",
        _describe_weaker,
        *ABOUT_SETS,
    ),
    requires_pytorch=True,
)
ON_PREFERENCES = Exhibit(
    LCEVAL.table(11),
    "training data: accuracy on PASCAL-50S",
    (_pascal_grid,),
    (
        Claim(
            "training on good captions alone makes it harder to tell machines' captions apart "
            "(MM: the best system alone is below the worst)",
            _weaker_tells_machines_apart,
        ),
        Claim(
            "a variety of machines' captions improves HM and HC (all weaker systems of a "
            "collection together are above each architecture)",
            _variety_helps,
            "The differences are no larger than those between seeds. With three seeds, all runs of "
            "Flickr30k together have 60.7 to 61.8 in HC and 74.9 to 78.9 in HM, each architecture "
            "alone 59.8 to 62.3 and 75.8 to 79.4; of Flickr8k 61.9 to 62.8 and 86.4 to 87.7, and "
            "60.9 to 64.2 and 82.7 to 90.0. The paper's differences are 2.4 to 5.3 and .4 to 4.9 "
            "points, where the 95% interval of one network is ±3 and ±2.5.",
        ),
    ),
    reason=OTHER_TRAINING,
    requires_pytorch=True,
)
