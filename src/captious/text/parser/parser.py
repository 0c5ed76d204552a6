"""Dependency trees of captions, as the parser that SPICE uses would draw them.

    >>> parser = Parser.load()
    >>> [sentence] = parser.parse_all([["a", "dog", "chases", "cats"]])[0]
    >>> sentence.heads, sentence.labels
    ((2, 3, 0, 3), ('det', 'nsubj', 'root', 'dobj'))

A small network imitates CoreNLP's (Universal Dependencies 1, basic, Penn Treebank tags); its model
card says how well. It needs NumPy alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from threadpoolctl import threadpool_limits

from captious._internal.progress import track
from captious._internal.threads import thread_pool
from captious.io.inputs import read_input
from captious.resources import RESOURCES
from captious.text.english import ENGLISH
from captious.text.parser.lstm import BATCH_ROWS
from captious.text.parser.network import Network, NetworkOutput
from captious.text.parser.parsed_sentence import Sentence
from captious.text.parser.sentence_splitter import split_sentences
from captious.text.parser.weights import ParserWeights

SHIPPED = RESOURCES / "parser" / "parser.npz"

_Words = tuple[str, ...]
_MAX_CACHED_LEMMAS = 1 << 16  # remembered; more than captions have, few enough for any memory


class Parser:
    """Parses captions in batches; a caption's trees depend on nothing but the caption."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> Parser:
        """The parser with the weights in a file, which is read when first needed."""
        return cls(Path(path))

    def __reduce__(self) -> tuple[type[Parser], tuple[Path]]:
        return (Parser, (self.path,))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights, for cache keys and signatures."""
        return hashlib.sha256(read_input(self.path)).hexdigest()[:12]

    def parse_all(self, captions: Sequence[Sequence[str]]) -> list[tuple[Sentence, ...]]:
        """The sentences of each caption, given as the toolkit's tokens; none where it is empty."""
        by_caption: dict[_Words, tuple[_Words, ...]] = {}
        for caption in captions:
            tokens = tuple(caption)
            if tokens not in by_caption:
                by_caption[tokens] = tuple(map(tuple, split_sentences(tokens)))
        distinct = dict.fromkeys(words for parts in by_caption.values() for words in parts)
        parsed = dict(self._parse(list(distinct)))
        return [tuple(parsed[words] for words in by_caption[tuple(each)]) for each in captions]

    def _parse(self, sentences: list[_Words]) -> Iterator[tuple[_Words, Sentence]]:
        """Each distinct sentence with its tree."""
        # Sentences of about one length together, so that little has to be filled up.
        ordered = sorted(sentences, key=len)
        batches = [
            ordered[start : start + BATCH_ROWS] for start in range(0, len(ordered), BATCH_ROWS)
        ]
        if not batches:
            return
        network = self._contents[0]
        # A batch a thread; arcs are products within a sentence, too small for threads of the BLAS.
        with threadpool_limits(1, "blas"), thread_pool() as threads:
            parsed = zip(batches, threads.map(network.analyse, batches), strict=True)
            total = len(sentences)
            for batch, answers in track("sentences parsed", parsed, lambda one: len(one[0]), total):
                yield from self._decode_output(batch, answers)

    def _decode_output(
        self, batch: list[_Words], answers: NetworkOutput
    ) -> Iterator[tuple[_Words, Sentence]]:
        """Convert the network's output for a batch to sentences."""
        network, lemma = self._contents
        rows = zip(batch, *(array.tolist() for array in answers), strict=True)
        for words, tag_numbers, heads, label_numbers in rows:
            size = len(words)
            tags = tuple([network.tags[number] for number in tag_numbers[:size]])
            labels = tuple([network.labels[number] for number in label_numbers[:size]])
            lemmas = tuple(map(lemma, zip(words, tags, strict=True)))
            yield words, Sentence(words, tags, lemmas, tuple(heads[:size]), labels)

    @cached_property
    def _contents(self) -> tuple[Network, Callable[[tuple[str, str]], str]]:
        """The network, and the lemma of a word with its tag, from the file."""
        weights = ParserWeights.read(self.path)
        exceptions = weights.lemmas

        def lemma(pair: tuple[str, str]) -> str:
            return ENGLISH.lemma(*pair, exceptions)

        return Network(weights), lru_cache(_MAX_CACHED_LEMMAS)(lemma)
