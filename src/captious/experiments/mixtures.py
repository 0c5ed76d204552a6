"""Training sets to choose from: which captions a network learns to score low, in which shares."""

from __future__ import annotations

from captious.experiments.sources import FLICKR30K, Sources
from captious.experiments.workbench import Mixture

OTHER, ORDER, WORDS = "random_caption", "word_permutation", "random_word"
MIXED = ("vinyals2017", "shetty2017")  # of the strong systems, those that score lowest
SHARES = ((3, 1), (1, 1), (1, 3))  # of machines' and of other images' captions
FEWEST_BEHIND = 3  # systems in the groups of the best and the worst

# What every ablation is trained on: the set that the experiment `training-sets` chose.
CHOSEN: Mixture = {"shetty2017": 1, OTHER: 3}


def even(names: list[str], share: float = 1.0) -> Mixture:
    """Several sources with one share between them."""
    return {name: share / len(names) for name in names}


def machines_alone(sources: Sources, ranked: list[str]) -> dict[str, Mixture]:
    """The papers' recipe: single systems from the weakest on, the weak, the strong, all.

    `ranked` are the strong systems by how well they score, the weakest first.
    """
    weaker = list(sources.weaker)
    sets: dict[str, Mixture] = {}
    if weaker:
        architectures = dict.fromkeys(name.partition("_")[0] for name in weaker)
        for one in architectures:
            runs = [name for name in weaker if name.startswith(f"{one}_")]
            sets[f"{one}, weaker, {len(runs)} runs"] = even(runs)
        sets[f"all {len(weaker)} weaker runs"] = even(weaker)
    sets |= {name: {name: 1.0} for name in ranked}
    if len(ranked) > 2 * FEWEST_BEHIND:
        sets[f"the {FEWEST_BEHIND} that score lowest"] = even(ranked[:FEWEST_BEHIND])
        sets[f"the {FEWEST_BEHIND} that score highest"] = even(ranked[-FEWEST_BEHIND:])
    sets[f"all {len(ranked)} systems"] = even(ranked)
    return sets


def mixed(sources: Sources) -> dict[str, Mixture]:
    """Machines' captions with people's captions made worse, and these alone."""
    sets: dict[str, Mixture] = {
        "other images'": {OTHER: 1},
        "other images', Flickr30k": {f"{FLICKR30K}:{OTHER}": 1},
        "permuted words": {ORDER: 1},
        "random words": {WORDS: 1},
        "other images' 1, random words 1": {OTHER: 1, WORDS: 1},
        "other images' 3, permuted words 1": {OTHER: 3, ORDER: 1},
    }
    for name in (name for name in MIXED if name in sources.systems):
        for machine, other in SHARES:
            sets[f"{name} {machine}, other images' {other}"] = {name: machine, OTHER: other}
    weaker = list(sources.weaker)
    for machine, other in SHARES if weaker else ():
        sets[f"weaker runs {machine}, other images' {other}"] = {
            **even(weaker, machine),
            OTHER: other,
        }
    first = next(iter(CHOSEN))
    if first in sources.systems:
        name = f"{first} 1, other images'"
        sets[f"{name} 1, Flickr30k"] = {first: 1, f"{FLICKR30K}:{OTHER}": 1}
        sets[f"{name} 1, random words 1"] = {first: 1, OTHER: 1, WORDS: 1}
        sets[f"{name} 3, permuted words 1"] = {first: 1, OTHER: 3, ORDER: 1}
    return sets
