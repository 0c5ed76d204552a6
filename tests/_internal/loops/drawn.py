"""Captions drawn to lie on both sides of every boundary that the loops have."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import offsets_of
from captious.samples import References, Samples

# Around the blocks of 63 and 64 words that fit into a machine's word, once and twice.
LENGTHS = (0, 1, 2, 3, 4, 5, 9, 62, 63, 64, 65, 126, 127, 128, 129)
SHORT = LENGTHS[:7]
LONG = (1001, 2500)

# Words that occur in captions, with inflections, synonyms and paraphrases of each other.
WORDS = """
    a a a the of on in man men woman people person dog dogs puppy cat kitten child children kid
    riding rides ride surfing surf wave surfboard board skateboard horse street road sitting sits
    standing next to front side large big small little red blue black white zqxv zqxvs t-shirt
    group couple several two 2 of of people food plate table is are with
""".split()

Words = list[str]
Kind = Callable[[np.random.Generator, int], Words]


def equal(random: np.random.Generator, length: int) -> Words:
    """One word again and again."""
    return ["dog"] * length


def few(random: np.random.Generator, length: int) -> Words:
    """Four words, so that nearly everything matches nearly everything."""
    return [WORDS[place] for place in random.integers(8, 12, length)]


def frequent(random: np.random.Generator, length: int) -> Words:
    """Words as captions have them."""
    return [WORDS[place] for place in random.integers(0, len(WORDS), length)]


def different(random: np.random.Generator, length: int) -> Words:
    """No word twice."""
    return [f"w{number}" for number in random.permutation(length + length // 2)[:length]]


KINDS: tuple[Kind, ...] = (equal, few, frequent, different)


@dataclass(frozen=True)
class Sample:
    """A candidate and its references, in words."""

    candidate: Words
    references: list[Words]


def samples_of(
    lengths: Iterable[int], kinds: Sequence[Kind] = KINDS, seed: int = 0
) -> list[Sample]:
    """For each length and kind a candidate beside a like one, itself changed, and a random one."""
    random = np.random.default_rng(seed)
    lengths = tuple(lengths)
    drawn = []
    for kind in kinds:
        for length in lengths:
            candidate = kind(random, length)
            beside = max(0, length + int(random.integers(-2, 3)))
            changed = [word for word in candidate if random.random() > 0.1]
            changed[1::2] = changed[1::2][::-1]
            references = [kind(random, beside), changed, kind(random, int(random.choice(lengths)))]
            drawn.append(Sample(candidate, references[: int(random.integers(1, 4))]))
        drawn.append(Sample(drawn[-1].candidate, [drawn[-1].candidate, []]))
    return drawn


def as_samples(drawn: Sequence[Sample]) -> Samples:
    """The samples as metrics get them, nothing of them analysed yet."""
    captions = [" ".join(words) for sample in drawn for words in sample.references]
    offsets = offsets_of(np.array([len(sample.references) for sample in drawn]))
    references = References(captions, offsets, "whitespace")
    candidates = [" ".join(sample.candidate) for sample in drawn]
    return Samples(candidates, np.arange(len(drawn)), references)


def pairs_of(drawn: Sequence[Sample]) -> list[tuple[Words, Words]]:
    """Every candidate with each of its references."""
    return [(sample.candidate, words) for sample in drawn for words in sample.references]
