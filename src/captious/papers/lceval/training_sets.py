"""Which captions to train on: LCEval's tables 10 and 11, and mixtures that its text proposes.

Which systems' captions there are decides the rows: most tables are functions of the experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.papers.declaration import (
    AnyTask,
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
from captious.papers.nneval import OTHER_TRAINING
from captious.papers.rows import (
    CATEGORIES,
    COMPOSITE,
    LCEVAL,
    LEARNED,
    MACHINE_MIXTURE,
    NNEVAL,
    OTHER_IMAGES,
    PASCAL,
    PERMUTED_WORDS,
    RANDOM_WORDS,
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
FLICKR30K = f"flickr30k:{OTHER_IMAGES}"
MIXED = ("vinyals2017", "shetty2017")  # of the strong systems, those that score lowest
SHARES = ((3, 1), (1, 1), (1, 3))  # of machines' and of other images' captions
SYSTEMS_PER_END = 3  # systems in the groups of the best and the worst
MAX_FINALISTS = 3
PUBLISHED = {
    "lceval_trained_on_adaptive_attention": "published: Adaptive Attention",
    "lceval_trained_on_show_attend_tell": "published: Show, Attend and Tell",
    "lceval_trained_on_show_tell": "published: Show and Tell",
    "lceval": "published: all three",
}

WHY_SETS_DIFFER = (
    "If all negatives are system captions of the same images, what matters is whether they are "
    "worse than human captions. The better the system scores (single systems are listed by rising "
    "CIDEr), the lower the agreement with people of a network that was trained to score its "
    "captions low.",
    "A system's captions of other images, which are closest to what the papers trained on, repair "
    "this, and so do human captions of other images among the negatives. There is little room for "
    "improvement: a regression on Composite's own ratings (last table), which no training may "
    "use, is the upper bound for a weighted sum of these features. A regression on the validation "
    "ratings is below it, because Flickr8k-Expert has only human captions and says nothing about "
    "system captions.",
    "Each training set here was run with one seed; the three best with three seeds.",
)


def training_sets(experiment: Experiment) -> dict[str, Mixture]:
    """All mixtures by name: machines' captions alone, then mixed with people's made worse."""
    systems = list(experiment.sources.systems)
    ranked = sorted(systems, key=lambda name: _mean_ciders(experiment, {name: 1.0})[0])
    sets = {**_machine_sets(list(experiment.sources.weaker), ranked), **_mixed_sets(experiment)}
    return dict(list(sets.items())[: 2 if experiment.quick else None])


def _first_network(kind: str, mixture: Mixture) -> Network:
    """A network from the first seed: there are many sets."""
    return networks(kind, mixture)[0]


def _equal_shares(names: list[str], share: float = 1.0) -> Mixture:
    """Several sources with one share between them."""
    return {name: share / len(names) for name in names}


def _machine_sets(weaker: list[str], ranked: list[str]) -> dict[str, Mixture]:
    """The papers' recipe: single systems from the weakest on, the weak, the strong, all.

    `ranked` are the strong systems by how well they score, the weakest first.
    """
    sets: dict[str, Mixture] = {}
    for architecture in dict.fromkeys(name.partition("_")[0] for name in weaker):
        runs = [name for name in weaker if name.startswith(f"{architecture}_")]
        sets[f"{architecture}, weaker, {len(runs)} runs"] = _equal_shares(runs)
    if weaker:
        sets[f"all {len(weaker)} weaker runs"] = _equal_shares(weaker)
    sets |= {name: {name: 1.0} for name in ranked}
    sets |= {other_images_set(name): _other_images_mixture(name) for name in ranked}
    if len(ranked) > 2 * SYSTEMS_PER_END:
        sets[f"the {SYSTEMS_PER_END} that score lowest"] = _equal_shares(ranked[:SYSTEMS_PER_END])
        sets[f"the {SYSTEMS_PER_END} that score highest"] = _equal_shares(ranked[-SYSTEMS_PER_END:])
    sets[all_systems_set(len(ranked))] = _equal_shares(ranked)
    return sets


def all_systems_set(number: int) -> str:
    """The name of a set of what all systems say of the images themselves."""
    return f"all {number} systems"


def other_images_set(system: str) -> str:
    """The name of a set of what a system says of other images, similar and any."""
    return f"{system}, of other images"


def _other_images_mixture(system: str) -> Mixture:
    """As the papers' captioners did, which had learned from other pictures: machine style, and
    content that is often wrong."""
    return {f"{system}/similar": 1.0, f"{system}/other": 1.0}


def _mixed_sets(experiment: Experiment) -> dict[str, Mixture]:
    """Machines' captions with people's captions made worse, and these alone."""
    systems, weaker = experiment.sources.systems, list(experiment.sources.weaker)
    sets: dict[str, Mixture] = {
        "other images'": {OTHER_IMAGES: 1},
        "other images', Flickr30k": {FLICKR30K: 1},
        "permuted words": {PERMUTED_WORDS: 1},
        "random words": {RANDOM_WORDS: 1},
        "other images' 1, random words 1": {OTHER_IMAGES: 1, RANDOM_WORDS: 1},
        "other images' 3, permuted words 1": {OTHER_IMAGES: 3, PERMUTED_WORDS: 1},
    }
    for name in (name for name in MIXED if name in systems):
        for machine, other in SHARES:
            sets[f"{name} {machine}, other images' {other}"] = {name: machine, OTHER_IMAGES: other}
    for machine, other in SHARES if weaker else ():
        mixture = {**_equal_shares(weaker, machine), OTHER_IMAGES: other}
        sets[f"weaker runs {machine}, other images' {other}"] = mixture
    (first,) = MACHINE_MIXTURE
    if first in systems:
        name = f"{first} 1, other images'"
        sets[f"{name} 1, Flickr30k"] = {first: 1, FLICKR30K: 1}
        sets[f"{name} 1, random words 1"] = {first: 1, OTHER_IMAGES: 1, RANDOM_WORDS: 1}
        sets[f"{name} 3, permuted words 1"] = {first: 1, OTHER_IMAGES: 3, PERMUTED_WORDS: 1}
    return sets


def _mean_ciders(experiment: Experiment, mixture: Mixture) -> tuple[float, float]:
    """The mean CIDEr of what is to be scored low, and of people's captions beside it."""
    from captious.papers.measurements.experiment import build_feature_set

    cider = build_feature_set(Features("lceval", only=("cider",)))
    rows, is_human = experiment.training_rows(cider, mixture)
    return float(rows[~is_human].mean()), float(rows[is_human].mean())


SINGLE_SYSTEM, SINGLE_SYSTEM_OTHER_IMAGES = (
    "one system",
    "one system, other images",
)  # of those that are strong


def _kind_of_set(experiment: Experiment, name: str, mixture: Mixture) -> str:
    """What a training set is made of."""
    machines = [experiment.sources.is_machine(source) for source in mixture]
    if not all(machines):
        return "both" if any(machines) else "people's, worsened"
    if name in experiment.sources.systems:
        return SINGLE_SYSTEM
    return SINGLE_SYSTEM_OTHER_IMAGES if name.endswith(other_images_set("")) else "machines'"


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
            _kind_of_set(experiment, name, mixture),
            name,
            f"{_mean_ciders(experiment, mixture)[0]:.2f}",
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
    part = measure_content(experiment, grid)
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


def _finalists_grid(experiment: Experiment) -> Grid:
    """The sets with machines' captions that validate best, with more seeds, beside SPICE."""
    sets = {
        name: mixture
        for name, mixture in training_sets(experiment).items()
        if any(map(experiment.sources.is_machine, mixture))
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
        f"{_mean_ciders(experiment, first)[1]:.2f} or so. Right: the share that the network "
        "classifies rightly in training. Validation is what the papers choose by; Composite "
        "decides nothing."
    )


def _taus(tables: Sequence[Table], family: str) -> list[float]:
    """LCEval's tau on Composite by single systems, the weakest first."""
    column = f"{LCEVAL.name}: Composite, {LCEVAL.name}'s"
    names = [", ".join(map(str, row[:3])) for row in tables[0].rows if row[0] == family]
    return [tables[0].value(name, column) for name in names]


def _weaker_is_better(tables: Sequence[Table]) -> bool | None:
    """Whether LCEval trained against the weakest of the systems is above the strongest's."""
    taus = _taus(tables, SINGLE_SYSTEM)
    return taus[0] > taus[-1] if taus else None


def _single(table: Table) -> list[str]:
    """Rows of single systems, the weakest first: each has a second one, of other images."""
    names = [str(row[0]) for row in table.rows]
    return [name for name in names if other_images_set(name) in names]


def _weaker_tells_machines_apart(tables: Sequence[Table]) -> bool | None:
    """Whether LCEval trained against the weakest system is above the strongest's in MM."""
    accuracies = [tables[0].value(name, "MM") for name in _single(tables[0])]
    return accuracies[0] > accuracies[-1] if accuracies else None


def _variety_helps(tables: Sequence[Table]) -> bool | None:
    """Whether all systems together are above each alone in HM and HC, as in the paper."""
    names = _single(tables[0])
    return (
        all(
            tables[0].value(all_systems_set(len(names)), group) > tables[0].value(name, group)
            for name in names
            for group in ("HM", "HC")
        )
        if names
        else None
    )


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
    ),
    reason=OTHER_TRAINING,
    notes=(
        "The published numbers belong to three systems whose captions are not distributed, and are "
        "compared with none of ours. The paper does not train on a system's captions of other "
        "images.",
        *WHY_SETS_DIFFER,
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
            "a variety of machines' captions improves HM and HC (all systems together are above "
            "each alone)",
            _variety_helps,
            "All nine together are above the mean of the nine alone (HM 65.9 and 63.2, HC 63.6 and "
            "62.8), but not above each: the four with the lowest CIDEr are ahead in HM, and three "
            "of them in HC. The better ones make networks worse (table 10).",
        ),
    ),
    reason=OTHER_TRAINING,
    requires_pytorch=True,
)
