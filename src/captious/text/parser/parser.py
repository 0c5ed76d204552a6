"""Dependency trees of captions, as the parser that SPICE uses would draw them.

    >>> parser = Parser.load()
    >>> [sentence] = parser.parse_all([["a", "dog", "chases", "cats"]])[0]
    >>> sentence.heads, sentence.labels
    ((2, 3, 0, 3), ('det', 'nsubj', 'root', 'dobj'))

A small network imitates CoreNLP's (Universal Dependencies 1, basic, Penn Treebank tags); its model
card says how well. It needs NumPy alone, and is imported when the first caption is parsed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from captious._internal.progress import track
from captious._internal.threads import thread_pool
from captious.io.inputs import read_input
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens

if TYPE_CHECKING:
    from captious.text.parser.network import Network, NetworkOutput


class Sentence(NamedTuple):
    """One sentence's words, each with its part of speech, lemma, head and relation to the head.

    Heads count words from 1; 0 is the root. Tags are the Penn Treebank's, relations those of
    Universal Dependencies 1 (basic, not collapsed).
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]


SHIPPED = RESOURCES / "parser" / "parser.npz"

FORMAT_VERSION = 2  # of parses in the cache: another number makes those there void

_Words = tuple[str, ...]
_MAX_CACHED_LEMMAS = 1 << 16  # remembered; more than captions have, few enough for any memory


class Parser:
    """Parses captions in batches; a caption's trees depend on nothing but the caption."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def load(cls, path: str | Path = SHIPPED) -> Parser:
        """Create a parser with the weights in a file, which is read when first needed."""
        return cls(Path(path))

    def __reduce__(self) -> tuple[type[Parser], tuple[Path]]:
        return (Parser, (self.path,))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights, for cache keys and signatures."""
        return hashlib.sha256(read_input(self.path)).hexdigest()[:12]

    def parse_all(self, captions: Sequence[Sequence[str]]) -> list[tuple[Sentence, ...]]:
        """Return the sentences of each caption (the toolkit's tokens); none of an empty one."""
        from captious.text.parser.sentence_splitter import split_sentences

        tokenized = list(map(tuple, captions))
        split = [
            (tokens, tuple(map(tuple, split_sentences(tokens))))
            for tokens in dict.fromkeys(tokenized)
        ]
        distinct = dict.fromkeys(chain.from_iterable(parts for _, parts in split))
        parsed = dict(self._parse(list(distinct)))
        by_caption = {tokens: tuple([parsed[words] for words in parts]) for tokens, parts in split}
        return [by_caption[tokens] for tokens in tokenized]

    def _parse(self, sentences: list[_Words]) -> Iterator[tuple[_Words, Sentence]]:
        """Yield each distinct sentence with its tree."""
        from threadpoolctl import threadpool_limits

        from captious.text.parser.word_layer import BATCH_ROWS

        batches = []
        # Of one length, so that nothing is padded; the longest, which need most memory, first.
        for _, same in groupby(sorted(sentences, key=len, reverse=True), len):
            alike = list(same)
            batches += [
                alike[start : start + BATCH_ROWS] for start in range(0, len(alike), BATCH_ROWS)
            ]
        if not batches:
            return
        network = self._contents[0]
        # A batch a thread; arcs are products within a sentence, too small for threads of the BLAS.
        pool = thread_pool() if len(batches) > 1 else nullcontext()
        with threadpool_limits(1, "blas"), pool as threads:
            outputs_in_order = (threads.map if threads else map)(network.analyse, batches)
            parsed = zip(batches, outputs_in_order, strict=True)
            total = len(sentences)
            for batch, outputs in track(
                "sentences parsed", parsed, lambda batch: len(batch[0]), total
            ):
                yield from self._decode_output(batch, outputs)

    def _decode_output(
        self, batch: list[_Words], outputs: NetworkOutput
    ) -> Iterator[tuple[_Words, Sentence]]:
        """Convert the network's output for a batch to sentences."""
        network, lemma = self._contents
        tags = np.array(network.tags, object)[outputs.tags]
        labels = np.array(network.labels, object)[outputs.labels]
        columns = (array.tolist() for array in (tags, outputs.heads, labels))
        for words, *answers in zip(batch, *columns, strict=True):
            its_tags, its_heads, its_labels = map(tuple, answers)
            lemmas = tuple(map(lemma, zip(words, its_tags, strict=True)))
            yield words, Sentence(words, its_tags, lemmas, its_heads, its_labels)

    @cached_property
    def _contents(self) -> tuple[Network, Callable[[tuple[str, str]], str]]:
        """The network, and the lemma of a word with its tag, from the file."""
        from captious.text.parser.network import Network, ParserWeights

        weights = ParserWeights.read(self.path)
        exceptions = weights.lemmas

        def lemma(pair: tuple[str, str]) -> str:
            return ENGLISH.lemma(*pair, exceptions)

        return Network(weights), lru_cache(_MAX_CACHED_LEMMAS)(lemma)


@dataclass(frozen=True, slots=True)
class Parses:
    """Analysis layer: the parsed sentences of every caption."""

    sentences: list[tuple[Sentence, ...]]

    @classmethod
    def build(cls, analysis: Analysis) -> Parses:
        """Parse the captions that the cache does not have."""
        return cls(parse_rows(analysis, range(len(analysis.captions))))


def parse_rows(analysis: Analysis, rows: Sequence[int]) -> list[tuple[Sentence, ...]]:
    """Parse the captions at some rows."""
    words = analysis.layer(Tokens).words

    def parse(missing: list[int]) -> list[tuple[Sentence, ...]]:
        return shipped_parser().parse_all([words[row] for row in missing])

    name = f"parse-{FORMAT_VERSION}@{shipped_parser().fingerprint}"
    return analysis.load_or_compute(name, parse, _pack, _restore, rows)


@lru_cache(maxsize=1)
def shipped_parser() -> Parser:
    """The parser that ships, loaded when first needed."""
    return Parser.load()


def _pack(sentences: tuple[Sentence, ...]) -> str:
    """Write sentences as lines, a column of all words' values each; the first counts them."""
    columns = ["\t".join(map(str, column)) for sentence in sentences for column in sentence]
    return "\n".join([str(len(columns)), *columns])


def _restore(packed: str) -> tuple[Sentence, ...]:
    """Read what `_pack` wrote; a word with a tab or a line end in it makes it unreadable."""
    count, *lines = packed.split("\n")
    if count != str(len(lines)):
        raise ValueError("not as many columns as were written")
    columns = [tuple(line.split("\t")) for line in lines]
    parts = (columns[start : start + 5] for start in range(0, len(lines), 5))
    sentences = tuple(
        Sentence(words, tags, lemmas, tuple(map(int, heads)), labels)
        for words, tags, lemmas, heads, labels in parts
    )
    if not all(map(_is_valid, sentences)):
        raise ValueError("not what the parser gives")
    return sentences


def _is_valid(sentence: Sentence) -> bool:
    """Whether every word has its part of speech, its lemma, its head and its relation."""
    size, heads = len(sentence.words), sentence.heads
    return (
        size == len(sentence.tags) == len(sentence.lemmas) == len(heads) == len(sentence.labels)
        and min(heads) >= 0
        and max(heads) <= size
    )
