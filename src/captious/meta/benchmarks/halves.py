"""Halves: a benchmark's images in two, one to choose by and one to report.

Whoever chooses a threshold or a form by what agrees best with judgements looks at the half
`choose`, and reports the figure of the half `report`, which nothing was chosen by.
"""

from __future__ import annotations

from hashlib import sha256

CHOOSE, REPORT = HALVES = ("choose", "report")


def half_of(image: str) -> str:
    """The half that an image is in, by the SHA-256 of its id: even is `choose`, odd `report`.

    >>> [half_of(image) for image in ("9", "25", "30")]
    ['report', 'report', 'choose']
    """
    return HALVES[sha256(image.encode(errors="surrogatepass")).digest()[-1] % 2]
