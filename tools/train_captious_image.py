"""Train `captious_image`: from image vectors into the space of captions, and to chances.

A ridge regression from image vectors (EfficientNet-Lite2, the mean of two views at length one) to
the centroid of the image's captions, on Flickr8k's training images; its penalty is the one with
which captions of the dev split find their image best. On the dev split, too, a logistic regression
weighs what the image says beside what the references say, and calibrates both forms. No test image
and no human judgement is read. Seconds; the same bytes each time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from captious.images.vectors import ImageVectors
from captious.learned.captious import CAPTIOUS, Captious
from captious.learned.image_places import ImagePlaces
from captious.learned.model_card import card_path, write_model_card
from captious.learned.published import SHIPPED
from captious.text.analysis import Analysis
from captious.text.caption_vectors import CaptionSpace, at_length_one, caption_vectors, centroids
from captious.text.tokenizer import tokenize_all
from nonnegative import nonnegative_logistic
from train_captious import FOLDS, RANKS, Sampled, Table, calibration, sampled

REPOSITORY = Path(__file__).resolve().parents[1]
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0)


def main() -> None:
    """Read, fit, weigh, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="with flickr8k/")
    add("--output", type=Path, default=SHIPPED / "captious_image.npz", help="the file to write")
    add("--seed", type=int, default=0, help="of all chance")
    options = parser.parse_args()
    folder = options.data / "flickr8k"
    captions = read_captions(folder)
    with threadpool_limits(1, "blas"):
        train, dev = (
            (names, seen(folder, names), np.array([captions[name] for name in names]))
            for names in (split(folder, captions, part) for part in ("train", "dev"))
        )
        (_, images, own), (_, dev_images, dev_own) = train, dev
        found = {
            penalty: retrieval(fit(images, own, penalty), dev_images, dev_own)
            for penalty in PENALTIES
        }
        best = max(PENALTIES, key=lambda penalty: found[penalty])
        places = fit(images, own, best)
        for penalty, first in found.items():
            print(f"penalty {penalty:g}: {first:.4f} of the dev captions find their image first")
        tokens = [[caption.split() for caption in several] for several in dev_own.tolist()]
        anywhere = sampled(tokens, (None,) * len(RANKS), options.seed)
        mixed = sampled(tokens, RANKS, options.seed)
        # By images at random, as `captious` itself; then scaled for similar ones, too.
        direction, _ = nonnegative_logistic(
            views(places, dev_images, anywhere), anywhere.y, anywhere.importance
        )
        both = views(places, dev_images, mixed)
        forms = [(both @ direction)[:, None], both[:, 1:]]
        with_references, alone = (weighed(columns, mixed) for columns in forms)
        with_references = np.append(with_references[0] * direction, with_references[1])
        errors = [calibrated(columns, mixed) for columns in forms]
    places = ImagePlaces(
        places.mapping, places.usual_image, places.usual_caption, with_references, alone
    )
    places.save(options.output)
    card = CARD.format(
        images=len(images),
        dev=len(dev_images),
        penalties="\n".join(f"| {penalty:g} | {first:.4f} |" for penalty, first in found.items()),
        weights=", ".join(f"{value:.2f}" for value in with_references),
        alone=", ".join(f"{value:.2f}" for value in alone),
        error=errors[0][0],
        error_alone=errors[1][0],
    )
    write_model_card(card_path(options.output), card)
    print(f"with references {with_references}, alone {alone}")
    print(f"calibration error {errors[0][0]:.4f}, alone {errors[1][0]:.4f}")
    print(f"wrote {options.output} ({options.output.stat().st_size:,} bytes)")


def read_captions(folder: Path) -> dict[str, list[str]]:
    """Five captions of each image, in tokens."""
    found: dict[str, list[str]] = {}
    lines = (folder / "Flickr8k.token.txt").read_text("utf-8").splitlines()
    tokens = tokenize_all([line.split("\t")[1] for line in lines])
    for line, words in zip(lines, tokens, strict=True):
        found.setdefault(line.partition("#")[0], []).append(" ".join(words))
    return found


def split(folder: Path, captions: dict[str, list[str]], part: str) -> list[str]:
    """The images of a split."""
    names = (folder / f"Flickr_8k.{part}Images.txt").read_text().split()
    return [name for name in names if name in captions]


def seen(folder: Path, names: list[str]) -> np.ndarray:
    """The mean of both views' vectors, each at length one."""
    files = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")
    views = [ImageVectors.read(folder / file).take(names).vectors for file in files]
    mean: np.ndarray = np.mean(views, axis=0)
    return mean


def placed(captions: np.ndarray) -> np.ndarray:
    """The vectors of captions, by image and place."""
    flat = captions.ravel().tolist()
    vectors = caption_vectors(
        Analysis(flat, "whitespace"), CaptionSpace.load(), np.arange(len(flat))
    )
    return vectors.reshape(*captions.shape, -1)


def fit(images: np.ndarray, captions: np.ndarray, penalty: float) -> ImagePlaces:
    """The map that brings images nearest to their captions' centroids."""
    vectors = placed(captions)
    count, each = captions.shape
    targets = centroids(vectors.reshape(count * each, -1), np.arange(count + 1) * each)
    usual_image, usual_caption = images.mean(axis=0), targets.mean(axis=0)
    centred = (images - usual_image).astype(np.float64)
    gram = centred.T @ centred + penalty * np.eye(images.shape[1])
    mapping = np.linalg.solve(gram, centred.T @ (targets - usual_caption))
    # As it comes back from the file.
    rounded = mapping.astype(np.float16).astype(np.float32)
    return ImagePlaces(rounded, usual_image, usual_caption, np.zeros(3), np.zeros(2))


def retrieval(places: ImagePlaces, images: np.ndarray, captions: np.ndarray) -> float:
    """How often a caption's own image is the nearest of all."""
    vectors = placed(captions)
    count, each = captions.shape
    mine = places.of_captions(vectors.reshape(count * each, -1))
    cosines = mine @ places.of_images(images).T
    own = cosines[np.arange(len(mine)), np.repeat(np.arange(count), each)]
    return float(((cosines > own[:, None]).sum(axis=1) == 0).mean())


def cosines_of(places: ImagePlaces, images: np.ndarray, samples: Sampled) -> np.ndarray:
    """The cosine of each sample's candidate to its image's place."""
    vectors = placed(np.array(samples.candidates)[:, None])[:, 0]
    own = places.of_images(images)[np.array(samples.images)]
    return np.einsum("ij,ij->i", at_length_one(places.of_captions(vectors)), own)


def views(places: ImagePlaces, images: np.ndarray, samples: Sampled) -> np.ndarray:
    """What the references say of each sample, and what the image says."""
    margins = Captious().model().margins(samples.features(CAPTIOUS))
    return np.column_stack([margins, cosines_of(places, images, samples)])


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


CARD = """# captious_image

A linear map from image vectors (EfficientNet-Lite2, the mean of two views at length one) into the
space of captions, and two logistic regressions: over the margin of `captious` and the cosine
between candidate and image (weights and bias {weights}), and over that cosine alone ({alone}). They
give the chance that a caption was written for this image and not for another, as often a similar
one as not; the metric multiplies it by `form`.

**Data.** The map: Flickr8k's {images:,} training images and their captions. The regressions and the
choice of the penalty: its {dev:,} dev images, the two weights with captions of other images drawn
at random, scale and bias with similar images among them. No test image, no human judgement.

**Penalty**, and how many of the dev captions find their image first:

| penalty | found first |
| --- | --- |
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
