"""METEOR's alignment statistics of candidate and reference pairs."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from captious._internal.arrays.ragged import IntArray, distinct, offsets_of
from captious._internal.loops.meteor_aligner import PairAligner
from captious._internal.loops.meteor_phrases import DAMAGED, NO_ROOM, choose_paraphrases, mark_words
from captious._internal.threads import available_cores, run_in_parallel
from captious.errors import warn
from captious.io.mapped_arrays import damaged_file_error
from captious.text.meteor.captions import Lexicon, MeteorCaptions
from captious.text.meteor.tables import MAX_PHRASE_WORDS

# METEOR's 23 numbers, in its order.
STATISTICS: tuple[str, ...] = (
    "candidate_words",
    "reference_words",
    "candidate_function_words",
    "reference_function_words",
    *(
        f"{side}_{stage}_{kind}"
        for stage in ("exact", "stem", "synonym", "paraphrase")
        for kind in ("content", "function")
        for side in ("candidate", "reference")
    ),
    "chunks",
    "candidate_matches",
    "reference_matches",
)

# Words of a caption that are searched for matches; later ones count as unmatched. METEOR has no
# such bound, but its work and memory grow with the product of the captions' lengths, and the
# aligner's ranks can hold no more. Equal captions are recognized at any length.
MAX_ALIGNED_WORDS = 4000
# Matches of a pair that are considered: more than two captions of MAX_ALIGNED_WORDS words have,
# unless they repeat themselves.
MAX_MATCHES = 1 << 22
MIN_PAIRS_PER_THREAD = 4000  # pairs, which take some milliseconds
INITIAL_PARAPHRASE_CAPACITY = 1 << 14  # doubled three times when it is too little


def alignment_statistics(
    candidates: MeteorCaptions,
    references: MeteorCaptions,
    candidate_index: IntArray,
    reference_index: IntArray,
) -> IntArray:
    """Return the STATISTICS of each pair of a candidate and a reference, one row per pair.

    One of the two texts must have been analysed on top of the other. Pairs of one candidate are
    best neighbours: the candidate is prepared once for them.
    """
    left = np.ascontiguousarray(candidate_index, np.int64)
    right = np.ascontiguousarray(reference_index, np.int64)
    if len(left) != len(right):
        raise ValueError(f"{len(left)} candidates are to be aligned with {len(right)} references")
    lexicon = _common_lexicon(candidates, references)
    left_rows, right_rows = distinct(left), distinct(right)
    if len(left) == 0:
        return np.zeros((0, len(STATISTICS)), np.int64)
    if left_rows[0] < 0 or left_rows[-1] >= len(candidates):
        raise IndexError("there is no such candidate")
    if right_rows[0] < 0 or right_rows[-1] >= len(references):
        raise IndexError("there is no such reference")
    lengths = candidates.words.lengths_at(left_rows), references.words.lengths_at(right_rows)
    _warn_of_truncation(np.concatenate(lengths))
    longest_left, longest_right = (
        min(MAX_ALIGNED_WORDS, int(of_side.max())) for of_side in lengths
    )
    sizes = (
        lexicon.stem_count,
        lexicon.synset_count,
        max(longest_left, longest_right),
        _max_synsets_per_caption(candidates, left_rows, lexicon),
    )
    aligner_arguments = (
        (
            lexicon.stems.data,
            lexicon.flags.data,
            lexicon.synset_offsets.data,
            lexicon.synsets.data,
        ),
        _aligner_input(candidates, left_rows, references, right_rows, len(lexicon.stems)),
        _aligner_input(references, right_rows, candidates, left_rows, len(lexicon.stems)),
        sizes,
        min(MAX_MATCHES, 8 * longest_left * longest_right + 64),
    )
    statistics = np.zeros((len(left), len(STATISTICS)), np.int64)

    def align(pairs: slice) -> None:
        PairAligner(*aligner_arguments).align(
            left[pairs].data, right[pairs].data, statistics[pairs].ravel().data
        )

    # Pairs are aligned each by itself: a part of them for every core, the same numbers for all.
    parts = min(available_cores(), -(-len(left) // MIN_PAIRS_PER_THREAD))
    ends = [len(left) * part // parts for part in range(parts + 1)]
    run_in_parallel([partial(align, slice(*ends_of_part)) for ends_of_part in pairwise(ends)])
    return statistics


def _common_lexicon(candidates: MeteorCaptions, references: MeteorCaptions) -> Lexicon:
    if candidates.tables.folder != references.tables.folder:
        raise ValueError("candidates and references were analysed with different tables")
    if references.extra.is_prefix_of(candidates.extra):
        return candidates.lexicon
    if candidates.extra.is_prefix_of(references.extra):
        return references.lexicon
    raise ValueError("analyse the candidates with the references as base")


def _warn_of_truncation(lengths: IntArray) -> None:
    """Warn of captions that are longer than the aligner searches."""
    cut = int((lengths > MAX_ALIGNED_WORDS).sum())
    if cut:
        warn(
            f"meteor: {cut} caption{'s' if cut > 1 else ''} of more than "
            f"{MAX_ALIGNED_WORDS:,} words: "
            "the words after these count as unmatched, unless candidate and reference are equal"
        )


def _max_synsets_per_caption(text: MeteorCaptions, rows: IntArray, lexicon: Lexicon) -> int:
    """Return the largest number of synsets of a caption's words within the search limit."""
    of_words = np.diff(lexicon.synset_offsets)[text.words.values]
    before = offsets_of(of_words)
    begin = text.words.offsets[rows]
    end = np.minimum(text.words.offsets[rows + 1], begin + MAX_ALIGNED_WORDS)
    return int((before[end] - before[begin]).max(initial=0))


def _aligner_input(
    text: MeteorCaptions, rows: IntArray, other: MeteorCaptions, other_rows: IntArray, words: int
) -> tuple[memoryview, ...]:
    """Return one side's words and phrases, and the paraphrases that can occur on the other."""
    tables = text.tables
    present = np.zeros(words, np.uint8)
    pairs = 8 * int(other.words.lengths_at(other_rows).sum())
    bigrams = np.zeros(1 << min(20, max(12, pairs.bit_length())), np.uint8)
    mark_words(
        other.words.values.data,
        other.words.offsets.data,
        other_rows.data,
        present.data,
        bigrams.data,
    )
    nodes = len(tables.phrase_words)
    room = INITIAL_PARAPHRASE_CAPACITY
    while True:
        ranges = np.zeros(2 * nodes, np.int32)
        starts, target_words = np.empty(room + 2, np.int32), np.empty(8 * room + 64, np.int32)
        count = choose_paraphrases(
            text.words.offsets.data,
            text.phrases.starts.data,
            text.phrases.nodes.data,
            rows.data,
            tables.paraphrases.data,
            tables.phrase_paraphrases.data,
            tables.one_byte_words,
            MAX_PHRASE_WORDS,
            present.data,
            bigrams.data,
            ranges.data,
            starts.data,
            target_words.data,
        )
        if count == DAMAGED:
            raise damaged_file_error(tables.folder / "paraphrases.npy", "is no list of paraphrases")
        if count != NO_ROOM:
            break
        room *= 8
    return (
        text.words.values.data,
        text.words.offsets.data,
        text.phrases.starts.data,
        text.phrases.nodes.data,
        text.phrases.lengths.data,
        ranges.data,
        starts.data,
        target_words.data,
    )
