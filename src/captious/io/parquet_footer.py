"""Sizes and offsets of column chunks, read from a Parquet file's footer.

pyarrow has them, too (`ColumnChunkMetaData`), but aborts the whole process where a damaged footer
contradicts itself. The footer is a struct in Thrift's compact protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Any

MAGIC = b"PAR1"
TAIL_BYTES = 8  # the footer's length, and the magic bytes
MAX_DEPTH = 16  # of structs and lists: a footer has eight or so

# Types of Thrift's compact protocol.
_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(
    13
)
# Numbers of fields, as parquet.thrift has them.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_PATH, _VALUES, _UNPACKED, _PACKED, _DATA_PAGE, _DICTIONARY_PAGE = 3, 5, 6, 7, 9, 11


@dataclass(frozen=True)
class ColumnChunk:
    """The part of a column that is in one row group."""

    path: str
    values: int
    unpacked_bytes: int
    packed_bytes: int
    start: int  # of its first page in the file


def read_column_chunks(stream: IO[bytes]) -> list[list[ColumnChunk]]:
    """The column chunks of each row group, in the order of the schema."""
    size = stream.seek(0, SEEK_END)
    stream.seek(max(size - TAIL_BYTES, 0))
    tail = stream.read(TAIL_BYTES)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > size - TAIL_BYTES:
        raise ValueError("no footer at its end")
    stream.seek(size - TAIL_BYTES - length)
    about = _CompactReader(stream.read(length)).read_struct()
    return [
        [_parse_column_chunk(chunk[_META_DATA]) for chunk in group[_COLUMNS]]
        for group in about[_ROW_GROUPS]
    ]


def _parse_column_chunk(about: dict[int, Any]) -> ColumnChunk:
    path = b".".join(about[_PATH]).decode()
    numbers = [about[field] for field in (_VALUES, _UNPACKED, _PACKED, _DATA_PAGE)]
    values, unpacked, packed, start = numbers
    if min(numbers) < 0:
        raise ValueError(f"column {path} has a negative size")
    return ColumnChunk(
        path, values, unpacked, packed, min(start, about.get(_DICTIONARY_PAGE, start))
    )


class _CompactReader:
    """Values of Thrift's compact protocol, one after the other; a struct is a dict by field."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self._depth = data, 0, 0

    def read_struct(self) -> dict[int, Any]:
        """Fields by number."""
        fields: dict[int, Any] = {}
        field = 0
        while (header := self._byte()) != _STOP:
            step, kind = header >> 4, header & 15
            field = field + step if step else self._whole_number()
            fields[field] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._read(kind)
        return fields

    def _read(self, kind: int) -> Any:
        if kind in (_I16, _I32, _I64):
            return self._whole_number()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind in (_TRUE, _FALSE, _BYTE):  # elements of a list
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        self._depth += 1
        if self._depth > MAX_DEPTH or kind not in (_LIST, _SET, _MAP, _STRUCT):
            raise ValueError("the footer is damaged")
        value = self.read_struct() if kind == _STRUCT else self._read_elements(kind)
        self._depth -= 1
        return value

    def _read_elements(self, kind: int) -> list[Any]:
        if kind == _MAP:
            count = self._unsigned()
            kinds: tuple[int, ...] = divmod(self._byte(), 16) if count else ()
        else:
            header = self._byte()
            count = header >> 4 if header >> 4 < 15 else self._unsigned()
            kinds = (header & 15,)
        if count > len(self._data):  # every element has a byte or more
            raise ValueError("the footer is damaged")
        return [self._read(kind) for _ in range(count) for kind in kinds]

    def _whole_number(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)  # signs are in the last bit

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("the footer is damaged")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise ValueError("the footer is damaged")
        return self._data[self._at - count : self._at]
