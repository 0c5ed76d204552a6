"""Damage to bytes that knows nothing of what they mean."""

from __future__ import annotations

import gzip
import zlib
from random import Random

MAX_BYTES = 1 << 20  # bytes that damage may make of a file
INTERESTING = (
    b"\x00", b"\xff", b"\x7f", b"\x80", b"\n", b"\r", b"\t", b" ", b'"', b"'", b",", b"{", b"}",
    b"[", b"]", b":", b"\\", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\x1f\x8b",
    b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY", b"PAR1", b"\x00"* 8, b"\xff"* 8,
)  # fmt: skip


def damage_bytes(content: bytes, random: Random) -> bytes:
    """The same with one to a few things wrong."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        content = _damage_once(content, random)
    return content[:MAX_BYTES]


def _damage_once(content: bytes, random: Random) -> bytes:
    what = random.randrange(9)
    size = len(content)
    if not size or what == 0:
        return random.randbytes(random.choice((0, 1, 4, 40, 400)))
    place = random.randrange(size)
    if what == 1:  # a bit
        changed = content[place] ^ (1 << random.randrange(8))
        return content[:place] + bytes([changed]) + content[place + 1 :]
    if what == 2:  # bytes
        put = random.choice(INTERESTING)
        return content[:place] + put + content[place + len(put) :]
    if what == 3:
        return content[:place] + random.choice(INTERESTING) + content[place:]
    if what == 4:  # cut off
        return content[:place]
    if what == 5:  # the beginning is missing
        return content[place:]
    other = random.randrange(size)
    start, end = min(place, other), max(place, other)
    if what == 6:  # a part is missing
        return content[:start] + content[end:]
    if what == 7:  # a part comes twice
        return content[:end] + content[start:]
    # a part is put elsewhere
    part = content[start:end]
    rest = content[:start] + content[end:]
    place = random.randrange(len(rest) + 1)
    return rest[:place] + part + rest[place:]


def pack_as_gzip(content: bytes, random: Random) -> bytes:
    """A gzip file of these contents: sound, damaged, of several members, or of other layers."""
    what = random.randrange(10)
    sound = gzip.compress(content, 1, mtime=0)
    if what < 4:
        return sound
    if what < 7:
        return damage_bytes(sound, random)
    if what == 7:
        half = len(content) // 2
        return gzip.compress(content[:half], 1, mtime=0) + gzip.compress(content[half:], 1, mtime=0)
    if what == 8:
        return gzip.compress(sound, 1, mtime=0)
    return random.choice((zlib.compress(content), content, sound + b"\x00" * 9, sound + sound))
