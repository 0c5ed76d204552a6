"""Metrics in a space of captions: their base class, the parameter `domain`, and cosines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.loops.row_vectors import row_products
from captious.metrics.base import Metric
from captious.metrics.parameters import parameter
from captious.signature import Resource
from captious.text.domain import NAME, Domain, load_space
from captious.text.vectors.caption_vectors import CaptionSpace, VectorRows

DomainSource = Domain | str | Path | None


def domain_parameter() -> Any:
    """Return the parameter `domain`: a file with a trained caption space and word order."""
    return parameter(None, "a file that `captious train captious` wrote, in place of what ships")


def check_domain(given: DomainSource) -> None:
    """Raise an error for a file that is no domain."""
    if given is not None:
        Domain.load(given)


def domain_signature(given: Domain | str | Path) -> dict[str, Any]:
    """Return a domain's file and hash, as signatures state them."""
    name = NAME if isinstance(given, Domain) else Path(given).name
    return {"domain": Resource(name, Domain.load(given).fingerprint)}


def cosines(a: VectorRows, b: VectorRows) -> FloatArray:
    """The cosine of each pair of vectors, all of length one."""
    products = np.empty(len(a.rows))
    row_products(a.vectors.data, a.rows.data, b.vectors.data, b.rows.data, products.data)
    return np.clip(products, -1.0, 1.0, out=products)


@dataclass(frozen=True)
class CaptionSpaceMetric(Metric):
    """A metric of caption vectors in a space that was learned from captions."""

    domain: DomainSource = domain_parameter()

    english = "its space of captions"
    language_free_with = ("domain",)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.load_space()  # fails early on an unusable file

    def load_space(self) -> CaptionSpace:
        """Load the space, once."""
        return load_space(self.domain)

    def depends_on(self) -> dict[str, Any]:
        """The space."""
        if self.domain is not None:
            return domain_signature(self.domain)
        vectors = self.load_space().vectors
        return {"space": Resource(vectors.name, vectors.fingerprint)}
