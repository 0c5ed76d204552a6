"""Minimal reader and writer of protocol buffer messages, for neural network files."""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5  # how a field is written
_SIZES = {FIXED_64: 8, FIXED_32: 4}

Value = int | bytes | str


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the value of each field, in order; values are integers or bytes."""
    place = 0
    while place < len(message):
        key, place = _decode_varint(message, place)
        kind = key & 7
        value: int | bytes
        if kind == VARINT:
            value, place = _decode_varint(message, place)
        else:
            size = _SIZES.get(kind)
            if size is None:
                if kind != BYTES:
                    raise ValueError(f"a field of the unknown kind {kind}")
                size, place = _decode_varint(message, place)
            if place + size > len(message):
                raise ValueError("cut off within a field")
            value, place = message[place : place + size], place + size
        yield key >> 3, value


def packed_numbers(packed: bytes) -> list[int]:
    """Return the varints of a packed field."""
    numbers, place = [], 0
    while place < len(packed):
        number, place = _decode_varint(packed, place)
        numbers.append(number)
    return numbers


def message(*written: tuple[int, Value]) -> bytes:
    """Serialize fields, given by their numbers; integers must not be negative."""
    parts = []
    for number, value in written:
        if isinstance(value, int):
            parts += [_encode_varint(number << 3 | VARINT), _encode_varint(value)]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [_encode_varint(number << 3 | BYTES), _encode_varint(len(content)), content]
    return b"".join(parts)


def _decode_varint(content: bytes, place: int) -> tuple[int, int]:
    """Return the varint at a position, and the position after it."""
    number = shift = 0
    while place < len(content):
        byte = content[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
    raise ValueError("cut off within a number")


def _encode_varint(number: int) -> bytes:
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])
