"""Train `captious_image` and `captious_image_full`: from image vectors to places among captions.

A ridge regression from image vectors (EfficientNet-Lite2, the mean of two views at length one) to
the centroid of the image's captions, on Flickr8k's training images, in each space of captions that
the metric knows; its penalty is the one with which captions of the dev split find their image best.
What the image says is weighed beside what the references say as `captious` is: by how well both
foretell the likeness of a candidate to a caption that was held back (tools/train_captious.py).
Candidates are captions that captioners and people wrote of the training images, and images are
placed by maps that were not fitted on them. The dev split makes chances of it. No test image and no
human judgement is read. Needs captioners: `make critics` trains some.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from captious._internal.arrays.ragged import FloatArray
from captious.captioners.captioner import load_captioner
from captious.images.vectors import ImageVectors
from captious.io.cache import default_cache
from captious.metrics.learned.captious_image import (
    ENCODER,
    WORDS,
    CaptiousImage,
    CaptiousImageFull,
    ImageModel,
    ImageProjection,
    caption_vectors_in,
)
from captious.metrics.learned.features import FIXED, Feature, FeatureSet
from captious.resources import LEARNED
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.tokenizer.tokenizer import tokenize_all
from captious.text.vectors.caption_vectors import CaptionSpace, centroids
from captious.training.critics.machine_captions import captioner_files, write_machine_captions
from captious.training.learned_metrics.model_card import card_path, write_model_card
from captious.training.nonnegative import nonnegative_least_squares, nonnegative_logistic
from captious.training.unseen_reference import (
    FOLDS,
    Calibration,
    Trials,
    build_trials,
    combine_similarities,
    explained_variance,
    other_image_trials,
)
from train_captious import LIKENESSES

REPOSITORY = Path(__file__).resolve().parents[1]
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0)
SPACES = {CaptiousImage: (WORDS,), CaptiousImageFull: (WORDS, ENCODER)}
VIEWS = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")


class Split:
    """Images of a part of Flickr8k: their vectors, and their captions in each space."""

    def __init__(self, folder: Path, captions: Mapping[str, Sequence[str]], part: str) -> None:
        listed = (folder / f"Flickr_8k.{part}Images.txt").read_text().split()
        names = [name for name in listed if name in captions]
        self.names = names
        self.images = image_vectors(folder, names)
        self.captions = [list(captions[name]) for name in names]
        self.texts = [caption for several in self.captions for caption in several]
        self.owners = np.repeat(np.arange(len(names)), [len(own) for own in self.captions])
        self.offsets = np.searchsorted(self.owners, np.arange(len(names) + 1))
        self._vectors: dict[str, np.ndarray] = {}

    def vectors(self, space: str) -> np.ndarray:
        """One row a caption."""
        if space not in self._vectors:
            self._vectors[space] = cached_vectors(space, self.texts)
        return self._vectors[space]


def main() -> None:
    """Read, fit, weigh, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="with flickr8k/")
    add("--captioners", type=Path, required=True, help="a folder of captioners of Flickr8k")
    add("--output", type=Path, default=LEARNED, help="the folder for weights and cards")
    add("--seed", type=int, default=0, help="random seed")
    options = parser.parse_args()
    folder = options.data / "flickr8k"
    captions = read_captions(folder)
    space = CaptionSpace.load()
    with threadpool_limits(1, "blas"):
        train, dev = (Split(folder, captions, part) for part in ("train", "dev"))
        machines = write_captions(
            options.captioners, ImageVectors.read(folder / VIEWS[0]), train.names
        )
        trials = build_trials(train.captions, machines, space, options.seed)
        chances = other_image_trials(dev.captions, space, options.seed)
        views = FeatureSet("likeness", tuple(map(Feature, LIKENESSES)), FIXED)
        likeness = combine_similarities(trials.similarities(views))
        for metric in SPACES:
            path = options.output / f"{metric.name}.npz"
            write(metric, train, dev, trials, likeness, chances, path)


def write_captions(captioners: Path, vectors: ImageVectors, names: list[str]) -> list[list[str]]:
    """What captioners write of each image: their best captions, and some drawn by chance."""
    loaded = {name: load_captioner(path) for name, path in captioner_files(captioners).items()}
    by_kind = write_machine_captions(loaded, vectors.take(names)).values()
    several = [[caption for kind in by_kind for caption in kind[name]] for name in names]
    tokens = iter(tokenize_all([caption for captions in several for caption in captions]))
    return [[" ".join(next(tokens)) for _ in captions] for captions in several]


def write(
    metric: type[CaptiousImage],
    train: Split,
    dev: Split,
    trials: Trials,
    likeness: FloatArray,
    chances: Trials,
    path: Path,
) -> None:
    """Fit one metric's places and weights, and write them with their card."""
    places, tables, penalties = {}, [], {}
    for space in SPACES[metric]:
        found = {
            penalty: retrieval(fit_map(train, space, penalty), dev, space) for penalty in PENALTIES
        }
        penalties[space] = max(found, key=found.__getitem__)
        places[space] = fit_map(train, space, penalties[space])
        tables += [f"| {space} | {penalty:g} | {first:.4f} |" for penalty, first in found.items()]
    columns = np.column_stack(
        [
            reference_margins(metric, trials),
            *(unseen_cosines(train, space, penalties[space], trials) for space in places),
        ]
    )
    fresh = np.column_stack(
        [
            reference_margins(metric, chances),
            *(
                cosines(own, cached_vectors(space, chances.candidates), dev.images[chances.images])
                for space, own in places.items()
            ),
        ]
    )
    with_references, alone = (
        fit_weights(columns[:, first:], likeness, fresh[:, first:], chances) for first in (0, 1)
    )
    sight = ImageModel(places, with_references, alone)
    sight.save(path)
    shares = [
        explained_variance(columns[:, :1], likeness, trials.images),
        explained_variance(columns, likeness, trials.images),
        explained_variance(columns[:, 1:], likeness, trials.images),
    ]
    errors = [
        Calibration.of(
            1 / (1 + np.exp(-(fresh[:, first:] @ own[:-1] + own[-1]))),
            chances.labels,
            chances.importance,
        ).error
        for first, own in enumerate((with_references, alone))
    ]
    texts = [", ".join(f"{value:.2f}" for value in own) for own in (with_references, alone)]
    card = CARD.format(
        name=metric.name,
        reader=metric.reference_metric.name,
        spaces=" and ".join(NAMES[space] for space in places),
        images=len(train.images),
        trials=len(trials),
        dev=len(dev.images),
        penalties="\n".join(tables),
        weights=texts[0],
        alone=texts[1],
        shares=shares,
        error=errors[0],
        error_alone=errors[1],
        encoder=ENCODER_LIMIT if ENCODER in places else "",
    )
    write_model_card(card_path(path), card)
    print("\n".join(tables))
    print(f"with references {texts[0]}; alone {texts[1]}")
    print("foretold by references, with the image, by the image alone:", np.round(shares, 4))
    print(f"calibration error {errors[0]:.4f}, alone {errors[1]:.4f}")
    print(f"wrote {path} ({path.stat().st_size:,} bytes)")


def reference_margins(metric: type[CaptiousImage], trials: Trials) -> FloatArray:
    """Return each trial's margin by its references."""
    model = metric.reference_metric().model()
    return model.margins(trials.features(model.feature_set))


def cached_vectors(space: str, captions: Sequence[str]) -> np.ndarray:
    """The vector of each caption in a space; an encoder's are kept on disk."""
    unique, rows = unique_rows(captions)
    vectors: np.ndarray = caption_vectors_in(
        space, Analysis(unique, "whitespace", cache=default_cache())
    )
    return vectors[rows]


def cosines(places: ImageProjection, captions: np.ndarray, images: np.ndarray) -> FloatArray:
    """Return the cosine of each caption to its image, row by row."""
    caption_vectors, image_vectors_in_space = (
        places.project_captions(captions),
        places.project_images(images),
    )
    products: FloatArray = np.einsum("ij,ij->i", caption_vectors, image_vectors_in_space).astype(
        np.float64
    )
    return products


def unseen_cosines(train: Split, space: str, penalty: float, trials: Trials) -> FloatArray:
    """The same for training images, each placed by a map that was fitted on the other folds."""
    folds, images = np.arange(len(train.images)) % FOLDS, np.array(trials.images)
    captions, found = cached_vectors(space, trials.candidates), np.empty(len(trials))
    for fold in range(FOLDS):
        inside = folds[images] == fold
        own = fit_map(train, space, penalty, folds != fold)
        found[inside] = cosines(own, captions[inside], train.images[images[inside]])
    return found


def fit_weights(
    columns: FloatArray, likeness: FloatArray, fresh: FloatArray, chances: Trials
) -> FloatArray:
    """Weights that foretell likeness, scaled and shifted into chances; the bias is last."""
    direction, _ = nonnegative_least_squares(columns, likeness)
    (scale,), bias = nonnegative_logistic(
        (fresh @ direction)[:, None], chances.labels, chances.importance, penalty=0
    )
    return np.append(direction * scale, bias)


def read_captions(folder: Path) -> dict[str, list[str]]:
    """Five captions of each image, in tokens."""
    found: dict[str, list[str]] = {}
    lines = (folder / "Flickr8k.token.txt").read_text("utf-8").splitlines()
    tokens = tokenize_all([line.split("\t")[1] for line in lines])
    for line, words in zip(lines, tokens, strict=True):
        found.setdefault(line.partition("#")[0], []).append(" ".join(words))
    return found


def image_vectors(folder: Path, names: list[str]) -> np.ndarray:
    """The mean of both views' vectors, each at length one."""
    views = [ImageVectors.read(folder / file).take(names).vectors for file in VIEWS]
    mean: np.ndarray = np.mean(views, axis=0)
    return mean


def fit_map(
    train: Split, space: str, penalty: float, chosen: np.ndarray | None = None
) -> ImageProjection:
    """The map that brings images, or the chosen of them, nearest to their captions' centroids."""
    every = slice(None) if chosen is None else chosen
    targets = centroids(train.vectors(space), train.offsets)[every]
    images = train.images[every]
    usual_image, usual_caption = images.mean(axis=0), targets.mean(axis=0)
    centred = (images - usual_image).astype(np.float64)
    gram = centred.T @ centred + penalty * np.eye(centred.shape[1])
    mapping = np.linalg.solve(gram, centred.T @ (targets - usual_caption))
    # As it comes back from the file.
    return ImageProjection(
        mapping.astype(np.float16).astype(np.float32), usual_image, usual_caption
    )


def retrieval(places: ImageProjection, dev: Split, space: str) -> float:
    """Return how often a caption's image is the nearest of all images."""
    cosines = places.project_captions(dev.vectors(space)) @ places.project_images(dev.images).T
    own = cosines[np.arange(len(cosines)), dev.owners]
    return float(((cosines > own[:, None]).sum(axis=1) == 0).mean())


NAMES = {WORDS: "the space of captions", ENCODER: "that of the encoder"}
ENCODER_LIMIT = """ The encoder's vectors were trained on captions, too, those of COCO
and Flickr30k among them (see its card)."""
CARD = """# {name}

Linear maps from image vectors (EfficientNet-Lite2, the mean of two views at unit length) into
{spaces}, and two weighted sums: of the margin of `{reader}` and the cosine between candidate and
image in each space (weights and bias {weights}), and of the cosines alone ({alone}). They predict
how similar a caption is to what another person would write; their logistic is the probability that
it was written for this image and not for another (a similar one in half of the cases). The metric
multiplies it by `form`.

**Data.** The maps: Flickr8k's {images:,} training images and their captions. The weights:
{trials:,} trials of the same images, each mapped by a map that was not fitted on it; candidates are
generated and human captions of the image, of similar and of other images. Scale and bias, and the
choice of penalties: its {dev:,} dev images. No test image, no human judgement.{encoder}

**Variance explained** (R²) of the similarity to a held-out caption, cross-validated over five
folds of images: by the references {shares[0]:.3f}, with the image {shares[1]:.3f}, by the image
alone {shares[2]:.3f}.

**Penalty**, and recall at 1 of the dev captions' own images:

| space | penalty | recall at 1 |
| --- | --- | --- |
{penalties}

**Expected calibration error** on the dev images: {error:.3f} with references, {error_alone:.3f}
without.

**Limits.** It is limited to what EfficientNet-Lite2 represents (objects more than actions, nothing
small, no text) and to the subjects of Flickr8k's images: people and dogs, mostly outdoors. On other
images the probabilities are not calibrated.

**Rebuild**: `python tools/train_captious_image.py --captioners RUNS`.
"""

if __name__ == "__main__":
    main()
