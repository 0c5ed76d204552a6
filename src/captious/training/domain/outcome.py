"""The outcome of training a domain: settings and figures, as printed and saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from captious.text.languages import tokenizer_for
from captious.training.caption_space.learning import Recipe
from captious.training.caption_space.retrieval import RetrievalScores
from captious.training.domain.captions import DomainCaptions
from captious.training.domain.learning import LearnedDomain
from captious.training.domain.weights import FittedWeights
from captious.training.word_order.limits import DisorderRate


@dataclass(frozen=True, eq=False)
class Outcome:
    """The captions, the domain, its weights, and figures on held-out images."""

    captions: DomainCaptions
    machine_captions: int
    recipe: Recipe
    learnt: LearnedDomain
    fitted: FittedWeights
    before: RetrievalScores
    after: RetrievalScores
    order: Mapping[str, DisorderRate]

    @property
    def settings(self) -> dict[str, Any]:
        """Data sizes and hyperparameters."""
        parts, recipe, domain = self.captions, self.recipe, self.learnt.domain
        return {
            "language": domain.language,
            "tokenizer": tokenizer_for(domain.language),
            "images_learned_from": len(parts.training),
            "images_chosen_by": len(parts.validation),
            "images_reported_on": len(parts.test),
            "images_with_too_few_captions": len(parts.few),
            "captions_read_together": parts.several,
            "machine_captions": self.machine_captions,
            "candidates_fitted_on": self.fitted.trials,
            "words": len(domain.space.vectors.words),
            "epochs": recipe.epochs,
            "learning_rate": recipe.rate,
            "words_hidden": recipe.hidden,
            "batch": recipe.batch,
            "seed": recipe.seed,
        }

    @property
    def figures(self) -> dict[str, float]:
        """Measurements: the first two from training, the rest on the test images."""
        weighed, before = self.fitted, self.fitted.own_preferred_before
        return {
            "loss": self.learnt.training.best_point["loss"],
            "similarity_explained": weighed.explained_variance,
            "found_first_before": self.before.first,
            "found_first": self.after.first,
            "reciprocal_rank_before": self.before.reciprocal_rank,
            "reciprocal_rank": self.after.reciprocal_rank,
            **({} if before is None else {"own_caption_preferred_before": before}),
            "own_caption_preferred": weighed.own_preferred,
            "calibration_error": weighed.calibration.error,
            **{f"disordered_{kind.replace(' ', '_')}": b.share for kind, b in self.order.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as `--format json` prints it."""
        return {
            "settings": self.settings,
            "epoch": self.learnt.training.best,
            "figures": self.figures,
            "curve": list(self.learnt.training.curve),
        }
