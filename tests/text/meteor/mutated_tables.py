"""Damages METEOR's tables at random, many times; each time they score or are refused.

Run as a process of its own by a test, which sees it when the process crashes:

    python -m tests.text.meteor.mutated_tables FOLDER NUMBER SEED
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.text.meteor.alignment import alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.tables import FILES, MeteorTables, fingerprint
from tests.made_up.meteor_tables import CAPTIONS, build

ODD_NUMBERS = [-(1 << 31), -1, 0, 1, 7, 255, 256, 65535, 1 << 16, 1 << 24, (1 << 31) - 1]
TYPES = ["<i4", "<i8", "<u2", "|u1", ">i4", "<f4", "<f8", "|b1", "<U2"]


def flip(data: bytes, chance: np.random.Generator) -> bytes:
    """Other bits in one to four bytes."""
    changed = bytearray(data)
    for _ in range(int(chance.integers(1, 5))):
        if changed:
            changed[int(chance.integers(len(changed)))] ^= int(chance.integers(1, 256))
    return bytes(changed)


def cut(data: bytes, chance: np.random.Generator) -> bytes:
    """An end that is missing, or doubled."""
    place = int(chance.integers(len(data) + 1))
    return data[:place] if chance.random() < 0.7 else data + data[place:]


def change_array(data: bytes, chance: np.random.Generator) -> bytes:
    """A sound array file of other numbers, of another type or of another form."""
    begin = 10 + int.from_bytes(data[8:10], "little")
    dtype = np.dtype(eval(data[10:begin])["descr"])
    array = np.frombuffer(data[begin:], dtype).copy()
    kind = chance.random()
    if kind < 0.6 and len(array):
        for _ in range(int(chance.integers(1, 4))):
            place = int(chance.integers(len(array)))
            if chance.random() < 0.5:
                value = int(chance.choice(ODD_NUMBERS)) % (1 << 8 * dtype.itemsize)
                array[place : place + 1] = np.array([value], np.uint64).astype(dtype)
            else:
                array[place] = array[int(chance.integers(len(array)))]
    elif kind < 0.7:
        array = array.astype(TYPES[int(chance.integers(len(TYPES)))])
    elif kind < 0.8:
        array = array.reshape([(-1, 1), (1, -1), (1, 1, -1)][int(chance.integers(3))])
    elif kind < 0.9:
        array = array[: int(chance.integers(len(array) + 1))]
    else:
        array = np.concatenate([array, array[: int(chance.integers(len(array) + 1))]])
    path = Path("changed.npy")
    np.save(path, array)
    return path.read_bytes()


def change_about(data: bytes, chance: np.random.Generator) -> bytes:
    """Another value of one entry."""
    about = json.loads(data)
    names = sorted(about)
    values = [None, -1, 0, 1, 3, 257, 1 << 40, 1.5, True, "", "x", [], {}, "\n", about["words"] + 1]
    about[names[int(chance.integers(len(names)))]] = values[int(chance.integers(len(values)))]
    return json.dumps(about).encode()


def mutated(name: str, data: bytes, chance: np.random.Generator) -> bytes:
    """A file's bytes, damaged."""
    if chance.random() < 0.5 and name.endswith(".npy"):
        return change_array(data, chance)
    if chance.random() < 0.5 and name == "about.json":
        return change_about(data, chance)
    return flip(data, chance) if chance.random() < 0.7 else cut(data, chance)


def score_with_tables(folder: Path) -> None:
    """Score captions with the tables of a folder."""
    tokens = [caption.split() for caption in CAPTIONS]
    base = MeteorCaptions.analyse(tokens, tables=MeteorTables(folder))
    text = MeteorCaptions.analyse(tokens[::-1], base)
    left, right = np.divmod(np.arange(len(tokens) ** 2), len(tokens))
    rows = alignment_statistics(text, base, left, right)
    assert (rows >= 0).all() and (rows[:, 21:] <= rows[:, :2]).all(), rows


def main() -> None:
    """Damage the tables so many times, and print how often they scored and were refused."""
    place, number, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    os.chdir(place)
    sound = build(place / "sound")
    score_with_tables(sound)
    chance = np.random.default_rng(seed)
    files = {name: (sound / name).read_bytes() for name in [*FILES, "about.json"]}
    answers: Counter[str] = Counter()
    for case in range(number):
        # A folder of its own: tables are remembered by their folder's name.
        folder = place / str(case)
        folder.mkdir()
        damaged = sorted(files)[int(chance.integers(len(files)))]
        for name, data in files.items():
            if name != damaged:
                os.link(sound / name, folder / name)
            elif chance.random() < 0.97:
                (folder / name).write_bytes(mutated(name, data, chance))
        if damaged != "about.json" and (folder / damaged).exists() and chance.random() < 0.8:
            # Damage that the fingerprint doesn't tell: everything else has to.
            about = json.loads(files["about.json"]) | {"fingerprint": fingerprint(folder)}
            (folder / "about.json").unlink()
            (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
        try:
            score_with_tables(folder)
            answers["scored"] += 1
        except InputError as error:
            assert "\n" not in str(error), error
            answers["refused"] += 1
        except BaseException:
            print(f"case {case}: {damaged}", file=sys.stderr)
            raise
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
