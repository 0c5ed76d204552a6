"""Which captions LCEval and NNEval are trained against: mixtures by name, and what each is made of.

Which systems' captions there are decides the sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from captious.papers.declaration import Features, Mixture
from captious.papers.rows import (
    MACHINE_MIXTURE,
    OTHER_IMAGES,
    PERMUTED_WORDS,
    RANDOM_WORDS,
)

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment

FLICKR30K = f"flickr30k:{OTHER_IMAGES}"
# Collections that weaker systems captioned, and people's captions of other images of each. Of
# Flickr30k, Composite has the images that were captioned: those networks are not measured on it.
WEAKLY_CAPTIONED = {"COCO": "coco", "Flickr30k": "flickr30k_test", "Flickr8k": "flickr8k"}
OTHER_IMAGES_OF = {
    "COCO": OTHER_IMAGES,
    "Flickr30k": FLICKR30K,
    "Flickr8k": f"flickr8k:{OTHER_IMAGES}",
}
MIXED = ("vinyals2017", "shetty2017")  # of the strong systems, those that score lowest
SHARES = ((3, 1), (1, 1), (1, 3))  # of machines' and of other images' captions
SYSTEMS_PER_END = 3  # systems in the groups of the best and the worst
ALL = "all"  # weaker systems of a collection


def training_sets(experiment: Experiment) -> dict[str, Mixture]:
    """All mixtures by name: machines' captions alone, then mixed with people's made worse."""
    systems = list(experiment.sources.systems)
    ranked = sorted(systems, key=lambda name: mean_ciders(experiment, {name: 1.0})[0])
    weaker = _weaker_systems(experiment)
    sets = {
        **weaker_sets(experiment),
        **_strong_sets(ranked),
        **_mixed_sets(experiment, weaker),
    }
    return dict(list(sets.items())[: 2 if experiment.quick else None])


def _equal_shares(names: list[str], share: float = 1.0) -> Mixture:
    """Several sources with one share between them."""
    return {name: share / len(names) for name in names}


def _weaker_systems(experiment: Experiment) -> dict[str, list[str]]:
    """The weaker systems by the collection that they captioned."""
    weaker_of = experiment.sources.weaker_of
    return {images: weaker_of(name) for images, name in WEAKLY_CAPTIONED.items()}


def weaker_sets(experiment: Experiment) -> dict[str, Mixture]:
    """What weaker systems say of a collection's images: runs of an architecture, and all."""
    sets: dict[str, Mixture] = {}
    for images, weaker in _weaker_systems(experiment).items():
        runs_by_architecture: dict[str, list[str]] = {}
        for name in weaker:
            architecture = name.rpartition(":")[2].partition("_")[0]
            runs_by_architecture.setdefault(architecture, []).append(name)
        for architecture, runs in runs_by_architecture.items():
            sets[weaker_set(architecture, images)] = _equal_shares(runs)
        if weaker:
            sets[weaker_set(ALL, images)] = _equal_shares(weaker)
    return sets


def weaker_set(systems: str, images: str) -> str:
    """The name of a set of what weaker systems say of the images themselves."""
    return f"{systems}, weaker, {images}"


def _strong_sets(ranked: list[str]) -> dict[str, Mixture]:
    """Single systems from the weakest on, their captions of other images, the weak, the strong."""
    sets: dict[str, Mixture] = {name: {name: 1.0} for name in ranked}
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


def _mixed_sets(experiment: Experiment, weaker: Mapping[str, list[str]]) -> dict[str, Mixture]:
    """Machines' captions with people's captions made worse, and these alone."""
    systems = experiment.sources.systems
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
    for images, runs in weaker.items():
        for machine, other in SHARES if runs else ():
            mixture = {**_equal_shares(runs, machine), OTHER_IMAGES_OF[images]: other}
            sets[f"weaker runs {machine}, other images' {other}, {images}"] = mixture
    (first,) = MACHINE_MIXTURE
    if first in systems:
        name = f"{first} 1, other images'"
        sets[f"{name} 1, Flickr30k"] = {first: 1, FLICKR30K: 1}
        sets[f"{name} 1, random words 1"] = {first: 1, OTHER_IMAGES: 1, RANDOM_WORDS: 1}
        sets[f"{name} 3, permuted words 1"] = {first: 1, OTHER_IMAGES: 3, PERMUTED_WORDS: 1}
    return sets


def mean_ciders(experiment: Experiment, mixture: Mixture) -> tuple[float, float]:
    """The mean CIDEr of what is to be scored low, and of people's captions beside it."""
    from captious.papers.measurements.experiment import build_feature_set

    cider = build_feature_set(Features("lceval", only=("cider",)))
    rows, is_human = experiment.training_rows(cider, mixture)
    return float(rows[~is_human].mean()), float(rows[is_human].mean())


SINGLE_SYSTEM, SINGLE_SYSTEM_OTHER_IMAGES = (
    "one system",
    "one system, other images",
)  # of those that are strong
WEAKER = "weaker systems"


def kind_of_set(experiment: Experiment, name: str, mixture: Mixture) -> str:
    """What a training set is made of."""
    machines = [experiment.sources.is_machine(source) for source in mixture]
    if not all(machines):
        return "both" if any(machines) else "people's, worsened"
    if not set(mixture).isdisjoint(experiment.sources.weaker):
        return WEAKER
    if name in experiment.sources.systems:
        return SINGLE_SYSTEM
    return SINGLE_SYSTEM_OTHER_IMAGES if name.endswith(other_images_set("")) else "machines'"
