"""Pickles of plain data are read, and nothing that a pickle can do is done."""

from __future__ import annotations

import collections
import datetime
import io
import os
import pickle
import struct
import tracemalloc
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.io import plain_pickle
from captious.io.plain_pickle import read_plain_pickle
from captious.metrics.cider.document_frequencies import DocumentFrequencies

PLAIN = {
    "document_frequency": defaultdict(float, {("a",): 3.0, ("a", "dog"): 2.0, ("é", "猫"): 1.0}),
    "ref_len": 113287,
    "list": [None, True, False, 0, -1, 255, 65535, 65536, -(2**31), 2**40, -(2**63), 1e300, ""],
    "numpy": [np.float64(2.5), np.float32(0.5), np.int64(-7), np.uint8(200), np.bool_(True)],
    "big-endian": np.array([3.5], ">f8")[0],
    "set": {1, 2},
    "bytes": b"\x00\xff",
    "long": "x" * 300,
    "quoted": 'it\'s "so"\n\\ \x00',
    "again": [("a", "dog")] * 3,
}


def refused(tmp_path: Path, data: bytes) -> str:
    path = tmp_path / "hostile.p"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_plain_pickle(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_is_read(protocol: int, tmp_path: Path) -> None:
    path = tmp_path / "plain.p"
    path.write_bytes(pickle.dumps(PLAIN, protocol))
    contents = read_plain_pickle(path)
    assert contents == PLAIN
    assert type(contents["document_frequency"]) is dict
    assert [type(each) for each in contents["numpy"]] == [float, float, int, int, bool]


def test_texts_of_python_2_are_latin(tmp_path: Path) -> None:
    path = tmp_path / "old.p"
    path.write_bytes(b"(dp0\nS'caf\\xc3\\xa9'\np1\nI3\nsV\\u732b\np2\nL7L\nsS\"it's\"\nI01\ns.")
    assert read_plain_pickle(path) == {"caf\xc3\xa9": 3, "猫": 7, "it's": True}
    path.write_bytes(b"\x80\x02}q\x01(U\x04caf\xe9K\x03T\x02\x00\x00\x00abM\x01\x01u.")
    assert read_plain_pickle(path) == {"café": 3, "ab": 257}


class Calls:
    """An object whose pickle calls a function."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (os.system, "posix.system"),
        (eval, "eval"),
        (exec, "exec"),
        (getattr, "getattr"),
        (__import__, "__import__"),
        (open, "open"),
        (bytearray, "bytearray"),
        (datetime.date, "datetime.date"),
        (OrderedDict, "OrderedDict"),
        (collections.Counter, "Counter"),
        (np.array, "array"),
        (np.load, "load"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_functions_are_refused_by_name(
    function: Callable[..., Any], name: str, protocol: int, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    data = pickle.dumps({"document_frequency": Calls(function, f"touch {mark}")}, protocol)
    message = refused(tmp_path, data)
    assert name.split(".")[-1] in message
    assert "nothing but dicts" in message
    assert not mark.exists()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "cut off"),
        (b"<html>", "not a pickle"),
        (b"\x93NUMPY", "cut off"),
        (b"}", "cut off"),
        (b".", "cut off"),
        (b"}}.", "cut off"),
        (b"K", "cut off"),
        (b"\x8d" + b"\xff" * 8 + b"a.", "cut off"),
        (b"\x8e" + b"\xff" * 8 + b"a.", "cut off"),
        (b"B\xff\xff\xff\x7fa.", "cut off"),
        (b"T\xff\xff\xff\xffa.", "cut off"),
        (b"\x96" + b"\x00" * 8 + b".", "not a pickle"),  # a bytearray
        (b"}\x96" + b"\xff" * 8 + b".", "0x96"),
        (b"Nr\xff\xff\xff\x7f.", "cut off"),  # remembered under an enormous number
        (b"p-1\n.", "cut off"),
        (b"Np-1\n.", "cut off"),
        (b"j\x00\x00\x00\x00.", "cut off"),
        (b"\x8b\xff\xff\xff\x7f.", "cut off"),
        (b"\x8a\xff" + b"\x01" * 255 + b".", "more than 64 bits"),
        (b"I" + b"9" * 100_000 + b"\n.", "cut off"),
        (b"Fx\n.", "cut off"),
        (b"S'a\n.", "cut off"),
        (b"](K\x01K\x02u.", "cut off"),  # items of a dict, to a list
        (b"}(K\x01u.", "cut off"),  # a key without a value
        (b"}]K\x01s.", "cut off"),  # a list for a key
        (b"}K\x01a.", "cut off"),
        (b"t.", "cut off"),
        (b"}(iposix\nsystem\n.", "posix.system"),
        (b"}cos\nsystem\n.", "os.system"),
        (b"}c__builtin__\neval\n.", "__builtin__.eval"),
        (b"}(cbuiltins\nfloat\no.", "0x6f"),
        (b"}Pid\n.", "0x50"),
        (b"}\x82\x01.", "0x82"),
        (b"}\x81.", "0x81"),
        (b"}cbuiltins\nfloat\n(I1\ntR.", "calls float"),
        (b"}ccollections\ndefaultdict\n(cbuiltins\nset\ntR.", "calls collections.defaultdict"),
        (b"}cnumpy\ndtype\n(S'O8'\ntR.", "calls numpy.dtype"),
        (b"}cnumpy\ndtype\n(S'V1000000000'\ntR.", "calls numpy.dtype"),
        (b"}c_codecs\nencode\n(S'x'\nS'rot13'\ntR.", "calls codecs.encode"),
        (b"}cbuiltins\nset\n(I5\ntR.", "calls set"),
        (b"}K\x01)R.", "no function"),
        (b"}}b.", "state"),
        (b"cnumpy\ncore\n.", "numpy.core"),
    ],
)
def test_pickles_of_other_objects_are_refused(data: bytes, reason: str, tmp_path: Path) -> None:
    assert reason in refused(tmp_path, data)


def test_tuples_in_tuples_do_not_go_deep(tmp_path: Path) -> None:
    # Python's own reader takes this, and falls over when it looks for the key.
    data = b"}" + b")" + b"\x85" * 300_000 + b"K\x01s."
    assert "a tuple within a tuple" in refused(tmp_path, data)


@pytest.mark.slow
def test_memory_is_proportional_to_the_pickle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 200_000
    monkeypatch.setattr(plain_pickle, "MAX_INSTRUCTIONS", 150_000)
    for data in (
        b"}" * size,
        b"]" * size,
        b"(" * size,
        b"N" * size,
        b"N" + b"\x94" * size,
        b")" * size,
        b"N" + b"r" + struct.pack("<I", size) + b"\x94" * size,
        b"K\x01" * (size // 2),
        b"(" + b"N" * size + b"t" + b"2" * 10,
    ):
        tracemalloc.start()
        refused(tmp_path, data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 130 * size, data[:3]


def test_repeated_copies_are_refused(tmp_path: Path) -> None:
    text = b"X" + struct.pack("<I", 50_000) + b"x" * 50_000
    encode = b"c_codecs\nencode\nq\x00(" + text + b"U\x06latin1tq\x01"
    assert "again and again" in refused(tmp_path, b"(" + encode + b"h\x00h\x01R" * 50_000 + b"t.")
    listed = b"cbuiltins\nset\nq\x00(](" + b"M\x01\x02" * 50_000 + b"etq\x01"
    assert "again and again" in refused(tmp_path, b"(" + listed + b"h\x00h\x01R" * 900 + b"t.")


def test_a_name_is_text(tmp_path: Path) -> None:
    # Lists of one list twice, a hundred deep: to write it out would take for ever.
    laughs = b"]q\x00" + b"".join(
        b"](h" + bytes([n]) + b"h" + bytes([n]) + b"eq" + bytes([n + 1]) for n in range(100)
    )
    assert "damaged" in refused(tmp_path, b"}" + laughs + b"K\x01\x93.")
    path = tmp_path / "df.p"
    start = b"}(X\x12\x00\x00\x00document_frequency" + laughs + b"X\x07\x00\x00\x00ref_len"
    path.write_bytes(start + b"h\x64u.")
    with pytest.raises(InputError):
        DocumentFrequencies.load(path)


def test_pickle_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_pickle, "MAX_INSTRUCTIONS", 100)
    assert "more than 100 instructions" in refused(tmp_path, b"N" * 101 + b".")
    assert "more than 1,000 dicts" not in refused(tmp_path, b"}" * 101)
    monkeypatch.setattr(plain_pickle, "MAX_INSTRUCTIONS", 10_000)
    assert "more than 1,000 dicts" in refused(tmp_path, b"}" * 1001)
    monkeypatch.setattr(plain_pickle, "MAX_FILE_BYTES", 10)
    assert "enormous" in refused(tmp_path, b"N" * 11)


def test_truncated_pickle_is_refused(tmp_path: Path) -> None:
    whole = pickle.dumps(PLAIN)
    for end in range(0, len(whole) - 1, 7):
        refused(tmp_path, whole[:end])


def test_pythons_own_instructions_are_known_or_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    pickle.Pickler(stream, 4).dump(frozenset({1}))
    assert "0x91" in refused(tmp_path, stream.getvalue())
