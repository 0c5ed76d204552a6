"""Captions with their trees, as batches of numbers."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from captious.text.english.lemmatizer import lemma_by_rule, word_class
from captious.text.parser.word_layer import subword_buckets

ROOT_LABEL = "root"


class Tree(NamedTuple):
    """One sentence of the training data."""

    words: list[str]
    tags: list[str]
    lemmas: list[str]
    heads: list[int]
    labels: list[str]


class Vocabulary:
    """The words, tags and labels that a network knows, and how often a word was seen."""

    def __init__(
        self,
        words: list[str],
        tags: list[str],
        labels: list[str],
        buckets: int,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        self.words, self.tags, self.labels = words, tags, labels
        self.word_id = {word: number for number, word in enumerate(words, start=1)}
        self.tag_id = {tag: number for number, tag in enumerate(tags)}
        self.label_id = {label: number for number, label in enumerate(labels)}
        self.counts = counts or {}
        self.buckets = buckets

    @classmethod
    def of_trees(cls, trees: list[Tree], least_count: int, buckets: int) -> Vocabulary:
        """The tags and labels of trees, and their words that are frequent enough."""
        counts = Counter(word for tree in trees for word in tree.words)
        tags = sorted({tag for tree in trees for tag in tree.tags})
        labels = sorted({label for tree in trees for label in tree.labels})
        return cls(frequent_words(counts, least_count), tags, labels, buckets, counts)


def frequent_words(counts: Mapping[str, int], least_count: int) -> list[str]:
    """Return the words that were seen so often, in order of the alphabet."""
    return sorted(word for word, count in counts.items() if count >= least_count)


class Spellings:
    """Distinct words: the number of each in the vocabulary, and its pieces."""

    def __init__(self, words: Iterable[str], vocabulary: Vocabulary) -> None:
        self.number = {word: number for number, word in enumerate(sorted(set(words)))}
        pieces = [subword_buckets(word, vocabulary.buckets) for word in self.number]
        longest = max(map(len, pieces))
        self.word = torch.tensor([vocabulary.word_id.get(word, 0) for word in self.number])
        self.pieces = torch.tensor([piece + [0] * (longest - len(piece)) for piece in pieces])
        self.weight = torch.tensor(
            [[1 / len(piece)] * len(piece) + [0.0] * (longest - len(piece)) for piece in pieces]
        )
        self.count = torch.tensor([float(vocabulary.counts.get(word, 0)) for word in self.number])


class Batch(NamedTuple):
    """Sentences of one length: no padding, so nothing to mask. All are (length, sentences)."""

    spelling: Tensor
    tags: Tensor
    heads: Tensor
    labels: Tensor


def read_trees(path: Path) -> dict[str, list[Tree]]:
    """Read the sentences by split; one in sixty captions of the training split is held out."""
    splits: dict[str, list[Tree]] = {"train": [], "dev": [], "test": []}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            split = "dev" if row["split"] == "train" and number % 60 == 7 else row["split"]
            for sentence in row["sentences"]:
                parts = (sentence[part] for part in Tree._fields)
                splits[split].append(Tree(*parts))
    return splits


def make_batches(
    trees: list[Tree], spellings: Spellings, vocabulary: Vocabulary, tokens: int
) -> list[Batch]:
    """Put sentences of one length together, about `tokens` words at a time."""
    by_length: dict[int, list[Tree]] = {}
    for tree in trees:
        by_length.setdefault(len(tree.words), []).append(tree)
    batches = []
    for length, alike in sorted(by_length.items()):
        step = max(1, tokens // length)
        for start in range(0, len(alike), step):
            part = alike[start : start + step]
            columns = (
                [[spellings.number[word] for word in tree.words] for tree in part],
                # What the training split does not hold counts as wrong: it has no number.
                [[vocabulary.tag_id.get(tag, -1) for tag in tree.tags] for tree in part],
                [tree.heads for tree in part],
                [[vocabulary.label_id.get(label, -1) for label in tree.labels] for tree in part],
            )
            batches.append(Batch(*(torch.tensor(column).T.contiguous() for column in columns)))
    return batches


def lemma_exceptions(trees: list[Tree]) -> list[str]:
    """The words whose lemma the rules get wrong: word, class, lemma."""
    seen: dict[tuple[str, str], Counter[str]] = {}
    for tree in trees:
        for word, tag, lemma in zip(tree.words, tree.tags, tree.lemmas, strict=True):
            kind = word_class(tag)
            # An underscore is a trace of CoreNLP's own tables: the word was not understood.
            if kind is not None and "_" not in lemma:
                seen.setdefault((word, kind), Counter())[lemma] += 1
    usual = {key: lemmas.most_common(1)[0][0] for key, lemmas in seen.items()}
    return sorted(
        f"{word}\t{kind}\t{lemma}"
        for (word, kind), lemma in usual.items()
        if lemma_by_rule(word, kind) != lemma
    )
