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

from caption_space.data import counts, numbered, read
from caption_space.extension import carried_over, frequent_pieces, learn_pieces
from caption_space.training import Recipe, beginning, train
from captious.text.caption_vectors import PIECE, SHIPPED
from captious.text.word_vectors import UNKNOWN, WordVectors

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
    add("--epochs", type=int, default=3, help="how often the captions are read")
    add("--batch", type=int, default=1024, help="images at once")
    add("--rate", type=float, default=5e-3, help="highest learning rate")
    add("--temperature", type=float, default=0.05, help="of the similarities")
    add("--hidden", type=float, default=0.1, help="share of the words that a batch does without")
    add("--seed", type=int, default=0, help="of all chance")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    captions = read(options.data)
    seen = counts(captions.train)
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
    learned = train(
        beginning(before, shares, options.dimensions, options.seed),
        numbered(captions.train, number),
        {name: numbered(images, number) for name, images in captions.held_out.items()},
        Recipe(
            options.epochs,
            options.batch,
            options.rate,
            options.temperature,
            options.hidden,
            options.seed,
        ),
    ).astype(np.float64)
    carried = carried_over(before[known], learned[known], given.at(given.rows(further)))
    every = [*words, *further]
    vectors = np.concatenate([learned, carried])
    pieces = frequent_pieces(every, options.pieces)
    spelt = learn_pieces(every, vectors, pieces)
    table = WordVectors.in_bytes(
        "captions",
        [*every, *(PIECE + piece for piece in pieces)],
        np.concatenate([vectors, spelt]).astype(np.float32),
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    table.save(options.output)
    print(f"wrote {options.output} ({options.output.stat().st_size:,} bytes, {table.signature})")


if __name__ == "__main__":
    main()
