"""Evidence: candidates and references as arrays, with values that several checks share."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.diagnostics.check.findings import MAX_EXAMPLE_CHARS, MAX_EXAMPLES, Example
from captious.diagnostics.check.id_matching import IdMatch
from captious.samples import Samples
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.languages import ENGLISH as ENGLISH_CODE
from captious.text.tokens import Tokens, word_sequences, words_by_id

Flags = npt.NDArray[np.bool_]
_LINE_BREAKS = re.compile(r"[ \t]*[\r\n]\s*")

# A caption does not seem English if this share of its words is unknown; less is enough if
# hardly any word is an English stop word. (English word lists contain some words of related
# languages.) This holds for none of COCO's captions, and for .016 of news sentences.
MIN_UNKNOWN_SHARE = 0.4
MIN_UNKNOWN_SHARE_WITHOUT_STOP_WORDS, MAX_STOP_WORD_SHARE = 0.2, 0.1
CONTEXT_CHARS = 40  # kept before the part that an example is to show


def shorten(caption: str) -> str:
    """Return a caption in one line, truncated if it is long."""
    line = " ".join(caption.split())
    return line if len(line) <= MAX_EXAMPLE_CHARS else f"{line[: MAX_EXAMPLE_CHARS - 3]}..."


def excerpt(caption: str, start: int, end: int) -> str:
    """Return a caption in one line, truncated so that `start` to `end` is visible.

    Line breaks are written as Python escapes them, so that they are visible, too.
    """
    before, shown_part = (
        _LINE_BREAKS.sub(r"\\n", part) for part in (caption[:start], caption[start:])
    )
    length = len(shown_part) - len(_LINE_BREAKS.sub(r"\\n", caption[end:]))
    if len(before) + length > MAX_EXAMPLE_CHARS - len("..."):
        before = before if len(before) <= CONTEXT_CHARS else f"...{before[-CONTEXT_CHARS:]}"
    return shorten(before + shown_part)


class Evidence:
    """Samples to check, with their ids and language, and how the ids matched."""

    def __init__(
        self,
        samples: Samples,
        ids: Sequence[Hashable],
        language: str = ENGLISH_CODE,
        id_match: IdMatch | None = None,
    ) -> None:
        self.samples, self.ids, self.language = samples, ids, language
        self.id_match = id_match or IdMatch(len(ids))

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def candidates(self) -> Sequence[str]:
        """The distinct candidates; `samples.rows` indexes them by sample."""
        return self.samples.candidates.captions

    @property
    def references(self) -> Sequence[str]:
        """The distinct references."""
        return self.samples.references.analysis.captions

    @property
    def is_english(self) -> bool:
        """Whether the captions are scored as English, so that English word lists apply."""
        return self.language == ENGLISH_CODE

    def per_sample(self, of_candidates: Flags) -> Flags:
        """Expand flags of the distinct candidates to all samples."""
        flags: Flags = of_candidates[self.samples.rows]
        return flags

    def matching(self, pattern: re.Pattern[str]) -> Flags:
        """Whether a pattern occurs in each sample's candidate."""
        return self.per_sample(_find_pattern(pattern, self.candidates))

    def share_of_references(self, pattern: re.Pattern[str]) -> float:
        """The share of distinct references in which a pattern occurs."""
        return float(_find_pattern(pattern, self.references).mean())

    def examples(
        self, samples: Flags | IntArray, shorten: Callable[[str], str] = shorten
    ) -> tuple[Example, ...]:
        """Return the first of the flagged or listed candidates, no caption twice."""
        rows = np.flatnonzero(samples) if samples.dtype == np.bool_ else samples
        examples: dict[int, Example] = {}
        for row in rows.tolist():
            caption = int(self.samples.rows[row])
            if caption not in examples:
                examples[caption] = Example(self.ids[row], shorten(self.candidates[caption]))
                if len(examples) == MAX_EXAMPLES:
                    break
        return tuple(examples.values())

    def mean_length_penalty(self) -> FloatArray:
        """The factor of CIDEr-D's length penalty for each sample, as a mean over references."""
        from captious.metrics.cider.cider import length_penalty  # other checks need no CIDEr

        pairs = self.samples.pairs
        sums = np.bincount(pairs.owners, length_penalty(self.samples), len(self))
        shares: FloatArray = sums / pairs.lengths
        return shares

    def mean_words(self) -> tuple[float, float]:
        """The mean number of words of a candidate and of a reference."""
        return (
            float(self.samples.candidate_lengths.mean()),
            float(self.samples.reference_lengths.mean()),
        )

    def word_sequence_ids(self) -> IntArray:
        """A number for each sample's candidate; candidates with equal words share it."""
        numbers: dict[bytes, int] = {}
        words = word_sequences(self.samples.candidates)
        of_candidates = np.array([numbers.setdefault(each, len(numbers)) for each in words])
        of_samples: IntArray = of_candidates[self.samples.rows]
        return of_samples


def seem_non_english(analysis: Analysis) -> Flags:
    """Whether most words of each caption are not those of English captions."""
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
    is_unbound = counted(flags["stop"]) <= MAX_STOP_WORD_SHARE * total
    seems: Flags = (unknown >= MIN_UNKNOWN_SHARE * total) | (
        is_unbound & (unknown >= MIN_UNKNOWN_SHARE_WITHOUT_STOP_WORDS * total)
    )
    return seems & (total > 0)


def _find_pattern(pattern: re.Pattern[str], captions: Sequence[str]) -> Flags:
    return np.array([pattern.search(caption) is not None for caption in captions], np.bool_)
