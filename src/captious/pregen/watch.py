"""PregenWatch: a model measured on validation batches, epoch after epoch."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

from captious.checks.arguments import checked
from captious.errors import InputError
from captious.pregen.adapters import Adapter, Predicted
from captious.pregen.meter import PregenMeter
from captious.pregen.names import BEST, METRICS, Names


class PregenWatch:
    """The callback for a plain training loop: `watch(model)` after an epoch gives the metrics.

    `batches` (a DataLoader or a list) are gone through again each time; `adapter` asks the model
    for the logits of a batch. The model is put in evaluation mode and back, without gradients.
    """

    @checked
    def __init__(
        self, batches: Iterable[Any], adapter: Adapter, metrics: Names = BEST, **options: Any
    ) -> None:
        if isinstance(batches, Iterator):
            raise InputError("batches are used up after one epoch; give a DataLoader or a list")
        self.batches, self.adapter = batches, adapter
        self.meter = PregenMeter(metrics, **options)
        self.history: list[dict[str, float]] = []  # of every call

    def __call__(self, model: Any) -> dict[str, float]:
        """Measure the model as it is now."""
        self.meter.reset()
        device = _device_of(model)
        with _evaluating(model):
            for batch in self.batches:
                asked = Predicted(*self.adapter(model, _moved(batch, device)))
                self.meter.update_logits(
                    asked.logits, asked.targets, mask=asked.mask, images=asked.images
                )
        scores = self.meter.compute()
        self.history.append(scores)
        return scores

    def best(self, metric: str | None = None) -> int:
        """Which call (from 0 on) gave the best value: the lowest perplexity, else the highest."""
        name = self.meter.metrics[0] if metric is None else metric
        if not self.history or name not in self.history[0]:
            raise InputError(f"{name}: not measured yet; measured are {self.meter.metrics}")
        values = [scores[name] for scores in self.history]
        return values.index((min if METRICS[name].lower_is_better else max)(values))


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Evaluation mode without gradients, and afterwards as before."""
    was_training = getattr(model, "training", False)
    # Whoever has a model of PyTorch has imported it; we need not.
    torch = sys.modules.get("torch")
    with nullcontext() if torch is None else torch.no_grad():
        if was_training:
            model.eval()
        try:
            yield
        finally:
            if was_training:
                model.train()


def _device_of(model: Any) -> Any:
    """Where the model lies, if it says so."""
    parameters = getattr(model, "parameters", None)
    first = next(iter(parameters()), None) if callable(parameters) else None
    return getattr(first, "device", None)


def _moved(batch: Any, device: Any) -> Any:
    """A batch with its tensors on a device."""
    if device is None:
        return batch
    if isinstance(batch, Mapping):
        return {name: _moved(value, device) for name, value in batch.items()}
    if isinstance(batch, list | tuple) and not hasattr(batch, "_fields"):
        return type(batch)(_moved(value, device) for value in batch)
    return batch.to(device) if hasattr(batch, "to") else batch
