# cython: annotation_typing=False
"""Phrases with paraphrases in captions, and the paraphrases that can occur on the other side.

METEOR's table of paraphrases is a tree of phrases, each with a list of packed paraphrases. Only the
lists of phrases that occur are unpacked, and of those only paraphrases whose words and pairs of
neighbouring words occur in the captions to be matched.
"""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

# Answers in place of a number of paraphrases.
NO_ROOM = -1
DAMAGED = -2


def find_phrases(
    words: Any,
    offsets: Any,
    node_words: Any,
    children: Any,
    paraphrases: Any,
    starts: Any,
    nodes: Any,
    lengths: Any,
) -> int:
    """Find the phrases with paraphrases that begin at each word; return how many there are.

    The tree of phrases is each node's word, first child, and first byte of paraphrases. Phrases of
    word t are written from `starts[t]` to `starts[t + 1]`, the short ones first.
    """
    roots = children[0]
    count = 0
    with nogil:
        for row in range(len(offsets) - 1):
            for first in range(offsets[row], offsets[row + 1]):
                starts[first] = count
                node = words[first]
                if node >= roots:
                    continue
                position = first
                while node >= 0:
                    position += 1
                    if paraphrases[node] < paraphrases[node + 1]:
                        nodes[count] = node
                        lengths[count] = position - first
                        count += 1
                    if position == offsets[row + 1]:
                        break
                    word = words[position]
                    low = children[node]
                    high = children[node + 1]
                    end = high
                    while low < high:
                        middle = (low + high) >> 1
                        if node_words[middle] < word:
                            low = middle + 1
                        else:
                            high = middle
                    node = low if low < end and node_words[low] == word else -1
    starts[len(words)] = count
    return count


def mark_words(words: Any, offsets: Any, rows: Any, present: Any, bigrams: Any) -> None:
    """Mark the words, and the pairs of neighbouring words, of some captions.

    The number of marks for pairs is a power of two; a clash keeps a paraphrase in vain, no more.
    """
    mask = len(bigrams) - 1
    with nogil:
        for which in range(len(rows)):
            before = -1
            for position in range(offsets[rows[which]], offsets[rows[which] + 1]):
                word = words[position]
                present[word] = 1
                if before >= 0:
                    bigrams[(before * 1000003 + word * 8191) & mask] = 1
                before = word


def choose_paraphrases(
    row_offsets: Any,
    phrase_starts: Any,
    phrase_nodes: Any,
    rows: Any,
    coded: Any,
    offsets: Any,
    one_byte: int,
    longest: int,
    present: Any,
    bigrams: Any,
    ranges: Any,
    starts: Any,
    words: Any,
) -> int:
    """Decode the paraphrases that may occur on the other side; return how many there are.

    The result is NO_ROOM if there is too little room, and DAMAGED if what is coded is no list of
    known words, none of more than `longest` words.

    For each node of a phrase in the captions named by `rows`, `ranges` receives two numbers: its
    first paraphrase and the one behind its last, each plus one, zero meaning not yet seen.
    Paraphrase p is `words[starts[p]:starts[p + 1]]`.
    """
    no_room, damaged = NO_ROOM, DAMAGED  # typed: others read them as Python's
    mask = len(bigrams) - 1
    known = len(present)
    count = 0
    size = 0
    room = len(starts) - 2
    starts[0] = 0
    with nogil:
        for which in range(len(rows)):
            begin = phrase_starts[row_offsets[rows[which]]]
            end = phrase_starts[row_offsets[rows[which] + 1]]
            for phrase in range(begin, end):
                node = phrase_nodes[phrase]
                if ranges[2 * node]:
                    continue
                ranges[2 * node] = count + 1
                place = offsets[node]
                # Words are decoded where the paraphrase would be written; `valid` of them occur.
                valid = 0
                end_place = offsets[node + 1]
                before_length = 0
                while place < end_place:
                    if count >= room:
                        return no_room
                    shared = coded[place] >> 4
                    length = shared + (coded[place] & 15)
                    place += 1
                    if shared > before_length or length < 1 or length > longest:
                        return damaged
                    before_length = length
                    if valid > shared:
                        valid = shared
                    for position in range(shared, length):
                        if place >= end_place:
                            return damaged
                        word = coded[place]
                        place += 1
                        if word >= one_byte:
                            if place >= end_place:
                                return damaged
                            word = one_byte + ((word - one_byte) << 8) + coded[place]
                            place += 1
                        if word >= known:
                            return damaged
                        words[size + position] = word
                        if valid == position and present[word]:
                            if position == 0:
                                valid = 1
                            else:
                                before = words[size + position - 1]
                                if bigrams[(before * 1000003 + word * 8191) & mask]:
                                    valid = position + 1
                    if valid == length:
                        # The next paraphrase may share these words, so they are copied ahead.
                        for position in range(length):
                            words[size + length + position] = words[size + position]
                        size += length
                        count += 1
                        starts[count] = size
                ranges[2 * node + 1] = count + 1
    return count
