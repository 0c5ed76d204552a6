"""Words that METEOR's tables or the space of captions do not have."""

from __future__ import annotations

import numpy as np

from captious.findings.evidence import Evidence, shortened
from captious.findings.finding import MOST_EXAMPLES, Example, Finding, graded, percent
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens, names_of
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import UNKNOWN

NEVER = 1.1  # a share that nothing has: other findings say what is grave
NOTABLE_SHARE, MINOR_SHARE = 0.1, 0.01


def find(evidence: Evidence) -> Finding | None:
    """The share of the candidates' words that either table lacks, and the most frequent of them."""
    analysis, samples = evidence.samples.candidates, evidence.samples
    names = names_of(analysis)
    used = analysis.layer(Tokens).ids.take(samples.rows).values
    numbers, counts = np.unique(used, return_counts=True)
    has_letter = np.array([any(map(str.isalpha, names[word])) for word in numbers.tolist()], bool)
    numbers, counts = numbers[has_letter], counts[has_letter]
    words = [names[number].lower() for number in numbers.tolist()]
    in_space = CaptionSpace.load().vectors.rows(words) != UNKNOWN
    in_meteor = np.array([_meteor_knows(word) for word in words], np.bool_)
    total = int(counts.sum())
    if not total:
        return None
    unknown = ~(in_space & in_meteor)
    count = int(counts[unknown].sum())
    severity = graded(count / total, NEVER, NOTABLE_SHARE, MINOR_SHARE)
    if severity is None:
        return None
    without = {
        "meteor": float(counts[~in_meteor].sum()) / total,
        "space": float(counts[~in_space].sum()) / total,
    }
    by_count = np.argsort(-counts, kind="stable")
    most = [place for place in by_count.tolist() if unknown[place]][:MOST_EXAMPLES]
    return Finding(
        "unknown_words",
        severity,
        f"{percent(without['meteor'])} of the candidates' words are missing from METEOR's tables, "
        f"{percent(without['space'])} from the caption vectors that `captious` reads",
        "METEOR matches such words only by form and stem, `captious` by their spelling; look for "
        "misspellings, names and words of another domain",
        count,
        total,
        "words",
        without,
        tuple(Example(f"{int(counts[place]):,} times", shortened(words[place])) for place in most),
    )


def _meteor_knows(word: str) -> bool:
    return word in ENGLISH.known_words or bool(ENGLISH.synonyms.synsets(word))
