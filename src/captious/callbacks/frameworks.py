"""Callbacks for Lightning and for Hugging Face's Trainer, which are imported when one is made."""

from __future__ import annotations

import importlib
import math
from typing import Annotated, Any

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Bounds
from captious.callbacks.watch import Watch
from captious.errors import MissingDependencyError

Epochs = Annotated[int, Bounds(1, whole=True)]


class Hooks:
    """Hooks that a training calls; `watch` measures the model every `every` epochs."""

    def __init__(self, watch: Watch, every: int) -> None:
        super().__init__()
        self.watch, self.every = watch, every


class LightningHooks(Hooks):
    """Hooks of Lightning: after validation, measure and log each metric under its name."""

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Lightning's hook; `ModelCheckpoint(monitor=...)` sees what is logged here."""
        if getattr(trainer, "sanity_checking", False):  # a few batches before training begins
            return
        state = getattr(trainer, "state", None)
        fits = getattr(state, "fn", None) == "fit"  # or else validates alone, at any epoch
        if fits and (trainer.current_epoch + 1) % self.every:
            return
        scores = self.watch(pl_module).items()
        pl_module.log_dict({f"{self.watch.prefix}{name}": value for name, value in scores})


class TrainerHooks(Hooks):
    """Hooks of the Trainer: after evaluation, measure and add each metric as `eval_NAME`."""

    def __init__(self, watch: Watch, every: int, trainer: Any = None) -> None:
        super().__init__(watch, every)
        self.trainer = trainer

    def on_evaluate(
        self,
        args: Any,
        state: Any,
        control: Any,
        model: Any = None,
        metrics: dict[str, float] | None = None,
        **others: Any,
    ) -> None:
        """The Trainer's hook; `metric_for_best_model` may name what is added here."""
        epoch = getattr(state, "epoch", None)  # 2.0 at the end of the second
        if epoch and math.ceil(epoch) % self.every:
            return
        scores = {f"eval_{name}": value for name, value in self.watch(model).items()}
        if metrics is not None:
            metrics.update(scores)
        if self.trainer is None:
            state.log_history.append({**scores, "step": state.global_step})
        else:  # which has told its loggers already what it measured itself
            self.trainer.log(scores)


@check_arguments
def lightning_callback(watch: Watch, every: Epochs = 1) -> Any:
    """A callback for `lightning.Trainer(callbacks=[...])`, which measures every so many epochs."""
    base = _import_first("Lightning", "lightning.pytorch.callbacks", "pytorch_lightning.callbacks")
    return _combine_classes("WatchCallback", LightningHooks, base.Callback)(watch, every)


@check_arguments
def trainer_callback(watch: Watch, every: Epochs = 1, *, trainer: Any = None) -> Any:
    """A callback for `transformers.Trainer(callbacks=[...])`, measuring every so many epochs.

    What it measures is in the Trainer's history. That loggers (TensorBoard, W&B) hear of it, too,
    give it the trainer: `trainer.add_callback(trainer_callback(watch, trainer=trainer))`.
    """
    base = _import_first("transformers", "transformers.trainer_callback")
    return _combine_classes("WatchCallback", TrainerHooks, base.TrainerCallback)(
        watch, every, trainer
    )


def _combine_classes(name: str, hooks: type, base: type) -> Any:
    """Return a class with our hooks, whose other hooks are those of the library's class."""
    return type(name, (hooks, base), {"__doc__": hooks.__doc__})


def _import_first(what: str, *modules: str) -> Any:
    """Import the first of these modules that is installed."""
    for name in modules:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise MissingDependencyError(
        f"this callback is for {what}, which is not installed: pip install {what.lower()}"
    )
