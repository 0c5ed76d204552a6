"""Tables of plain text, laid out without tabulate, as tabulate lays them out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tabulate import tabulate

from captious.io import output_tables

CELLS = st.sampled_from(["", "a", "0.1234", "-1.0", "0.10 to 0.20", "None", "|", "long words " * 3])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]], int]:
    columns = draw(st.integers(1, 4))
    row = st.lists(CELLS.map(str.strip), min_size=columns, max_size=columns)
    return draw(row), draw(st.lists(row, min_size=1, max_size=4)), draw(st.integers(0, columns))


@given(tables())
def test_plain_tables_are_tabulates(table: tuple[list[str], list[list[str]], int]) -> None:
    header, rows, texts = table
    expected = tabulate(
        rows,
        header,
        tablefmt="simple",
        colalign=["left"] * texts + ["right"] * (len(header) - texts),
        disable_numparse=True,
    )
    assert output_tables._align_plain(header, rows, texts) == expected


def test_wide_and_padded_cells_are_left_to_tabulate() -> None:
    for cell in ("狗", "é", "\x1b[1ma\x1b[0m", " a", "a\n", "a\u2009b"):
        assert not output_tables._is_plain(cell)
    assert output_tables._is_plain("95% interval")
