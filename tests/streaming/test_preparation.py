"""Preparation files that a resumed stream reuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.streaming.preparation import build_once


@pytest.fixture
def prepared_files() -> list[Path]:
    return []


def make(folder: Path, prepared_files: list[Path], rows: str = "a", text: str = "made") -> str:
    def write(path: Path) -> None:
        prepared_files.append(path)
        path.write_text(text)

    return build_once(folder / "file.npz", {"rows": rows}, write).read_text()


def test_file_is_built_once(tmp_path: Path, prepared_files: list[Path]) -> None:
    assert make(tmp_path, prepared_files) == make(tmp_path, prepared_files, text="other") == "made"
    assert len(prepared_files) == 1


def test_file_is_rebuilt_for_other_inputs(tmp_path: Path, prepared_files: list[Path]) -> None:
    make(tmp_path, prepared_files)
    assert make(tmp_path, prepared_files, "b", "new") == "new"


@pytest.mark.parametrize("damage", ["file.npz", "file.npz.json"])
@pytest.mark.parametrize("left", [None, "", "mad", '{"rows": "a"}'])
def test_damaged_file_is_rebuilt(
    tmp_path: Path, prepared_files: list[Path], damage: str, left: str | None
) -> None:
    make(tmp_path, prepared_files)
    (tmp_path / damage).unlink()
    if left is not None:
        (tmp_path / damage).write_text(left)
    assert make(tmp_path, prepared_files) == "made" and len(prepared_files) == 2


def test_interrupted_build_leaves_no_note(tmp_path: Path, prepared_files: list[Path]) -> None:
    make(tmp_path, prepared_files)

    def stop(path: Path) -> None:
        path.write_text("ma")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_once(tmp_path / "file.npz", {"rows": "b"}, stop)
    assert make(tmp_path, prepared_files) == "made" and len(prepared_files) == 2
