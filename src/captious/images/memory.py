"""Where vectors of images are kept: on disk, or as here for as long as an object lives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class VectorStore(Protocol):
    """Values of bytes by the name of an analysis and a key; `AnalysisCache` is one, on disk."""

    def get(self, analysis: str, captions: Sequence[str], /) -> dict[str, bytes]:
        """The values that are known for these keys."""

    def put(self, analysis: str, values: Mapping[str, bytes], /) -> None:
        """Keep values."""


class VectorMemory:
    """A store in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, bytes]] = {}

    def get(self, analysis: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values that are known for these keys."""
        kept = self._kept.get(analysis, {})
        return {key: kept[key] for key in keys if key in kept}

    def put(self, analysis: str, values: Mapping[str, bytes]) -> None:
        """Keep values."""
        self._kept.setdefault(analysis, {}).update(values)
