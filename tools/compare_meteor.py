"""Compare METEOR's statistics with those of METEOR 1.5's jar, pair by pair, number by number.

Needs Java and `pip install pycocoevalcap==1.2`. Pairs of a candidate and a reference come from the
folder of data named. For each folder of tables, counts of pairs that differ are printed by source
and by the number of tokens in the longer caption. Pairs in which two different words have the same
hash, by which METEOR takes them for one word, are counted apart.

    python tools/compare_meteor.py ../shared/data --pairs 5000 --tables FOLDER ...
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tabulate import tabulate

from captious.metrics.meteor import meteor_scores
from captious.text.meteor.alignment import STATISTICS, alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.tables import SHIPPED, MeteorTables, open_tables
from captious.text.tokenizer.tokenizer import tokenize_all
from toolkit_comparison import meteor_jar
from toolkit_comparison.lengths import BUCKETS, bucket
from toolkit_comparison.samples import SOURCES

# Samples read, and pairs compared, per batch.
SAMPLES_PER_BATCH, PAIRS_PER_BATCH = 500, 2000


class Counts:
    """Counts of pairs that differ from METEOR with one folder of tables."""

    def __init__(self, tables: MeteorTables) -> None:
        self.tables = tables
        self.seen: Counter[tuple[str, str]] = Counter()
        self.different: Counter[tuple[str, str]] = Counter()
        self.clashes: Counter[str] = Counter()
        self.largest: dict[str, float] = {}

    def add(
        self, source: str, pairs: Sequence[meteor_jar.Pair], expected: np.ndarray
    ) -> list[tuple[int, np.ndarray]]:
        """Compare pairs; return the places and Captious' statistics of those that differ."""
        ours = self._statistics(pairs)
        score_errors = np.abs(meteor_scores(expected) - meteor_scores(ours))
        differs = (expected != ours).any(1)
        differing = []
        for place, pair in enumerate(pairs):
            key = source, bucket(max(map(len, pair)))
            self.seen[key] += 1
            if differs[place] and meteor_jar.has_clash(pair):
                self.clashes[source] += 1
            elif differs[place]:
                self.different[key] += 1
                self.largest[source] = max(
                    self.largest.get(source, 0.0), float(score_errors[place])
                )
                differing.append((place, ours[place]))
        return differing

    def _statistics(self, pairs: Sequence[meteor_jar.Pair]) -> np.ndarray:
        base = MeteorCaptions.analyse([reference for _, reference in pairs], tables=self.tables)
        text = MeteorCaptions.analyse([candidate for candidate, _ in pairs], base)
        rows = np.arange(len(pairs))
        return alignment_statistics(text, base, rows, rows)

    def table(self) -> str:
        """The counts, one row a source, one column a bucket of lengths."""
        sources = list(dict.fromkeys(source for source, _ in self.seen))
        rows = []
        for name, parts in (*((source, [source]) for source in sources), ("all", sources)):
            cells = []
            for size in BUCKETS:
                seen = sum(self.seen[part, size] for part in parts)
                different = sum(self.different[part, size] for part in parts)
                cells.append(f"{different} of {seen:,}" if seen else "")
            largest = max((self.largest.get(part, 0.0) for part in parts), default=0.0)
            clashes = sum(self.clashes[part] for part in parts)
            rows.append([name, *cells, clashes, f"{largest:.3f}"])
        header = ["tokens", *BUCKETS, "clashes of hashes", "largest"]
        return tabulate(rows, header, stralign="right")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the numbers of pairs that differ, by source and length, and the first of them."""
    options = _parse(arguments)
    counts = [Counts(open_tables(folder)) for folder in options.tables]
    shown = 0
    with meteor_jar.MeteorJar() as jar:
        for source in options.sources:
            pairs = read_pairs(source, options.folder, options.seed, options.pairs)
            while chunk := list(islice(pairs, PAIRS_PER_BATCH)):
                expected = np.array(jar.statistics(chunk))
                for count in counts:
                    for place, found in count.add(source, chunk, expected):
                        shown += 1
                        if shown <= options.show:
                            print(f"tables     {count.tables.folder}")
                            _print_difference(chunk[place], expected[place], found)
    for count in counts:
        print(f"\nDifferent from METEOR with the tables in {count.tables.folder}")
        print(count.table())
    return 1 if any(count.different for count in counts) else 0


def read_pairs(source: str, folder: Path, seed: int, count: int) -> Iterator[meteor_jar.Pair]:
    """Yield at most `count` pairs of a source, as tokens."""
    samples = SOURCES[source](folder, np.random.default_rng(seed))
    while count > 0 and (part := list(islice(samples, SAMPLES_PER_BATCH))):
        texts = [text for sample in part for text in (sample.candidate, *sample.references)]
        tokens = iter(tokenize_all(texts))
        for sample in part:
            candidate = next(tokens)
            references = list(islice(tokens, len(sample.references)))
            yield from ((candidate, reference) for reference in references[: max(count, 0)])
            count -= len(references)


def _print_difference(pair: meteor_jar.Pair, expected: np.ndarray, found: np.ndarray) -> None:
    candidate, reference = (" ".join(tokens) for tokens in pair)
    print(f"candidate  {candidate!r}\nreference  {reference!r}")
    for place in np.flatnonzero(expected != found).tolist():
        print(f"  {STATISTICS[place]}: METEOR {expected[place]}, captious {found[place]}")
    print(f"  score: METEOR {meteor_scores(expected):.6f}, captious {meteor_scores(found):.6f}")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of data")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--pairs", type=int, default=5000, help="of a source (default: 5000)")
    parser.add_argument(
        "--tables", nargs="+", type=Path, default=[SHIPPED], help="folders of METEOR's tables"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=10, help="differences to print (default: 10)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
