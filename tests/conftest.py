"""What tests share: example captions, and the folder of real data where it is there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from captious.io.cache import FOLDER_VARIABLE, KEY_VARIABLE
from tests.places import EXAMPLES, ROOT, SHARED

# Memory is bounded, and processes are killed, by means of Linux.
collect_ignore_glob = [] if sys.platform == "linux" else ["fuzz/*", "kills/*"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

# Libraries read this when they are imported: no test asks a hub for a model.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# How long an example takes says more of what else the machine does than of the code: no deadline.
# Every run and every machine tries the same examples, so that a failure is found again by running
# the test again, and a change is not blamed for another's bug. `make nightly` tries others each
# night and keeps those that failed in .hypothesis, from which every later nightly run starts. Both
# print the line that runs a failed example again elsewhere.
settings.register_profile("same", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=1000,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(ROOT / ".hypothesis" / "examples"),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell starts its background jobs with Ctrl-C ignored, which tests of Ctrl-C would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run that prints a warning fails: filters make errors of most, but code may set its own."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("warnings") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session", autouse=True)
def cache_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests do not use the user's cache and key; processes of one run share one of each."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, str(folder / "key" / "cache.key"))
        patch.setenv(FOLDER_VARIABLE, str(folder / "cache"))
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
