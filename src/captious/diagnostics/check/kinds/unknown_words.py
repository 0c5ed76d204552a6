"""Unknown words: missing from METEOR's tables or the caption vectors, and in no reference."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import Ragged
from captious.diagnostics.check.evidence import Evidence, shorten
from captious.diagnostics.check.findings import (
    MAX_EXAMPLES,
    NEVER,
    Example,
    Finding,
    format_percent,
    grade,
)
from captious.metrics.consensus.word_support import words_by_set
from captious.samples import Samples
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens, words_by_id
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import UNKNOWN

NOTABLE_SHARE, MINOR_SHARE = 0.1, 0.01


def find_unknown_words(evidence: Evidence) -> Finding | None:
    """Find the candidates' words that either table lacks, the most frequent first.

    A word that occurs in one of its own references, in any form, is matched without a table and
    not counted.
    """
    analysis, samples = evidence.samples.candidates, evidence.samples
    names = words_by_id(analysis)
    used = analysis.layer(Tokens).ids.take(samples.rows)
    numbers, places = np.unique(used.values, return_inverse=True)
    words = [names[number].lower() for number in numbers.tolist()]
    has_letter = np.array([any(map(str.isalpha, word)) for word in words], np.bool_)
    total = int(has_letter[places].sum())
    if not total:
        return None
    in_space = CaptionSpace.load().vectors.rows(words) != UNKNOWN
    in_meteor = np.array([_meteor_knows(word) for word in words], np.bool_)
    counts = (
        np.bincount(places[~_is_in_references(samples, used)], minlength=len(numbers)) * has_letter
    )
    unknown = ~(in_space & in_meteor) & (counts > 0)
    count = int(counts[unknown].sum())
    severity = grade(count / total, NEVER, NOTABLE_SHARE, MINOR_SHARE)
    if severity is None:
        return None
    without = {
        "meteor": float(counts[~in_meteor].sum()) / total,
        "space": float(counts[~in_space].sum()) / total,
    }
    by_count = np.argsort(-counts, kind="stable")
    most = [place for place in by_count.tolist() if unknown[place]][:MAX_EXAMPLES]
    return Finding(
        "unknown_words",
        severity,
        f"{format_percent(without['meteor'])} of the candidates' words are missing from "
        "METEOR's tables, "
        f"{format_percent(without['space'])} from the caption vectors that `captious` reads, "
        "and from "
        "their references",
        "METEOR matches such words only by form and stem, `captious` by their spelling; look for "
        "misspellings, names and words of another domain",
        count,
        total,
        "words",
        without,
        tuple(Example(f"{int(counts[place]):,} times", shorten(words[place])) for place in most),
    )


def _is_in_references(samples: Samples, used: Ragged) -> npt.NDArray[np.bool_]:
    """Whether the stem of each candidate word occurs in its sample's references."""
    references = samples.references
    images, theirs, _ = words_by_set(references.analysis, references.rows)
    names = words_by_id(samples.candidates)
    numbers, places = np.unique(np.concatenate([used.values, theirs]), return_inverse=True)
    stems = [ENGLISH.stem(names[number].lower()) for number in numbers.tolist()]
    _, stem_of = np.unique(stems, return_inverse=True)
    ours, others = np.split(stem_of[places], [len(used.values)])
    size = len(numbers) + 1
    said: npt.NDArray[np.bool_] = np.isin(
        samples.images[used.owners] * size + ours, images * size + others
    )
    return said


def _meteor_knows(word: str) -> bool:
    return word in ENGLISH.known_words or bool(ENGLISH.synonyms.synsets(word))
