"""Watch: measures a model on validation batches after each epoch, and leaves it as it was."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, TypeVar

from captious.errors import InputError

Answer = TypeVar("Answer")


class Watch(ABC):
    """The callback for a plain training loop: `watch(model)` after an epoch gives the metrics.

    `batches` (a DataLoader or a list) are gone through again each time. The model is put in
    evaluation mode and back, without gradients.
    """

    prefix = ""  # of the names under which Lightning logs
    first_process_alone = False  # measures, where several train one model

    def __init__(self, batches: Iterable[Any]) -> None:
        if isinstance(batches, Iterator):
            raise InputError("batches are used up after one epoch; give a DataLoader or a list")
        self.batches = batches
        self.history: list[dict[str, float]] = []  # of every call

    @abstractmethod
    def measure(self, model: Any, batches: Iterator[Any]) -> dict[str, float]:
        """Metrics by name of a model in evaluation mode, from batches that lie where it lies."""

    def __call__(self, model: Any) -> dict[str, float]:
        """Measure the model as it is now."""
        measure = partial(self._measure_model, model)
        scores = _broadcast_from_first_process(measure) if self.first_process_alone else measure()
        self.history.append(scores)
        return scores

    def _measure_model(self, model: Any) -> dict[str, float]:
        device = _device_of(model)
        with _evaluation_mode(model):
            return self.measure(model, (_move_to_device(batch, device) for batch in self.batches))


@contextmanager
def _evaluation_mode(model: Any) -> Iterator[None]:
    """Put a model in evaluation mode without gradients, and back afterwards."""
    was_training = getattr(model, "training", False)
    # A PyTorch model implies that torch is imported; it is not imported here.
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
    """Return the device of a model, or None if it does not say."""
    parameters = getattr(model, "parameters", None)
    first = next(iter(parameters()), None) if callable(parameters) else None
    return getattr(first, "device", None)


def _move_to_device(batch: Any, device: Any) -> Any:
    """Move the tensors of a batch to a device."""
    if device is None:
        return batch
    if isinstance(batch, Mapping):
        return {name: _move_to_device(value, device) for name, value in batch.items()}
    if isinstance(batch, list | tuple) and not hasattr(batch, "_fields"):
        return type(batch)(_move_to_device(value, device) for value in batch)
    return batch.to(device) if hasattr(batch, "to") else batch


def _broadcast_from_first_process(compute: Callable[[], Answer]) -> Answer:
    """Return what `compute` returns in the first process of PyTorch's group; without a group, here.

    If it fails there, all processes fail: none waits for an answer that does not come.
    """
    # Training in a group implies that torch is imported; it is not imported here.
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return compute()
    computed: Answer | None = None
    failure: Exception | None = None
    if distributed.get_rank() == 0:
        try:
            computed = compute()
        except Exception as error:
            failure = error
    answer_and_failure: list[Any] = [
        computed,
        failure if failure is None else f"{type(failure).__name__}: {failure}",
    ]
    distributed.broadcast_object_list(answer_and_failure, src=0)
    if failure is not None:
        raise failure
    if answer_and_failure[1] is not None:
        raise InputError(
            f"the first process failed ({answer_and_failure[1]}); see its error message"
        )
    answer: Answer = answer_and_failure[0]
    return answer
