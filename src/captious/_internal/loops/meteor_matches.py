# cython: annotation_typing=False
"""Matches between two captions, stage by stage, in METEOR's order.

Positions in the candidate are called `left`, positions in the reference `right`. Positions of one
word, stem or synset are chained, so that the work grows with the matches and not with the product
of the captions' lengths.
"""

from __future__ import annotations

from typing import Any

EXACT = 0
STEM = 1
SYNONYM = 2
PARAPHRASE = 3


def _integers(size: int) -> Any:
    return memoryview(bytearray(4 * size + 4)).cast("i")


class MatchFinder:
    """Finder of the matches of one candidate with one reference after the other.

    `lexicon` holds each word's stem, function flag (bit 0) and synsets; `left` and `right` hold the
    captions' words and offsets, the phrases at each word, and the paraphrases of those; `sizes` are
    the numbers of stems and synsets, the most words of a caption that are searched for matches, and
    the most synsets that all those words of a candidate have. A pair has no more than `capacity`
    matches.
    """

    def __init__(
        self,
        lexicon: tuple[Any, ...],
        left: tuple[Any, ...],
        right: tuple[Any, ...],
        sizes: tuple[int, int, int, int],
        capacity: int,
    ) -> None:
        (self.stems, self.flags, self.synset_offsets, self.synsets) = lexicon
        (self.left_words, self.left_offsets, self.left_phrases, self.left_nodes) = left[:4]
        (self.left_lengths, self.left_ranges) = left[4:6]
        (self.left_targets, self.left_target_words) = left[6:]
        (self.right_words, self.right_offsets, self.right_phrases, self.right_nodes) = right[:4]
        (self.right_lengths, self.right_ranges) = right[4:6]
        (self.right_targets, self.right_target_words) = right[6:]
        stems, synsets, longest, entries = sizes
        words = len(self.stems)
        self.longest = longest
        self.capacity = capacity
        self.serial = 0
        self.right_stamp = 0
        self.stamp = 0
        # Chains of the candidate's positions by stem, word and synset, valid for one serial number.
        self.stem_serial = _integers(stems)
        self.stem_head = _integers(stems)
        self.stem_next = _integers(longest)
        self.word_serial = _integers(words)
        self.word_head = _integers(words)
        self.word_next = _integers(longest)
        self.synset_serial = _integers(synsets)
        self.synset_head = _integers(synsets)
        self.entry_position = _integers(entries)
        self.entry_next = _integers(entries)
        # A chain of the reference's positions by word.
        self.right_serial = _integers(words)
        self.right_head = _integers(words)
        self.right_next = _integers(longest)
        # Matches, in one chain for each position of the reference where one begins.
        self.match_right = _integers(capacity)
        self.match_left = _integers(capacity)
        self.match_right_size = _integers(capacity)
        self.match_left_size = _integers(capacity)
        self.match_stage = _integers(capacity)
        self.match_gain = _integers(capacity)
        self.match_next = _integers(capacity)
        self.heads = _integers(longest)
        self.tails = _integers(longest)
        # Where the matches of equal words end, which come first and have consecutive numbers, and
        # the most that one of the others gains.
        self.exact_ends = _integers(longest)
        self.other_gain = _integers(longest)
        self.left_cover = _integers(longest)
        self.right_cover = _integers(longest)
        self.seen = _integers(longest)

    def enter_left(self, row: int) -> None:
        """Chain the candidate's positions, backwards, so that chains ascend."""
        self.serial += 1
        serial = self.serial
        start = self.left_offsets[row]
        self.left_start = start
        self.left_full = self.left_offsets[row + 1] - start
        self.left_size = min(self.left_full, self.longest)
        entry = 0
        for position in range(self.left_size - 1, -1, -1):
            word = self.left_words[start + position]
            stem = self.stems[word]
            if self.stem_serial[stem] != serial:
                self.stem_serial[stem] = serial
                self.stem_head[stem] = -1
            self.stem_next[position] = self.stem_head[stem]
            self.stem_head[stem] = position
            if self.word_serial[word] != serial:
                self.word_serial[word] = serial
                self.word_head[word] = -1
            self.word_next[position] = self.word_head[word]
            self.word_head[word] = position
            for which in range(self.synset_offsets[word], self.synset_offsets[word + 1]):
                synset = self.synsets[which]
                if self.synset_serial[synset] != serial:
                    self.synset_serial[synset] = serial
                    self.synset_head[synset] = -1
                self.entry_position[entry] = position
                self.entry_next[entry] = self.synset_head[synset]
                self.synset_head[synset] = entry
                entry += 1

    def enter_right(self, row: int) -> None:
        """Chain the reference's positions by word, and forget the last pair's matches."""
        self.right_stamp += 1
        stamp = self.right_stamp
        start = self.right_offsets[row]
        self.right_start = start
        self.right_full = self.right_offsets[row + 1] - start
        self.right_size = min(self.right_full, self.longest)
        self.matches = 0
        for position in range(self.left_size):
            self.left_cover[position] = 0
        for position in range(self.right_size - 1, -1, -1):
            self.heads[position] = -1
            self.other_gain[position] = 0
            self.right_cover[position] = 0
            word = self.right_words[start + position]
            if self.right_serial[word] != stamp:
                self.right_serial[word] = stamp
                self.right_head[word] = -1
            self.right_next[position] = self.right_head[word]
            self.right_head[word] = position

    def is_same(self) -> bool:
        """Return whether both captions have the same words, which ends METEOR's search."""
        if self.left_full != self.right_full:
            return False
        for position in range(self.left_full):
            left = self.left_words[self.left_start + position]
            if left != self.right_words[self.right_start + position]:
                return False
        return True

    def add_match(self, right: int, right_size: int, left: int, left_size: int, stage: int) -> None:
        """Append a match to its position's chain; the order decides ties later.

        What it gains is the words that the search counts on both sides: all of an exact match, else
        half, rounded down on each side, and so none of a single word.
        """
        match = self.matches
        if match >= self.capacity:
            return
        self.matches = match + 1
        self.match_right[match] = right
        self.match_right_size[match] = right_size
        self.match_left[match] = left
        self.match_left_size[match] = left_size
        self.match_stage[match] = stage
        self.match_gain[match] = 0
        if stage == EXACT:
            self.match_gain[match] = 2
        elif stage == PARAPHRASE:
            self.match_gain[match] = (left_size >> 1) + (right_size >> 1)
        if stage != EXACT and self.match_gain[match] > self.other_gain[right]:
            self.other_gain[right] = self.match_gain[match]
        self.match_next[match] = -1
        if self.heads[right] < 0:
            self.heads[right] = match
        else:
            self.match_next[self.tails[right]] = match
        self.tails[right] = match
        for position in range(left, left + left_size):
            self.left_cover[position] += 1
        for position in range(right, right + right_size):
            self.right_cover[position] += 1

    def match_words(self, all_stages: bool) -> None:
        """Match equal words, then words of one stem, then words that share a synset.

        Nothing is looked for where there is no room for it: captions that repeat a few words have
        more pairs of words that match than are considered.
        """
        for right in range(self.right_size):
            if self.matches >= self.capacity:
                break
            word = self.right_words[self.right_start + right]
            if self.word_serial[word] == self.serial:
                left = self.word_head[word]
                while left >= 0:
                    self.add_match(right, 1, left, 1, EXACT)
                    left = self.word_next[left]
            self.exact_ends[right] = self.matches
            if not all_stages:
                continue
            stem = self.stems[word]
            if self.stem_serial[stem] == self.serial:
                left = self.stem_head[stem]
                while left >= 0:
                    if self.left_words[self.left_start + left] != word:
                        self.add_match(right, 1, left, 1, STEM)
                    left = self.stem_next[left]
            self.match_synonyms(right, word)

    def match_synonyms(self, right: int, word: int) -> None:
        """Match one word with every other word of the candidate that shares a synset, once.

        Words are marked first and then matched in their order: a list of them, kept in order, would
        take time that grows with the square of how often they are repeated.
        """
        self.stamp += 1
        lowest = self.left_size
        highest = -1
        for which in range(self.synset_offsets[word], self.synset_offsets[word + 1]):
            synset = self.synsets[which]
            if self.synset_serial[synset] != self.serial:
                continue
            entry = self.synset_head[synset]
            while entry >= 0:
                left = self.entry_position[entry]
                entry = self.entry_next[entry]
                self.seen[left] = self.stamp
                lowest = min(lowest, left)
                highest = max(highest, left)
        for left in range(lowest, highest + 1):
            if self.seen[left] == self.stamp and self.left_words[self.left_start + left] != word:
                self.add_match(right, 1, left, 1, SYNONYM)

    def match_paraphrases(self) -> None:
        """Match the reference's phrases with their paraphrases, then the candidate's with theirs.

        A pair that the table holds in both directions is matched twice, as in METEOR.
        """
        for right in range(self.right_size):
            if self.matches >= self.capacity:
                return
            begin = self.right_phrases[self.right_start + right]
            for phrase in range(begin, self.right_phrases[self.right_start + right + 1]):
                size = self.right_lengths[phrase]
                node = self.right_nodes[phrase]
                if right + size > self.right_size:
                    break
                first = self.right_ranges[2 * node] - 1
                for target in range(first, self.right_ranges[2 * node + 1] - 1):
                    begin_word = self.right_targets[target]
                    length = self.right_targets[target + 1] - begin_word
                    word = self.right_target_words[begin_word]
                    if self.word_serial[word] != self.serial:
                        continue
                    left = self.word_head[word]
                    while left >= 0:
                        same = left + length <= self.left_size
                        offset = 1
                        while same and offset < length:
                            word = self.left_words[self.left_start + left + offset]
                            same = word == self.right_target_words[begin_word + offset]
                            offset += 1
                        if same:
                            self.add_match(right, size, left, length, PARAPHRASE)
                        left = self.word_next[left]
        for left in range(self.left_size):
            if self.matches >= self.capacity:
                return
            begin = self.left_phrases[self.left_start + left]
            for phrase in range(begin, self.left_phrases[self.left_start + left + 1]):
                size = self.left_lengths[phrase]
                node = self.left_nodes[phrase]
                if left + size > self.left_size:
                    break
                first = self.left_ranges[2 * node] - 1
                for target in range(first, self.left_ranges[2 * node + 1] - 1):
                    begin_word = self.left_targets[target]
                    length = self.left_targets[target + 1] - begin_word
                    word = self.left_target_words[begin_word]
                    if self.right_serial[word] != self.right_stamp:
                        continue
                    right = self.right_head[word]
                    while right >= 0:
                        same = right + length <= self.right_size
                        offset = 1
                        while same and offset < length:
                            word = self.right_words[self.right_start + right + offset]
                            same = word == self.left_target_words[begin_word + offset]
                            offset += 1
                        if same:
                            self.add_match(right, length, left, size, PARAPHRASE)
                        right = self.right_next[right]

    def is_fixed(self, right: int) -> bool:
        """Return whether a position has one match only, whose words nothing else can match."""
        match = self.heads[right]
        if match < 0 or self.match_next[match] >= 0:
            return False
        for position in range(right, right + self.match_right_size[match]):
            if self.right_cover[position] != 1:
                return False
        left = self.match_left[match]
        for position in range(left, left + self.match_left_size[match]):
            if self.left_cover[position] != 1:
                return False
        return True
