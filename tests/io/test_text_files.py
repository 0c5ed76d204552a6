from __future__ import annotations

from pathlib import Path

import pytest

from captious.errors import OutputError
from captious.io.atomic_files import atomic_write, check_writable


def test_a_failed_write_leaves_nothing_and_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic_write(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_usual_permissions(tmp_path: Path) -> None:
    path, usual = tmp_path / "a", tmp_path / "b"
    with atomic_write(path) as stream:
        stream.write(b"x")
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode


def test_what_a_link_points_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_write(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "real").read_text() == "new" and (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("place", ["nowhere/scores.csv", "."])
def test_where_nothing_can_be_written_is_said_before_the_work(tmp_path: Path, place: str) -> None:
    with pytest.raises(OutputError, match=r"cannot be written|is a folder"):
        check_writable(tmp_path / place)
    assert list(tmp_path.iterdir()) == []
