"""The names that the package has for its users."""

from __future__ import annotations

import pytest

import captious
from tests.places import ROOT


@pytest.mark.parametrize("name", captious.__all__)
def test_every_name_is_found_where_it_lives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "__version__":
        monkeypatch.delitem(vars(captious), name, raising=False)  # as before the first access
    assert getattr(captious, name) is not None


def test_names_and_parameters_are_those_that_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others call them: docs/public_api.md says what may change, and when."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from list_public_api import LISTING, list_lines

    kept, now = LISTING.read_text(encoding="utf-8").splitlines(), list_lines()
    gone, new = sorted({*kept} - {*now}), sorted({*now} - {*kept})
    assert not gone, f"gone or changed: {gone}; instead: {new}"
    assert now == kept, f"new: {new}; python tools/list_public_api.py writes the file again"
