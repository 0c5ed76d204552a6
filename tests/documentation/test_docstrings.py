"""The examples of docstrings give what they show."""

from __future__ import annotations

import doctest
import importlib
import shutil
from pathlib import Path

import pytest

from tests.places import EXAMPLES, ROOT

SOURCES = ROOT / "src"


def modules_with_examples() -> list[str]:
    """Their names."""
    paths = (path for path in sorted(SOURCES.rglob("*.py")) if ">>> " in path.read_text("utf-8"))
    return [".".join(path.relative_to(SOURCES).with_suffix("").parts) for path in paths]


@pytest.mark.parametrize("name", modules_with_examples())
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES / "pictures" / "beach-dog.png", "dog.jpg")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0 and result.failed == 0
