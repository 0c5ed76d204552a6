"""Sentence splitting of many ASCII captions at once, in arrays over the joined text.

The sentences are those that `sentence_rules` gives. Captions that it takes more to split (other
letters, very wide gaps) are left to these rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray, distinct
from captious.text.english import ENGLISH
from captious.text.sentence_rules import (
    ABBREVIATION_WINDOW_CHARS,
    CLOSING,
    MARKS,
    SENTENCE,
    is_abbreviation,
)

BLOCK_CAPTIONS = 1 << 12  # joined at a time: bounds memory
MAX_GAP_CHARS = 8  # of white space between sentences; wider gaps are left to the rules
MAX_ITEM_CHARS = 5  # of a list item's number, "(123)": what is longer and begins a word has a word
MAX_PACKED_CHARS = 8  # of a word as one number of 64 bits
_BETWEEN = "\0"  # captions that have it are left to the rules
_CODES = range(256)


def _table_of(letters: str) -> npt.NDArray[np.bool_]:
    return np.array([code < 128 and chr(code) in letters for code in _CODES])


_STOP = ord(".")
_ASCII = "".join(map(chr, range(128)))
_ASCII_MARKS = [ord(mark) for mark in MARKS if mark.isascii()]
_IS_CLOSING = _table_of(CLOSING)
_LINES = "\n\v\f\r"  # one after the other
_IS_WHITE = _table_of("".join(filter(str.isspace, _ASCII)))
_IS_WORD = _table_of("_" + "".join(filter(str.isalnum, _ASCII)))
_IS_WORD_START = _table_of("".join(filter(str.isalnum, _ASCII)))
# What may stand before an abbreviation.
_IS_BEFORE_WORD = _IS_WHITE | _table_of('"([' + _BETWEEN)
_LOWERED = np.frombuffer("".join(map(str.lower, _ASCII)).encode("ascii"), np.uint8)


def _pack(word: str) -> int:
    """Return a word as a number, its last letter in the lowest byte."""
    return int.from_bytes(word.encode("ascii"), "big")


# Initials, and abbreviations without a stop inside, as numbers.
_PACKED_ABBREVIATIONS = np.array(
    sorted(
        _pack(word)
        for word in {*filter(str.isalpha, _ASCII.lower()), *ENGLISH.orthography.ABBREVIATIONS}
        if word.isalpha() and len(word) <= MAX_PACKED_CHARS
    ),
    np.uint64,
)


def split_ascii_captions(
    captions: Sequence[str],
) -> tuple[list[str], IntArray, npt.NDArray[np.bool_]]:
    """Return the sentences of captions that have several, their number, and what was split.

    The number is 0 for a caption of one sentence, and for one that is left to the rules.
    """
    is_split = np.fromiter(map(str.isascii, captions), np.bool_, len(captions))
    counts = np.zeros(len(captions), np.int64)
    sentences: list[str] = []
    for start in range(0, len(captions), BLOCK_CAPTIONS):
        block = slice(start, start + BLOCK_CAPTIONS)
        rows = start + np.flatnonzero(is_split[block])
        of_block, counts[rows], is_split[rows] = _split_block(
            list(compress(captions[block], is_split[block]))
        )
        sentences += of_block
    return sentences, counts, is_split


def _split_block(captions: list[str]) -> tuple[list[str], IntArray, npt.NDArray[np.bool_]]:
    text = _BETWEEN.join(["", *captions, ""])
    letters = np.frombuffer(text.encode("ascii"), np.uint8)
    lengths = np.fromiter(map(str.__len__, captions), np.int64, len(captions))
    ends = np.cumsum(lengths + 1)
    begins = ends - lengths
    gaps = _Gaps.find(letters)
    is_split = np.ones(len(captions), np.bool_)
    betweens = np.flatnonzero(letters == ord(_BETWEEN))[1:]
    owners = np.searchsorted(ends, gaps.starts)
    is_split[owners[gaps.are_wide(letters)]] = False
    if len(betweens) > len(captions):
        rows = np.searchsorted(ends, betweens)
        is_split[rows[betweens != ends[rows]]] = False
    # White space at the end of a caption ends no other sentence.
    is_inside = is_split[owners] & (gaps.ends != ends[owners])
    is_inside[is_inside] = gaps.take(is_inside).are_sentence_ends(text, letters)
    starts, next_starts = gaps.starts[is_inside], gaps.ends[is_inside]
    gap_counts = np.bincount(owners[is_inside], minlength=len(captions))
    rows = np.flatnonzero(gap_counts)
    parts, is_sentence = _cut(
        text,
        letters,
        np.sort(np.concatenate([begins[rows], next_starts])),
        np.sort(np.concatenate([starts, ends[rows]])),
    )
    part_owners = np.repeat(rows, gap_counts[rows] + 1)
    counts = np.bincount(part_owners[is_sentence], minlength=len(captions))
    is_sentence &= counts[part_owners] > 1
    counts[counts == 1] = 0
    if not is_sentence.all():
        parts = list(compress(parts, is_sentence.tolist()))
    return parts, counts, is_split


@dataclass(frozen=True, slots=True, eq=False)
class _Gaps:
    """White space that may end a sentence: behind a mark, or with the end of a line."""

    starts: IntArray
    ends: IntArray  # of wide gaps a place inside
    have_mark: npt.NDArray[np.bool_]
    have_line: npt.NDArray[np.bool_]

    @classmethod
    def find(cls, letters: IntArray) -> _Gaps:
        """Find all gaps of a text."""
        is_mark = letters == _ASCII_MARKS[0]
        for mark in _ASCII_MARKS[1:]:
            is_mark |= letters == mark
        marks = np.flatnonzero(is_mark)
        behind_marks = _skip(letters, marks + 1, 1, _IS_CLOSING, ABBREVIATION_WINDOW_CHARS - 1)
        behind_marks = behind_marks[_IS_WHITE[letters[behind_marks]]]
        lines = np.flatnonzero((letters >= ord(_LINES[0])) & (letters <= ord(_LINES[-1])))
        if not len(lines):
            starts, have_mark = behind_marks, np.ones(len(behind_marks), np.bool_)
            have_line = ~have_mark
        else:
            of_lines = distinct(_skip(letters, lines - 1, -1, _IS_WHITE, MAX_GAP_CHARS) + 1)
            starts = distinct(np.concatenate([behind_marks, of_lines]))
            have_mark, have_line = (
                np.bincount(np.searchsorted(starts, each), minlength=len(starts)) > 0
                for each in (behind_marks, of_lines)
            )
        return cls(
            starts, _skip(letters, starts + 1, 1, _IS_WHITE, MAX_GAP_CHARS), have_mark, have_line
        )

    def take(self, which: npt.NDArray[np.bool_]) -> _Gaps:
        """Return some of the gaps."""
        return _Gaps(
            self.starts[which], self.ends[which], self.have_mark[which], self.have_line[which]
        )

    def are_wide(self, letters: IntArray) -> npt.NDArray[np.bool_]:
        """Whether each gap goes on before its start or behind its end."""
        are_wide: npt.NDArray[np.bool_] = (
            _IS_WHITE[letters[self.starts - 1]] | _IS_WHITE[letters[self.ends]]
        )
        return are_wide

    def are_sentence_ends(self, text: str, letters: IntArray) -> npt.NDArray[np.bool_]:
        """Whether a sentence ends at each gap."""
        following = letters[self.ends]
        is_lower = (following >= ord("a")) & (following <= ord("z"))
        are_ends = self.have_mark | ~is_lower
        behind_marks = np.flatnonzero(~self.have_line)
        are_ends[behind_marks] = _are_no_abbreviations(text, letters, self.starts[behind_marks])
        return are_ends


def _skip(
    letters: IntArray, places: IntArray, step: int, table: npt.NDArray[np.bool_], most: int
) -> IntArray:
    """Return the first place whose letter is not in a table, or that after `most` steps."""
    places = places.copy()
    inside = np.flatnonzero(table[letters[places]])
    for _ in range(most):
        if not len(inside):
            break
        places[inside] += step
        inside = inside[table[letters[places[inside]]]]
    return places


def _are_no_abbreviations(text: str, letters: IntArray, gaps: IntArray) -> npt.NDArray[np.bool_]:
    """Whether no abbreviation stands directly before each gap."""
    are_ends = np.ones(len(gaps), np.bool_)
    stops = np.flatnonzero(letters[gaps - 1] == _STOP)
    # The word before each full stop, letter by letter from its last one.
    words = np.zeros(len(stops), np.uint64)
    lengths = np.zeros(len(stops), np.int64)
    active, places = np.arange(len(stops)), gaps[stops] - 2
    before = np.full(len(stops), ord(_BETWEEN), np.uint8)
    for length in range(ABBREVIATION_WINDOW_CHARS):
        before[active] = codes = letters[places]
        is_word = _IS_WORD[codes]
        active, places = active[is_word], places[is_word] - 1
        if not len(active):
            break
        lengths[active] += 1
        if length < MAX_PACKED_CHARS:
            letter = _LOWERED[codes[is_word]].astype(np.uint64)
            words[active] |= letter << np.uint64(8 * length)
    is_known = lengths <= MAX_PACKED_CHARS
    nearest = np.searchsorted(_PACKED_ABBREVIATIONS, words)
    nearest = np.minimum(nearest, len(_PACKED_ABBREVIATIONS) - 1)
    is_known &= (_PACKED_ABBREVIATIONS[nearest] == words) & _IS_BEFORE_WORD[before]
    are_ends[stops] = ~is_known
    # What has a stop inside: U.S., e.g., p.m.
    for place in stops[before == _STOP].tolist():
        gap = int(gaps[place])
        window = max(gap - ABBREVIATION_WINDOW_CHARS, 0)
        begin = max(text.rfind(_BETWEEN, window, gap) + 1, window)
        are_ends[place] = not is_abbreviation(text[begin:gap])
    return are_ends


def _cut(
    text: str, letters: IntArray, starts: IntArray, ends: IntArray
) -> tuple[list[str], npt.NDArray[np.bool_]]:
    """Return the parts of a text, and which of them are sentences."""
    parts = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    is_sentence = _IS_WORD_START[letters[starts]] & (ends - starts > MAX_ITEM_CHARS)
    is_sentence &= ~_IS_WHITE[letters[ends - 1]]
    for place in np.flatnonzero(~is_sentence).tolist():
        parts[place] = parts[place].strip()
        is_sentence[place] = SENTENCE.match(parts[place]) is not None
    return parts, is_sentence
