"""The space of captions that a metric reads its words' vectors from, by its parameter `domain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from captious.metrics.base import Metric
from captious.metrics.domains import DomainSource, domain_parameter, domain_signature
from captious.signature import Resource
from captious.text.domain import load_space
from captious.text.vectors.caption_vectors import CaptionSpace


@dataclass(frozen=True)
class CaptionSpaceMetric(Metric):
    """A metric of captions' places in a space that was learned from captions."""

    domain: DomainSource = domain_parameter()

    english = "its space of captions"
    language_free_with = ("domain",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.load_space()  # fails early on an unusable file

    def load_space(self) -> CaptionSpace:
        """The space, read once."""
        return load_space(self.domain)

    def depends_on(self) -> dict[str, Any]:
        """The space."""
        if self.domain is not None:
            return domain_signature(self.domain)
        vectors = self.load_space().vectors
        return {"space": Resource(vectors.name, vectors.fingerprint)}
