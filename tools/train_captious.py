"""Train `captious` and `captious_full`, and write the weights and cards that ship.

Positives are people's captions beside the other captions of their image, negatives people's
captions of other images, drawn at random: what comes out is the chance that a caption was written
for this image and not for another. Scale and shift of the margin are then fitted once more with
other images that are as often similar as not, so that the chances hold for these, too. The images
are those of COCO train2014 that the caption space was not learned from; Flickr8k's dev images tell
how well the chances are calibrated, and cross-validation over images what each feature is worth. No
human judgement is read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from caption_space.data import Images, read
from captious.arrays.logistic import logistic
from captious.learned.captious import CAPTIOUS, CAPTIOUS_FULL
from captious.learned.features import Feature, FeatureSet, extract
from captious.learned.network import Network
from captious.learned.scaling import Scaling
from captious.learned.weights import LearnedModel
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.vectors.caption_vectors import CaptionSpace, caption_vectors, centroids
from captious.training.learned_metrics.model_card import card_path, write_model_card
from nonnegative import nonnegative_logistic

REPOSITORY = Path(__file__).resolve().parents[1]
CANDIDATES = 2  # captions of an image that are candidates, each beside the others
# Which other images a candidate's three negatives come from: any, or some by rank of likeness.
RANKS: tuple[range | None, ...] = (None, range(10, 100), range(3))
FOLDS = 5
# What was tried beside the features of each set: with these it is no better, and dearer.
LEXICAL = ("unigram_multiref", "wmd", "meteor", "rouge_l", "mowe", "bleu_1", "unigram_recall")
BINS = 10

Table = list[tuple[float, float, float]]


def main() -> None:
    """Build samples, choose and fit, check calibration, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="all captions")
    add("--output", type=Path, default=RESOURCES / "learned", help="the folder to write to")
    add("--seed", type=int, default=0, help="of all chance")
    options = parser.parse_args()
    captions = read(options.data)
    coco, flickr8k = captions.held_out["coco"], captions.held_out["flickr8k-dev"]
    with threadpool_limits(1, "blas"):
        fitted = sampled(coco, (None,) * len(RANKS), options.seed)
        mixed, fresh = sampled(coco, RANKS, options.seed), sampled(flickr8k, RANKS, options.seed)
        for whole in (CAPTIOUS, CAPTIOUS_FULL):
            train(whole, fitted, mixed, fresh, options.output)


class Sampled:
    """Candidates beside references, whether they belong together, and the image of each."""

    def __init__(self) -> None:
        self.candidates: list[str] = []
        self.references: list[list[str]] = []
        self.labels: list[float] = []
        self.images: list[int] = []

    def add(self, candidate: str, references: list[str], label: float, image: int) -> None:
        """One more sample."""
        self.candidates.append(candidate)
        self.references.append(references)
        self.labels.append(label)
        self.images.append(image)

    def features(self, whole: FeatureSet) -> np.ndarray:
        """One row of features a sample."""
        return extract(whole, self.candidates, self.references, tokenizer="whitespace")

    @property
    def y(self) -> np.ndarray:
        """1 where candidate and references belong together."""
        return np.array(self.labels)

    @property
    def importance(self) -> np.ndarray:
        """So much for each sample that both kinds weigh the same."""
        return np.where(self.y > 0, (self.y == 0).sum() / (self.y > 0).sum(), 1.0)


def sampled(images: Images, ranks: Sequence[range | None], seed: int) -> Sampled:
    """Captions beside the others of their image, and captions of other images beside the same."""
    rng = np.random.default_rng(seed)
    texts = [[" ".join(caption) for caption in image] for image in images]
    nearest = alike(texts) if any(ranks) else None
    made = Sampled()
    for image, own in enumerate(texts):
        for place in range(CANDIDATES):
            references = own[:place] + own[place + 1 :]
            made.add(own[place], references, 1.0, image)
            for rank in ranks:
                if rank is None or nearest is None:
                    other = (image + int(rng.integers(1, len(texts)))) % len(texts)
                else:
                    other = int(nearest[image, rng.integers(rank.start, rank.stop)])
                drawn = texts[other]
                made.add(drawn[int(rng.integers(len(drawn)))], references, 0.0, image)
    return made


def alike(texts: list[list[str]]) -> np.ndarray:
    """For each image the others, by how near the centroids of their captions lie."""
    flat = [caption for own in texts for caption in own]
    vectors = caption_vectors(
        Analysis(flat, "whitespace"), CaptionSpace.load(), np.arange(len(flat))
    )
    together = centroids(vectors, np.cumsum([0, *map(len, texts)]))
    cosines = together @ together.T
    np.fill_diagonal(cosines, -np.inf)
    return np.argsort(-cosines, axis=1, kind="stable")


def train(whole: FeatureSet, fitted: Sampled, mixed: Sampled, fresh: Sampled, folder: Path) -> None:
    """Fit, calibrate, and write weights and card."""
    more = tuple(map(Feature, LEXICAL))
    tried = FeatureSet(whole.name, (*whole.features, *more), whole.scaling)
    every = fitted.features(tried)
    values = every[:, : len(whole)]
    print(f"{whole.name}: {len(values):,} samples of {len(set(fitted.images)):,} images")
    losses = {
        "consensus alone": validated(values[:, :1], fitted),
        "all features": validated(values, fitted),
        **{
            f"without {name}": validated(np.delete(values, place, axis=1), fitted)
            for place, name in enumerate(whole.columns)
        },
        "and the lexical": validated(every, fitted),
    }
    for name, loss in losses.items():
        print(f"  {name}: {loss:.4f}")
    direction, _ = nonnegative_logistic(values, fitted.y, fitted.importance)
    margins = mixed.features(whole) @ direction
    (scale,), bias = nonnegative_logistic(margins[:, None], mixed.y, mixed.importance, penalty=0)
    weights = direction * scale
    network = Network((np.column_stack([0 * weights, weights]),), (np.array([0.0, bias]),))
    error, table = calibration(logistic(fresh.features(whole) @ weights + bias), fresh)
    notes = {
        "samples": len(values),
        "cross-validated loss": losses["all features"],
        "calibration error": error,
        # What captions written for the image have on average: explanations begin there.
        "usual": values[fitted.y > 0].mean(axis=0).tolist(),
    }
    model = LearnedModel(whole, Scaling.of(whole, values), network, notes)
    path = folder / f"{whole.name}.npz"
    model.save(path)
    effects = weights * values.std(axis=0)
    write_model_card(card_path(path), card(model, effects, losses, error, table))
    print(f"  calibration error {error:.4f}; wrote {path} ({network.fingerprint})")


def validated(values: np.ndarray, samples: Sampled) -> float:
    """The mean loss on images that were not fitted on."""
    folds = np.array(samples.images) % FOLDS
    y, importance, total = samples.y, samples.importance, 0.0
    for fold in range(FOLDS):
        inside = folds != fold
        weights, bias = nonnegative_logistic(values[inside], y[inside], importance[inside])
        margins = values[~inside] @ weights + bias
        losses = np.logaddexp(0, margins) - y[~inside] * margins
        total += float(np.average(losses, weights=importance[~inside])) / FOLDS
    return total


def calibration(
    chances: np.ndarray, samples: Sampled
) -> tuple[float, list[tuple[float, float, float]]]:
    """Expected calibration error, and for each tenth the mean chance, the truth, and its share."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    importance = samples.importance / samples.importance.sum()
    table, error = [], 0.0
    for number in range(BINS):
        inside = bins == number
        share = float(importance[inside].sum())
        if share > 0:
            said = float(np.average(chances[inside], weights=importance[inside]))
            true = float(np.average(samples.y[inside], weights=importance[inside]))
            table.append((said, true, share))
            error += share * abs(said - true)
    return error, table


def card(
    model: LearnedModel,
    effects: np.ndarray,
    losses: dict[str, float],
    error: float,
    table: Table,
) -> str:
    """The model card."""
    name = model.feature_set.name
    rows = [
        f"| `{column}` | {effect:.2f} |"
        for column, effect in zip(model.feature_set.columns, effects, strict=True)
    ]
    losses_found = [f"| {what} | {loss:.4f} |" for what, loss in losses.items()]
    calibrated = [f"| {said:.3f} | {true:.3f} | {share:.3f} |" for said, true, share in table]
    return CARD.format(
        name=name,
        features="\n".join(rows),
        losses="\n".join(losses_found),
        error=error,
        calibration="\n".join(calibrated),
    )


CARD = """# {name}

A logistic regression, its weights not below zero, over the features below. It gives the chance that
a caption was written for this image and not for another, both being equally likely before; the
metric multiplies it by `form`.

**Data.** Captions of 3,000 images of COCO train2014 that the caption space was not learned from:
two of each image beside the other four, and for each of these three captions of other images drawn
at random. Scale and shift were fitted again with one caption of any other image, one of an image
that is similar (rank 10 to 100 by the captions' centroid) and one that is very similar (rank 1 to
3). No human judgement and no image of a benchmark.

**Features**, and by how many nats one standard deviation moves the margin:

| feature | effect |
| --- | --- |
{features}

**Loss** (nats) over five folds of images, with these features, without one of them, and with
lexical ones beside them:

| features | loss |
| --- | --- |
{losses}

**Calibration** on Flickr8k's dev images, with such a mixture (expected error {error:.3f}):

| chance said | share that was right | share of all |
| --- | --- | --- |
{calibration}

**Limits.** English. Fitted with four references; with one alone the chances are too low. A
candidate is held against what the references say: a true statement that no reference makes scores
low. The chances hold for the mixture of other images above.

**Rebuild**: `python tools/train_captious.py`.
"""

if __name__ == "__main__":
    main()
