"""Protocol buffers, as far as files of networks need them: fields are read and written."""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5  # how a field is written
_SIZES = {FIXED_64: 8, FIXED_32: 4}

Value = int | bytes | str


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The number and the value of each field, in order; what is no number is bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        value: int | bytes
        if kind == VARINT:
            value, place = _varint(message, place)
        else:
            size = _SIZES.get(kind)
            if size is None:
                if kind != BYTES:
                    raise ValueError(f"a field of the unknown kind {kind}")
                size, place = _varint(message, place)
            if place + size > len(message):
                raise ValueError("cut off within a field")
            value, place = message[place : place + size], place + size
        yield key >> 3, value


def packed_numbers(packed: bytes) -> list[int]:
    """Numbers that are written one after another in a field."""
    numbers, place = [], 0
    while place < len(packed):
        number, place = _varint(packed, place)
        numbers.append(number)
    return numbers


def message(*written: tuple[int, Value]) -> bytes:
    """The fields, by their numbers, as one message; numbers must not be below 0."""
    parts = []
    for number, value in written:
        if isinstance(value, int):
            parts += [_as_varint(number << 3 | VARINT), _as_varint(value)]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [_as_varint(number << 3 | BYTES), _as_varint(len(content)), content]
    return b"".join(parts)


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """A number of as many bytes as it needs, and the place behind it."""
    number = shift = 0
    while place < len(content):
        byte = content[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
    raise ValueError("cut off within a number")


def _as_varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])
