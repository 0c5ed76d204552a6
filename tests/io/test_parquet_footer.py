"""Column chunks of a Parquet footer are those that pyarrow reads; damaged footers are errors."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.io.parquet_footer import read_column_chunks

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

COLUMNS = {
    "id": list(range(40)),
    "caption": ["a dog on a bench", None] * 20,
    "references": [["a dog", "one dog"], []] * 20,
    "a.b": [{"c": n, "d": [{"e": "x" * n}]} for n in range(40)],
    "score": [n / 7 for n in range(40)],
    "seen": [True, False] * 20,
}


def write(**options: object) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(COLUMNS), stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"row_group_size": 7, "compression": "zstd"},
        {"use_dictionary": False, "write_statistics": False, "compression": "none"},
        {"write_page_index": True, "store_schema": False, "data_page_version": "2.0"},
    ],
)
def test_column_chunks_are_those_that_pyarrow_reads(options: dict[str, object]) -> None:
    data = write(**options)
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    row_groups = read_column_chunks(io.BytesIO(data))
    assert len(row_groups) == metadata.num_row_groups
    for place, chunks in enumerate(row_groups):
        group = metadata.row_group(place)
        assert len(chunks) == group.num_columns
        for number, chunk in enumerate(chunks):
            expected = group.column(number)
            starts = {expected.data_page_offset, expected.dictionary_page_offset} - {None}
            assert (
                *(chunk.path, chunk.values, chunk.unpacked_bytes),
                *(chunk.packed_bytes, chunk.start),
            ) == (
                *(expected.path_in_schema, expected.num_values, expected.total_uncompressed_size),
                *(expected.total_compressed_size, min(starts)),
            )


@given(st.data())
def test_a_damaged_footer_is_read_or_is_an_error(data: st.DataObject) -> None:
    whole = bytearray(write())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(len(whole) // 2, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    whole = whole[data.draw(st.sampled_from([0, 0, len(whole) // 2, len(whole) - 4])) :]
    with contextlib.suppress(ValueError, LookupError, TypeError):  # no other error, and no crash
        read_column_chunks(io.BytesIO(bytes(whole)))
