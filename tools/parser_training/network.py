"""The parser's network as it is trained."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as functions
from torch import Tensor, nn

from .data import Batch, Spellings


class Sizes(NamedTuple):
    """The widths that decide what the network can learn and what it costs."""

    word: int
    subword: int
    buckets: int
    lower: int
    upper: int
    arc: int
    label: int


class ParserNetwork(nn.Module):  # type: ignore[misc]
    """Two bidirectional LSTMs, a tagger between them, and scorers of arcs and of labels."""

    def __init__(self, sizes: Sizes, words: int, tags: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.word = nn.Embedding(words + 1, sizes.word)
        self.subword = nn.Embedding(sizes.buckets, sizes.subword)
        nn.init.normal_(self.word.weight, std=0.3)
        nn.init.normal_(self.subword.weight, std=0.6)
        with torch.no_grad():
            self.word.weight[0] = 0
        self.lower = nn.LSTM(sizes.word + sizes.subword, sizes.lower, bidirectional=True)
        self.lower_tag = nn.Linear(2 * sizes.lower, tags)
        self.upper = nn.LSTM(2 * sizes.lower + tags, sizes.upper, bidirectional=True)
        for lstm in (self.lower, self.upper):
            for name, weight in lstm.named_parameters():
                if name.startswith("weight_hh"):
                    for gate in weight.chunk(4):
                        nn.init.orthogonal_(gate)
                elif name.startswith("weight_ih"):
                    nn.init.xavier_uniform_(weight)
                else:
                    nn.init.zeros_(weight)
        self.tag = nn.Linear(2 * sizes.lower + 2 * sizes.upper, tags)
        self.arc_dependent = nn.Linear(2 * sizes.upper, sizes.arc)
        self.arc_head = nn.Linear(2 * sizes.upper, sizes.arc)
        self.arc = nn.Linear(sizes.arc, sizes.arc, bias=False)
        self.arc_prior = nn.Linear(sizes.arc, 1, bias=False)
        self.arc_root = nn.Parameter(torch.randn(sizes.arc) * 0.1)
        self.label_dependent = nn.Linear(2 * sizes.upper, sizes.label)
        self.label_head = nn.Linear(2 * sizes.upper, sizes.label, bias=False)
        self.label_root = nn.Parameter(torch.randn(sizes.label) * 0.1)
        self.label = nn.Linear(sizes.label, labels)
        self.dropout = dropout

    def drop(self, values: Tensor) -> Tensor:
        """Drop a unit for the whole sentence at once."""
        if not self.training:
            return values
        mask = torch.empty(1, *values.shape[1:], dtype=values.dtype).bernoulli_(1 - self.dropout)
        return values * mask / (1 - self.dropout)

    def embed(self, spelling: Tensor, spellings: Spellings, word_dropout: float) -> Tensor:
        """Embed words by their own vector beside the mean of their pieces' vectors."""
        distinct, where = torch.unique(spelling, return_inverse=True)
        pieces = self.subword(spellings.pieces[distinct])
        pieces = (pieces * spellings.weight[distinct].unsqueeze(-1)).sum(1)[where]
        word = spellings.word[spelling]
        if self.training:
            # Rare words are hidden more often: what is said of the unknown word and of the pieces
            # has to be learnt from words that are as rare as those to come.
            hide = word_dropout + 0.3 / (0.3 + spellings.count[spelling])
            word = word.masked_fill(torch.rand(word.shape) < hide, 0)
        return torch.cat([self.word(word), pieces], -1)

    def read(
        self, spelling: Tensor, spellings: Spellings, word_dropout: float = 0.0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What the lower LSTM makes of words, its guess of tags, and both for the upper LSTM."""
        lower, _ = self.lower(self.drop(self.embed(spelling, spellings, word_dropout)))
        lower = self.drop(lower)
        lower_tags = self.lower_tag(lower).float()
        guess = torch.softmax(lower_tags, -1).to(lower.dtype)
        return lower, lower_tags, torch.cat([lower, guess], -1)

    def forward(
        self, spelling: Tensor, spellings: Spellings, word_dropout: float, heads: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Score tags (twice), arcs (dependent, head; head 0 is the root), labels; and the heads."""
        lower, lower_tags, inputs = self.read(spelling, spellings, word_dropout)
        upper, _ = self.upper(inputs)
        upper = self.drop(upper)
        tags = self.tag(torch.cat([lower, upper], -1))
        dependent = self.drop(functions.relu(self.arc_dependent(upper)))
        head = self.drop(functions.relu(self.arc_head(upper)))
        root = self.arc_root.to(head.dtype).expand(1, head.shape[1], -1)
        head = torch.cat([root, head])
        arcs = torch.einsum("ibk,jbk->bij", self.arc(dependent), head)
        arcs = arcs.float() + self.arc_prior(head).squeeze(-1).T.float()[:, None]
        length = spelling.shape[0]
        own = torch.zeros(length, length + 1, dtype=torch.bool)
        own[torch.arange(length), torch.arange(1, length + 1)] = True
        arcs = arcs.masked_fill(own, -1e9)
        if heads is None:
            heads = arcs.argmax(-1).T
        label_head = self.label_head(upper)
        root = self.label_root.to(label_head.dtype).expand(1, label_head.shape[1], -1)
        label_head = torch.cat([root, label_head])
        chosen = label_head.gather(0, heads.unsqueeze(-1).expand(-1, -1, label_head.shape[2]))
        labels = self.label(self.drop(functions.relu(self.label_dependent(upper) + chosen)))
        return lower_tags, tags.float(), arcs, labels.float(), heads


def loss_of(network: ParserNetwork, batch: Batch, spellings: Spellings, hide: float) -> Tensor:
    """Sum the losses of tags, arcs and labels."""
    lower_tags, tags, arcs, labels, _ = network(batch.spelling, spellings, hide, batch.heads)
    return (
        0.4 * functions.cross_entropy(lower_tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(tags.flatten(0, 1), batch.tags.flatten())
        + functions.cross_entropy(arcs.flatten(0, 1), batch.heads.T.flatten())
        + functions.cross_entropy(labels.flatten(0, 1), batch.labels.flatten())
    )
