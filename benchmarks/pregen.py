"""A pre-gen metric against writing captions and scoring them: one captioner, the same images.

    python benchmarks/pregen.py MODEL --data DATA

MODEL is a captioner's `.npz`; DATA holds the folder `flickr8k` (captions, splits,
`efficientnet_lite2.npz`). Times are of one run with one thread, tokenizing included, when imports
are done and files are read. Captions are written in batches, as `captious captioner generate`
does, and image by image, as a plain loop would. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import captious
from captious._internal.backends.pytorch import import_torch
from captious.captioners.captioner import load_captioner
from captious.captioners.generation import generate
from captious.images.vectors import read_image_vectors
from captious.io.training_captions import read_image_captions
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.names import BEST
from captious.pregen.scoring import pregen_score
from coco_toolkit import HERE
from tables import Table, add_json_option, show

BEAM = 3
WARM_UP = 10  # images


def seconds_of(task: Callable[[], object]) -> float:
    """By the clock."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def main() -> None:
    """Measure all ways once, and print each beside the pre-gen metric."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data")
    parser.add_argument("--metric", default=BEST, help="the pre-gen metric (default: %(default)s)")
    parser.add_argument("--images", type=int, help="take so many images only")
    add_json_option(parser)
    options = parser.parse_args()
    folder = options.data / "flickr8k"
    import_torch().set_num_threads(1)
    captioner = load_captioner(options.model)
    captions = read_image_captions(
        folder / "Flickr8k.token.txt", folder / "Flickr_8k.testImages.txt"
    )
    names = list(captions)[: options.images]
    captions = {name: captions[name] for name in names}
    vectors = read_image_vectors(folder / "efficientnet_lite2.npz").take(names)
    references = [list(captions_of_image) for captions_of_image in captions.values()]

    def before() -> None:
        pregen_score(word_probabilities(captioner, captions, vectors), options.metric)

    def after(beam: int, at_once: int) -> None:
        written: list[str] = []
        for start in range(0, len(names), at_once):
            some = vectors.take(names[start : start + at_once])
            written += [each.caption for each in generate(captioner, some, beam=beam)]
        captious.score(written, references, ["cider_d"])

    ways: list[tuple[str, Callable[[], None]]] = [
        (f"{options.metric}: one forward pass over all references", before),
        (f"captions, beam of {BEAM}, in batches; CIDEr-D", lambda: after(BEAM, len(names))),
        (f"captions, beam of {BEAM}, image by image; CIDEr-D", lambda: after(BEAM, 1)),
        ("captions, greedy, in batches; CIDEr-D", lambda: after(1, len(names))),
        ("captions, greedy, image by image; CIDEr-D", lambda: after(1, 1)),
    ]
    # What is loaded when first used belongs to none of them.
    some = {name: captions[name] for name in names[:WARM_UP]}
    word_probabilities(captioner, some, vectors)
    generate(captioner, vectors.take(list(some)), beam=BEAM)
    captious.score(
        [captions_of_image[0] for captions_of_image in references], references, ["cider_d"]
    )
    seconds = [seconds_of(task) for _, task in ways]
    rows = [
        [name, f"{each:.2f}", f"{each / seconds[0]:.1f}"]
        for (name, _), each in zip(ways, seconds, strict=True)
    ]
    about = (
        f"A small captioner (architecture {captioner.decoder.shape.architecture}) on one thread of"
        f" a CPU: {len(names):,} images with {sum(map(len, references)):,} references, from word"
        " probabilities or from captions that it writes to a score."
    )
    show([Table(about, ["way", "seconds", "ratio"], rows)], options.json)


if __name__ == "__main__":
    main()
