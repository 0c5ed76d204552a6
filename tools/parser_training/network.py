"""The networks' common parts as they are trained, and the large network."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as functions
from torch import Tensor, nn

from .data import Batch, Spellings, Vocabulary


class Sizes(NamedTuple):
    """The widths that decide what the large network can learn and what it costs."""

    word: int
    subword: int
    lower: int
    upper: int
    arc: int
    label: int


class Answers(NamedTuple):
    """Scores of tags, of arcs (sentence, dependent, head; head 0 is the root) and of labels.

    The labels are those of the heads that are given beside them.
    """

    tags: Tensor
    arcs: Tensor
    labels: Tensor
    heads: Tensor
    lower_tags: Tensor | None = None  # the guess of the large network's first layer


class SentenceDropout(nn.Module):  # type: ignore[misc]
    """Dropout of a unit for the whole sentence at once."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, values: Tensor) -> Tensor:
        if not self.training or not self.share:
            return values
        mask = torch.empty(1, *values.shape[1:], dtype=values.dtype).bernoulli_(1 - self.share)
        return values * mask / (1 - self.share)


class Embedding(nn.Module):  # type: ignore[misc]
    """A word is its own vector beside the mean of its pieces' vectors."""

    def __init__(self, vocabulary: Vocabulary, word: int, subword: int) -> None:
        super().__init__()
        self.word = nn.Embedding(len(vocabulary.words) + 1, word)
        self.subword = nn.Embedding(vocabulary.buckets, subword)
        nn.init.normal_(self.word.weight, std=0.3)
        nn.init.normal_(self.subword.weight, std=0.6)
        with torch.no_grad():
            self.word.weight[0] = 0

    def forward(self, spelling: Tensor, spellings: Spellings, hide: float) -> Tensor:
        distinct, where = torch.unique(spelling, return_inverse=True)
        pieces = self.subword(spellings.pieces[distinct])
        pieces = (pieces * spellings.weight[distinct].unsqueeze(-1)).sum(1)[where]
        word = spellings.word[spelling]
        if self.training:
            # Rare words are hidden more often: what is said of the unknown word and of the pieces
            # has to be learnt from words that are as rare as those to come.
            share = hide + 0.3 / (0.3 + spellings.count[spelling])
            word = word.masked_fill(torch.rand(word.shape) < share, 0)
        return torch.cat([self.word(word), pieces], -1)


class TreeScorers(nn.Module):  # type: ignore[misc]
    """A biaffine scorer of arcs, and one of labels that reads a word and its head."""

    def __init__(self, states: int, arc: int, label: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.arc_dependent = nn.Linear(states, arc)
        self.arc_head = nn.Linear(states, arc)
        self.arc = nn.Linear(arc, arc, bias=False)
        self.arc_prior = nn.Linear(arc, 1, bias=False)
        self.arc_root = nn.Parameter(torch.randn(arc) * 0.1)
        self.label_dependent = nn.Linear(states, label)
        self.label_head = nn.Linear(states, label, bias=False)
        self.label_root = nn.Parameter(torch.randn(label) * 0.1)
        self.label = nn.Linear(label, labels)
        self.drop = SentenceDropout(dropout)

    def forward(self, states: Tensor, heads: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """Score arcs and labels; the labels are those of the given heads or of the best ones."""
        dependent = self.drop(functions.relu(self.arc_dependent(states)))
        head = self.drop(functions.relu(self.arc_head(states)))
        head = _below_root(self.arc_root, head)
        arcs = torch.einsum("ibk,jbk->bij", self.arc(dependent), head)
        arcs = arcs.float() + self.arc_prior(head).squeeze(-1).T.float()[:, None]
        length = len(states)
        own = torch.zeros(length, length + 1, dtype=torch.bool)
        own[torch.arange(length), torch.arange(1, length + 1)] = True
        arcs = arcs.masked_fill(own, -1e9)
        if heads is None:
            heads = arcs.argmax(-1).T
        label_head = _below_root(self.label_root, self.label_head(states))
        chosen = label_head.gather(0, heads.unsqueeze(-1).expand(-1, -1, label_head.shape[2]))
        labels = self.label(self.drop(functions.relu(self.label_dependent(states) + chosen)))
        return arcs, labels.float(), heads


def _below_root(root: Tensor, values: Tensor) -> Tensor:
    """Put the root before the words of every sentence."""
    return torch.cat([root.to(values.dtype).expand(1, values.shape[1], -1), values])


def forbid_root(labels: Tensor, heads: Tensor, root: int) -> Tensor:
    """Scores of labels, of which a word without a head can have the root's alone, and only it."""
    is_root = torch.zeros(labels.shape[-1], dtype=torch.bool)
    is_root[root] = True
    return labels.masked_fill(is_root != (heads == 0).unsqueeze(-1), -1e9)


def bidirectional_lstm(inputs: int, width: int) -> nn.LSTM:
    """An LSTM for both directions, with orthogonal weights of the state."""
    lstm = nn.LSTM(inputs, width, bidirectional=True)
    for name, weight in lstm.named_parameters():
        if name.startswith("weight_hh"):
            for gate in weight.chunk(4):
                nn.init.orthogonal_(gate)
        elif name.startswith("weight_ih"):
            nn.init.xavier_uniform_(weight)
        else:
            nn.init.zeros_(weight)
    return lstm


class ParserNetwork(nn.Module):  # type: ignore[misc]
    """The large network: two bidirectional LSTMs, a tagger between them, and scorers."""

    def __init__(self, sizes: Sizes, vocabulary: Vocabulary, dropout: float) -> None:
        super().__init__()
        tags = len(vocabulary.tags)
        self.embedding = Embedding(vocabulary, sizes.word, sizes.subword)
        self.lower = bidirectional_lstm(sizes.word + sizes.subword, sizes.lower)
        self.lower_tag = nn.Linear(2 * sizes.lower, tags)
        self.upper = bidirectional_lstm(2 * sizes.lower + tags, sizes.upper)
        self.tag = nn.Linear(2 * sizes.lower + 2 * sizes.upper, tags)
        self.scorers = TreeScorers(
            2 * sizes.upper, sizes.arc, sizes.label, len(vocabulary.labels), dropout
        )
        self.drop = SentenceDropout(dropout)

    def read(
        self, spelling: Tensor, spellings: Spellings, hide: float = 0.0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What the lower LSTM makes of words, its guess of tags, and both for the upper LSTM."""
        lower, _ = self.lower(self.drop(self.embedding(spelling, spellings, hide)))
        lower = self.drop(lower)
        lower_tags = self.lower_tag(lower).float()
        guess = torch.softmax(lower_tags, -1).to(lower.dtype)
        return lower, lower_tags, torch.cat([lower, guess], -1)

    def forward(
        self, spelling: Tensor, spellings: Spellings, hide: float, heads: Tensor | None
    ) -> Answers:
        """Score tags, arcs and labels of sentences of one length."""
        lower, lower_tags, inputs = self.read(spelling, spellings, hide)
        upper, _ = self.upper(inputs)
        upper = self.drop(upper)
        tags = self.tag(torch.cat([lower, upper], -1)).float()
        arcs, labels, heads = self.scorers(upper, heads)
        return Answers(tags, arcs, labels, heads, lower_tags)


def loss_of(network: ParserNetwork, batch: Batch, spellings: Spellings, hide: float) -> Tensor:
    """Sum the losses of tags, arcs and labels."""
    answers = network(batch.spelling, spellings, hide, batch.heads)
    return (
        0.4 * functions.cross_entropy(answers.lower_tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(answers.tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(answers.arcs.flatten(0, 1), batch.heads.T.flatten())
        + functions.cross_entropy(answers.labels.flatten(0, 1), batch.labels.flatten())
    )
