"""Pieces put aside on the disk until it is known which of their rows stay."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

import numpy as np
import numpy.typing as npt

from captious.engine.chunks import Chunk
from captious.engine.raw_rows import Piece


@dataclass
class Spool:
    """A temporary file without a name, which nobody else can have written to."""

    stream: IO[bytes]

    def add(self, chunk: Chunk, piece: Piece, positions: npt.NDArray[np.int64]) -> None:
        """Put a chunk's rows aside, with their positions in the whole input."""
        pickle.dump((replace(chunk, data=None), piece, positions), self.stream)

    def kept(self, positions: npt.NDArray[np.int64]) -> Iterator[tuple[Chunk, Piece]]:
        """All pieces again, with those of their rows that stand at these positions."""
        end = self.stream.tell()
        self.stream.seek(0)
        while self.stream.tell() < end:
            chunk, piece, own = pickle.load(self.stream)
            yield chunk, piece.take(np.flatnonzero(np.isin(own, positions)).tolist())
