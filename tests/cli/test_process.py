"""The process: streams that are closed, full or broken, signals at any time, and exit codes."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from captious.cli import metrics
from captious.cli.main import main

pytestmark = pytest.mark.slow

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
# Sends a signal to itself as soon as a module is looked for, then is the command.
SIGNALLED = """
import os, signal, sys
place, number = sys.argv[1], int(sys.argv[2])
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == place:
            os.kill(os.getpid(), number)
sys.meta_path.insert(0, Sender())
sys.argv[:] = ["captious", *sys.argv[3:]]
from captious.__main__ import main
sys.exit(main())
"""
STOPPED_WHILE_WRITING = """
import os, signal, sys
import captious.cli.main
from captious.__main__ import main
from captious.io.atomic_files import atomic_write
def write():
    with atomic_write(sys.argv[1]) as stream:
        stream.write(b"half")
        os.kill(os.getpid(), signal.SIGTERM)
captious.cli.main.main = write
main()
"""


def captious(*arguments: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "captious", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run(command, text=True, check=False, **streams)


def in_shell(line: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m captious {line}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)


@pytest.fixture
def broken_pipe() -> Iterator[int]:
    """A pipe without a reader."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


def test_the_installed_command_is_the_module() -> None:
    (command,) = metadata.entry_points(group="console_scripts", name="captious")
    assert command.value == "captious.__main__:main"


@pytest.mark.parametrize("line", ["metrics >&-", "--help >&-", "--version >&-"])
def test_closed_standard_output_is_an_error(line: str) -> None:
    done = in_shell(line)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "standard output is closed" in done.stderr


def test_nothing_is_written_where_the_result_could_not_be_printed(tmp_path: Path) -> None:
    done = in_shell(f"graph 'a dog' --output {tmp_path}/graph.svg >&-")
    assert done.returncode == 2 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [("metrics 2>&-", 0), ("score absent.json 2>&-", 2), ("nonsense 2>&-", 2)],
)
def test_a_closed_standard_error_changes_nothing_else(line: str, code: int) -> None:
    done = in_shell(line)
    assert done.returncode == code and ("bleu" in done.stdout) == (code == 0)
    assert "error" not in done.stdout, "what was meant for another stream"


@needs_full
@pytest.mark.parametrize("arguments", [["metrics"], ["--help"], ["metrics", "--help"]])
def test_full_disk_is_an_error(arguments: list[str]) -> None:
    with FULL.open("w") as full:
        done = captious(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "standard output: cannot be written" in done.stderr


@needs_full
def test_exit_code_is_kept_when_standard_error_is_closed() -> None:
    with FULL.open("w") as full:
        assert captious("score", "absent.json", stderr=full).returncode == 2


@pytest.mark.parametrize("arguments", [["metrics"], ["--help"], ["--version"]])
def test_broken_pipe_is_no_error(arguments: list[str], broken_pipe: int) -> None:
    done = captious(*arguments, stdout=broken_pipe)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "place", ["captious.cli.main", "numpy", "captious.diagnostics.explanation"]
)
def test_an_interrupt_is_quiet_wherever_it_comes(place: str) -> None:
    command = [sys.executable, "-c", SIGNALLED, place, str(int(signal.SIGINT))]
    done = subprocess.run(
        [*command, "explain", "a dog", "a cat"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_process_that_is_asked_to_end_cleans_up_and_ends_by_that_signal(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STOPPED_WHILE_WRITING, str(tmp_path / "scores.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGTERM, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), 2, "not enough memory; use less"),
        (
            MemoryError("Unable to allocate 9 TiB"),
            2,
            "not enough memory (Unable to allocate 9 TiB)",
        ),
        (RecursionError(), 2, "nested too deeply"),
        (OSError(errno.EIO, "Input/output error", "photo.jpg"), 2, "photo.jpg: Input/output error"),
        (OSError("no reason"), 2, "no reason"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_unexpected_exceptions_give_a_one_line_error(
    error: Exception,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(options: argparse.Namespace) -> None:
        raise error

    monkeypatch.setattr(metrics, "run", fail)
    assert main(["metrics"]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == bool(said) and said in err
    assert "output" not in err.replace("Input/output", "")
