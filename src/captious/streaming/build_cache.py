"""Cache of expensive intermediate files, rebuilt only if their inputs changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from captious.io.atomic_files import atomic_write
from captious.io.inputs import is_file, read_text, sha256_of
from captious.io.json import json_text


def build_once(path: Path, of: Mapping[str, str], make: Callable[[Path], None]) -> Path:
    """A file that is made of what `of` says; the one that is there, if it was made of the same.

    A note beside it has the hash of its contents: one that is damaged, or that was not finished,
    is made again.
    """
    note = path.with_name(f"{path.name}.json")
    if not (is_file(note) and is_file(path) and _noted(note) == {**of, "sha256": sha256_of(path)}):
        note.unlink(missing_ok=True)
        make(path)
        with atomic_write(note) as stream:
            stream.write(json_text({**of, "sha256": sha256_of(path)}).encode())
    return path


def _noted(path: Path) -> object:
    with suppress(json.JSONDecodeError):
        return json.loads(read_text(path))
    return None
