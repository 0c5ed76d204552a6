"""What tests share: example captions, and the folder of real data where it is there."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from captious.cache import FOLDER_VARIABLE
from tests.places import EXAMPLES, SHARED

# Memory is bounded, and processes are killed, by means of Linux.
collect_ignore_glob = [] if sys.platform == "linux" else ["fuzz/*", "kills/*"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

# How long an example takes says more of what else the machine does than of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def cache_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor fill the user's cache of analyses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once; where playwright or Chromium is missing, tests are skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real data; tests that need it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared")
    return SHARED


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def references() -> dict[str, list[str]]:
    """The references of the shipped examples."""
    return {row["id"]: row["references"] for row in read_rows(EXAMPLES / "references.jsonl")}


@pytest.fixture(scope="session")
def candidates() -> dict[str, str]:
    """One example system's captions."""
    return {row["id"]: row["candidate"] for row in read_rows(EXAMPLES / "hasty.jsonl")}
