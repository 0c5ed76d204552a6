"""Compare tokens and scores of samples with pycocoevalcap's, by metric and length of the caption.

Needs Java and `pip install pycocoevalcap==1.2`. Samples come from the folder of data named. Scores
are compared on the toolkit's own tokens, so that a token that differs is counted once, in its row.

    python tools/compare_toolkit.py ../shared/data --samples 500 --tables FOLDER
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tabulate import tabulate

import captious
from captious.text.tokenizer.tokenizer import tokenize
from compare_tokenizer import LINE_BREAKS
from toolkit_comparison import toolkit
from toolkit_comparison.lengths import BUCKETS, bucket
from toolkit_comparison.samples import SOURCES, Sample

MAX_DIFFERENCE = 1e-9


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many captions differ, and the differences of corpus scores."""
    options = _parse(arguments)
    seen: Counter[str] = Counter()
    different: Counter[tuple[str, str]] = Counter()
    corpora = []
    for source in options.sources:
        source_samples = SOURCES[source](options.folder, np.random.default_rng(options.seed))
        samples = [_join_lines(sample) for sample in islice(source_samples, options.samples)]
        tokens = toolkit.tokenize_samples(samples)
        expected, corpus = toolkit.score_samples(tokens)
        ours = captious.score(
            [sample.candidate for sample in tokens],
            [list(sample.references) for sample in tokens],
            metrics=["bleu", "rouge_l", "cider_d", "meteor"],
            meteor_tables=options.tables,
            tokenizer="whitespace",
        )
        sizes = [bucket(len(sample.candidate.split(" "))) for sample in tokens]
        seen.update(sizes)
        differences = {
            name: np.abs(ours.samples[name] - expected[name]) for name in toolkit.COLUMNS
        }
        differences["tokens"] = np.array(
            [
                float(_tokenize(raw) != toolkit_tokens)
                for raw, toolkit_tokens in zip(samples, tokens, strict=True)
            ]
        )
        for name, distances in differences.items():
            for place in np.flatnonzero(~(distances <= MAX_DIFFERENCE)).tolist():
                different[name, sizes[place]] += 1
                if different.total() <= options.show:
                    print(f"{source}, {name}: {distances[place]:.1e} apart: {samples[place]}")
        corpora.append(
            [source, len(samples), *(abs(ours.corpus[n] - corpus[n]) for n in toolkit.COLUMNS)]
        )
    print(f"Captions that differ by more than {MAX_DIFFERENCE}, by tokens of the candidate")
    names = ("tokens", *toolkit.COLUMNS)
    rows = [
        [
            name,
            *(
                f"{different[name, size]} of {seen[size]:,}" if seen[size] else ""
                for size in BUCKETS
            ),
        ]
        for name in names
    ]
    print(tabulate(rows, ["", *BUCKETS], stralign="right"))
    print("\nDifferences of the corpora's scores")
    print(tabulate(corpora, ["source", "samples", *toolkit.COLUMNS], floatfmt=".0e"))
    return 1 if different else 0


def _join_lines(sample: Sample) -> Sample:
    """Replace line breaks (as Java sees them) by blanks: they would shift all later captions."""
    candidate, *references = (
        LINE_BREAKS.sub(" ", text) for text in (sample.candidate, *sample.references)
    )
    return Sample(candidate, tuple(references))


def _tokenize(sample: Sample) -> Sample:
    return Sample(
        " ".join(tokenize(sample.candidate)),
        tuple(" ".join(tokenize(text)) for text in sample.references),
    )


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of data")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--samples", type=int, default=500, help="of a source (default: 500)")
    parser.add_argument("--tables", type=Path, help="a folder of METEOR's tables")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=10, help="differences to print (default: 10)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
