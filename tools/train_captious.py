"""Train `captious` and `captious_full`, and write the weights and cards that ship.

One principle: a caption is as good as it is like what another person would write. Of images of COCO
val2014 (none of a benchmark) one caption of five is held back; candidates are captions by nine
systems and by people, of the image, of images like it and of any other; the features' weights, not
below zero, are those that foretell the likeness to what was held back, beside one to four others.
Likeness is the mean of four views: cosine in caption space, support of words both ways, an
encoder's cosine. The features are the same views beside the references, and a further one is taken
if it foretells a thousandth of the variance more.

Scale and bias turn the result into a chance: that the caption was written for this image and not
for another, which is as often similar as not. Flickr8k's dev images and PASCAL-50S's captions, of
which up to 48 are references, tell how well the chances hold. No human judgement is read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from caption_space.data import read
from captious._internal.arrays.ragged import FloatArray
from captious.meta.benchmarks.pascal_50s import PASCAL_50S
from captious.metrics.learned.captious import CAPTIOUS, CAPTIOUS_FULL
from captious.metrics.learned.features import FIXED, Feature, FeatureSet
from captious.metrics.learned.weights import LearnedModel
from captious.resources import RESOURCES
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.training.learned_metrics.model_card import card_path, write_model_card
from captious.training.unseen_reference import (
    MAX_REFERENCES,
    Calibration,
    Captions,
    Trials,
    build_trials,
    combine_similarities,
    compute_calibration,
    explained_variance,
    fit_model,
    other_image_trials,
    reference_counts,
)
from described_images import read_described

REPOSITORY = Path(__file__).resolve().parents[1]
LIKENESSES = ("consensus", "support_recall", "support_precision", "encoder_consensus")
# What was tried beside the features of each set.
LEXICAL = ("unigram_multiref", "wmd", "meteor", "rouge_l", "mowe", "bleu_1", "unigram_recall")
MANY = (1, 2, 3, 5, 10, 20, 48)  # references, of PASCAL-50S's captions


def main() -> None:
    """Build trials, choose and fit, check calibration, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="all captions")
    add("--output", type=Path, default=RESOURCES / "learned", help="the folder to write to")
    add("--images", type=int, default=4000, help="of COCO val2014")
    add("--seed", type=int, default=0, help="random seed")
    options = parser.parse_args()
    described = read_described(options.data, options.images, options.seed)
    space = CaptionSpace.load()
    trials = build_trials(described.people, described.machines, space, options.seed)
    dev = [[" ".join(words) for words in each] for each in _flickr8k_dev(options.data)]
    chances, fresh = (
        other_image_trials(each, space, options.seed) for each in (described.people, dev)
    )
    many = _fifty(options.data)
    with threadpool_limits(1, "blas"):
        likeness = combine_similarities(trials.similarities(_set(*LIKENESSES)))
        for whole in (CAPTIOUS, CAPTIOUS_FULL):
            shares = compare_feature_sets(whole, trials, likeness)
            model = fit_model(whole, trials.features(whole), likeness, chances)
            write_model(model, trials, shares, chances, fresh, many, options.output)


def compare_feature_sets(
    whole: FeatureSet, trials: Trials, likeness: FloatArray
) -> dict[str, float]:
    """Compare sets of features by their predictions on held-out images."""
    columns = (*whole.columns, *LEXICAL)
    values = trials.features(_set(*columns))

    def share(*chosen: str) -> float:
        picked = values[:, [columns.index(name) for name in chosen]]
        return explained_variance(picked, likeness, trials.images)

    own = whole.columns
    shares = {
        "consensus alone": share("consensus", "scarcity"),
        "all features": share(*own),
        **{f"without {name}": share(*(each for each in own if each != name)) for name in own},
        "and the lexical": share(*columns),
    }
    # Each number of references with weights of its own: what one set of weights gives up.
    numbers = reference_counts(trials)
    apart = np.hstack(
        [
            np.where((numbers == number)[:, None], values[:, : len(own)], 0.0)
            for number in range(1, MAX_REFERENCES + 1)
        ]
    )
    shares["other weights for each number of references"] = explained_variance(
        apart, likeness, trials.images
    )
    return shares


def write_model(
    model: LearnedModel,
    trials: Trials,
    shares: dict[str, float],
    chances: Trials,
    fresh: Trials,
    many: dict[int, Trials],
    folder: Path,
) -> None:
    """Weights and card."""
    name, found = model.feature_set.name, compute_calibration(model, fresh)
    by_number = {number: compute_calibration(model, some).error for number, some in many.items()}
    model.notes.update(
        {"trials": len(trials), "foretold": shares["all features"], "calibration": found.error}
    )
    path = folder / f"{name}.npz"
    model.save(path)
    spread = trials.features(model.feature_set).std(axis=0)
    weights = model.network.weights[0][:, 1]
    write_model_card(
        card_path(path), model_card(model, len(trials), weights * spread, shares, found, by_number)
    )
    print(f"{name}: {len(trials):,} trials, weights {weights.round(3).tolist()}")
    for what, share in shares.items():
        print(f"  {what}: {share:.4f}")
    own = compute_calibration(model, chances).error
    print(f"  calibration error {found.error:.4f}, fitted {own:.4f}, by number {by_number}")
    print(f"  wrote {path} ({model.network.fingerprint})")


def _set(*columns: str) -> FeatureSet:
    return FeatureSet("tried", tuple(map(Feature, columns)), FIXED)


def _flickr8k_dev(folder: Path) -> list[list[list[str]]]:
    return read(folder).held_out["flickr8k-dev"]


def _fifty(folder: Path, seed: int = 0) -> dict[int, Trials]:
    """PASCAL-50S's captions: one beside so many others, and beside those of another image."""
    pairs = PASCAL_50S.load(folder, all_references=True)
    sets = dict(zip(pairs.images, pairs.references, strict=True))
    tokens = iter(tokenize_all([caption for several in sets.values() for caption in several]))
    people: Captions = [[" ".join(next(tokens)) for _ in several] for several in sets.values()]
    return {
        number: other_image_trials(people, CaptionSpace.load(), seed, number) for number in MANY
    }


def model_card(
    model: LearnedModel,
    trials: int,
    effects: FloatArray,
    shares: dict[str, float],
    found: Calibration,
    by_number: dict[int, float],
) -> str:
    """The model card."""
    columns = model.feature_set.columns
    return CARD.format(
        name=model.feature_set.name,
        trials=trials,
        features="\n".join(
            f"| `{column}` | {effect:.2f} |"
            for column, effect in zip(columns, effects, strict=True)
        ),
        shares="\n".join(f"| {what} | {share:.4f} |" for what, share in shares.items()),
        error=found.error,
        calibration="\n".join(
            f"| {each.predicted:.3f} | {each.observed:.3f} | {each.share:.3f} |"
            for each in found.bins
        ),
        by_number="\n".join(f"| {number} | {error:.3f} |" for number, error in by_number.items()),
    )


CARD = """# {name}

A weighted sum of the features below, with non-negative weights, that predicts how similar a caption
is to what another person would write about the image. Its logistic is the probability that the
caption was written for this image and not for another, with equal priors. The metric multiplies it
by `form`.

**Data.** {trials:,} trials from images of COCO val2014 that are in no benchmark and that the
caption space was not trained on. One of the five captions is held out; one to four of the others
are references. Candidates: the captions of three of nine systems, another human caption, and one
caption by a system and one by a person of a similar and of a random image. Similarity to the
held-out caption is the mean of four measures scaled to the same variance: cosine in caption space,
support of the candidate's words, support of the held-out caption's words, and cosine of an encoder
(all-MiniLM-L6-v2). Scale, bias and the weight of scarcity were fitted on human captions of the same
images with one to four others as references, and for each the captions of three other images: a
random one, a similar one (rank 10 to 100 by the captions' centroid) and a very similar one (rank 1
to 3). No human judgement and no image of a benchmark.

**Features**, and the change of the log odds for one standard deviation:

| feature | effect |
| --- | --- |
{features}

**Variance explained** (R²) of the similarity, cross-validated over five folds of images: with these
features, without one of them, and with lexical features added.

| features | R² |
| --- | --- |
{shares}

**Calibration** on Flickr8k's dev images, with the same mixture of other images and one to four
references (expected calibration error {error:.3f}):

| predicted | observed | share of captions |
| --- | --- | --- |
{calibration}

The same by number of references, on the captions of PASCAL-50S:

| references | expected calibration error |
| --- | --- |
{by_number}

**Limits.** English. A candidate is compared with the references: a true statement that none of them
makes scores low. Probabilities are calibrated for the mixture of other images above; against random
images alone they are underconfident.

**Rebuild**: `python tools/train_captious.py`.
"""

if __name__ == "__main__":
    main()
