"""n-grams beside Python's own counting of tuples."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

from captious.metrics.cider.document_frequencies import document_counts
from captious.metrics.ngram_matches import ngram_matches
from captious.text.ngrams import Ngrams, last_words_of, parents_of
from captious.text.tokens import words_by_id
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import (
    LENGTHS,
    LONG,
    SHORT,
    Sample,
    Words,
    as_samples,
    different,
    frequent,
    pairs_of,
    samples_of,
)
from tests._internal.loops.uncompiled import Loops, in_use

ORDERS = range(1, 5)


class NgramLoops(Trial):
    """Captions shorter than an n-gram, n-grams that repeat, tables that fill up."""

    loops = ("ngrams",)
    boundaries: ClassVar = {
        "words": (0, 3, 63, 127, 1000),
        "most occurrences of an n-gram": (1, 63, 1000),
    }

    def short(self) -> Sequence[list[Sample]]:
        return [samples_of(SHORT), samples_of((30,), (frequent, different))]

    def long(self) -> Sequence[list[Sample]]:
        return [samples_of(LENGTHS), samples_of(LONG)]

    def answer(self, loops: Loops, problem: list[Sample]) -> dict[str, Any]:
        samples = as_samples(problem)
        with in_use(loops):
            matches = ngram_matches(samples)
            documents = document_counts(samples.references)
        layers = samples.candidates.layer(Ngrams), samples.references.analysis.layer(Ngrams)
        tuples = _tuples(*layers, words_by_id(samples.candidates))
        return {
            "counts": [_counted(layer, tuples) for layer in layers],
            "entries": [tuples[node] for node in matches.node.tolist()],
            "highest": matches.highest.tolist(),
            "hits": list(
                zip(
                    matches.entry.tolist(),
                    matches.pair.tolist(),
                    matches.reference_count.tolist(),
                    strict=True,
                )
            ),
            "samples": matches.sample.tolist(),
            "documents": {tuples[node]: n for node, n in enumerate(documents.tolist()) if node},
        }

    def check(self, problem: list[Sample], answer: dict[str, Any]) -> None:
        samples = as_samples(problem)
        texts = samples.candidates, samples.references.analysis
        for text, counts in zip(texts, answer["counts"], strict=True):
            assert counts == [[*_ngrams(caption.split()).items()] for caption in text.captions]
        wanted = [
            (number, ngram)
            for number, one in enumerate(problem)
            for ngram in _ngrams(one.candidate)
        ]
        assert list(zip(answer["samples"], answer["entries"], strict=True)) == wanted
        place = {entry: number for number, entry in enumerate(wanted)}
        hits, highest = [], [0] * len(wanted)
        pair = 0
        for number, one in enumerate(problem):
            for words in one.references:
                for ngram, count in _ngrams(words).items():
                    if (number, ngram) in place:
                        entry = place[number, ngram]
                        hits.append((entry, pair, count))
                        highest[entry] = max(highest[entry], count)
                pair += 1
        assert answer["hits"] == hits
        assert answer["highest"] == highest
        documents = Counter(
            ngram for one in problem for ngram in set().union(*map(_ngrams, one.references))
        )
        assert answer["documents"] == documents

    def sizes(self, problem: list[Sample]) -> list[dict[str, int]]:
        return [
            {"words": len(words), "most occurrences of an n-gram": max(_counts(words), default=0)}
            for pair in pairs_of(problem)
            for words in pair
        ]


def _ngrams(words: Words) -> Counter[tuple[str, ...]]:
    """A caption's n-grams, the shorter ones first, in order of first occurrence."""
    return Counter(
        tuple(words[place : place + n]) for n in ORDERS for place in range(len(words) - n + 1)
    )


def _counts(words: Words) -> Sequence[int]:
    return [*Counter(words).values()]


def _tuples(candidates: Ngrams, references: Ngrams, names: list[str]) -> list[tuple[str, ...]]:
    """Every node's n-gram."""
    tuples: list[tuple[str, ...]] = [()]
    for layer in (references, candidates):
        parents, words = parents_of(layer.keys).tolist(), last_words_of(layer.keys).tolist()
        for parent, word in zip(parents, words, strict=True):
            tuples.append((*tuples[parent], names[word]))
    return tuples


def _counted(layer: Ngrams, tuples: list[tuple[str, ...]]) -> list[list[tuple[Any, int]]]:
    """Each caption's n-grams and how often it has them."""
    offsets = layer.nodes.offsets[:: len(ORDERS)].tolist()
    pairs = [
        (tuples[node], count)
        for node, count in zip(layer.nodes.values.tolist(), layer.counts.tolist(), strict=True)
    ]
    return [pairs[a:b] for a, b in pairwise(offsets)]
