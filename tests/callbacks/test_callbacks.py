"""Callbacks over any watch, with libraries made up for the test."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from captious import pregen
from captious.callbacks.frameworks import lightning_callback, trainer_callback
from captious.callbacks.watch import Watch
from captious.errors import InputError, MissingDependencyError


class Count(Watch):
    """How often it was asked, and how many batches there were."""

    prefix = "val/"

    def measure(self, model: Any, batches: Iterator[Any]) -> dict[str, float]:
        return {"calls": len(self.history) + 1.0, "batches": float(len(list(batches)))}


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> type[Any]:
    """Lightning and transformers as far as a callback sees them."""

    class Base:
        def on_train_end(self, *arguments: Any, **options: Any) -> str:
            return "of the base"

    lightning: Any = types.ModuleType("lightning.pytorch.callbacks")
    lightning.Callback = Base
    transformers: Any = types.ModuleType("transformers.trainer_callback")
    transformers.TrainerCallback = Base
    for module in (lightning, transformers):
        parts = module.__name__.split(".")
        for end in range(1, len(parts)):
            name = ".".join(parts[:end])
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return Base


class Module:
    """What logs, as a module of Lightning does."""

    def __init__(self) -> None:
        self.logged: list[dict[str, float]] = []
        self.log_dict = self.logged.append


def lightning_trainer(epoch: int, doing: str = "fit", sanity: bool = False) -> Any:
    state = types.SimpleNamespace(fn=doing)
    return types.SimpleNamespace(state=state, current_epoch=epoch, sanity_checking=sanity)


def test_lightning_logs_what_is_measured(libraries: type[Any]) -> None:
    callback, module = lightning_callback(Count(["a", "b"])), Module()
    assert isinstance(callback, libraries) and callback.on_train_end() == "of the base"
    callback.on_validation_epoch_end(lightning_trainer(0, sanity=True), module)
    assert not module.logged
    callback.on_validation_epoch_end(lightning_trainer(0), module)
    assert module.logged == [{"val/calls": 1, "val/batches": 2}]


def test_lightning_every_third_epoch_and_whenever_asked(libraries: type[Any]) -> None:
    callback, module = lightning_callback(Count([]), every=3), Module()
    counts = []
    for epoch in range(7):
        callback.on_validation_epoch_end(lightning_trainer(epoch), module)
        counts.append(len(module.logged))
    assert counts == [0, 0, 1, 1, 1, 2, 2]
    callback.on_validation_epoch_end(lightning_trainer(7, "validate"), module)
    assert len(module.logged) == 3


def trainer_state(epoch: float | None) -> Any:
    return types.SimpleNamespace(log_history=[], global_step=7, epoch=epoch)


def test_trainer_callback_logs_scores(libraries: type[Any]) -> None:
    callback, state, metrics = (
        trainer_callback(Count(["a"])),
        trainer_state(1.0),
        {"eval_loss": 1.0},
    )
    assert isinstance(callback, libraries)
    callback.on_evaluate(None, state, None, model=None, metrics=metrics, optimizer=None)
    assert metrics == {"eval_loss": 1, "eval_calls": 1, "eval_batches": 1}
    assert state.log_history == [{"eval_calls": 1, "eval_batches": 1, "step": 7}]


def test_trainer_passes_scores_to_its_loggers(libraries: type[Any]) -> None:
    logged: list[dict[str, float]] = []
    trainer = types.SimpleNamespace(log=logged.append)
    state = trainer_state(1.0)
    trainer_callback(Count([]), trainer=trainer).on_evaluate(None, state, None)
    assert logged == [{"eval_calls": 1, "eval_batches": 0}] and not state.log_history


def test_the_trainer_every_second_epoch_and_before_any(libraries: type[Any]) -> None:
    watch = Count([])
    callback = trainer_callback(watch, every=2)
    counts = []
    for epoch in (None, 0, 0.5, 1.0, 1.5, 2.0, 2.1, 3.0, 4.0):
        callback.on_evaluate(None, trainer_state(epoch), None)
        counts.append(len(watch.history))
    assert counts == [1, 2, 2, 2, 3, 4, 4, 4, 5]


@pytest.mark.parametrize("make", [lightning_callback, trainer_callback])
def test_wrong_arguments_are_errors(make: Callable[..., Any], libraries: type[Any]) -> None:
    for every in (0, -1, 1.5, "2", None, True):
        with pytest.raises(InputError, match="every: a whole number from 1 on"):
            make(Count([]), every=every)
    with pytest.raises(InputError, match="watch: a Watch, not"):
        make(print)


@pytest.mark.parametrize(
    ("make", "absent"),
    [
        (lightning_callback, ("lightning.pytorch.callbacks", "pytorch_lightning.callbacks")),
        (trainer_callback, ("transformers.trainer_callback",)),
    ],
)
def test_a_library_that_is_not_installed_is_named(
    make: Callable[..., Any], absent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependencyError, match="pip install"):
        make(Count([]))


def test_pre_gen_metrics_have_the_same_callbacks() -> None:
    assert pregen.lightning_callback is lightning_callback
    assert pregen.trainer_callback is trainer_callback
    assert issubclass(pregen.PregenWatch, Watch)
