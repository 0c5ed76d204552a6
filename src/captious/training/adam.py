"""Adam that goes on exactly where a checkpoint left it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from captious.backends.pytorch import import_torch
from captious.training.checkpoint import Checkpoint

if TYPE_CHECKING:
    import torch


class ResumableAdam:
    """PyTorch's Adam over some weights, its moments kept in and taken from a checkpoint.

    `options` are Adam's own; gradients longer than `largest_gradient` are cut to that length.
    """

    def __init__(
        self,
        weights: Sequence[torch.Tensor],
        state: Checkpoint,
        learning_rate: float,
        largest_gradient: float | None = None,
        **options: Any,
    ) -> None:
        self._torch = import_torch()
        self._weights, self._steps = list(weights), state.steps
        self._largest = largest_gradient
        self._adam = self._torch.optim.Adam(self._weights, lr=learning_rate, **options)
        if state.steps:
            for weight, first, second in zip(self._weights, state.first, state.second, strict=True):
                self._adam.state[weight] = {
                    "step": self._torch.tensor(float(state.steps)),
                    "exp_avg": self._torch.tensor(first),
                    "exp_avg_sq": self._torch.tensor(second),
                }

    def set_rate(self, learning_rate: float) -> None:
        """From now on, this learning rate."""
        for group in self._adam.param_groups:
            group["lr"] = learning_rate

    def step(self, loss: torch.Tensor) -> float:
        """Learn from one batch; its loss."""
        self._adam.zero_grad()
        loss.backward()
        if self._largest is not None:
            self._torch.nn.utils.clip_grad_norm_(self._weights, self._largest)
        self._adam.step()
        self._steps += 1
        return float(loss.detach())

    def store(self, state: Checkpoint) -> None:
        """Put weights and moments where a checkpoint keeps them."""
        moments = [self._adam.state[weight] for weight in self._weights]
        state.arrays = [weight.detach().numpy().copy() for weight in self._weights]
        state.first = [moment["exp_avg"].numpy().copy() for moment in moments]
        state.second = [moment["exp_avg_sq"].numpy().copy() for moment in moments]
        state.steps = self._steps
