"""Kinds of damaged files: sound files of which one is not, put through an entry point."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from captious.errors import CaptiousError
from tests.fuzz.console import judge
from tests.fuzz.file_damage import damage_file
from tests.fuzz.kind import ACCEPTED, REFUSED, Case, Kind, shorter_bytes
from tests.fuzz.oracle import check_folder, check_refusal

Files = Mapping[str, bytes]  # contents by name, which may have folders in it
Damage = Callable[[str, bytes, Random], bytes]


@dataclass(frozen=True)
class Command:
    """A command line, words between blanks; `@name` is a file of the folder, `@` the folder."""

    line: str
    written: tuple[str, ...] | None = ()  # None: whatever it likes

    def run(self, folder: Path) -> str:
        """Run it, and say whether it took its input."""
        arguments = [
            str(folder / word[1:]) if word.startswith("@") else word for word in self.line.split()
        ]
        return judge(arguments, folder, self.written)


@dataclass(frozen=True)
class Reader:
    """A function of Captious that reads the folder's files."""

    read: Callable[[Path], object]

    def run(self, folder: Path) -> str:
        """Call it, and say whether it took its input."""
        before = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
        try:
            self.read(folder)
        except CaptiousError as error:
            check_refusal(error)
            return REFUSED
        finally:
            check_folder(folder, before)
        return ACCEPTED


class FileKind(Kind):
    """Sound files, which of them get damaged, and through which entry points they go."""

    def __init__(
        self,
        name: str,
        share: float,
        sound: Callable[[], Files],
        entries: Sequence[Command | Reader],
        *,
        spared: Sequence[str] = (),
        damage: Damage = damage_file,
        needs: tuple[str, ...] = (),
        cache: str | None = None,
    ) -> None:
        self.name, self.share, self.needs = name, share, needs
        self._sound, self._entries = sound, entries
        self._spared, self._damage, self._cache = spared, damage, cache

    @cached_property
    def sound(self) -> Files:
        """The files as they should be."""
        return self._sound()

    @property
    def sound_cases(self) -> list[Case]:
        """Nothing damaged, for each entry point: what must be taken."""
        return [{"entry": entry, "files": {}} for entry in range(len(self._entries))]

    def make(self, random: Random) -> Case:
        """One of the files damaged, for one of the entry points."""
        name = random.choice([name for name in self.sound if name not in self._spared])
        content = self._damage(name, self.sound[name], random)
        return {"entry": random.randrange(len(self._entries)), "files": {name: content}}

    def run(self, case: Case, folder: Path) -> str:
        """Write the files and run the entry point over them."""
        for name, content in (self.sound | case["files"]).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        with _environment("CAPTIOUS_CACHE", None if self._cache is None else folder / self._cache):
            return self._entries[case["entry"]].run(folder)

    def smaller(self, case: Case) -> Iterable[Case]:
        """With less in the damaged file."""
        for name, content in case["files"].items():
            for fewer in shorter_bytes(content):
                yield {**case, "files": {**case["files"], name: fewer}}


@contextmanager
def _environment(name: str, value: object) -> Iterator[None]:
    """A variable of the environment for a while; as it was where there is no value."""
    was = os.environ.get(name)
    if value is not None:
        os.environ[name] = str(value)
    try:
        yield
    finally:
        if value is not None and was is None:
            del os.environ[name]
        elif value is not None and was is not None:
            os.environ[name] = was
