"""The process: streams that are closed, full or broken, signals at any time, and exit codes."""

import errno
import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from captious.cli import metrics
from captious.cli.main import main

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
from captious.files.text_files import written_whole
def write():
    with written_whole(sys.argv[1]) as stream:
        stream.write(b"half")
        os.kill(os.getpid(), signal.SIGTERM)
captious.cli.main.main = write
main()
"""


def captious(*arguments, **streams):
    command = [sys.executable, "-m", "captious", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run(command, text=True, check=False, **streams)


def in_shell(line):
    command = f"{sys.executable} -m captious {line}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)


@pytest.fixture
def broken_pipe():
    """A pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


def test_the_installed_command_is_the_module():
    (command,) = metadata.entry_points(group="console_scripts", name="captious")
    assert command.value == "captious.__main__:main"


@pytest.mark.parametrize("line", ["metrics >&-", "--help >&-", "--version >&-"])
def test_a_closed_standard_output_is_said(line):
    done = in_shell(line)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "standard output is closed" in done.stderr


def test_nothing_is_written_where_the_result_could_not_be_printed(tmp_path):
    done = in_shell(f"graph 'a dog' --output {tmp_path}/graph.svg >&-")
    assert done.returncode == 2 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [("metrics 2>&-", 0), ("score absent.json 2>&-", 2), ("nonsense 2>&-", 2)],
)
def test_a_closed_standard_error_changes_nothing_else(line, code):
    done = in_shell(line)
    assert done.returncode == code and ("bleu" in done.stdout) == (code == 0)
    assert "error" not in done.stdout, "what was meant for another stream"


@needs_full
@pytest.mark.parametrize("arguments", [["metrics"], ["--help"], ["metrics", "--help"]])
def test_a_full_disk_is_said(arguments):
    with FULL.open("w") as full:
        done = captious(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "standard output: cannot be written" in done.stderr


@needs_full
def test_an_error_that_nobody_can_hear_is_still_an_error():
    with FULL.open("w") as full:
        assert captious("score", "absent.json", stderr=full).returncode == 2


@pytest.mark.parametrize("arguments", [["metrics"], ["--help"], ["--version"]])
def test_a_reader_who_has_gone_is_no_error(arguments, broken_pipe):
    done = captious(*arguments, stdout=broken_pipe)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["captious.cli.main", "numpy", "captious.explanation"])
def test_an_interrupt_is_quiet_wherever_it_comes(place):
    command = [sys.executable, "-c", SIGNALLED, place, str(int(signal.SIGINT))]
    done = subprocess.run(
        [*command, "explain", "a dog", "a cat"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_process_that_is_asked_to_end_cleans_up_and_ends_by_that_signal(tmp_path):
    command = [sys.executable, "-c", STOPPED_WHILE_WRITING, str(tmp_path / "scores.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGTERM, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), 2, "not enough memory; give"),
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
def test_what_no_command_expects_is_one_line_too(error, code, said, monkeypatch, capsys):
    def fail(options):
        raise error

    monkeypatch.setattr(metrics, "run", fail)
    assert main(["metrics"]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == bool(said) and said in err
    assert "output" not in err.replace("Input/output", "")
