"""Train `captious_image` and `captious_image_full`: from image vectors to places among captions.

A ridge regression from image vectors (EfficientNet-Lite2, the mean of two views at length one) to
the centroid of the image's captions, on Flickr8k's training images, in each space of captions that
the metric knows; its penalty is the one with which captions of the dev split find their image best.
On the dev split, too, a logistic regression weighs what the image says beside what the references
say, and calibrates both forms. No test image and no human judgement is read. Seconds, and some
minutes for the encoder's vectors of 35,000 captions; the same bytes each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from captious.images.vectors import ImageVectors
from captious.learned.captious_image import CaptiousImage, CaptiousImageFull
from captious.learned.image_places import ENCODER, WORDS, ImagePlaces, Sight, vectors_in
from captious.resources import LEARNED
from captious.text.analysis import Analysis
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.vectors.caption_vectors import centroids
from captious.training.learned_metrics.model_card import card_path, write_model_card
from nonnegative import nonnegative_logistic
from train_captious import FOLDS, RANKS, Sampled, Table, calibration, sampled

REPOSITORY = Path(__file__).resolve().parents[1]
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0)
SPACES = {CaptiousImage: (WORDS,), CaptiousImageFull: (WORDS, ENCODER)}


class Split:
    """Images of a part of Flickr8k: their vectors, and their captions in each space."""

    def __init__(self, folder: Path, captions: Mapping[str, Sequence[str]], part: str) -> None:
        listed = (folder / f"Flickr_8k.{part}Images.txt").read_text().split()
        names = [name for name in listed if name in captions]
        self.images = seen(folder, names)
        self.captions = [list(captions[name]) for name in names]
        self.texts = [caption for several in self.captions for caption in several]
        self.owners = np.repeat(np.arange(len(names)), [len(own) for own in self.captions])
        self.offsets = np.searchsorted(self.owners, np.arange(len(names) + 1))
        self._vectors: dict[str, np.ndarray] = {}
        self._row = {caption: row for row, caption in enumerate(self.texts)}

    def vectors(self, space: str) -> np.ndarray:
        """One row a caption."""
        if space not in self._vectors:
            self._vectors[space] = vectors_in(space, Analysis(self.texts, "whitespace"))
        return self._vectors[space]

    def rows(self, captions: Sequence[str]) -> list[int]:
        """Where captions of this split have their vectors."""
        return [self._row[caption] for caption in captions]


def main() -> None:
    """Read, fit, weigh, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="with flickr8k/")
    add("--output", type=Path, default=LEARNED, help="the folder for weights and cards")
    add("--seed", type=int, default=0, help="of all chance")
    options = parser.parse_args()
    folder = options.data / "flickr8k"
    captions = read_captions(folder)
    with threadpool_limits(1, "blas"):
        train, dev = (Split(folder, captions, part) for part in ("train", "dev"))
        for metric in SPACES:
            write(metric, train, dev, options.output / f"{metric.name}.npz", options.seed)


def write(metric: type[CaptiousImage], train: Split, dev: Split, path: Path, seed: int) -> None:
    """Fit one metric's places and weights, and write them with their card."""
    places, tables = {}, []
    for space in SPACES[metric]:
        found = {
            penalty: retrieval(fit(train, space, penalty), dev, space) for penalty in PENALTIES
        }
        best = max(found, key=found.__getitem__)
        places[space] = fit(train, space, best)
        tables += [f"| {space} | {penalty:g} | {first:.4f} |" for penalty, first in found.items()]
    tokens = [[caption.split() for caption in several] for several in dev.captions]
    anywhere = sampled(tokens, (None,) * len(RANKS), seed)
    mixed = sampled(tokens, RANKS, seed)
    # By images at random, as `captious` itself; then scaled for similar ones, too.
    columns = views(metric, places, dev, anywhere)
    direction, _ = nonnegative_logistic(columns, anywhere.y, anywhere.importance)
    by_sight, _ = nonnegative_logistic(columns[:, 1:], anywhere.y, anywhere.importance)
    both = views(metric, places, dev, mixed)
    forms = [(both @ direction)[:, None], (both[:, 1:] @ by_sight)[:, None]]
    scaled = [weighed(form, mixed) for form in forms]
    pairs = zip(scaled, (direction, by_sight), strict=True)
    sight = Sight(places, *(np.append(scale * own, bias) for (scale, bias), own in pairs))
    errors = [calibrated(form, mixed)[0] for form in forms]
    sight.save(path)
    with_references, alone = (
        ", ".join(f"{value:.2f}" for value in weights)
        for weights in (sight.with_references, sight.alone)
    )
    card = CARD.format(
        name=metric.name,
        reader=metric.reader.name,
        spaces=" and ".join(NAMES[space] for space in places),
        images=len(train.images),
        dev=len(dev.images),
        penalties="\n".join(tables),
        weights=with_references,
        alone=alone,
        error=errors[0],
        error_alone=errors[1],
        encoder=ENCODER_LIMIT if ENCODER in places else "",
    )
    write_model_card(card_path(path), card)
    print("\n".join(tables))
    print(f"with references {with_references}; alone {alone}")
    print(f"calibration error {errors[0]:.4f}, alone {errors[1]:.4f}")
    print(f"wrote {path} ({path.stat().st_size:,} bytes)")


def read_captions(folder: Path) -> dict[str, list[str]]:
    """Five captions of each image, in tokens."""
    found: dict[str, list[str]] = {}
    lines = (folder / "Flickr8k.token.txt").read_text("utf-8").splitlines()
    tokens = tokenize_all([line.split("\t")[1] for line in lines])
    for line, words in zip(lines, tokens, strict=True):
        found.setdefault(line.partition("#")[0], []).append(" ".join(words))
    return found


def seen(folder: Path, names: list[str]) -> np.ndarray:
    """The mean of both views' vectors, each at length one."""
    files = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")
    views = [ImageVectors.read(folder / file).take(names).vectors for file in files]
    mean: np.ndarray = np.mean(views, axis=0)
    return mean


def fit(train: Split, space: str, penalty: float) -> ImagePlaces:
    """The map that brings images nearest to their captions' centroids."""
    targets = centroids(train.vectors(space), train.offsets)
    usual_image, usual_caption = train.images.mean(axis=0), targets.mean(axis=0)
    centred = (train.images - usual_image).astype(np.float64)
    gram = centred.T @ centred + penalty * np.eye(centred.shape[1])
    mapping = np.linalg.solve(gram, centred.T @ (targets - usual_caption))
    # As it comes back from the file.
    return ImagePlaces(mapping.astype(np.float16).astype(np.float32), usual_image, usual_caption)


def retrieval(places: ImagePlaces, dev: Split, space: str) -> float:
    """How often a caption's own image is the nearest of all."""
    cosines = places.of_captions(dev.vectors(space)) @ places.of_images(dev.images).T
    own = cosines[np.arange(len(cosines)), dev.owners]
    return float(((cosines > own[:, None]).sum(axis=1) == 0).mean())


def views(
    metric: type[CaptiousImage], places: Mapping[str, ImagePlaces], dev: Split, samples: Sampled
) -> np.ndarray:
    """What the references say of each sample, and what the image says in each space."""
    model = metric.reader().model()
    columns = [model.margins(samples.features(model.feature_set))]
    rows = dev.rows(samples.candidates)
    for space, own in places.items():
        mine = own.of_captions(dev.vectors(space))[rows]
        columns.append(np.einsum("ij,ij->i", mine, own.of_images(dev.images)[samples.images]))
    return np.column_stack(columns)


def weighed(columns: np.ndarray, samples: Sampled) -> np.ndarray:
    """Weights that are not below zero, and the bias."""
    weights, bias = nonnegative_logistic(columns, samples.y, samples.importance, penalty=1e-6)
    return np.append(weights, bias)


def calibrated(columns: np.ndarray, samples: Sampled) -> tuple[float, Table]:
    """Expected calibration error on images that were not fitted on."""
    folds = np.array(samples.images) % FOLDS
    chances = np.zeros(len(columns))
    for fold in range(FOLDS):
        inside = folds != fold
        weights, bias = nonnegative_logistic(
            columns[inside], samples.y[inside], samples.importance[inside], penalty=1e-6
        )
        chances[~inside] = 1 / (1 + np.exp(-(columns[~inside] @ weights + bias)))
    return calibration(chances, samples)


NAMES = {WORDS: "the space of captions", ENCODER: "that of the encoder"}
ENCODER_LIMIT = """ The encoder's vectors were trained on captions, too, those of COCO
and Flickr30k among them (see its card)."""
CARD = """# {name}

Linear maps from image vectors (EfficientNet-Lite2, the mean of two views at length one) into
{spaces}, and two logistic regressions: over the margin of `{reader}` and the cosine
between candidate and image in each space (weights and bias {weights}), and over the cosines alone
({alone}). They give the chance that a caption was written for this image and not for another, as
often a similar one as not; the metric multiplies it by `form`.

**Data.** The maps: Flickr8k's {images:,} training images and their captions. The regressions and
the choice of penalties: its {dev:,} dev images, the weights with captions of other images drawn at
random, scale and bias with similar images among them. No test image, no human judgement.{encoder}

**Penalty**, and how many of the dev captions find their image first:

| space | penalty | found first |
| --- | --- | --- |
{penalties}

**Calibration** (expected error over five folds of the dev images): {error:.3f} with references,
{error_alone:.3f} without.

**Limits.** It sees what EfficientNet-Lite2 sees (objects more than acts, nothing small, no text)
and what Flickr8k's images are of: people and dogs, mostly out of doors. On other images the chances
are not calibrated.

**Rebuild**: `python tools/train_captious_image.py`.
"""

if __name__ == "__main__":
    main()
