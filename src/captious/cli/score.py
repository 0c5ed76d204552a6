"""captious score: score a file of candidates against references."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from captious.cli.options import Add
from captious.cli.output import check_table_output, note, note_selection
from captious.cli.progress import work_bars
from captious.cli.reading import check_candidates, declare_captions, reading
from captious.cli.seen_images import declare_images, seen_images, select_seeing
from captious.cli.terminal import show
from captious.corpus import Corpus
from captious.errors import InputError
from captious.images.reading import BadImageError, BadImagesError
from captious.images.sources import holds_vectors
from captious.io.captions import read_corpus
from captious.registry import DEFAULT
from captious.result import Result
from captious.scorer import score

DESCRIPTION = "Score candidates against references and print corpus scores with intervals."
EXAMPLES = """examples:
  captious score results.json --references captions_val2014.json
  captious score results.json --references captions.json --metrics "cider_d(sigma=4),mine.npz"
  captious score captions.jsonl --metrics bleu,cider_d --df coco-val2014 --output scores.csv
  captious score said.txt --references first.txt second.txt --metrics CIDEr,Bleu_4
  captious score table.csv --columns id=photo,candidate=ours,references=ref1+ref2
  captious score captions.jsonl --metrics captious_image --images photos/ --skip-bad-images
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    declare_captions(add, "captions to score", "captions to score against")
    add("--metrics", usual=",".join(DEFAULT))
    add("--df")
    add("--meteor-tables", "a folder of METEOR's tables, in place of ours")
    add("--vectors", "word vectors for WMD and MOWE, made by captious vectors, in place of ours")
    declare_images(add)
    add(
        "--skip-bad-images",
        "with --images DIR: leave out samples whose image is unreadable, cut off, enormous or "
        "animated, and say which; without it the first such image is an error",
        action="store_true",
    )
    add("--tokenizer", default=None, usual="ptb, or the one for --language")
    add("--language")
    add("--interval")
    add("--output", "write one row a sample to this file")
    add("--no-captions", "write no candidates and references beside scores", action="store_true")
    add("--no-cache")


def run(options: argparse.Namespace) -> None:
    """Read, score, write, print."""
    check_candidates(options)
    if options.skip_bad_images and (options.images is None or holds_vectors(options.images)):
        raise InputError("--skip-bad-images: only image files can be bad; give --images a folder")
    tables = {name: getattr(options, name) for name in ("df", "meteor_tables", "vectors")}
    given = {name: value for name, value in tables.items() if value is not None}
    given |= seen_images(options, options.skip_bad_images)
    with work_bars(options):
        selection = select_seeing(options.metrics, given, options.language)
        check_table_output(options.output)
        corpus = read_corpus(
            options.candidates,
            options.references,
            reading(options),
            needs_references=bool(selection.columns_of_references),
        )
        note_selection(options, selection)
        if corpus.unused_references:
            note(options, f"left out, references without a candidate: {corpus.unused_references}")

        def scored(some: Corpus) -> Result:
            return score(
                some,
                metrics=selection,
                tokenizer=options.tokenizer,
                language=options.language,
                cache=not options.no_cache,
            )

        result = _without_bad_images(options, corpus, scored)
    if options.output is not None:
        result.save(options.output, captions=not options.no_captions)
    show(result.with_intervals(options.interval).to_text(options.format))


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
