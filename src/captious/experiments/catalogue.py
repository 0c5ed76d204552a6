"""All experiments by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from captious.errors import InputError
from captious.experiments.declaration import Experiment
from captious.experiments.papers import (
    lceval,
    lceval_ablations,
    lceval_training_sets,
    leic,
    nneval,
)

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        nneval.CORRELATION,
        nneval.PAIRS,
        nneval.DISTRACTED,
        lceval.CHAIN_DEPTH,
        nneval.GAMED,
        lceval_ablations.NETWORK_DEPTH,
        lceval_ablations.WORD_VECTORS,
        lceval_ablations.FEATURE_GROUPS,
        lceval_ablations.THROUGH_TRAINING,
        lceval.REFERENCES,
        lceval_training_sets.TRAINING_SETS,
        lceval.TIMES,
        lceval.TRANSLATIONS,
        leic.WORD_FREQUENCIES,
        leic.CAPABILITY,
        leic.CRITIC_ROBUSTNESS,
        leic.IMAGE_CORRELATION,
        leic.TWO_FOLDS,
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
