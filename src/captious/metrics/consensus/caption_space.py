"""The parameter `space`: the space of captions that a metric reads its words' vectors from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.metrics.base import Metric
from captious.metrics.parameters import parameter
from captious.signature import Resource
from captious.text.vectors.caption_vectors import CaptionSpace


@dataclass(frozen=True)
class InCaptionSpace(Metric):
    """A metric of captions' places in a space that was learned from captions."""

    space: str | Path | None = parameter(
        None,
        "a file made by `tools/train_caption_vectors.py`, in place of the space that ships",
        words={"captions": None},
    )

    english = "its space of captions"
    english_unless = ("space",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.loaded_space()  # a file that is no space is said now, not after the work

    def loaded_space(self) -> CaptionSpace:
        """The space, read once."""
        return CaptionSpace.load(self.space)

    def depends_on(self) -> dict[str, Any]:
        """The space."""
        vectors = self.loaded_space().vectors
        return {"space": Resource.of(self.space, vectors.name, vectors.fingerprint)}
