"""Learn classes of words and the surprise of their order from captions, and write what ships.

Captions are those that the caption space is learned from (tools/caption_space/data.py): no image
of a benchmark. Takes a minute; the same bytes each time.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

from caption_space.data import read
from captious.text.word_order import FIRST_KNOWN, SHIPPED
from captious.training.caption_space import count_words
from captious.training.word_order import (
    CLUSTERED_CLASSES,
    SINGLE_WORD_CLASSES,
    fit_limits,
    learn_order,
    measure_disorder,
)

REPOSITORY = Path(__file__).resolve().parents[1]


def main() -> None:
    """Read, learn, write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=REPOSITORY.parent / "shared" / "data", help="all captions")
    add("--output", type=Path, default=SHIPPED, help="the file to write")
    add(
        "--own",
        type=int,
        default=SINGLE_WORD_CLASSES,
        help="frequent words that have a class to themselves",
    )
    add("--classes", type=int, default=CLUSTERED_CLASSES, help="classes of all other words")
    options = parser.parse_args()
    captions = read(options.data)
    held_out = [
        caption for images in captions.held_out.values() for caption in chain.from_iterable(images)
    ]
    order = learn_order(captions.train, options.own, options.classes)
    order = fit_limits(order, held_out)
    order.save(options.output)
    size = len(order.surprise)
    print(f"{len(order.class_of):,} words in {size} classes, hash {order.fingerprint}")
    for name, beyond in measure_disorder(order, held_out).items():
        print(f"  {name}: {beyond.share:.4f} beyond the usual, on average {beyond.mean:.3f}")
    seen = count_words(captions.train)
    ordered = sorted(order.class_of, key=lambda word: (-seen[word], word))
    for number in range(FIRST_KNOWN + options.own, size):
        members = [word for word in ordered if order.class_of[word] == number][:8]
        print(f"  {number}: {' '.join(members)}")


if __name__ == "__main__":
    main()
