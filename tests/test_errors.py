"""Errors are one line, whatever they name."""

from __future__ import annotations

import pytest

from captious import errors
from captious.errors import CaptiousError
from captious.metrics.cider.document_frequencies import DocumentFrequencies

KINDS = [each for each in vars(errors).values() if isinstance(each, type)]


@pytest.mark.parametrize("kind", [each for each in KINDS if issubclass(each, CaptiousError)])
def test_an_error_of_any_kind_is_one_line(kind: type[CaptiousError]) -> None:
    message = str(kind("a\nb\u2028.csv: é 中 cannot be read"))
    assert message == "a\\nb\\u2028.csv: é 中 cannot be read"
    assert str(kind()) == ""


def test_line_breaks_in_names_are_escaped() -> None:
    with pytest.raises(CaptiousError, match=r"^a\\nb: no document frequencies"):
        DocumentFrequencies.load("a\nb")
