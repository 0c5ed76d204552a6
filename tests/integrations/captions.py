"""Captions made up for the frameworks' tests."""

from __future__ import annotations

import itertools

THINGS = ("dog", "cat", "man", "horse", "bird")
DEEDS = ("runs", "sleeps", "stands")
PLACES = ("on the beach", "in a field", "near two old houses", "under water")

CANDIDATES = [f"a {a} {b} {c}" for a, b, c in itertools.product(THINGS, DEEDS, PLACES)]
REFERENCES = [
    [f"one {a} that {b}", f"the small {a} {b} {c} again", f"a {a} {c}"][: 1 + row % 3]
    for row, (a, b, c) in enumerate(itertools.product(THINGS, DEEDS, PLACES))
]
# Of the candidates, some describe another image, and some are odd.
CANDIDATES[::7] = CANDIDATES[::-7][: len(CANDIDATES[::7])]
CANDIDATES[3] = ""
CANDIDATES[11] = 'tvåhundra hundar 狗 \N{DOG} \\ "quoted"\nsecond line'
