"""An image's references as sets of pieces with vectors: separate, in one row, or combined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, offsets_of
from captious.errors import InputError
from captious.metrics.combined_references import (
    BEST,
    CONCATENATED,
    combine_on_each_base,
    combine_references,
)
from captious.metrics.variants import PAPER
from captious.text.encoder.encoder import TokenStates

MAX_PIECES_PER_IMAGE = 1 << 14  # a matrix of their similarities takes a gigabyte


@dataclass(frozen=True, slots=True)
class PieceSets:
    """An image's references as one or more sets of pieces: numbers, vectors, where each begins."""

    pieces: IntArray
    vectors: IntArray  # rows of the references' states
    starts: IntArray  # and, last, the end


def piece_sets(
    states: TokenStates, rows: tuple[int, ...], pooling: str, beta: float, variant: str
) -> PieceSets:
    """The sets that the references at some rows make; marks of beginning and end take no part."""
    offsets = states.pieces.offsets
    inner = [np.arange(offsets[row] + 1, offsets[row + 1] - 1) for row in rows]
    places = np.concatenate(inner)
    if pooling == BEST:
        sets = [(part, part) for part in inner]
    elif pooling == CONCATENATED or len(rows) == 1:
        sets = [(places, places)]
    elif len(places) > MAX_PIECES_PER_IMAGE:
        raise InputError(
            f"bertscore_multiref: an image's {len(rows):,} references have {len(places):,} pieces "
            f"of words, and at most {MAX_PIECES_PER_IMAGE:,} are combined; give fewer, or "
            "pooling='best'"
        )
    else:
        starts = offsets_of(np.array([len(part) for part in inner])).tolist()
        vectors = states.states[places]
        similarity = vectors @ vectors.T
        if variant == PAPER:
            kept = places[combine_references(similarity, starts, beta)]
            sets = [(kept, kept)]
        else:
            in_turn = combine_on_each_base(similarity, starts, beta)
            sets = [
                _combine_as_released(places[base], places[added], int(offsets[row + 1]) - 1)
                for row, (base, added) in zip(rows, in_turn, strict=True)
            ]
    return PieceSets(
        states.pieces.values[np.concatenate([pieces for pieces, _ in sets])],
        np.concatenate([vectors for _, vectors in sets]),
        offsets_of(np.array([len(pieces) for pieces, _ in sets])),
    )


def _combine_as_released(base: IntArray, added: IntArray, end: int) -> tuple[IntArray, IntArray]:
    """A base's pieces with those added, and the vectors that the authors' code gives them.

    It takes the vector one place before an added piece, and puts these after the base's mark of
    the end: the first added piece gets that mark's vector, each further one its predecessor's.
    """
    vectors = np.concatenate([base, [end], added - 1])[: len(base) + len(added)]
    return np.concatenate([base, added]), vectors
