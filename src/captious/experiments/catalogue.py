"""All experiments by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from captious.errors import InputError
from captious.experiments.capability import CAPABILITY
from captious.experiments.chain_depth import CHAIN_DEPTH
from captious.experiments.correlation import CAPTION_LEVEL
from captious.experiments.critic_robustness import CRITIC_ROBUSTNESS
from captious.experiments.experiment import Experiment
from captious.experiments.feature_groups import FEATURE_GROUPS, THROUGH_TRAINING
from captious.experiments.image_correlation import IMAGE_CORRELATION
from captious.experiments.network_depth import NETWORK_DEPTH
from captious.experiments.pairs import PAIRS
from captious.experiments.references import REFERENCES
from captious.experiments.times import TIMES
from captious.experiments.training_sets import TRAINING_SETS
from captious.experiments.translations import TRANSLATIONS
from captious.experiments.two_folds import TWO_FOLDS
from captious.experiments.vectors import VECTORS
from captious.experiments.word_frequencies import WORD_FREQUENCIES
from captious.experiments.worsened import DISTRACTED, GAMED

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        CAPTION_LEVEL,
        PAIRS,
        DISTRACTED,
        CHAIN_DEPTH,
        GAMED,
        NETWORK_DEPTH,
        VECTORS,
        FEATURE_GROUPS,
        THROUGH_TRAINING,
        REFERENCES,
        TRAINING_SETS,
        TIMES,
        TRANSLATIONS,
        WORD_FREQUENCIES,
        CAPABILITY,
        CRITIC_ROBUSTNESS,
        IMAGE_CORRELATION,
        TWO_FOLDS,
    )
}


def experiments_named(names: Iterable[str]) -> list[Experiment]:
    """The experiments of these names, each once."""
    chosen = []
    for name in dict.fromkeys(names):
        if name not in EXPERIMENTS:
            near = difflib.get_close_matches(name, EXPERIMENTS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(f"no experiment {name!r}{hint} (there are: {', '.join(EXPERIMENTS)})")
        chosen.append(EXPERIMENTS[name])
    return chosen
