"""What the parser sees of a word's spelling: the hash buckets of its pieces.

The training command and the parser share this, so that both read a word alike.
"""

from __future__ import annotations

import re
import zlib

_DIGIT = re.compile(r"\d")
_LONGEST_PIECE_OF_A_WORD = 12  # of a longer word only both ends are read: the cost stays bounded


def subword_buckets(word: str, buckets: int) -> list[int]:
    """Hash a word's endings, beginnings and three-letter stretches into numbers below `buckets`."""
    spelling = _DIGIT.sub("0", word.lower())
    if len(spelling) > 2 * _LONGEST_PIECE_OF_A_WORD:
        spelling = spelling[:_LONGEST_PIECE_OF_A_WORD] + spelling[-_LONGEST_PIECE_OF_A_WORD:]
    pieces = [f"end {spelling[-length:]}" for length in range(1, min(4, len(spelling)) + 1)]
    pieces += [f"start {spelling[:length]}" for length in range(1, min(3, len(spelling)) + 1)]
    fenced = f"<{spelling}>"
    pieces += [fenced[start : start + 3] for start in range(len(fenced) - 2)]
    encoded = (piece.encode("utf-8", "surrogatepass") for piece in pieces)
    return [zlib.crc32(piece) % buckets for piece in encoded]
