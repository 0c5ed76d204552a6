"""Kill one command once, and check what must hold afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from captious.io.cache import FOLDER_VARIABLE
from tests.kills.commands import Command, earlier_content
from tests.places import ROOT

SECONDS = 120.0  # that a run may take
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
NEVER = 0  # no moment has this number


class BrokenPromise(AssertionError):  # noqa: N818 - as in a promise
    """A guarantee about interrupted commands is broken."""


@dataclass(frozen=True)
class Kill:
    """A signal at a moment: the n-th that a file is touched, or after a share of the usual time."""

    signal: signal.Signals
    moment: int | None
    share: float
    had_earlier: bool

    def __str__(self) -> str:
        when = (
            f"after {self.share:.2f} of its time"
            if self.moment is None
            else f"at moment {self.moment}"
        )
        return f"{self.signal.name} {when}{', over an earlier file' if self.had_earlier else ''}"


@dataclass(frozen=True)
class RunResult:
    """The results of a run: exit code, both streams, and all files by name."""

    code: int
    output: bytes
    errors: bytes
    files: dict[str, bytes]
    seconds: float  # since it began
    moments: int


class Trial:
    """A command with its undisturbed result, which can be killed any number of times."""

    def __init__(self, command: Command) -> None:
        self.command = command

    @cached_property
    def undisturbed(self) -> RunResult:
        """The results of an undisturbed run."""
        with _temporary_folder() as folder:
            self.command.prepare(folder)
            result = _run(self.command, folder, Kill(signal.SIGKILL, NEVER, 0, False))
        if result.code != 0:
            raise BrokenPromise(
                f"{self.command.name}: does not work: {result.errors.decode()[-2000:]}"
            )
        return result

    def draw(self, random: Random) -> Kill:
        """Draw a random kill: mostly at a file operation, else after a share of the run time."""
        moment = random.randint(1, self.undisturbed.moments) if self.undisturbed.moments else None
        chosen = moment if random.random() < 0.7 else None
        return Kill(random.choice(SIGNALS), chosen, random.random() * 1.05, random.random() < 0.5)

    def survive(self, kill: Kill) -> str:
        """Kill the command, look, run it again, and look again; `killed` or `was done already`."""
        with _temporary_folder() as folder:
            self.command.prepare(folder)
            if kill.had_earlier:
                for name in self.command.written:
                    (folder / name).write_bytes(earlier_content(name))
            first = _run(self.command, folder, kill, self.undisturbed.seconds)
            self._check_killed(kill, first)
            second = _run(self.command, folder, Kill(signal.SIGKILL, NEVER, 0, False))
            self._check_next(kill, second)
        return "was done already" if first.code == 0 else "killed"

    def _check_killed(self, kill: Kill, result: RunResult) -> None:
        allowed = (0, 130, -kill.signal) if kill.signal == signal.SIGINT else (0, -kill.signal)
        if result.code not in allowed:
            self._fail(kill, f"exit code {result.code}: {result.errors.decode()[-1500:]}")
        if b"Traceback" in result.errors:
            self._fail(kill, f"a traceback: {result.errors.decode()[-1500:]}")
        for name in self.command.written:
            content = result.files.get(name)
            allowed_contents = [self.undisturbed.files[name]]
            allowed_contents += [earlier_content(name)] if kill.had_earlier else []
            if content is None and kill.had_earlier:
                self._fail(kill, f"{name}: the earlier file is gone")
            if content is not None and content not in allowed_contents:
                self._fail(kill, f"{name}: {len(content)} bytes, neither earlier nor whole")
        if kill.signal == signal.SIGINT and (hidden := _hidden_files(result)):
            self._fail(kill, f"left behind by one who was asked to stop: {hidden}")

    def _check_next(self, kill: Kill, result: RunResult) -> None:
        usual = self.undisturbed
        if result.code != 0:
            self._fail(kill, f"the next run fails: {result.errors.decode()[-1500:]}")
        if result.output != usual.output:
            self._fail(kill, f"the next run says {result.output!r:.300}, not {usual.output!r:.300}")
        for name in (*self.command.written, *self.command.resumed):
            if result.files.get(name) != usual.files[name]:
                self._fail(kill, f"{name}: other bytes after the next run")
        if hidden := _hidden_files(result):
            self._fail(kill, f"left behind even after the next run: {hidden}")
        if extra := sorted(set(result.files) - set(usual.files)):
            self._fail(kill, f"files that an undisturbed run does not leave: {extra}")

    def _fail(self, kill: Kill, what: str) -> None:
        raise BrokenPromise(f"{self.command.name}, {kill}: {what}")


def _hidden_files(left: RunResult) -> list[str]:
    return sorted(name for name in left.files if Path(name).name.startswith("."))


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """An empty temporary folder."""
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        yield Path(name).resolve()


def _run(command: Command, folder: Path, kill: Kill, usual: float = 0.0) -> RunResult:
    """Run the command in the folder under the watch of file operations, until it ends."""
    log_folder = Path(tempfile.mkdtemp(prefix="kills-said-"))
    environment = {
        **os.environ,
        FOLDER_VARIABLE: str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        "OMP_NUM_THREADS": "1",
        "MPLCONFIGDIR": str(log_folder),
        "SOURCE_DATE_EPOCH": "0",
    }
    moment = NEVER if kill.moment is None else kill.moment
    arguments = [sys.executable, "-m", "tests.kills.moments", str(moment), str(int(kill.signal)),
            str(log_folder), *command.line.split()]  # fmt: skip
    try:
        with (
            (log_folder / "output").open("wb") as output,
            (log_folder / "errors").open("wb") as errors,
        ):
            process = subprocess.Popen(
                arguments,
                cwd=folder,
                stdout=output,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                env=environment,
            )
            if kill.moment is None:
                # Before it begins, it is not yet Captious that is killed.
                while not (log_folder / "began").exists() and process.poll() is None:
                    time.sleep(0.002)
                time.sleep(kill.share * usual)
                process.send_signal(kill.signal)
            code = process.wait(SECONDS)
        moments = log_folder / "moments"
        return RunResult(
            code,
            (log_folder / "output").read_bytes(),
            (log_folder / "errors").read_bytes(),
            {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file() and path.parent != folder / "cache"
            },
            time.time() - (log_folder / "began").stat().st_mtime,
            int(moments.read_text()) if moments.exists() else 0,
        )
    finally:
        shutil.rmtree(log_folder)
