"""Learn classes of words and the surprise of their order from captions, and write what ships.

Captions are those that the caption space is learned from (tools/caption_space/data.py): no image
of a benchmark. Words that keep the same company, seen by which frequent words stand beside them,
are gathered into classes; then classes are counted in threes. How far a caption goes beyond the
usual is weighed so that people's captions are told from shuffled, repeating and broken-off ones,
and so that it is 0 for 99.5 % of people's. Takes a minute; the same bytes each time.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from caption_space.data import Images, counts, read
from captious.text.analysis import Analysis
from captious.text.word_order import (
    END,
    FEWEST,
    FIRST_KNOWN,
    SHIPPED,
    START,
    STEP,
    WordOrder,
    surprises,
    unknown_class,
)
from nonnegative import nonnegative_logistic

REPOSITORY = Path(__file__).resolve().parents[1]
LEAST = 5  # times that a word with a class of its own choosing occurs
NEIGHBOURS = 400  # frequent words that tell the company a word keeps
DIRECTIONS = 60  # of the company that count
ROUNDS = 30  # of gathering
FEATURES = 4  # of a caption's order
SHORT = 4  # captions of so few words say little of order
UNUSUAL = 0.005  # share of people's captions that may be taken for disordered


def main() -> None:
    """Read, gather, count, write."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="all captions")
    add("--output", type=Path, default=SHIPPED, help="the file to write")
    add("--own", type=int, default=40, help="frequent words that have a class to themselves")
    add("--classes", type=int, default=56, help="classes of all other words")
    options = parser.parse_args()
    captions = read(options.data)
    images = captions.train
    seen = counts(images)
    ordered = sorted((word for word in seen if seen[word] >= LEAST), key=lambda w: (-seen[w], w))
    with threadpool_limits(1, "blas"):
        company = company_of(images, ordered)[options.own :]
        weights = np.sqrt([seen[word] for word in ordered[options.own :]])
        gathered = gather(company, weights, options.classes)
    numbers = [*range(options.own), *(gathered + options.own).tolist()]
    class_of = {
        word: FIRST_KNOWN + number for word, number in sorted(zip(ordered, numbers, strict=True))
    }
    size = FIRST_KNOWN + options.own + options.classes
    order = WordOrder.of(class_of, surprise_of(images, class_of, size), np.zeros(FEATURES + 1))
    order = WordOrder.of(class_of, order.surprise, limits_of(captions.held_out, order))
    order.save(options.output)
    print(f"{len(class_of):,} words in {size} classes, hash {order.fingerprint}")
    for number in range(FIRST_KNOWN + options.own, size):
        members = [word for word in ordered if class_of[word] == number][:8]
        print(f"  {number}: {' '.join(members)}")


def company_of(images: Images, words: Sequence[str]) -> np.ndarray:
    """One row a word: which of the most frequent words stand before and after it, how surely."""
    row = {word: place for place, word in enumerate(words)}
    beside = {word: place for place, word in enumerate(words[:NEIGHBOURS])}
    edge = len(beside)  # of the caption
    table = np.zeros((len(words), 2, edge + 1))
    for captions in images:
        for caption in captions:
            last = len(caption) - 1
            for place, word in enumerate(caption):
                if word not in row:
                    continue
                before = beside.get(caption[place - 1]) if place else edge
                after = beside.get(caption[place + 1]) if place < last else edge
                if before is not None:
                    table[row[word], 0, before] += 1
                if after is not None:
                    table[row[word], 1, after] += 1
    flat = table.reshape(len(words), -1)
    expected = flat.sum(axis=1, keepdims=True) * flat.sum(axis=0) / flat.sum()
    associated = np.log(np.maximum((flat + 1e-9) / (expected + 1e-9), 1.0))
    left, values, _ = np.linalg.svd(associated, full_matrices=False)
    company = left[:, :DIRECTIONS] * np.sqrt(values[:DIRECTIONS])
    lengths = np.linalg.norm(company, axis=1, keepdims=True)
    directions: np.ndarray = company / np.maximum(lengths, 1e-9)
    return directions


def gather(rows: np.ndarray, weights: np.ndarray, classes: int) -> np.ndarray:
    """The class of each row: the nearest of so many centres, which are weighted means in turn."""
    centres = rows[:classes].copy()  # the most frequent words
    for _ in range(ROUNDS):
        nearest = (rows @ centres.T).argmax(axis=1)
        for number in range(classes):
            inside = nearest == number
            if inside.any():
                mean = (rows[inside] * weights[inside, None]).sum(axis=0)
                centres[number] = mean / max(np.linalg.norm(mean), 1e-9)
    result: np.ndarray = (rows @ centres.T).argmax(axis=1)
    return result


def surprise_of(images: Images, class_of: dict[str, int], size: int) -> np.ndarray:
    """Minus the logarithm of each class's share after two others, in steps of a byte.

    Shares after two classes are mixed with those after one, and these with the overall ones, the
    more so the fewer were seen and the more different ones there were (Witten and Bell).
    """
    threes: Counter[tuple[int, int, int]] = Counter()
    for captions in images:
        for caption in captions:
            row = [class_of.get(word) or unknown_class(word) for word in caption]
            row = [START, START, *row, END]
            threes.update(zip(row[:-2], row[1:-1], row[2:], strict=True))
    table = np.zeros((size, size, size))
    for key, number in threes.items():
        table[key] = number
    shares = np.full(size, 1 / size)
    for counted in (table.sum(axis=(0, 1)), table.sum(axis=0), table):
        different = (counted > 0).sum(axis=-1, keepdims=True)
        # Where nothing was seen, what is known of less context stands.
        different = np.maximum(different, 1)
        shares = (counted + different * shares) / (counted.sum(axis=-1, keepdims=True) + different)
    surprise: np.ndarray = np.minimum(np.rint(-np.log(np.maximum(shares, 1e-12)) / STEP), 255)
    return surprise.astype(np.uint8)


def limits_of(held_out: Mapping[str, Images], order: WordOrder) -> np.ndarray:
    """Weights that tell captions from worsened ones, and the sum that few captions go beyond."""
    rng = random.Random(0)
    whole = [caption for images in held_out.values() for image in images for caption in image]
    whole = [caption for caption in whole if len(caption) > SHORT]
    made = {name: [worsen(caption, rng) for caption in whole] for name, worsen in WORSENED.items()}
    people = measured(whole, order)
    worse = {name: measured(captions, order) for name, captions in made.items()}
    features = np.concatenate([people, *worse.values()])
    labels = np.repeat([0.0] + [1.0] * len(worse), len(whole))
    weights, _ = nonnegative_logistic(features, labels, np.where(labels > 0, 1, len(worse)))
    sums = people @ weights
    usual = float(np.quantile(sums, 1 - UNUSUAL))
    print(f"weights {np.round(weights, 3)}, usual up to {usual:.3f}")
    print(f"  people: {(sums > usual).mean():.4f} beyond, on average {_beyond(sums, usual):.3f}")
    for name, rows in worse.items():
        beyond = rows @ weights
        print(f"  {name}: {(beyond > usual).mean():.4f} beyond, {_beyond(beyond, usual):.3f}")
    return np.append(weights, usual)


def _beyond(sums: np.ndarray, usual: float) -> float:
    return float(np.maximum(sums - usual, 0).mean())


def measured(captions: list[list[str]], order: WordOrder) -> np.ndarray:
    """The four numbers of each caption."""
    return surprises(Analysis([" ".join(words) for words in captions], "whitespace"), order)


def shuffled(words: list[str], rng: random.Random) -> list[str]:
    """The same words in another order."""
    return rng.sample(words, len(words))


def said_again(words: list[str], rng: random.Random) -> list[str]:
    """One to four words, wherever they stand, said two to four times."""
    size = rng.randint(1, 4)
    start = rng.randrange(len(words) - size + 1)
    end = start + size
    return words[:start] + words[start:end] * rng.randint(2, 4) + words[end:]


def broken_off(words: list[str], rng: random.Random) -> list[str]:
    """The beginning alone."""
    return words[: rng.randint(FEWEST, len(words) - 1)]


WORSENED = {"shuffled": shuffled, "said again": said_again, "broken off": broken_off}

if __name__ == "__main__":
    main()
