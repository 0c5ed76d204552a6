"""The small parser as it is trained."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from .data import Spellings, Vocabulary
from .network import Answers, Embedding, SentenceDropout, TreeScorers, bidirectional_lstm


class StudentSizes(NamedTuple):
    """The widths that decide what the network can learn and what it costs."""

    word: int
    subword: int
    word_states: int
    projection: int
    lstm: int
    arc: int
    label: int


class _Recurrence(torch.autograd.Function):  # type: ignore[misc]
    """state[t] = keep[t] * state[t - 1] + added[t], without a tensor for each step."""

    @staticmethod
    def forward(context: Any, keep: Tensor, added: Tensor) -> Tensor:
        states = torch.empty_like(added)
        states[0] = added[0]
        for step in range(1, len(added)):
            torch.addcmul(added[step], keep[step], states[step - 1], out=states[step])
        context.save_for_backward(keep, states)
        return states

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        keep, states = context.saved_tensors
        gradient = gradient.clone()
        for step in range(len(gradient) - 1, 0, -1):
            gradient[step - 1].addcmul_(keep[step], gradient[step])
        of_keep = torch.zeros_like(keep)
        of_keep[1:] = gradient[1:] * states[:-1]
        return of_keep, gradient


class QuasiRecurrent(nn.Module):  # type: ignore[misc]
    """A bidirectional quasi-recurrent layer; its gates read a word and the one before it."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.own = nn.Linear(inputs, 6 * width)
        self.before = nn.Linear(inputs, 6 * width, bias=False)
        with torch.no_grad():
            # From units that keep a word for a while to units that forget it at once.
            keep = torch.linspace(-1, 2.5, width)
            rest = torch.zeros(width)
            self.own.bias.copy_(torch.cat([rest, keep, rest] * 2))

    def forward(self, inputs: Tensor) -> Tensor:
        ahead, back = self.own(inputs).float().chunk(2, -1)
        ahead_before, back_before = self.before(inputs).float().chunk(2, -1)
        return torch.cat(
            [_run(ahead, ahead_before), _run(back.flip(0), back_before.flip(0)).flip(0)], -1
        )


def _run(own: Tensor, before: Tensor) -> Tensor:
    """The states of one direction."""
    gates = torch.cat([own[:1], own[1:] + before[:-1]])
    new, keep, let_out = gates.chunk(3, -1)
    keep = torch.sigmoid(keep)
    return torch.sigmoid(let_out) * _Recurrence.apply(keep, (1 - keep) * torch.tanh(new))


class Student(nn.Module):  # type: ignore[misc]
    """A quasi-recurrent layer, a narrow linear one, an LSTM, and scorers."""

    def __init__(self, sizes: StudentSizes, vocabulary: Vocabulary, dropout: float) -> None:
        super().__init__()
        self.embedding = Embedding(vocabulary, sizes.word, sizes.subword)
        self.word_layer = QuasiRecurrent(sizes.word + sizes.subword, sizes.word_states)
        self.projection = nn.Linear(2 * sizes.word_states, sizes.projection)
        self.lstm = bidirectional_lstm(sizes.projection, sizes.lstm)
        self.tag = nn.Linear(2 * sizes.lstm, len(vocabulary.tags))
        self.scorers = TreeScorers(
            2 * sizes.lstm, sizes.arc, sizes.label, len(vocabulary.labels), dropout=0.0
        )
        self.drop = SentenceDropout(dropout)

    def forward(
        self, spelling: Tensor, spellings: Spellings, hide: float, heads: Tensor | None
    ) -> Answers:
        """Score tags, arcs and labels of sentences of one length."""
        states = self.drop(self.word_layer(self.embedding(spelling, spellings, hide)))
        states = self.drop(self.lstm(self.projection(states))[0])
        arcs, labels, heads = self.scorers(states, heads)
        return Answers(self.tag(states).float(), arcs, labels, heads)
