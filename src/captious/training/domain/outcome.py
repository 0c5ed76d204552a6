"""The outcome of training a domain: settings and figures, as printed, and the model card."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from captious.metrics.learned.weights import LearnedModel
from captious.text.languages import tokenizer_for
from captious.training.caption_space import Recipe, RetrievalScores
from captious.training.domain.captions import DomainCaptions
from captious.training.domain.learning import FittedWeights, LearnedDomain
from captious.training.learned_metrics.model_card import WIDTH
from captious.training.word_order import DisorderRate
from captious.version import __version__


@dataclass(frozen=True, eq=False)
class Outcome:
    """The captions, the domain, its weights, and figures on held-out images."""

    captions: DomainCaptions
    machine_captions: int
    recipe: Recipe
    learned: LearnedDomain
    fitted: FittedWeights
    before: RetrievalScores
    after: RetrievalScores
    order: Mapping[str, DisorderRate]

    @property
    def settings(self) -> dict[str, Any]:
        """Data sizes and hyperparameters."""
        parts, recipe, domain = self.captions, self.recipe, self.learned.domain
        return {
            "language": domain.language,
            "tokenizer": tokenizer_for(domain.language),
            "images_learned_from": len(parts.training),
            "images_chosen_by": len(parts.validation),
            "images_reported_on": len(parts.test),
            "images_with_too_few_captions": len(parts.few),
            "captions_read_together": parts.captions_per_image,
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
        weights, before = self.fitted, self.fitted.own_preferred_before
        return {
            "loss": self.learned.training.best_point["loss"],
            "similarity_explained": weights.explained_variance,
            "found_first_before": self.before.first,
            "found_first": self.after.first,
            "reciprocal_rank_before": self.before.reciprocal_rank,
            "reciprocal_rank": self.after.reciprocal_rank,
            **({} if before is None else {"own_caption_preferred_before": before}),
            "own_caption_preferred": weights.own_preferred,
            "calibration_error": weights.calibration.error,
            **{
                f"disordered_{kind.replace(' ', '_')}": rate.share
                for kind, rate in self.order.items()
            },
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as `--format json` prints it."""
        return {
            "settings": self.settings,
            "epoch": self.learned.training.best,
            "figures": self.figures,
            "curve": list(self.learned.training.curve),
        }


def domain_card(name: str, source: str, machines: list[str], outcome: Outcome) -> str:
    """The card in Markdown; `name` is the metric's, `source` the file of captions."""
    captions, weights = outcome.captions, outcome.fitted
    model, training = weights.model, outcome.learned.training
    domain = outcome.learned.domain
    return CARD.format(
        name=name,
        version=__version__,
        weights=model.network.fingerprint,
        domain=domain.fingerprint,
        data=_wrap(
            f"People's captions: {source}, {_data_size(outcome)}. Machines' captions: "
            f"{', '.join(machines) or 'none'}. The space was learned from "
            f"{len(captions.training):,} images; {len(captions.validation):,} others decided which "
            "epoch was kept, what order of words is usual, and the weights; the figures are of "
            f"{len(captions.test):,} further images, by which nothing was chosen."
        ),
        settings=_rows(outcome.settings),
        epoch=f"{training.best} of {len(training.curve)}",
        figures=_rows(outcome.figures),
        features=_features(model),
        error=weights.calibration.error,
        calibration="\n".join(
            f"| {each.predicted:.3f} | {each.observed:.3f} | {each.share:.3f} |"
            for each in weights.calibration.bins
        ),
        rebuild=f"captious train captious --captions {source}"
        + "".join(f" --machine {machine}" for machine in machines)
        + f" --language {domain.language} --seed {outcome.recipe.seed}",
    )


def _data_size(outcome: Outcome) -> str:
    captions = outcome.captions
    parts = (captions.training, captions.validation, captions.test, captions.few)
    written = sum(part.number_of_captions for part in parts)
    return f"{written:,} captions of {sum(map(len, parts)):,} images"


def _features(model: LearnedModel) -> str:
    weights = model.network.weights[0][:, 1] * model.scaling.factor
    pairs = zip(model.feature_set.columns, weights.tolist(), strict=True)
    return "\n".join(f"| `{column}` | {weight:.3f} |" for column, weight in pairs)


def _rows(values: dict[str, object] | dict[str, float]) -> str:
    return "\n".join(
        f"| {name.replace('_', ' ')} | {_format_value(value)} |" for name, value in values.items()
    )


def _format_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _wrap(text: str) -> str:
    return textwrap.fill(text, WIDTH)


CARD = """# {name}

`captious` for a domain of its own: the probability that a caption was written for this image and
not for another, with equal priors, times its form. Weights {weights}, domain {domain}; made by
Captious {version} with `captious train captious`.

## Data
{data}
No human judgement was read.

| setting | value |
| --- | --- |
{settings}

## Learning
The space: a caption must find the other captions of its image among those of a batch, and they it;
epoch {epoch} was kept. The weights, non-negative, are those that best predict how similar a
candidate is to a held-out caption of the image; scale and bias turn this into probabilities.

| feature | log odds per unit |
| --- | --- |
{features}

## Figures
Loss and the similarity explained (its R², over folds of images) come from the images for training
and selection, all other figures from those held out for the report. *Found first*: how often a
caption's own image ranks first, by the centroid of its other captions. *Own caption preferred*: how
often a caption scores above one of another image, which is equally often similar, very similar or
random. *Before*: at the start of training. *Disordered*: the share whose form is below 1, of human
captions and of corrupted ones.

| figure | value |
| --- | --- |
{figures}

Calibration (expected calibration error {error:.3f}):

| predicted | observed | share of captions |
| --- | --- | --- |
{calibration}

## Limits
- Not measured on captions of another kind or language.
- A candidate is compared with the references: a true statement that none of them makes scores low.
- How well scores agree with people was not measured: `captious meta custom` does, given judgements.

**Rebuild**: `{rebuild}`
"""
