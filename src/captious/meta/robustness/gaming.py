"""Captions that game a metric: a clause repeated, words of the references, a caption cut off.

- `repeated_clause`: the caption, `and`, and its first clause again, from the verb to the end of
  what hangs from it: `a dog runs on grass and runs on grass`.
- `reference_words`: as many words as the caption has, those that most of the other captions of the
  image hold, each once, in random order: `runs a on dog grass`.
- `cut_off`: the caption broken off in front of its last noun: `a dog runs on`.

Each is to lose against the caption it was made of. A caption without what a kind needs, a verb or a
noun with two words before it, is left out of it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.text.parser.parser import Sentence

GAMES = ("repeated_clause", "reference_words", "cut_off")
MIN_WORDS_LEFT = 2  # words of a caption that is cut off


def gaming_captions(data: CaptionedImages, seed: int = 0) -> dict[str, Worsened]:
    """The captions of each kind, beside the rows of the captions they came from."""
    made: dict[str, list[str | None]] = {
        "repeated_clause": [_repeat_clause(sentence) for sentence in data.sentences],
        "reference_words": _list_reference_words(data, np.random.default_rng(seed)),
        "cut_off": [_cut_off_last_noun(sentence) for sentence in data.sentences],
    }
    return {kind: Worsened.of(texts) for kind, texts in made.items()}


def _repeat_clause(sentence: Sentence | None) -> str | None:
    """A caption with its first clause said twice."""
    if sentence is None:
        return None
    for verb, tag in enumerate(sentence.tags):
        if tag.startswith("VB") and sentence.labels[verb] not in ("aux", "auxpass", "cop", "amod"):
            end = verb + 1
            while end < len(sentence.words) and _is_descendant(sentence, end, verb):
                end += 1
            return " ".join((*sentence.words, "and", *sentence.words[verb:end]))
    return None


def _is_descendant(sentence: Sentence, place: int, top: int) -> bool:
    """Whether a word hangs from another, directly or through others."""
    for _ in sentence.words:
        if place == top:
            return True
        place = sentence.heads[place] - 1
        if place < 0:
            return False
    return False


def _list_reference_words(data: CaptionedImages, rng: np.random.Generator) -> list[str | None]:
    """The words that most references hold, without an order."""
    texts: list[str | None] = []
    for row, caption in enumerate(data.tokens):
        counts = Counter(word for other in data.others(row) for word in set(data.tokens[other]))
        # Sorted first, as sets have no order; then shuffled, so that chance decides among equals.
        words = rng.permutation(sorted(counts)).tolist()
        words.sort(key=counts.__getitem__, reverse=True)
        texts.append(" ".join(rng.permutation(words[: len(caption)]).tolist()))
    return texts


def _cut_off_last_noun(sentence: Sentence | None) -> str | None:
    """A caption without its last noun and what follows it."""
    if sentence is None:
        return None
    nouns = [place for place, tag in enumerate(sentence.tags) if tag.startswith("NN")]
    if not nouns or nouns[-1] < MIN_WORDS_LEFT:
        return None
    return " ".join(sentence.words[: nouns[-1]])
