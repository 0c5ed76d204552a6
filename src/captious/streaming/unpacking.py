"""Packed files and standard input, unpacked where every machine of a cluster can read them.

Neither can be read from the middle, as a remote worker has to.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from captious.io.atomic_files import atomic_write
from captious.io.remote_files import AnyPath, remove_folder
from captious.streaming.chunks import open_source
from captious.streaming.sources import Source


@contextmanager
def unpack_sources(sources: Sequence[Source], folder: AnyPath) -> Iterator[list[Source]]:
    """Sources of which any part can be read, as long as the block lasts.

    What must be unpacked is put beside the folder of parts, and read under its own name as before.
    """
    beside = folder.with_name(f"{folder.name}.unpacked")
    if not any(source.is_stream for source in sources):
        yield list(sources)
        return
    beside.mkdir(parents=True, exist_ok=True)
    try:
        yield [
            _unpack(source, beside / f"{number:06d}.{source.format}")
            if source.is_stream
            else source
            for number, source in enumerate(sources)
        ]
    finally:
        remove_folder(beside)


def _unpack(source: Source, file: AnyPath) -> Source:
    with open_source(source) as stream, atomic_write(file) as contents:
        shutil.copyfileobj(stream, contents)
    return replace(source, unpacked=str(file))
