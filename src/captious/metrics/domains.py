"""Domains of metrics: the parameter that names a file, and its signature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from captious.metrics.parameters import parameter
from captious.signature import Resource
from captious.text.domain import NAME, Domain

DomainSource = Domain | str | Path | None


def domain_parameter() -> Any:
    """The domain of a metric that reads captions as those of its domain taught."""
    return parameter(None, "a file that `captious train captious` wrote, in place of what ships")


def check_domain(given: DomainSource) -> None:
    """Raise an error for a file that is no domain."""
    if given is not None:
        Domain.load(given)


def domain_signature(given: Domain | str | Path) -> dict[str, Any]:
    """The file and its hash, as signatures give them."""
    name = NAME if isinstance(given, Domain) else Path(given).name
    return {"domain": Resource(name, Domain.load(given).fingerprint)}
