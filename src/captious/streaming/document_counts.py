"""Document frequencies of a stream, collected in a first pass over its references.

An image is one document however many rows it has. A first pass takes the memory of a hash of each
id and of the n-grams themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from captious.errors import InputError, warn
from captious.io.caption_tables import ReadOptions, extract_ids
from captious.io.captions import corpus_from_tables
from captious.io.column_roles import CANDIDATE, REFERENCES, Columns
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.streaming.chunks import Chunk
from captious.streaming.reference_index import ReferenceIndex
from captious.streaming.scoring import add_row_ids
from captious.streaming.tasks import Engine

COUNTS_PER_MERGE = 16  # collections that are merged at once
IMAGES_PER_BATCH = 16_384  # of an index that are read at once


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
    """Task: count the n-grams of the references of some rows."""

    columns: Columns
    tokenizer: str

    def begin(self) -> Callable[[NewImages], DocumentFrequencies]:
        """Nothing has to be loaded."""
        return self._count

    def _count(self, images: NewImages) -> DocumentFrequencies:
        reading = ReadOptions(self.columns, repeated=True, report=_ignore_note)
        table = add_row_ids(images.chunk.table(), reading).take(images.rows)
        references = corpus_from_tables([table], reading, needs_references=True).references
        sets = [
            references.captions[start:end]
            for start, end in zip(references.offsets[:-1], references.offsets[1:], strict=True)
        ]
        return DocumentFrequencies.collect(sets, tokenizer=self.tokenizer)


@dataclass
class _IncrementalMerge:
    """Merge of document frequencies as they arrive, some at a time."""

    parts: list[DocumentFrequencies] = field(default_factory=list)

    def add(self, part: DocumentFrequencies) -> None:
        self.parts.append(part)
        if len(self.parts) == COUNTS_PER_MERGE:
            self.parts = [DocumentFrequencies.merge(self.parts)]

    def result(self) -> DocumentFrequencies:
        return DocumentFrequencies.merge(self.parts)


def count_documents_in_rows(
    chunks: Iterable[Chunk], columns: Columns, tokenizer: str, engine: Engine
) -> DocumentFrequencies:
    """Document frequencies of rows that carry their references."""
    merged = _IncrementalMerge()
    for _, part in engine(CountDocuments(columns, tokenizer), _new_images(chunks, columns)):
        merged.add(part)
    if not merged.parts:
        raise InputError("no samples; there are no rows to count n-grams in")
    return merged.result()


def count_documents_in_index(index: ReferenceIndex, tokenizer: str) -> DocumentFrequencies:
    """Document frequencies of references in an index."""
    merged = _IncrementalMerge()
    for sets in index.iter_batches(IMAGES_PER_BATCH):
        merged.add(DocumentFrequencies.collect(sets, tokenizer=tokenizer))
    if not merged.parts:
        raise InputError("no references to count n-grams in")
    return merged.result()


def _new_images(chunks: Iterable[Chunk], columns: Columns) -> Iterator[NewImages]:
    seen: set[bytes] = set()
    reading = ReadOptions(columns, report=warn)
    for chunk in chunks:
        table = add_row_ids(chunk.table(), reading)
        columns_of_roles = reading.find_columns(table, CANDIDATE, REFERENCES)
        rows = []
        for row, image in enumerate(extract_ids(table, columns_of_roles.id)):
            name = str(image).encode("utf-8", "surrogatepass")
            digest = hashlib.blake2b(name, digest_size=8).digest()
            if digest not in seen:
                seen.add(digest)
                rows.append(row)
        if rows:
            yield NewImages(chunk, tuple(rows))


def _ignore_note(note: str) -> None:
    """Ignore notes about guessed columns, which were printed when ids were read."""
