# cython: annotation_typing=False
"""Cuts captions at white space and numbers the pieces, few of them different."""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

# Fowler, Noll and Vo's hash of bytes, its second variant, in 64 bits.
BASIS = 0xCBF29CE484222325
PRIME = 0x100000001B3
NO_ROOM = -1  # the answer in place of a number
WORD = 0xFFFFFFFFFFFFFFFF
MIXER = 0x9E3779B97F4A7C15  # the golden ratio in 64 bits spreads hashes over the table


def number_chunks(
    text: Any,
    ends: Any,
    is_white: Any,
    slots: Any,
    shift: Any,
    firsts: Any,
    sizes: Any,
    numbers: Any,
    lengths: Any,
) -> int:
    """Number the chunks of captions by what they say, as they appear; return how many differ.

    `text` has the bytes of all captions, one after another, and `ends` where each of them ends;
    `is_white` says of each byte whether it lies between chunks. `firsts` and `sizes` receive where
    each different chunk stands first in the text, and its bytes; `numbers` the number of every
    chunk, `lengths` how many a caption has. `slots` is a hash table, empty, with more room than
    `firsts`: a slot holds a number plus one. Where more chunks differ, the answer is NO_ROOM.
    """
    no_room = NO_ROOM  # typed: others read it as Python's
    room = len(firsts)
    last_slot = len(slots) - 1
    different = 0
    count = 0
    position = 0
    with nogil:
        for caption in range(len(ends)):
            before = count
            while position < ends[caption]:
                if is_white[text[position]]:
                    position += 1
                    continue
                start = position
                hash = BASIS
                while position < ends[caption] and not is_white[text[position]]:
                    hash = ((hash ^ text[position]) * PRIME) & WORD
                    position += 1
                size = position - start
                slot = ((hash * MIXER) & WORD) >> shift
                while slots[slot] != 0:
                    number = slots[slot] - 1
                    same = 0
                    if sizes[number] == size:
                        while same < size and text[firsts[number] + same] == text[start + same]:
                            same += 1
                        if same == size:
                            break
                    slot = (slot + 1) & last_slot
                if slots[slot] == 0:
                    if different == room:
                        return no_room
                    firsts[different] = start
                    sizes[different] = size
                    different += 1
                    slots[slot] = different
                numbers[count] = slots[slot] - 1
                count += 1
            lengths[caption] = count - before
    return different
