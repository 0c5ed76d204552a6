# cython: annotation_typing=False
"""METEOR's alignment of two captions: beam search among the matches, and its statistics.

Everything is integers, so that compiled and uncompiled code agree to the last bit. Positions in the
candidate are called `left`, positions in the reference `right`.
"""

from __future__ import annotations

from typing import Any

from captious._internal.loops.meteor_matches import MatchFinder
from captious._internal.loops.step_counter import StepCounter

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

BEAM = 40  # partial alignments kept at each word of the reference
COLUMNS = 23  # statistics of a pair, in the order in which METEOR prints them
CHUNKS = 20  # the column that counts chunks

# A partial alignment's rank is one number, small being good: more words matched before fewer chunks
# before less distance. There is room for 4,000 words, 4,000 chunks and a distance of 2**38.
WORD = 1 << 50
CHUNK = 1 << 38
EXACT_GAIN = 2  # words that a match of equal words gains, one on each side

SKIP = -1  # the word of the reference stays unmatched
INSIDE = -2  # the word of the reference lies inside a match that began before it


def _integers(size: int) -> Any:
    return memoryview(bytearray(4 * size + 4)).cast("i")


class PairAligner(MatchFinder):
    """Aligner of candidates with references, one pair after the other."""

    def __init__(
        self,
        lexicon: tuple[Any, ...],
        left: tuple[Any, ...],
        right: tuple[Any, ...],
        sizes: tuple[int, int, int, int],
        capacity: int,
    ) -> None:
        super().__init__(lexicon, left, right, sizes, capacity)
        longest = sizes[2]
        # Partial alignments, of this word and of the one before.
        self.ranks = memoryview(bytearray(16 * BEAM)).cast("q")
        self.next_word = _integers(2 * BEAM)
        self.last_end = _integers(2 * BEAM)
        self.trail = _integers(2 * BEAM)
        self.used = memoryview(bytearray(16 * BEAM * (longest // 64 + 1))).cast("Q")
        self.kept_rank = memoryview(bytearray(8 * BEAM)).cast("q")
        self.kept_parent = _integers(BEAM)
        self.kept_match = _integers(BEAM)
        self.trail_match = _integers(BEAM * longest)
        self.trail_before = _integers(BEAM * longest)
        self.selected = _integers(longest)
        self.kept = 0
        self.steps: Any = StepCounter()

    def align(self, left_rows: Any, right_rows: Any, statistics: Any) -> None:
        """Write the statistics of each pair of rows, COLUMNS numbers a pair."""
        before = -1
        with nogil:
            for pair in range(len(left_rows)):
                if left_rows[pair] != before:
                    before = left_rows[pair]
                    self.enter_left(before)
                self.enter_right(right_rows[pair])
                self.steps.count(self.left_full + self.right_full)
                self.count_words(statistics, pair * COLUMNS)
                if self.is_same():
                    if self.left_full > self.longest:
                        self.count_identical(statistics, pair * COLUMNS)
                        continue
                    self.match_words(False)
                else:
                    self.match_words(True)
                    self.match_paraphrases()
                self.steps.count(self.matches * BEAM)
                self.search()
                self.count_matches(statistics, pair * COLUMNS)

    def is_free(self, slot: int, match: int) -> bool:
        """Return whether a partial alignment may take a match, as far as the candidate goes.

        On the reference's side all is free from the partial alignment's next word on: a match that
        overlaps another is never fixed.
        """
        left = self.match_left[match]
        for position in range(left, left + self.match_left_size[match]):
            if (self.used[slot * self.blocks + (position >> 6)] >> (position & 63)) & 1:
                return False
        return True

    def search(self) -> None:
        """Go through the reference's words and keep the best partial alignments at each."""
        self.blocks = (self.left_size + 63) >> 6
        self.trails = 0
        self.half = 0
        self.ranks[0] = 0
        self.next_word[0] = 0
        self.last_end[0] = -1
        self.trail[0] = -1
        for block in range(self.blocks):
            self.used[block] = 0
        alive = 1
        for right in range(self.right_size):
            fixed = self.is_fixed(right)
            alive = self.extend(right, fixed, alive)
            self.settle(right, fixed, alive)
        # A chunk that is open at the end counts; then the first of the best ones wins.
        winner = -1
        best = 0
        for slot in range(self.half, self.half + alive):
            rank = self.ranks[slot]
            if self.last_end[slot] != -1:
                rank += CHUNK
            if winner < 0 or rank < best:
                winner = slot
                best = rank
        for right in range(self.right_size):
            self.selected[right] = self.heads[right] if self.is_fixed(right) else -1
        step = self.trail[winner]
        while step >= 0:
            match = self.trail_match[step]
            self.selected[self.match_right[match]] = match
            step = self.trail_before[step]

    def extend(self, right: int, fixed: bool, alive: int) -> int:
        """Rank every way to go on over one word; keep the BEAM best, the earlier ones first.

        METEOR adds a match's distance not to the alignment that takes it but to those that are
        tried after it. That is kept: it decides ties. Partial alignments come best first.
        """
        self.kept = 0
        most_gain = max(EXACT_GAIN, self.other_gain[right])
        for slot in range(self.half, self.half + alive):
            rank = self.ranks[slot]
            if not self.has_room(rank - most_gain * WORD):
                break  # nor has any that comes later
            if self.next_word[slot] > right:
                self.keep(rank, slot, INSIDE)
                continue
            end = self.last_end[slot]
            match = self.heads[right]
            if fixed:
                rank += self.distance(match) - self.match_gain[match] * WORD
                if end != -1 and self.match_left[match] != end:
                    rank += CHUNK
                self.keep(rank, slot, match)
                continue
            if match >= 0 and match < self.exact_ends[right]:
                rank = self.take_equal_words(slot, right)
                if not self.has_room(rank - self.other_gain[right] * WORD):
                    continue
                match = self.match_next[self.exact_ends[right] - 1]
            while match >= 0:
                if self.is_free(slot, match):
                    new_rank = rank - self.match_gain[match] * WORD
                    if end != -1 and self.match_left[match] != end:
                        new_rank += CHUNK
                    self.keep(new_rank, slot, match)
                    rank += self.distance(match)
                match = self.match_next[match]
            self.keep(rank + CHUNK if end != -1 else rank, slot, SKIP)
        return self.kept

    def take_equal_words(self, slot: int, right: int) -> int:
        """Rank the matches of equal words for one partial alignment; return its rank after them.

        Each match tried ranks behind those before it, except the one that continues a chunk. So
        when one has no room, no later one has, but for that: captions of repeated words have many
        such matches. When nothing that comes later has room either, the rank is a lower bound.
        """
        rank = self.ranks[slot]
        end = self.last_end[slot]
        used = slot * self.blocks
        match = self.heads[right]
        last = self.exact_ends[right]
        is_full = False
        while match < last:
            left = self.match_left[match]
            if not (self.used[used + (left >> 6)] >> (left & 63)) & 1:
                if left == end or end == -1:
                    is_full = not self.keep(rank - EXACT_GAIN * WORD, slot, match)
                elif not is_full:
                    is_full = not self.keep(rank - EXACT_GAIN * WORD + CHUNK, slot, match)
                rank += right - left if right > left else left - right
                if (
                    is_full
                    and left >= end
                    and not self.has_room(rank - self.other_gain[right] * WORD)
                ):
                    break
            match += 1
        return rank

    def distance(self, match: int) -> Any:
        """How far apart the two sides of a match begin."""
        apart = self.match_right[match] - self.match_left[match]
        return apart if apart > 0 else -apart

    def has_room(self, rank: int) -> bool:
        """Return whether a way to go on would be among the best so far."""
        return self.kept < BEAM or rank < self.kept_rank[BEAM - 1]

    def keep(self, rank: int, slot: int, match: int) -> bool:
        """Put a way to go on behind those that are as good; return whether there was room."""
        if not self.has_room(rank):
            return False
        if self.kept < BEAM:
            self.kept += 1
        place = self.kept - 1
        while place > 0 and self.kept_rank[place - 1] > rank:
            self.kept_rank[place] = self.kept_rank[place - 1]
            self.kept_parent[place] = self.kept_parent[place - 1]
            self.kept_match[place] = self.kept_match[place - 1]
            place -= 1
        self.kept_rank[place] = rank
        self.kept_parent[place] = slot
        self.kept_match[place] = match
        return True

    def settle(self, right: int, fixed: bool, kept: int) -> None:
        """Write the partial alignments that were kept into the other half of the slots."""
        half = BEAM - self.half
        for place in range(kept):
            slot = half + place
            parent = self.kept_parent[place]
            match = self.kept_match[place]
            for block in range(self.blocks):
                self.used[slot * self.blocks + block] = self.used[parent * self.blocks + block]
            self.ranks[slot] = self.kept_rank[place]
            self.trail[slot] = self.trail[parent]
            if match == INSIDE:
                self.next_word[slot] = self.next_word[parent]
                self.last_end[slot] = self.last_end[parent]
            elif match == SKIP:
                self.next_word[slot] = right + 1
                self.last_end[slot] = -1
            else:
                left = self.match_left[match]
                end = left + self.match_left_size[match]
                self.next_word[slot] = right + self.match_right_size[match]
                self.last_end[slot] = end
                if not fixed:
                    one = 1  # typed: a shifted literal would be a C int
                    for position in range(left, end):
                        place_used = slot * self.blocks + (position >> 6)
                        self.used[place_used] |= one << (position & 63)
                    self.trail_match[self.trails] = match
                    self.trail_before[self.trails] = self.trail[parent]
                    self.trail[slot] = self.trails
                    self.trails += 1
        self.half = half

    def count_words(self, statistics: Any, row: int) -> None:
        """Count words and function words on both sides, and clear the row."""
        for column in range(COLUMNS):
            statistics[row + column] = 0
        statistics[row] = self.left_full
        statistics[row + 1] = self.right_full
        for position in range(self.left_start, self.left_start + self.left_full):
            statistics[row + 2] += self.flags[self.left_words[position]] & 1
        for position in range(self.right_start, self.right_start + self.right_full):
            statistics[row + 3] += self.flags[self.right_words[position]] & 1

    def count_identical(self, statistics: Any, row: int) -> None:
        """Count equal captions that are too long for a search: every word matches, in one chunk."""
        for side in range(2):
            statistics[row + 4 + side] = self.left_full - statistics[row + 2]
            statistics[row + 6 + side] = statistics[row + 2]
            statistics[row + CHUNKS + 1 + side] = self.left_full
        statistics[row + CHUNKS] = 1

    def count_matches(self, statistics: Any, row: int) -> None:
        """Count matched words by stage, side and kind, and the chunks that they form."""
        right = 0
        end = -1
        while right < self.right_size:
            match = self.selected[right]
            if match < 0:
                if end != -1:
                    statistics[row + CHUNKS] += 1
                end = -1
                right += 1
                continue
            left = self.match_left[match]
            if end != -1 and left != end:
                statistics[row + CHUNKS] += 1
            end = left + self.match_left_size[match]
            column = row + 4 + 4 * self.match_stage[match]
            for position in range(left, end):
                flag = self.flags[self.left_words[self.left_start + position]] & 1
                statistics[column + 2 * flag] += 1
            for position in range(right, right + self.match_right_size[match]):
                flag = self.flags[self.right_words[self.right_start + position]] & 1
                statistics[column + 2 * flag + 1] += 1
            statistics[row + CHUNKS + 1] += self.match_left_size[match]
            statistics[row + CHUNKS + 2] += self.match_right_size[match]
            right += self.match_right_size[match]
        if end != -1:
            statistics[row + CHUNKS] += 1
