"""Made-up judgements, for the examples of meta-evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def build(
    folder: Path, captions: Mapping[str, Mapping[str, str]], references: Mapping[str, Sequence[str]]
) -> None:
    """Ratings of two systems, with more than one kind of rating and a score of one's own."""
    rows = [
        {
            "candidate": captions[system][image],
            "references": list(texts),
            "image": image,
            "rating": rating + place % 2,
            "fluency": rating + place % 3,
            "relevance": rating,
            "mine": rating + place % 3,
        }
        for place, (image, texts) in enumerate(references.items())
        for system, rating in (("careful", 4), ("hasty", 2))
    ]
    import pandas

    table = pandas.DataFrame(rows)
    table["references"] = table["references"].map(json.dumps)
    table.to_csv(folder / "ratings.csv", index=False)
