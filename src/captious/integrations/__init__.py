"""Captious inside other frameworks: one module per framework, imported when needed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from captious.callbacks.frameworks import lightning_callback, trainer_callback
    from captious.integrations.batches import BatchScorer
    from captious.integrations.caption_watch import CaptionWatch, Generated
    from captious.integrations.rewards import CaptionReward
    from captious.integrations.torchmetrics import CaptionMetric

__all__ = [
    "BatchScorer",
    "CaptionMetric",
    "CaptionReward",
    "CaptionWatch",
    "Generated",
    "evaluate_module",
    "lightning_callback",
    "trainer_callback",
]
_MODULES = {
    "integrations.batches": ("BatchScorer",),
    "integrations.caption_watch": ("CaptionWatch", "Generated"),
    "integrations.torchmetrics": ("CaptionMetric",),
    "integrations.rewards": ("CaptionReward",),
    "callbacks.frameworks": ("lightning_callback", "trainer_callback"),
}


def evaluate_module() -> str:
    """The path of our module for Hugging Face's `evaluate.load`: a local file, no network."""
    return str(Path(__file__).with_name("evaluate.py"))


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _MODULES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'captious.integrations' has no attribute {name!r}")
    return getattr(import_module(f"captious.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
