"""Callbacks for Lightning and for Hugging Face's Trainer, which are imported when one is made."""

from __future__ import annotations

import importlib
from typing import Any

from captious.checks.arguments import checked
from captious.errors import MissingDependencyError
from captious.pregen.watch import PregenWatch


class Hooks:
    """What is called during a training; `watch` measures the model."""

    def __init__(self, watch: PregenWatch) -> None:
        super().__init__()
        self.watch = watch


class LightningHooks(Hooks):
    """After each validation epoch: measure, and log each metric under its name."""

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Lightning's hook; `ModelCheckpoint(monitor=...)` sees what is logged here."""
        if not getattr(trainer, "sanity_checking", False):  # a few batches before training begins
            pl_module.log_dict(self.watch(pl_module))


class TrainerHooks(Hooks):
    """After each evaluation: measure, and add each metric as `eval_` and its name."""

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
        scores = {f"eval_{name}": value for name, value in self.watch(model).items()}
        if metrics is not None:
            metrics.update(scores)
        state.log_history.append({**scores, "step": state.global_step})


@checked
def lightning_callback(watch: PregenWatch) -> Any:
    """A callback for `lightning.Trainer(callbacks=[...])`."""
    base = _first_of("Lightning", "lightning.pytorch.callbacks", "pytorch_lightning.callbacks")
    return _joined("PregenCallback", LightningHooks, base.Callback)(watch)


@checked
def trainer_callback(watch: PregenWatch) -> Any:
    """A callback for `transformers.Trainer(callbacks=[...])`."""
    base = _first_of("transformers", "transformers.trainer_callback")
    return _joined("PregenCallback", TrainerHooks, base.TrainerCallback)(watch)


def _joined(name: str, hooks: type, base: type) -> Any:
    """Our hooks over the library's own class, which has the many others that do nothing."""
    return type(name, (hooks, base), {"__doc__": hooks.__doc__})


def _first_of(what: str, *modules: str) -> Any:
    """The first of these modules that is installed."""
    for name in modules:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise MissingDependencyError(
        f"this callback is for {what}, which is not installed: pip install {what.lower()}"
    )
