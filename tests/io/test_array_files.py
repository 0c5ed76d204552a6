"""Files of arrays: what is declared is checked, and what is wrong is said in one line."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io.array_files import (
    DECIMALS,
    FLAGS,
    LINES,
    NAMES,
    TEXT,
    WHOLE_NUMBERS,
    ArrayFile,
    Member,
    json_table,
    record_from_table,
)
from captious.metrics.leic.recipe import CriticRecipe
from tests.io.array_file_mutations import contents, npy_of, zipped

POINTS = ArrayFile(
    "a file of points",
    "measure them again",
    (
        Member("about", json_table(unit=str, scale=int)),
        Member("title", TEXT),
        Member("names", LINES, ("points",)),
        Member("files", NAMES, ("points",)),
        Member("places", DECIMALS, ("points", 2)),
        Member("ranks", WHOLE_NUMBERS, ("points",), 0, 9),
        Member("is_new", FLAGS, ("points",), optional=True),
    ),
    max_bytes=1 << 20,
)
SOUND: dict[str, Any] = {
    "about": {"unit": "cm", "scale": 3},
    "title": "Köln",
    "names": ["a", "犬"],
    "files": np.array(["a.jpg", "b.jpg"]),
    "places": np.array([[0.5, 1], [2, 3]]),
    "ranks": np.array([1, 2]),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "points.npz"


def test_written_arrays_are_read_back(path: Path) -> None:
    POINTS.write(path, SOUND)
    before = path.read_bytes()
    found = POINTS.read(path)
    assert list(found) == list(SOUND)
    assert found["about"] == SOUND["about"] and found["title"] == "Köln"
    assert found["names"] == ["a", "犬"] and found["files"].tolist() == ["a.jpg", "b.jpg"]
    assert found["places"].tolist() == SOUND["places"].tolist()
    assert found["places"].flags.writeable
    POINTS.write(path, found)
    assert path.read_bytes() == before


def test_numpy_reads_written_files_and_its_files_are_read(path: Path) -> None:
    POINTS.write(path, SOUND)
    with np.load(path) as file:
        arrays = dict(file)
    assert arrays["title"].tobytes().decode() == "Köln"
    arrays["is_new"] = np.array([True, False])
    arrays["places"] = np.asfortranarray(arrays["places"].astype(">f4"))
    np.savez_compressed(path, **arrays, more=np.zeros(3))
    found = POINTS.read(path)
    assert found["is_new"].tolist() == [True, False] and "more" not in found
    assert found["places"].dtype == np.float32 and found["places"].dtype.isnative
    assert found["places"].tolist() == SOUND["places"].tolist()


def test_a_gzipped_archive_is_read(tmp_path: Path) -> None:
    POINTS.write(tmp_path / "points.npz", SOUND)
    packed = gzip.compress((tmp_path / "points.npz").read_bytes())
    (tmp_path / "points.npz.gz").write_bytes(packed)
    assert POINTS.read(tmp_path / "points.npz.gz")["names"] == SOUND["names"]
    (tmp_path / "cut.npz.gz").write_bytes(packed[:-20])
    with pytest.raises(InputError, match="the gzip file is cut off"):
        POINTS.read(tmp_path / "cut.npz.gz")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"ranks": None}, "no array 'ranks'; its arrays are: about, title, names, files, places"),
        ({"ranks": np.array([1.5, 2])}, "array 'ranks': expected whole numbers, found float64"),
        ({"ranks": np.array([1, 10])}, "array 'ranks': 10 lies outside 0 to 9, at 1)"),
        ({"ranks": np.array([-1, 1])}, "array 'ranks': -1 lies outside 0 to 9"),
        ({"ranks": np.array(1)}, "array 'ranks': expected 1 dimensions, found 0"),
        ({"ranks": np.array([1])}, "array 'ranks': 1 points where 2 are expected"),
        ({"places": np.ones((2, 3))}, "array 'places': 3 where 2 are expected"),
        (
            {"places": np.full((2, 2), np.nan)},
            "array 'places': nan lies outside -1e+18 to 1e+18, at 0, 0)",
        ),
        (
            {"places": np.full((2, 2), 0x7F800001, np.uint32).view(np.float32)},  # which signals
            "array 'places': nan lies outside -1e+18 to 1e+18, at 0, 0)",
        ),
        ({"places": np.full((2, 2), 1e300)}, "array 'places': 1e+300 lies outside"),
        ({"places": np.array([["x", "y"]] * 2)}, "array 'places': expected decimal numbers, found"),
        ({"places": np.ones((2, 2), np.longdouble)}, "array 'places': expected decimal numbers"),
        ({"files": np.array([b"a", b"b"])}, "array 'files': expected names, found bytes"),
        ({"is_new": np.array([1, 0])}, "array 'is_new': expected true or false, found int64"),
        ({"names": np.array([97, 10, 0xFF], np.uint8)}, "array 'names': 'utf-8' codec can't"),
        ({"names": np.array([97], np.uint8)}, "array 'names': 1 points where 2 are expected"),
        ({"about": np.array("[1]")}, "array 'about': not a table"),
        ({"about": np.array('{"unit": "cm"}')}, "array 'about': no entry 'scale'"),
        ({"about": np.array('{"unit": 1, "scale": 1}')}, "'unit' is of another kind"),
        ({"about": np.array("[" * 50_000)}, "array 'about': goes deeper than 32 levels"),
        ({"about": np.array("[" * 40 + "]" * 40)}, "array 'about': goes deeper than 32 levels"),
        ({"about": np.array("{")}, "array 'about': Expecting property name"),
    ],
)
def test_array_that_differs_from_its_declaration_is_named(
    path: Path, changes: dict[str, np.ndarray | None], reason: str
) -> None:
    arrays = {**SOUND, **changes}
    raw = ArrayFile("anything", "").write
    POINTS.write(path, SOUND)
    with np.load(path) as file:
        written = dict(file)
    raw(path, {name: changes.get(name, written.get(name)) for name in arrays
               if changes.get(name, 0) is not None})  # fmt: skip
    with pytest.raises(InputError, match=re.escape(reason)) as caught:
        POINTS.read(path)
    assert str(caught.value).startswith(f"{path}: not a file of points (")
    assert str(caught.value).endswith("); measure them again")


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_bounds_hold_for_numbers_of_any_precision(path: Path, kind: type[Any]) -> None:
    file = ArrayFile("a file of shares", "", (Member("shares", DECIMALS, ("n",), -0.25, 1),))
    for numbers in ([0.0], [-0.25, 1.0], [-0.0, 0.5, 1e-7, -1e-7], []):
        file.write(path, {"shares": np.array(numbers, kind)})
        assert file.read(path)["shares"].tolist() == np.array(numbers, kind).tolist()
    for wrong, said in {
        np.nan: "nan", -np.nan: "nan", np.inf: "inf", -np.inf: "-inf", -0.5: "-0.5", 1.5: "1.5"
    }.items():  # fmt: skip
        file.write(path, {"shares": np.array([0.5, wrong, -0.125], kind)})
        with pytest.raises(InputError, match=f"{said} lies outside -0.25 to 1"):
            file.read(path)


def test_invalid_code_point_is_refused(path: Path) -> None:
    POINTS.write(path, SOUND)
    members = contents(path.read_bytes())
    members["files.npy"] = members["files.npy"][:-4] + (0x110000).to_bytes(4, "little")
    path.write_bytes(zipped(members))
    with pytest.raises(InputError, match="a letter that does not exist"):
        POINTS.read(path)


def crafted(path: Path, name: str, change: Callable[..., Any]) -> None:
    """A sound file whose directory says something else of one member."""
    POINTS.write(path, SOUND)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for other, content in contents(path.read_bytes()).items():
            archive.writestr(other, content)
            if other == name:
                change(archive.filelist[-1])
    path.write_bytes(stream.getvalue())


@pytest.mark.parametrize(
    ("entry", "value", "reason"),
    [
        ("flag_bits", 1, "array 'places' is encrypted"),
        ("compress_type", zipfile.ZIP_LZMA, "array 'places' has a compression that NumPy never"),
        ("compress_type", 99, "array 'places' has a compression that NumPy never uses"),
        ("file_size", 1 << 33, "array 'places' states two different sizes"),
        ("filename", "ranks.npy", "array 'ranks' is there twice"),
        ("filename", "\x1b[31m\n.npy", "no array 'places'; its arrays are: about, title, names"),
        ("CRC", 1, "array 'places': Bad CRC-32"),
        ("header_offset", 0, "array 'places' overlaps another"),
    ],
)
def test_contradictory_zip_directory_is_refused(
    path: Path, entry: str, value: int | str, reason: str
) -> None:
    crafted(path, "places.npy", lambda info: setattr(info, entry, value))
    with pytest.raises(InputError, match=re.escape(reason)) as caught:
        POINTS.read(path)
    assert str(caught.value).isprintable()


def test_objects_are_never_unpickled(path: Path) -> None:
    members = {**SOUND, "places": np.ones((2, 2))}
    POINTS.write(path, members)
    parts = contents(path.read_bytes())
    parts["places.npy"] = npy_of(np.array([print], object), pickled=True)
    path.write_bytes(zipped(parts))
    with pytest.raises(InputError, match="holds objects or records"):
        POINTS.read(path)


def test_arrays_beyond_the_size_limit_are_not_unpacked(path: Path) -> None:
    POINTS.write(path, {**SOUND, "title": "x" * (2 << 20)})
    with pytest.raises(InputError, match=r"its arrays would take 2\.1 MB, and 1\.0 MB are allowed"):
        POINTS.read(path)


def test_size_limit_counts_arrays_read_one_after_another(path: Path) -> None:
    file = ArrayFile("a file of halves", "", max_bytes=3000)
    file.write(path, {"first": np.zeros(200), "second": np.zeros(200)})
    with file.open(path) as halves:
        assert len(halves.read(Member("first", DECIMALS, ("n",)))["first"]) == 200
    with pytest.raises(InputError, match=r"would take 0\.0 MB"), file.open(path) as halves:
        halves.read(Member("first", DECIMALS, ("n",)))
        halves.read(Member("second", DECIMALS, ("n",)))


BOMB = """
import resource, sys
from pathlib import Path
from captious.images.vectors import ImageVectors
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 10**8, taken + 10**8))
try:
    ImageVectors.read(sys.argv[1])
except ValueError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limits on memory")
@pytest.mark.parametrize("packed_twice", [False, True])
def test_zip_bomb_takes_no_memory(tmp_path: Path, packed_twice: bool) -> None:
    """300 MB of zeros in a third of a megabyte, or in a gzip file of that."""
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 75000000), }\n"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("files.npy", npy_of(np.array(["a"])))
        with archive.open("features.npy", "w") as member:
            member.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
            for _ in range(300):
                member.write(bytes(10**6))
    packed = stream.getvalue()
    path = tmp_path / ("bomb.npz.gz" if packed_twice else "bomb.npz")
    path.write_bytes(gzip.compress(packed) if packed_twice else packed)
    done = subprocess.run(
        [sys.executable, "-c", BOMB, path], capture_output=True, text=True, check=True
    )
    assert (
        "its arrays would take 300.0 MB, and 268.4 MB are allowed for a file of 0.3" in done.stdout
    )


def test_paths_that_are_no_files_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "loop.npz").symlink_to(tmp_path / "loop.npz")
    names: dict[Any, str] = {
        tmp_path / "pipe.npz": "a pipe",
        tmp_path: "a folder",
        "/dev/zero": "a device",
        tmp_path / "loop.npz": "symbolic links",
        tmp_path / "none.npz": "No such file",
        "null\0": "not a file name",
    }
    for name, reason in names.items():
        with pytest.raises(InputError, match=reason):
            POINTS.read(name)


def test_records_have_known_entries() -> None:
    assert record_from_table(CriticRecipe, {"size": 7}).size == 7
    with pytest.raises(InputError, match="unknown entry 'sice'"):
        record_from_table(CriticRecipe, {"sice": 7})
    with pytest.raises(InputError, match="others: a dict, not"):
        record_from_table(CriticRecipe, {"others": [1]})
