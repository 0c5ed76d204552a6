"""The names that the package has for its users."""

from __future__ import annotations

import pytest

import captious


@pytest.mark.parametrize("name", captious.__all__)
def test_every_name_is_found_where_it_lives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "__version__":
        monkeypatch.delitem(vars(captious), name, raising=False)  # as if nobody had asked yet
    assert getattr(captious, name) is not None
