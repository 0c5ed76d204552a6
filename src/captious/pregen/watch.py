"""PregenWatch: computes pre-gen metrics of a model after each epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.callbacks.watch import Watch
from captious.errors import InputError
from captious.pregen.adapters import Adapter, Predicted
from captious.pregen.meter import PregenMeter
from captious.pregen.names import BEST, METRICS, Names


class PregenWatch(Watch):
    """The callback for a plain training loop: `watch(model)` after an epoch gives the metrics.

    `batches` (a DataLoader or a list) are gone through again each time; `adapter` asks the model
    for the logits of a batch. The model is put in evaluation mode and back, without gradients.
    """

    @check_arguments
    def __init__(
        self, batches: Iterable[Any], adapter: Adapter, metrics: Names = BEST, **options: Any
    ) -> None:
        super().__init__(batches)
        self.adapter = adapter
        self.meter = PregenMeter(metrics, **options)

    def measure(self, model: Any, batches: Iterator[Any]) -> dict[str, float]:
        """Pre-gen metrics of the logits of all batches."""
        self.meter.reset()
        for batch in batches:
            asked = Predicted(*self.adapter(model, batch))
            self.meter.update_logits(
                asked.logits, asked.targets, mask=asked.mask, images=asked.images
            )
        return self.meter.compute()

    def best(self, metric: str | None = None) -> int:
        """Which call (from 0 on) gave the best value: the lowest perplexity, else the highest."""
        name = self.meter.metrics[0] if metric is None else metric
        if not self.history or name not in self.history[0]:
            raise InputError(f"{name}: not measured yet; measured are {self.meter.metrics}")
        values = [scores[name] for scores in self.history]
        return values.index((min if METRICS[name].lower_is_better else max)(values))
