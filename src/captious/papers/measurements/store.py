"""Store of results on disk, so that a second run reads what the first computed.

One `.npz` of plain arrays for each key. A key is a hash of everything that the arrays depend on, so
nothing kept is ever wrong, only unused. Files are written whole: a run that is killed loses what it
was at, and goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError
from captious.io.array_files import ANYTHING, ArrayFile, Member
from captious.io.cache import FOLDER_VARIABLE, default_cache, make_private_folder
from captious.io.inputs import read_input

Array = npt.NDArray[Any]
FOLDER = "experiments"
FILE = ArrayFile("a file of kept results", "remove it", max_bytes=1 << 33)


class Store:
    """A folder of arrays by key; without a folder, one that lasts as long as the object."""

    def __init__(self, folder: str | Path | None = None) -> None:
        if folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="captious-")
            folder = self._temporary.name
        self.folder = Path(folder)
        self._known: dict[str, dict[str, Array]] = {}

    @classmethod
    def default(cls) -> Store:
        """Return the store in the user's cache folder, or a temporary one if caching is off."""
        cache = default_cache()
        return cls(None if cache is None else cache.folder / FOLDER)

    def path(self, name: str) -> Path:
        """Where a file lies, in a folder that is there."""
        try:
            make_private_folder(self.folder)
        except OSError as error:
            raise InputError(
                f"{self.folder}: cannot be made ({error.strerror or error}); "
                f"name another folder for caches in {FOLDER_VARIABLE}, or `off`"
            ) from None
        return self.folder / name

    def get(self, key: str) -> dict[str, Array]:
        """All arrays of a key, of which there may be none; a damaged file is as good as none."""
        if key not in self._known:
            path = self.path(f"{key}.npz")
            arrays: dict[str, Array] = {}
            if path.is_file():
                with suppress(InputError), FILE.open(path) as file:
                    arrays = file.read(*(_any_member(name) for name in file.names))
            self._known[key] = arrays
        return dict(self._known[key])

    def add(self, key: str, arrays: Mapping[str, Array]) -> None:
        """Keep further arrays under a key."""
        all_arrays = self._known[key] = {**self.get(key), **arrays}
        FILE.write(self.path(f"{key}.npz"), all_arrays)

    def load_or_train(
        self,
        key: str,
        suffix: str,
        load: Callable[[Path], object],
        train: Callable[[Path], Sequence[Sequence[float]]],
    ) -> tuple[Path, Array]:
        """Return the file of a trained model's weights, and its curve, a row an epoch.

        Where either is missing or damaged, `train` writes the weights and gives the curve.
        """
        weights = self.path(f"{key}.{suffix}.npz")
        is_sound = weights.is_file() and "curve" in self.get(key)
        if is_sound:
            try:
                load(weights)
            except InputError:
                is_sound = False
        if not is_sound:
            self.add(key, {"curve": np.array(train(weights))})
        return weights, self.get(key)["curve"]


def _any_member(name: str) -> Member:
    return Member(name, ANYTHING, None, finite=False)


def hash_parts(*parts: object) -> str:
    """A hash of parts, each of them plain data."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def hash_texts(texts: Iterable[str]) -> str:
    """A hash of captions in their order."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:24]


def hash_file(path: Path) -> str:
    """A hash of a file's contents, worked out once for as long as the file does not change."""
    try:
        modified_ns = path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    return _key_of_contents(path, modified_ns)


@lru_cache(maxsize=64)
def _key_of_contents(path: Path, modified_ns: int) -> str:
    return hashlib.sha256(read_input(path)).hexdigest()[:24]
