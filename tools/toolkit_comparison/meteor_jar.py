"""METEOR 1.5's jar, asked as pycocoevalcap asks it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from captious.text.english.stemmer import stem
from captious.text.meteor.normalizer import normalize

Pair = tuple[Sequence[str], Sequence[str]]
_COMMAND = ("java", "-jar", "-Xmx2G", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm")


def jar_folder() -> Path:
    """Where pycocoevalcap keeps METEOR; ends the program if it cannot be run."""
    if shutil.which("java") is None:
        sys.exit("error: Java is not installed: put `java` on the PATH")
    package = importlib.util.find_spec("pycocoevalcap")
    for folder in (package.submodule_search_locations or ()) if package else ():
        if (Path(folder) / "meteor" / "meteor-1.5.jar").is_file():
            return Path(folder) / "meteor"
    sys.exit("error: METEOR is not installed: run `pip install pycocoevalcap==1.2`")


class MeteorJar:
    """The jar, running; it takes seconds to start."""

    def __enter__(self) -> MeteorJar:
        self._process = subprocess.Popen(
            _COMMAND, cwd=jar_folder(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def statistics(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """METEOR's 23 numbers of each pair of a candidate's tokens and a reference's."""
        # Written beside the reading: a full pipe on either side would stop both.
        writer = threading.Thread(target=self._write, args=[pairs])
        writer.start()
        assert self._process.stdout is not None
        lines = [self._process.stdout.readline() for _ in pairs]
        writer.join()
        return [[int(float(number)) for number in line.split()] for line in lines]

    def _write(self, pairs: Sequence[Pair]) -> None:
        assert self._process.stdin is not None
        for pair in pairs:
            self._process.stdin.write(_line(pair).encode("utf-8") + b"\n")
        self._process.stdin.flush()


def has_clash(pair: Pair) -> bool:
    """Whether two different words or stems of a pair have one hash: METEOR takes them for one."""
    words = {word for tokens in pair for word in normalize(" ".join(tokens))}
    return any(
        len(set(map(_java_hash, forms))) < len(forms) for forms in (words, set(map(stem, words)))
    )


def _java_hash(word: str) -> int:
    """Java's hash of a string: the value of its UTF-16 units as digits of a number to base 31."""
    units = word.encode("utf-16-le", "surrogatepass")
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


def _line(pair: Pair) -> str:
    candidate, reference = (" ".join(tokens).replace("|||", "") for tokens in pair)
    return f"SCORE ||| {reference} ||| {candidate.replace('  ', ' ')}"
