"""captious completion: the real shells complete commands, options, values and metrics."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import captious

pty = pytest.importorskip("pty")  # not every system has terminals of this kind

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("shtab")
    folder = tmp_path_factory.mktemp("completion")
    made = {}
    for shell in SHELLS:
        done = captious("completion", shell)
        assert (done.returncode, done.stderr) == (0, "")
        made[shell] = folder / f"captious.{shell}"
        made[shell].write_text(done.stdout)
    return made


def needs(shell: str) -> str:
    """The shell's path; where there is none, the test is skipped."""
    return shutil.which(shell) or pytest.skip(f"no {shell} here")


def in_bash(script: Path, line: str) -> set[str]:
    """What bash offers for the last word of a line."""
    words = line.split(" ")
    program = (
        f"source {script}; COMP_WORDS=({' '.join(word or chr(39) * 2 for word in words)}); "
        f"COMP_CWORD={len(words) - 1}; COMPREPLY=(); _shtab_captious; "
        "printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        [needs("bash"), "--norc", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


def in_fish(script: Path, line: str) -> set[str]:
    """What fish offers for the last word of a line."""
    program = f"source {script}; complete -C '{line}'"
    done = subprocess.run(
        [needs("fish"), "--no-config", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return {offer.split("\t")[0] for offer in done.stdout.splitlines()}


def in_zsh(script: Path, line: str, rest: str) -> None:
    """Press the key of completion behind a line, and wait for the rest of a word."""
    shell = needs("zsh")
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover (another program from here on)
        os.environ["TERM"] = "dumb"
        os.execv(shell, ["zsh", "-f", "-i"])
    try:
        start = (
            "PS1='> '; unset zle_bracketed_paste; LISTMAX=10000; autoload -U compinit; "
            f"compinit -D -u; source {script}; compdef _shtab_captious captious; echo rea''dy\n"
        )
        os.write(terminal, start.encode())
        read_until(terminal, "ready\r\n")
        os.write(terminal, line.encode())
        read_until(terminal, line)
        os.write(terminal, b"\t")
        read_until(terminal, rest)
    finally:
        os.close(terminal)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def read_until(terminal: int, text: str) -> None:
    """Read from a terminal until a text comes."""
    read, end = "", time.monotonic() + 30
    while text not in read:
        assert time.monotonic() < end, f"never saw {text!r} in {read!r}"
        if select.select([terminal], [], [], 0.2)[0]:
            read += os.read(terminal, 65536).decode("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("captious sco", "score"),
        ("captious critic tr", "train"),
        ("captious score --met", "--metrics"),
        ("captious doctor --format mark", "markdown"),
        ("captious score --metrics cider", "cider_d"),
        ("captious score --metrics bleu,meteor,spid", "bleu,meteor,spider"),
        ("captious metrics captious_im", "captious_image"),
        ("captious completion fi", "fish"),
    ],
)
def test_the_shell_offers(shell: str, line: str, offered: str, scripts: dict[str, Path]) -> None:
    if shell == "zsh":
        in_zsh(scripts[shell], line, offered.removeprefix(line.split(" ")[-1]))
    else:
        offers = {"bash": in_bash, "fish": in_fish}[shell](scripts[shell], line)
        assert offered in offers


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_sound(shell: str, scripts: dict[str, Path]) -> None:
    checked = subprocess.run([needs(shell), "-n", scripts[shell]], capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, b"")


def test_without_shtab_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    done = captious("completion", "bash")
    assert done.returncode == 2 and "pip install 'captious[completion]'" in done.stderr
    assert done.stderr.count("\n") == 1 and done.stdout == ""
