"""Learn the space of caption vectors from captions, and write the file that ships.

Needs PyTorch (`pip install torch==2.13.0`). Words begin at the word vectors that ship, which were
learned from no image's captions, and are moved so that captions of one image lie together. One
thread, so that the same machine and versions give the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from caption_space.data import CAPTIONS, read
from captious.text.vectors.caption_vectors import PIECE, SHIPPED
from captious.text.vectors.word_vectors import UNKNOWN, WordVectors
from captious.training.caption_space import (
    Images,
    NumberedCaptions,
    Recipe,
    count_words,
    extrapolate_vectors,
    frequent_pieces,
    initial_vectors,
    learn_pieces,
    train_and_average,
)
from captious.training.checkpoint import Point

# Epochs, highest rate, share of words hidden. The mean of three trainings by each of the two finds
# captions better than any training alone, and as well as the mean of four by the first.
RECIPES = ((5, 3e-3, 0.15), (3, 5e-3, 0.1))
REPOSITORY = Path(__file__).resolve().parents[1]


def main() -> None:
    """Read, learn, extend, write."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="all captions")
    add("--output", type=Path, default=SHIPPED, help="the file to write")
    add("--dimensions", type=int, default=384, help="numbers a vector")
    add("--least", type=int, default=3, help="times that a word to be learned occurs")
    add("--more-words", type=int, default=5000, help="further words, in GloVe's order")
    add("--pieces", type=int, default=4000, help="pieces of spelling")
    add("--runs", type=int, default=3, help="trainings by each recipe")
    add("--seed", type=int, default=0, help="random seed")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    captions = read(options.data)
    seen = count_words(captions.train)
    given = WordVectors.load()
    words = sorted(word for word, count in seen.items() if count >= options.least)
    further = [word for word in given.words if word.isascii() and seen[word] < options.least]
    further = further[: options.more_words]
    print(f"{len(captions.train):,} images, {len(words):,} words, {len(further):,} further words")
    number = {word: place for place, word in enumerate(words)}
    shares = np.array([seen[word] for word in words]) / sum(seen.values())
    rows = given.rows(words)
    known = rows != UNKNOWN
    before = np.zeros((len(words), given.dimensions))
    before[known] = given.at(rows[known])

    def numbered(images: Images) -> NumberedCaptions:
        return NumberedCaptions.of(images, number, CAPTIONS)

    learned = train_and_average(
        initial_vectors(before, shares, options.dimensions, options.seed),
        numbered(captions.train),
        {name: numbered(images) for name, images in captions.held_out.items()},
        [
            Recipe(epochs, rate, hidden, options.seed + run)
            for epochs, rate, hidden in RECIPES
            for run in range(options.runs)
        ],
        print_epoch,
    ).astype(np.float64)
    carried = extrapolate_vectors(before[known], learned[known], given.at(given.rows(further)))
    every = [*words, *further]
    vectors = np.concatenate([learned, carried])
    pieces = frequent_pieces(every, options.pieces)
    spelt = learn_pieces(every, vectors, pieces)
    table = WordVectors.quantize(
        "captions",
        [*every, *(PIECE + piece for piece in pieces)],
        np.concatenate([vectors, spelt]).astype(np.float32),
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    table.save(options.output)
    size = options.output.stat().st_size
    print(f"wrote {options.output} ({size:,} bytes, {table.signature})")


def print_epoch(epoch: int, point: Point) -> None:
    """Print how an epoch did, on the images held out, too."""
    found = ", ".join(f"{name} {value:.4f}" for name, value in point.items())
    print(f"epoch {epoch}: {found}", flush=True)


if __name__ == "__main__":
    main()
