"""One command killed once, and what must hold after it."""

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
from tests.kills.commands import Killed, earlier
from tests.places import ROOT

SECONDS = 120.0  # that a run may take
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
NEVER = 0  # no moment has this number


class Broken(AssertionError):  # noqa: N818 - as in a promise
    """What must hold does not."""


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
class Left:
    """What a run left: exit code, both streams, and all files by name."""

    code: int
    output: bytes
    errors: bytes
    files: dict[str, bytes]
    seconds: float  # since it began
    moments: int


class Trial:
    """A command with its undisturbed outcome, killed as often as one likes."""

    def __init__(self, killed: Killed) -> None:
        self.killed = killed

    @cached_property
    def undisturbed(self) -> Left:
        """What the command leaves if nobody disturbs it."""
        with _folder() as folder:
            self.killed.prepare(folder)
            left = _run(self.killed, folder, Kill(signal.SIGKILL, NEVER, 0, False))
        if left.code != 0:
            raise Broken(f"{self.killed.name}: does not work: {left.errors.decode()[-2000:]}")
        return left

    def drawn(self, random: Random) -> Kill:
        """A kill by chance, as often at a moment of files as at any time."""
        moment = random.randint(1, self.undisturbed.moments) if self.undisturbed.moments else None
        chosen = moment if random.random() < 0.7 else None
        return Kill(random.choice(SIGNALS), chosen, random.random() * 1.05, random.random() < 0.5)

    def survive(self, kill: Kill) -> str:
        """Kill the command, look, run it again, and look again; `killed` or `was done already`."""
        with _folder() as folder:
            self.killed.prepare(folder)
            if kill.had_earlier:
                for name in self.killed.written:
                    (folder / name).write_bytes(earlier(name))
            first = _run(self.killed, folder, kill, self.undisturbed.seconds)
            self._check_killed(kill, first)
            second = _run(self.killed, folder, Kill(signal.SIGKILL, NEVER, 0, False))
            self._check_next(kill, second)
        return "was done already" if first.code == 0 else "killed"

    def _check_killed(self, kill: Kill, left: Left) -> None:
        allowed = (0, 130, -kill.signal) if kill.signal == signal.SIGINT else (0, -kill.signal)
        if left.code not in allowed:
            self._broken(kill, f"exit code {left.code}: {left.errors.decode()[-1500:]}")
        if b"Traceback" in left.errors:
            self._broken(kill, f"a traceback: {left.errors.decode()[-1500:]}")
        for name in self.killed.written:
            found = left.files.get(name)
            allowed_contents = [self.undisturbed.files[name]]
            allowed_contents += [earlier(name)] if kill.had_earlier else []
            if found is None and kill.had_earlier:
                self._broken(kill, f"{name}: the earlier file is gone")
            if found is not None and found not in allowed_contents:
                self._broken(kill, f"{name}: {len(found)} bytes, neither earlier nor whole")
        if kill.signal == signal.SIGINT and (litter := _litter(left)):
            self._broken(kill, f"left behind by one who was asked to stop: {litter}")

    def _check_next(self, kill: Kill, left: Left) -> None:
        usual = self.undisturbed
        if left.code != 0:
            self._broken(kill, f"the next run fails: {left.errors.decode()[-1500:]}")
        if left.output != usual.output:
            self._broken(kill, f"the next run says {left.output!r:.300}, not {usual.output!r:.300}")
        for name in (*self.killed.written, *self.killed.resumed):
            if left.files.get(name) != usual.files[name]:
                self._broken(kill, f"{name}: other bytes after the next run")
        if litter := _litter(left):
            self._broken(kill, f"left behind even after the next run: {litter}")
        if odd := sorted(set(left.files) - set(usual.files)):
            self._broken(kill, f"files that an undisturbed run does not leave: {odd}")

    def _broken(self, kill: Kill, what: str) -> None:
        raise Broken(f"{self.killed.name}, {kill}: {what}")


def _litter(left: Left) -> list[str]:
    return sorted(name for name in left.files if Path(name).name.startswith("."))


@contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder for a while."""
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        yield Path(name).resolve()


def _run(killed: Killed, folder: Path, kill: Kill, usual: float = 0.0) -> Left:
    """Run the command in the folder, under watch, until it ends or is ended."""
    outside = Path(tempfile.mkdtemp(prefix="kills-said-"))
    environment = {
        **os.environ,
        FOLDER_VARIABLE: str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
        "OMP_NUM_THREADS": "1",
        "MPLCONFIGDIR": str(outside),
        "SOURCE_DATE_EPOCH": "0",
    }
    moment = NEVER if kill.moment is None else kill.moment
    line = [sys.executable, "-m", "tests.kills.moments", str(moment), str(int(kill.signal)),
            str(outside), *killed.line.split()]  # fmt: skip
    try:
        with (outside / "output").open("wb") as output, (outside / "errors").open("wb") as errors:
            process = subprocess.Popen(
                line,
                cwd=folder,
                stdout=output,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                env=environment,
            )
            if kill.moment is None:
                # Before it begins, it is not yet Captious that is killed.
                while not (outside / "began").exists() and process.poll() is None:
                    time.sleep(0.002)
                time.sleep(kill.share * usual)
                process.send_signal(kill.signal)
            code = process.wait(SECONDS)
        moments = outside / "moments"
        return Left(
            code,
            (outside / "output").read_bytes(),
            (outside / "errors").read_bytes(),
            {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file() and path.parent != folder / "cache"
            },
            time.time() - (outside / "began").stat().st_mtime,
            int(moments.read_text()) if moments.exists() else 0,
        )
    finally:
        shutil.rmtree(outside)
