"""Watch: a model measured on validation batches, epoch after epoch, and left as it was."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, TypeVar

from captious.errors import InputError

Found = TypeVar("Found")


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
        measured = partial(self._measured, model)
        scores = _broadcast_from_first_process(measured) if self.first_process_alone else measured()
        self.history.append(scores)
        return scores

    def _measured(self, model: Any) -> dict[str, float]:
        device = _device_of(model)
        with _evaluating(model):
            return self.measure(model, (_moved(batch, device) for batch in self.batches))


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Evaluation mode without gradients, and afterwards as before."""
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


def _broadcast_from_first_process(find: Callable[[], Found]) -> Found:
    """Return what `find` returns in the first process of PyTorch's group; without a group, here.

    If it fails there, all processes fail: none waits for an answer that does not come.
    """
    # Training in a group implies that torch is imported; it is not imported here.
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return find()
    found: Found | None = None
    failure: Exception | None = None
    if distributed.get_rank() == 0:
        try:
            found = find()
        except Exception as error:
            failure = error
    answer_and_failure: list[Any] = [
        found,
        failure if failure is None else f"{type(failure).__name__}: {failure}",
    ]
    distributed.broadcast_object_list(answer_and_failure, src=0)
    if failure is not None:
        raise failure
    if answer_and_failure[1] is not None:
        raise InputError(
            f"the first process failed ({answer_and_failure[1]}); see its error message"
        )
    answer: Found = answer_and_failure[0]
    return answer
