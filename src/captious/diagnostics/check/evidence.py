"""Evidence: candidates beside their references in arrays, and what several findings read."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.diagnostics.check.finding import LONGEST_EXAMPLE, MOST_EXAMPLES, Example
from captious.diagnostics.check.meeting import Meeting
from captious.metrics.cider.length_penalty import length_penalty
from captious.samples import Samples
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.languages import ENGLISH as ENGLISH_CODE
from captious.text.tokens import Tokens, word_sequences, words_by_id

Flags = npt.NDArray[np.bool_]
_LINE_BREAKS = re.compile(r"[ \t]*[\r\n]\s*")

# A caption seems foreign where so many of its words are unknown; fewer are enough where hardly any
# is one of those that hold English sentences together. (English tables know some words of every
# neighbour.) None of COCO's captions seems so, and .016 of sentences of news.
UNKNOWN_SHARE = 0.4
UNKNOWN_SHARE_IF_UNBOUND, BOUND_SHARE = 0.2, 0.1
CHARACTERS_BEFORE = 40  # of what an example is to show


def shortened(caption: str) -> str:
    """A caption in one line, or its beginning."""
    line = " ".join(caption.split())
    return line if len(line) <= LONGEST_EXAMPLE else f"{line[: LONGEST_EXAMPLE - 3]}..."


def excerpt(caption: str, start: int, end: int) -> str:
    """A caption in one line, cut so that what stands from `start` to `end` is seen.

    Line breaks are written as Python escapes them, so that these are seen, too.
    """
    before, shown_part = (
        _LINE_BREAKS.sub(r"\\n", part) for part in (caption[:start], caption[start:])
    )
    length = len(shown_part) - len(_LINE_BREAKS.sub(r"\\n", caption[end:]))
    if len(before) + length > LONGEST_EXAMPLE - len("..."):
        before = before if len(before) <= CHARACTERS_BEFORE else f"...{before[-CHARACTERS_BEFORE:]}"
    return shortened(before + shown_part)


class Evidence:
    """The samples to look at, their ids and language, and how ids met; all else comes of these."""

    def __init__(
        self,
        samples: Samples,
        ids: Sequence[Hashable],
        language: str = ENGLISH_CODE,
        meeting: Meeting | None = None,
    ) -> None:
        self.samples, self.ids, self.language = samples, ids, language
        self.meeting = meeting or Meeting(len(ids))

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def candidates(self) -> Sequence[str]:
        """The different candidates; `samples.rows` has each sample's among them."""
        return self.samples.candidates.captions

    @property
    def references(self) -> Sequence[str]:
        """The different references."""
        return self.samples.references.analysis.captions

    @property
    def is_english(self) -> bool:
        """Whether English tables say anything of the captions."""
        return self.language == ENGLISH_CODE

    def of_samples(self, of_candidates: Flags) -> Flags:
        """What holds of each sample, from what holds of each different candidate."""
        flags: Flags = of_candidates[self.samples.rows]
        return flags

    def matching(self, pattern: re.Pattern[str]) -> Flags:
        """Whether a pattern occurs in each sample's candidate."""
        return self.of_samples(_matching(pattern, self.candidates))

    def share_of_references(self, pattern: re.Pattern[str]) -> float:
        """The share of different references in which a pattern occurs."""
        return float(_matching(pattern, self.references).mean())

    def examples(
        self, samples: Flags | IntArray, shorten: Callable[[str], str] = shortened
    ) -> tuple[Example, ...]:
        """The first candidates of those that are meant, no caption twice."""
        rows = np.flatnonzero(samples) if samples.dtype == np.bool_ else samples
        examples: dict[int, Example] = {}
        for row in rows.tolist():
            caption = int(self.samples.rows[row])
            if caption not in examples:
                examples[caption] = Example(self.ids[row], shorten(self.candidates[caption]))
                if len(examples) == MOST_EXAMPLES:
                    break
        return tuple(examples.values())

    def kept(self) -> FloatArray:
        """What CIDEr-D's penalty on length leaves of each sample, as a mean over references."""
        pairs = self.samples.pairs
        sums = np.bincount(pairs.owners, length_penalty(self.samples), len(self))
        shares: FloatArray = sums / pairs.lengths
        return shares

    def mean_words(self) -> tuple[float, float]:
        """How many words a candidate and a reference have."""
        return (
            float(self.samples.candidate_lengths.mean()),
            float(self.samples.reference_lengths.mean()),
        )

    def worded_alike(self) -> IntArray:
        """Each sample's candidate by a number, the same where all words are the same."""
        numbers: dict[bytes, int] = {}
        words = word_sequences(self.samples.candidates)
        of_candidates = np.array([numbers.setdefault(each, len(numbers)) for each in words])
        of_samples: IntArray = of_candidates[self.samples.rows]
        return of_samples


def seem_foreign(analysis: Analysis) -> Flags:
    """Whether each caption's words are, for the most part, not those of English captions."""
    ids, names = analysis.layer(Tokens).ids, words_by_id(analysis)
    used = np.flatnonzero(np.bincount(ids.values))  # `unique` would import masked arrays
    words = [names[word].lower() for word in used.tolist()]  # not all tokenizers change capitals
    kinds = {
        "word": [any(map(str.isalpha, word)) for word in words],
        "known": [word in ENGLISH.known_words for word in words],
        "stop": [word in ENGLISH.stop_words for word in words],
    }
    flags = {name: np.zeros(len(names), np.bool_) for name in kinds}
    for name, values in kinds.items():
        flags[name][used] = values

    def counted(of_words: Flags) -> IntArray:
        return np.bincount(ids.owners[of_words[ids.values]], minlength=len(ids))

    total = counted(flags["word"])
    unknown = counted(flags["word"] & ~flags["known"])
    is_unbound = counted(flags["stop"]) <= BOUND_SHARE * total
    seems: Flags = (unknown >= UNKNOWN_SHARE * total) | (
        is_unbound & (unknown >= UNKNOWN_SHARE_IF_UNBOUND * total)
    )
    return seems & (total > 0)


def _matching(pattern: re.Pattern[str], captions: Sequence[str]) -> Flags:
    return np.array([pattern.search(caption) is not None for caption in captions], np.bool_)
