"""Index of references by id on disk (SQLite), for references larger than memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.errors import InputError, OutputError
from captious.io.caption_tables import ReadOptions, extract_ids, references_by_id
from captious.io.column_roles import CANDIDATE, ID, REFERENCES
from captious.io.input_tables import InputTable

IDS_PER_QUERY = 500  # a limit of SQLite parameters
_CREATE_TABLE = "CREATE TABLE captions (id TEXT NOT NULL, texts TEXT NOT NULL)"
_CREATE_INDEX = "CREATE INDEX by_id ON captions (id)"


@dataclass(frozen=True, eq=False)
class ReferenceIndex:
    """Database of references by the text of their ids."""

    path: str
    data: sqlite3.Connection

    @classmethod
    def build(
        cls, path: str | Path, tables: Iterable[InputTable], reading: ReadOptions
    ) -> ReferenceIndex:
        """Build an index of the references of tables, in a new file."""
        Path(path).unlink(missing_ok=True)
        try:
            data = sqlite3.connect(str(path))
            # An index that was not finished is built again: nothing has to be undone.
            data.execute("PRAGMA journal_mode = OFF")
            with data:
                data.execute(_CREATE_TABLE)
                for table in tables:
                    columns = reading.find_columns(table, REFERENCES)
                    rows = references_by_id(table, columns).items()
                    data.executemany(
                        "INSERT INTO captions VALUES (?, ?)",
                        ((image, json.dumps(texts)) for image, texts in rows),
                    )
                data.execute(_CREATE_INDEX)
        except sqlite3.Error as error:
            raise OutputError(f"{path}: references cannot be kept there ({error})") from None
        return cls(str(path), data)

    @classmethod
    def open(cls, path: str | Path) -> ReferenceIndex:
        """Open an index that was built before, for reading."""
        try:
            # Read-only from here on: no locks, which some network file systems lack.
            data = sqlite3.connect(f"{Path(path).resolve().as_uri()}?immutable=1", uri=True)
            data.execute("SELECT 1 FROM captions LIMIT 1")
        except sqlite3.Error as error:
            raise InputError(f"{path}: not an index of references ({error})") from None
        return cls(str(path), data)

    def references_for(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The references of these ids, in the order of the files that they come from."""
        references: dict[str, list[str]] = {}
        for start in range(0, len(ids), IDS_PER_QUERY):
            some = ids[start : start + IDS_PER_QUERY]
            marks = ",".join("?" * len(some))
            query = f"SELECT id, texts FROM captions WHERE id IN ({marks}) ORDER BY rowid"
            for image, texts in self.data.execute(query, some):
                references.setdefault(image, []).extend(json.loads(texts))
        return references

    def table_for(self, candidates: InputTable, reading: ReadOptions) -> InputTable:
        """The references of a table's candidates, as a table."""
        columns = reading.find_columns(candidates, CANDIDATE)
        ids = list(dict.fromkeys(map(str, extract_ids(candidates, columns.id))))
        by_id = self.references_for(ids)
        there = [image for image in ids if image in by_id]
        rows: dict[str, list[Any]] = {ID: there, REFERENCES: [by_id[image] for image in there]}
        roles = {ID: (ID,), REFERENCES: (REFERENCES,)}
        return InputTable("the references", rows, "row", range(1, len(there) + 1), roles=roles)

    def iter_batches(self, images: int) -> Iterator[dict[str, list[str]]]:
        """All references by id, so many images at a time, in the order of their ids."""
        last = None
        while True:
            after = "" if last is None else "WHERE id > ?"
            query = f"SELECT DISTINCT id FROM captions {after} ORDER BY id LIMIT {int(images)}"
            rows = self.data.execute(query, () if last is None else (last,)).fetchall()
            if not rows:
                return
            yield self.references_for([image for (image,) in rows])
            (last,) = rows[-1]

    def __len__(self) -> int:
        (count,) = self.data.execute("SELECT COUNT(DISTINCT id) FROM captions").fetchone()
        return int(count)
