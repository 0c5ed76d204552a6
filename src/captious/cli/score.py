"""captious score: score a file of candidates against references."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any

from captious.cli.options import Add
from captious.cli.output import check_table_output, note, note_left_out
from captious.cli.progress import image_bar, score_bar
from captious.cli.terminal import show
from captious.corpus import Corpus
from captious.errors import InputError
from captious.images.encoding import Progress
from captious.images.folder import ImageFolder
from captious.images.reading import BadImageError, BadImagesError
from captious.images.sources import holds_vectors
from captious.io.captions import read_corpus
from captious.registry import DEFAULT, select
from captious.result import Result
from captious.scorer import score

DESCRIPTION = "Score candidates against references and print corpus scores with intervals."
EXAMPLES = """examples:
  captious score results.json --references captions_val2014.json
  captious score results.json --references captions.json --metrics "cider_d(sigma=4),mine.npz"
  captious score captions.jsonl --metrics bleu,cider_d --df coco-val2014 --output scores.csv
  captious score captions.jsonl --metrics captious_image --images photos/ --skip-bad-images
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("candidates", "COCO results, or rows of id, candidate and perhaps references")
    add("--references", "COCO captions, or rows of id and references", usual="CANDIDATES")
    add("--metrics", default=",".join(DEFAULT))
    add("--df", "CIDEr's document frequencies: coco-val2014, or a file made by captious df")
    add("--meteor-tables", "a folder of METEOR's tables, in place of ours")
    add("--vectors", "word vectors for WMD and MOWE, made by captious vectors, in place of ours")
    seen = "for captious_image, leic and clipscore: image files, or vectors of images"
    add("--images", seen, metavar="DIR|NPZ")
    add(
        "--skip-bad-images",
        "with --images DIR: leave out samples whose image is unreadable, cut off, enormous or "
        "animated, and say which; without it the first such image is an error",
        action="store_true",
    )
    whole = "for captious_image: vectors of the second view, where --images has those of one"
    add("--whole", whole, metavar="NPZ")
    add("--critic", "for leic: a critic of your own, by captious critic train", metavar="NPZ")
    add("--clip", "for clipscore: a CLIP's name or folder, for transformers")
    add("--caption-vectors", "for clipscore: captions' vectors, without a CLIP", metavar="NPZ")
    add("--tokenizer")
    add("--interval")
    add("--output", "write one row a sample to this file")
    add("--no-cache")


def run(options: argparse.Namespace) -> None:
    """Read, score, write, print."""
    if options.skip_bad_images and (options.images is None or holds_vectors(options.images)):
        raise InputError("--skip-bad-images: only image files can be bad; give --images a folder")
    # Pillow warns of what is an error here anyway.
    warnings.filterwarnings("ignore", "Image size .* exceeds limit")
    with image_bar(options) as looking:
        selection = select(options.metrics, _parameters(options, looking))
        check_table_output(options.output)
        corpus = read_corpus(options.candidates, options.references)
        note_left_out(options, selection.left_out)
        if corpus.unused_references:
            note(options, f"left out, references without a candidate: {corpus.unused_references}")

        def scored(some: Corpus) -> Result:
            with score_bar(options, len(selection.metrics)) as progress:
                return score(
                    some,
                    metrics=selection,
                    tokenizer=options.tokenizer,
                    cache=not options.no_cache,
                    progress=progress,
                )

        result = _without_bad_images(options, corpus, scored)
    if options.output is not None:
        result.save(options.output)
    show(result.with_intervals(options.interval).to_text(options.format))


def _parameters(options: argparse.Namespace, looking: Progress | None) -> dict[str, Any]:
    """What was given for all metrics that take it; folders of images tell how far the work is."""
    names = ("df", "meteor_tables", "vectors", "images", "whole", "clip", "critic")
    given = {name: getattr(options, name) for name in names} | {"captions": options.caption_vectors}
    parameters = {name: value for name, value in given.items() if value is not None}
    for name in ("images", "whole"):
        if name in parameters and not holds_vectors(parameters[name]):
            parameters[name] = ImageFolder(
                parameters[name], progress=looking, all_bad=options.skip_bad_images
            )
    return parameters


def _without_bad_images(
    options: argparse.Namespace, corpus: Corpus, scored: Callable[[Corpus], Result]
) -> Result:
    """Score all samples or, where bad images are to be skipped, those whose images can be seen."""
    left = corpus
    while True:
        try:
            result = scored(left)
            break
        except BadImagesError as error:  # found together, after all others were encoded
            for fault in error.faults.values():
                note(options, f"image left out: {fault}")
            left = left.without_images(error.faults)
        except BadImageError as error:
            raise InputError(f"{error}; or --skip-bad-images leaves such images out") from None
    if left is not corpus:
        missing = len(corpus) - len(left)
        note(options, f"left out, samples with bad images: {missing} of {len(corpus)}")
    return result
