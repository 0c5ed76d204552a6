"""The large parser, in PyTorch: its weights from their file, and what it says of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from captious.text.english import ENGLISH
from captious.text.parser.network import decode_heads
from captious.text.parser.parser import Sentence
from captious.text.parser.sentence_splitter import split_sentences

from .data import ROOT_LABEL, Spellings, Tree, Vocabulary
from .export import BIASED_SCORERS, UNBIASED_SCORERS
from .network import ParserNetwork, Sizes, forbid_root

LIKELIEST = 4  # tags, heads and labels of a word that are kept, with their probabilities
TREE_SHARE = 0.5  # how much CoreNLP's tree weighs against the teacher, where there is one
_WORDS_AT_A_TIME = 8000


Words = tuple[str, ...]


class Choices(NamedTuple):
    """The likeliest answers for every word, and their probabilities: (words, LIKELIEST)."""

    numbers: np.ndarray
    probabilities: np.ndarray


class Lessons(NamedTuple):
    """What a student learns of sentences of one length: sentences one after another."""

    words: list[Words]
    tags: Choices
    heads: Choices
    labels: Choices
    labelled_heads: np.ndarray  # the heads that the labels were chosen for


class Teacher:
    """The large parser, which answers for many sentences at a time."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        self.lists = {
            name: bytes(arrays.pop(name)).decode().split("\n")
            for name in ("words", "tags", "labels", "lemmas")
        }
        weights = {name: torch.tensor(array.astype(np.float32)) for name, array in arrays.items()}
        rows = (line.split("\t") for line in self.lists["lemmas"])
        self._lemmas = {(word, kind): lemma for word, kind, lemma in rows}
        self.vocabulary = Vocabulary(
            self.lists["words"], self.lists["tags"], self.lists["labels"], len(weights["subword"])
        )
        sizes = Sizes(
            word=weights["word"].shape[1],
            subword=weights["subword"].shape[1],
            lower=len(weights["lower_forward_state"]),
            upper=len(weights["upper_forward_state"]),
            arc=len(weights["arc"]),
            label=len(weights["label"]),
        )
        self.network = ParserNetwork(sizes, self.vocabulary, dropout=0.0)
        self.network.load_state_dict(_state(weights))
        self.network.eval()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def predict(
        self, sentences: Sequence[Words], spellings: Spellings, heads: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return log probabilities of tags, heads and labels of sentences of one length.

        Labels are those of the given heads, or else of the likeliest ones, which are returned
        last. All are (sentences, words, ...).
        """
        spelling = torch.tensor([[spellings.number[word] for word in each] for each in sentences])
        answers = self.network(spelling.T, spellings, 0.0, None if heads is None else heads.T)
        root = self.vocabulary.label_id[ROOT_LABEL]
        labels = forbid_root(answers.labels, answers.heads, root)
        scores = answers.tags.transpose(0, 1), answers.arcs, labels.transpose(0, 1)
        tags, arcs, labels = (torch.log_softmax(each, -1) for each in scores)
        return tags, arcs, labels, answers.heads.T

    def parse_all(self, captions: Sequence[Sequence[str]]) -> list[tuple[Sentence, ...]]:
        """Parse captions as the parser that ships does, with the large network."""
        by_caption = [list(map(tuple, split_sentences(caption))) for caption in captions]
        distinct = sorted({words for parts in by_caption for words in parts})
        spellings = Spellings((word for words in distinct for word in words), self.vocabulary)
        parsed = {}
        for part in _of_one_length(distinct):
            _, arcs, _, _ = self.predict(part, spellings, None)
            heads = decode_heads(arcs.numpy())
            tags, _, labels, _ = self.predict(part, spellings, torch.from_numpy(heads))
            rows = zip(
                part, tags.argmax(-1).tolist(), heads, labels.argmax(-1).tolist(), strict=True
            )
            for words, tag_numbers, head, label_numbers in rows:
                tag = tuple(self.vocabulary.tags[number] for number in tag_numbers)
                label = tuple(self.vocabulary.labels[number] for number in label_numbers)
                lemmas = (
                    ENGLISH.lemma(word, its, self._lemmas)
                    for word, its in zip(words, tag, strict=True)
                )
                parsed[words] = Sentence(words, tag, tuple(lemmas), tuple(head.tolist()), label)
        return [tuple(parsed[words] for words in parts) for parts in by_caption]

    def teach(
        self,
        sentences: Sequence[Words],
        spellings: Spellings,
        trees: dict[Words, Tree],
    ) -> Iterator[Lessons]:
        """Yield the lessons of sentences, batch by batch; CoreNLP's trees count, too."""
        known = [sentence for sentence in sentences if sentence in trees]
        unknown = [sentence for sentence in sentences if sentence not in trees]
        for part in _of_one_length(known):
            yield self._lessons(part, spellings, [trees[sentence] for sentence in part])
        for part in _of_one_length(unknown):
            yield self._lessons(part, spellings, None)

    def _lessons(
        self, part: list[Words], spellings: Spellings, trees: list[Tree] | None
    ) -> Lessons:
        """The lessons of sentences of one length, all with or all without CoreNLP's tree."""
        columns: tuple[Tensor | None, ...] = (None, None, None)
        if trees is not None:
            vocabulary = self.vocabulary
            columns = (
                torch.tensor(
                    [[vocabulary.tag_id.get(tag, -1) for tag in tree.tags] for tree in trees]
                ),
                torch.tensor([tree.heads for tree in trees]),
                torch.tensor(
                    [
                        [vocabulary.label_id.get(label, -1) for label in tree.labels]
                        for tree in trees
                    ]
                ),
            )
        *predicted, heads = self.predict(part, spellings, columns[1])
        tags, arcs, labels = (
            _choose(scores.exp(), right) for scores, right in zip(predicted, columns, strict=True)
        )
        return Lessons(part, tags, arcs, labels, heads.numpy().astype(np.uint8).ravel())


def _of_one_length(sentences: Sequence[Words]) -> Iterator[list[Words]]:
    """Yield batches of sentences of one length."""
    for length, alike in groupby(sorted(sentences, key=len), len):
        group = list(alike)
        step = max(1, _WORDS_AT_A_TIME // length)
        yield from (group[start : start + step] for start in range(0, len(group), step))


def _choose(probabilities: Tensor, right: Tensor | None) -> Choices:
    """Keep the likeliest answers; the right one, where known, counts as much as all of them."""
    if right is not None:
        known = right >= 0
        share = torch.where(known, TREE_SHARE, 0.0).unsqueeze(-1)
        sure = torch.nn.functional.one_hot(right.clamp(min=0), probabilities.shape[-1])
        probabilities = (1 - share) * probabilities + share * sure
    count = min(LIKELIEST, probabilities.shape[-1])
    best, numbers = probabilities.flatten(0, -2).topk(count, -1)
    best = best / best.sum(-1, keepdim=True)
    if count < LIKELIEST:  # heads of a sentence of a word or two
        best = torch.nn.functional.pad(best, (0, LIKELIEST - count))
        numbers = torch.nn.functional.pad(numbers, (0, LIKELIEST - count))
    return Choices(numbers.numpy().astype(np.uint8), best.numpy().astype(np.float16))


def _state(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Name the weights as the network in PyTorch does."""
    state = {
        "embedding.word.weight": weights["word"],
        "embedding.subword.weight": weights["subword"],
        "scorers.arc_root": weights["arc_root"],
        "scorers.label_root": weights["label_root"],
    }
    for layer in ("lower", "upper"):
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            inputs = weights[f"{layer}_{direction}_input"]
            if layer == "upper":
                inputs = weights["upper_projection"] @ inputs
            bias = weights[f"{layer}_{direction}_bias"]
            state[f"{layer}.weight_ih_l0{suffix}"] = inputs.T
            state[f"{layer}.weight_hh_l0{suffix}"] = weights[f"{layer}_{direction}_state"].T
            state[f"{layer}.bias_ih_l0{suffix}"] = bias
            state[f"{layer}.bias_hh_l0{suffix}"] = torch.zeros_like(bias)
    for name in ("lower_tag", "tag", *(f"scorers.{name}" for name in BIASED_SCORERS)):
        array = name.removeprefix("scorers.")
        state[f"{name}.weight"] = weights[array].T
        state[f"{name}.bias"] = weights[f"{array}_bias"]
    for name in UNBIASED_SCORERS:
        state[f"scorers.{name}.weight"] = weights[name].T
    return state
