"""PregenWatch: computes pre-gen metrics of a model after each epoch.

An adapter asks the model for the logits of reference captions. It is any function of a model and a
batch that returns `Predicted`; here are two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from captious._internal.checks.arguments import check_arguments
from captious.callbacks.watch import Watch
from captious.errors import InputError
from captious.pregen.meter import PregenMeter
from captious.pregen.names import BEST, METRICS, MetricNames

Field = str | Callable[[Any], Any]  # of a batch: a name in it, or a function that finds it


class Predicted(NamedTuple):
    """Logits (captions x words x vocabulary) with the words that they predict.

    The last word is the end token; without a mask, negative targets are padding. `images` has an
    id for each caption.
    """

    logits: Any
    targets: Any
    images: Any = None
    mask: Any = None


Adapter = Callable[[Any, Any], Predicted]


@dataclass(frozen=True)
class LogitsAdapter:
    """Any PyTorch captioner: `forward(model, batch)` returns the logits of the batch's targets."""

    forward: Callable[[Any, Any], Any]
    targets: Field = "targets"
    images: Field = "images"
    mask: Field | None = None

    def __call__(self, model: Any, batch: Any) -> Predicted:
        """Run the model on a batch."""
        mask = None if self.mask is None else batch_field(batch, self.mask)
        targets, images = batch_field(batch, self.targets), batch_field(batch, self.images)
        return Predicted(self.forward(model, batch), targets, images, mask)


@dataclass(frozen=True)
class HuggingFaceAdapter:
    """Any image-to-text model of Hugging Face's transformers.

    A batch is a mapping: `labels` (with the end token, padding -100), `images` (an id for each
    caption), and the model's other inputs, such as `pixel_values`. An encoder with a decoder
    (ViT-GPT2, Donut) predicts each label at its own position; other models (BLIP, GIT) take the
    caption as `input_ids`, too, and predict each label one position before.
    """

    labels: str = "labels"
    images: Field = "images"
    shifted: bool | None = None  # as the model's configuration says, unless given

    def __call__(self, model: Any, batch: Any) -> Predicted:
        """Run the model on a batch."""
        labels, images = batch_field(batch, self.labels), batch_field(batch, self.images)
        excluded = {self.images} if isinstance(self.images, str) else set()
        shifted = self._is_shifted(model)
        if shifted:  # given labels, some models compute a loss that cannot do with our padding
            excluded.add(self.labels)
        output = model(**{name: value for name, value in batch.items() if name not in excluded})
        logits = output.logits
        if not shifted:
            return Predicted(logits, labels, images)
        # Positions before the caption's own are the image's.
        words = labels.shape[1]
        return Predicted(logits[:, -words:-1], labels[:, 1:], images)

    def _is_shifted(self, model: Any) -> bool:
        if self.shifted is not None:
            return self.shifted
        return not getattr(getattr(model, "config", None), "is_encoder_decoder", False)


def batch_field(batch: Any, field: Field) -> Any:
    """Return a field of a batch, by name or by function."""
    if callable(field):
        return field(batch)
    if not isinstance(batch, Mapping):
        raise InputError(
            f"a batch is a {type(batch).__name__}, in which nothing is called {field!r}; "
            "give the adapter a function that finds it"
        )
    if field not in batch:
        raise InputError(f"a batch has no {field!r}; it has: {', '.join(map(str, batch))}")
    return batch[field]


class PregenWatch(Watch):
    """The callback for a plain training loop: `watch(model)` after an epoch gives the metrics.

    `batches` (a DataLoader or a list) are gone through again each time; `adapter` asks the model
    for the logits of a batch. The model is put in evaluation mode and back, without gradients.
    """

    @check_arguments
    def __init__(
        self, batches: Iterable[Any], adapter: Adapter, metrics: MetricNames = BEST, **options: Any
    ) -> None:
        super().__init__(batches)
        self.adapter = adapter
        self.meter = PregenMeter(metrics, **options)

    def measure(self, model: Any, batches: Iterator[Any]) -> dict[str, float]:
        """Pre-gen metrics of the logits of all batches."""
        self.meter.reset()
        for batch in batches:
            predicted = Predicted(*self.adapter(model, batch))
            self.meter.update_logits(
                predicted.logits, predicted.targets, mask=predicted.mask, images=predicted.images
            )
        return self.meter.compute()

    def best(self, metric: str | None = None) -> int:
        """Which call (from 0 on) gave the best value: the lowest perplexity, else the highest."""
        name = self.meter.metrics[0] if metric is None else metric
        if not self.history or name not in self.history[0]:
            raise InputError(f"{name}: not measured yet; measured are {self.meter.metrics}")
        values = [scores[name] for scores in self.history]
        return values.index((min if METRICS[name].lower_is_better else max)(values))
