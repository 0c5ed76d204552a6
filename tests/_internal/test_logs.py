"""The logger `captious`: silent unless asked, then what is read, kept and how long it took."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import captious
from captious._internal.logs import log_duration

QUIET = """
import captious
captious.score(["a dog runs"], [["a dog"]], ["spice"])
"""


@pytest.mark.slow
def test_library_logs_nothing_by_default() -> None:
    done = subprocess.run([sys.executable, "-c", QUIET], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_cache_use_and_durations_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CAPTIOUS_CACHE", str(tmp_path))
    for kept, to_do in ((0, 1), (1, 0)):
        caplog.clear()
        with caplog.at_level(logging.INFO, "captious"):
            captious.score(["a dog runs"], [["a dog"]], ["spice"])
        said = [record.getMessage() for record in caplog.records]
        assert any(f"1 captions, {kept} from the cache, {to_do} to do" in line for line in said)
        assert any(line.startswith("spice: references of 1 images prepared: ") for line in said)
        assert any(line.startswith("spice: 1 candidates scored: ") for line in said)


def test_files_read_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from captious.io.inputs import read_input

    path = tmp_path / "100%s.txt"
    path.write_text("abc")
    with caplog.at_level(logging.INFO, "captious"):
        read_input(path)
    assert [record.getMessage() for record in caplog.records] == [f"reads {path} (3 bytes)"]


def test_failed_stage_has_no_duration(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.INFO, "captious"),
        pytest.raises(ValueError, match="no"),
        log_duration("stage"),
    ):
        raise ValueError("no")
    assert not caplog.records
