"""Document frequencies of a stream, collected in a first pass over its references.

An image is one document however many rows it has: what is remembered of each is a hash of its id.
That, and the n-grams themselves, are the memory that a first pass takes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from captious.errors import InputError, warn
from captious.io.caption_tables import ReadOptions, extract_ids
from captious.io.captions import corpus_of
from captious.io.column_roles import CANDIDATE, REFERENCES, Columns
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.streaming.chunks import Chunk
from captious.streaming.identified import identified
from captious.streaming.reference_index import ReferenceIndex
from captious.streaming.work import Engine

TOGETHER = 16  # collections that are merged at once
IMAGES = 16_384  # of an index that are read at once


@dataclass(frozen=True)
class NewImages:
    """The rows of a chunk at which images occur for the first time."""

    chunk: Chunk
    rows: tuple[int, ...]

    @property
    def number(self) -> int:
        """The chunk's."""
        return self.chunk.number

    @property
    def place(self) -> str:
        """The chunk's."""
        return self.chunk.place


@dataclass(frozen=True)
class CountDocuments:
    """The task: count the n-grams of the references of some rows."""

    columns: Columns
    tokenizer: str

    def begin(self) -> Callable[[NewImages], DocumentFrequencies]:
        """Nothing has to be loaded."""
        return self._counted

    def _counted(self, images: NewImages) -> DocumentFrequencies:
        reading = ReadOptions(self.columns, repeated=True, tell=_nobody)
        table = identified(images.chunk.table(), reading).take(images.rows)
        references = corpus_of([table], reading, needs_references=True).references
        sets = [
            references.captions[start:end]
            for start, end in zip(references.offsets[:-1], references.offsets[1:], strict=True)
        ]
        return DocumentFrequencies.collect(sets, tokenizer=self.tokenizer)


@dataclass
class _Gathering:
    """Collections merged as they come, some at a time."""

    parts: list[DocumentFrequencies] = field(default_factory=list)

    def add(self, part: DocumentFrequencies) -> None:
        self.parts.append(part)
        if len(self.parts) == TOGETHER:
            self.parts = [DocumentFrequencies.merge(self.parts)]

    def whole(self) -> DocumentFrequencies:
        return DocumentFrequencies.merge(self.parts)


def documents_of_rows(
    chunks: Iterable[Chunk], columns: Columns, tokenizer: str, engine: Engine
) -> DocumentFrequencies:
    """Of rows that carry their references."""
    gathered = _Gathering()
    for _, part in engine(CountDocuments(columns, tokenizer), _new_images(chunks, columns)):
        gathered.add(part)
    if not gathered.parts:
        raise InputError("no samples; there are no rows to count n-grams in")
    return gathered.whole()


def documents_of_index(index: ReferenceIndex, tokenizer: str) -> DocumentFrequencies:
    """Of references in an index."""
    gathered = _Gathering()
    for sets in index.in_blocks(IMAGES):
        gathered.add(DocumentFrequencies.collect(sets, tokenizer=tokenizer))
    if not gathered.parts:
        raise InputError("no references to count n-grams in")
    return gathered.whole()


def _new_images(chunks: Iterable[Chunk], columns: Columns) -> Iterator[NewImages]:
    seen: set[bytes] = set()
    reading = ReadOptions(columns, tell=warn)
    for chunk in chunks:
        table = identified(chunk.table(), reading)
        recognised = reading.recognised(table, CANDIDATE, REFERENCES)
        rows = []
        for row, image in enumerate(extract_ids(table, recognised.id)):
            name = str(image).encode("utf-8", "surrogatepass")
            hashed = hashlib.blake2b(name, digest_size=8).digest()
            if hashed not in seen:
                seen.add(hashed)
                rows.append(row)
        if rows:
            yield NewImages(chunk, tuple(rows))


def _nobody(note: str) -> None:
    """What was guessed of columns was said when ids were read."""
