"""Which captions to train on: LCEval's tables 10 and 11, and mixtures that its text proposes."""

from __future__ import annotations

from captious.experiments.experiment import Experiment
from captious.experiments.measured import (
    KINDS,
    PROTOCOLS,
    Found,
    best_classical,
    cider_of_negatives,
    measure,
)
from captious.experiments.mixtures import machines_alone, mixed
from captious.experiments.regression import ceilings
from captious.experiments.result import Finding, Panel
from captious.experiments.training_set_tables import (
    composite_table,
    finalists_table,
    pairs_table,
)
from captious.experiments.workbench import Mixture, Workbench

WHY = (
    "Machines' captions alone, the papers' recipe: what decides is whether they score worse "
    "than people's. The better a system scores (strong systems are listed from the lowest CIDEr-D "
    "on), the less people agree with a network that learned to score it low. NNEval trained on the "
    "three that score lowest is above every hand-made metric; LCEval is not near it, since its "
    "precisions and chains tell machines by their style.",
    "Captions of other images among the negatives mend that. Of all sets with machines' "
    "captions, the one that validates best brings LCEval above NNEval and above every hand-made "
    "metric under both protocols, and NNEval above or level with SPICE, which is as far as the "
    "papers' order goes here. There is little room: a regression on Composite's own ratings (last "
    "table), which no training may see, is the most that a sum of these features can reach; a "
    "regression on the ratings of the validation "
    "falls below SPICE, for Flickr8k-Expert has people's captions only and says nothing of "
    "machines'. So other images' captions, alone or with permuted words, validate well and lose on "
    "Composite.",
    "SPICE is higher here than in the papers. Once its own caption is dropped, a person's "
    "caption has four references and a machine's five, and SPICE's recall falls with each. With "
    "four for every caption both networks are clearly above it. Kendall's tau_b also overlooks "
    "its ties; tau_c does not.",
)


def ranked_systems(bench: Workbench) -> list[str]:
    """The strong systems by the mean CIDEr-D of their captions, the lowest first."""
    names = list(bench.sources.systems)
    return sorted(names, key=lambda name: cider_of_negatives(bench, {name: 1.0})[0])


def which_captions(bench: Workbench) -> Finding:
    """Both networks on every training set, validated, and tested on Composite and PASCAL-50S."""
    alone = machines_alone(bench.sources, ranked_systems(bench))
    sets = {**alone, **mixed(bench.sources)}
    if bench.quick:
        sets = {name: sets[name] for name in list(sets)[:2]}
    found = {
        name: {kind: measure(bench, kind, mixture) for kind in KINDS}
        for name, mixture in sets.items()
    }
    best = best_classical(bench)
    first = next(iter(sets.values()))
    return Finding(
        "training-sets",
        "Which captions to train on",
        (
            composite_table(bench, sets, found, best),
            finalists_table(bench, sets, found),
            pairs_table(found),
            ceilings(bench, tuple(PROTOCOLS)),
        ),
        tuple(
            Panel(
                label,
                "validation tau_b (Flickr8k-Expert)",
                "Composite tau_b (LCEval's protocol)",
                _by_family(bench, sets, found, kind),
                joined=False,
            )
            for kind, label in (("nneval", "NNEval"), ("lceval", "LCEval"))
        ),
        (
            "CIDEr-D: the mean of what is to be scored low; people's captions have "
            f"{cider_of_negatives(bench, first)[1]:.2f} or so. Right: the share that the network "
            "classifies rightly in training. Validation is what the papers choose by; Composite "
            "decides nothing. A star: above every hand-made metric. Last column: the protocols "
            "under which LCEval > NNEval > every hand-made metric.",
            *WHY,
        ),
    )


def _by_family(
    bench: Workbench, sets: dict[str, Mixture], found: Found, kind: str
) -> dict[str, tuple[tuple[float, float], ...]]:
    """One point a training set, by what it is made of."""
    points: dict[str, list[tuple[float, float]]] = {}
    for name, kinds in found.items():
        machines = [bench.sources.is_machine(source) for source in sets[name]]
        family = "machines'" if all(machines) else "both" if any(machines) else "people's, worsened"
        one = kinds[kind]
        points.setdefault(family, []).append((one.validation, one.composite["lceval"]))
    return {family: tuple(several) for family, several in points.items()}


TRAINING_SETS = Experiment(
    "training-sets",
    "LCEval tables 10 and 11",
    "which captions to train on: single systems, weak, strong, all, and mixtures",
    which_captions,
    trains=True,
    draws=True,
)
