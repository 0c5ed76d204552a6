"""Doubts: the probability that a thing mentioned in a caption is not in the image.

A thing that a reference mentions has no doubt, be it in another form, by a synonym or as a part of
a hyphenated word. The doubt of others is a logistic function of five numbers: how near the
references' words come to the thing, how much the references say that does not support it, how much
it has to say, how near the caption as a whole is to the references, and how much of that is due to
the thing. The weights are learned from human captions: true things are those of a held-out caption;
made-up ones come from captions of similar images, which replace one or two words or the whole
caption. No judgement is used.

Gains are one of the numbers: a caption that comes nearer to its references without a thing is
better off without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged
from captious._internal.loops.row_vectors import row_products
from captious.metrics.consensus.consensus import Consensus
from captious.metrics.consensus.word_support import FIXED_POINT_SCALE, WordSupport, unique_words
from captious.metrics.hallucination.things import OBJECT, RELATION, Things
from captious.samples import Samples
from captious.text.english import ENGLISH
from captious.text.language import NOUN, VERB
from captious.text.tokens import Tokens, words_by_id
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    SpaceWords,
    VectorRows,
    sum_rows,
)

# Of a caption's squared length: less is the rounding error of removing its only word.
MIN_SQUARE_RATIO = 1e-9
# What `tools/train_hallucination.py` fits, in nats: a constant, and weights of fields of Doubts.
CONSTANT = -0.12
WEIGHTS = {"support": -2.89, "silence": 0.78, "lengths": 1.33, "consensus": -5.86, "gains": -2.54}
UNSUPPORTED_THRESHOLD = 0.21  # the doubt from which on a thing counts as unsupported
MAX_REFERENCE_WORDS = 64  # that count in silence: about the most in its training data
_PART_OF_SPEECH = {OBJECT: NOUN, RELATION: VERB}
Meaning = tuple[str, int | str]  # a sense of WordNet's or a stem, by which words mean the same


def consensus_gains(
    samples: Samples, words: Ragged, names: Sequence[str], reference_vectors: VectorRows
) -> FloatArray:
    """Return the cosine of each sample's candidate with a vector, less that without a word.

    `words` are words of each sample's candidate, `beside` has a vector of length one a sample. What
    has no word left has the cosine 0, and so has what has no vector.
    """
    space = CaptionSpace.load()
    caption_words = SpaceWords.of(samples.candidates, space)
    captions = VectorRows(
        sum_rows(caption_words.vectors, caption_words.words), samples.rows[words.owners]
    )  # not at length one: a word is taken out of the sum
    used, numbers = np.unique(words.values, return_inverse=True)
    word_vectors = space.look_up([names[word] for word in used.tolist()])
    things = VectorRows(word_vectors.vectors, word_vectors.rows[numbers])
    centroids = VectorRows(reference_vectors.vectors, reference_vectors.rows[words.owners])
    times = _count_occurrences(samples, words)
    square = _dot_products(captions, captions)
    projections = _dot_products(captions, centroids)
    rest_square = square - 2 * times * _dot_products(captions, things)
    rest_square += times**2 * _dot_products(things, things)
    rest_projections = projections - times * _dot_products(things, centroids)
    is_left = rest_square > MIN_SQUARE_RATIO * square
    return _divide_by_length(projections, square) - _divide_by_length(
        rest_projections, np.where(is_left, rest_square, 0.0)
    )


def _count_occurrences(samples: Samples, words: Ragged) -> IntArray:
    """Count how often each word occurs in its sample's candidate."""
    ids = samples.candidates.layer(Tokens).ids
    size = int(max(ids.values.max(initial=0), words.values.max(initial=0))) + 1
    keys, counts = np.unique(ids.owners * size + ids.values, return_counts=True)
    wanted_keys = samples.rows[words.owners] * size + words.values
    places = np.minimum(np.searchsorted(keys, wanted_keys), max(len(keys) - 1, 0))
    times: IntArray = np.zeros(len(wanted_keys), np.int64)
    if len(keys):
        times = np.where(keys[places] == wanted_keys, counts[places], 0)
    return times


def _dot_products(a: VectorRows, b: VectorRows) -> FloatArray:
    products = np.empty(len(a.rows))
    row_products(a.vectors.data, a.rows.data, b.vectors.data, b.rows.data, products.data)
    return products


def _divide_by_length(projections: FloatArray, square: FloatArray) -> FloatArray:
    """Divide projections by lengths; 0 where the length is 0."""
    lengths = np.sqrt(square)
    return np.divide(projections, lengths, out=np.zeros(len(projections)), where=lengths > 0)


@dataclass(frozen=True, eq=False)
class Doubts:
    """The things of each sample's candidate, ascending by the tokens' ids, and the doubt of each.

    `support` is the mean over a sample's references of how near a thing's nearest word is; 1 where
    a reference says it, in whatever form, or a synonym, or something narrower. One such reference
    is enough for `is_mentioned`.
    """

    words: Ragged
    kinds: IntArray
    firsts: IntArray  # at which word of its caption a thing stands first
    is_mentioned: npt.NDArray[np.bool_]  # by any of the references
    support: FloatArray
    silence: FloatArray  # how much the references say that does not support a thing
    lengths: FloatArray  # of the things' vectors: longer ones are of rarer words, with more to say
    consensus: FloatArray  # of the sample's candidate, for each thing
    gains: FloatArray  # what each thing adds to the whole candidate's nearness to its references
    names: Sequence[str]  # by the tokens' ids
    lemmas: Sequence[str]

    @classmethod
    def of(cls, samples: Samples) -> Doubts:
        """Return the doubts of all samples, computed once."""
        return samples.get_or_compute("doubts", lambda: _compute_doubts(samples))

    @property
    def features(self) -> FloatArray:
        """Return the inputs of the logistic function: one row a thing, one column a weight."""
        return np.column_stack([getattr(self, name) for name in WEIGHTS])

    @property
    def values(self) -> FloatArray:
        """The doubt of each thing, from 0 to 1; 0 where a reference says it."""
        odds = np.full(len(self.support), CONSTANT)
        for name, weight in WEIGHTS.items():
            odds += weight * getattr(self, name)
        doubts: FloatArray = np.where(self.is_mentioned, 0.0, 1 / (1 + np.exp(-odds)))
        # Rounded, so that sums are the same in whatever order: other captions decide that of ids.
        return np.rint(doubts * FIXED_POINT_SCALE) / FIXED_POINT_SCALE

    def is_depicted(self, depicted: Sequence[frozenset[Meaning]]) -> npt.NDArray[np.bool_]:
        """Return which objects are depicted in their image, by a meaning or a broader one."""
        rows = zip(
            self.words.owners.tolist(),
            self.words.values.tolist(),
            self.kinds.tolist(),
            self.lemmas,
            strict=True,
        )
        return np.array(
            [
                kind == OBJECT
                and not depicted[owner].isdisjoint(meanings_of(self.names[word], kind, lemma))
                for owner, word, kind, lemma in rows
            ],
            np.bool_,
        )

    @property
    def is_unsupported(self) -> npt.NDArray[np.bool_]:
        """Return which things have a doubt of at least UNSUPPORTED_THRESHOLD."""
        unsupported: npt.NDArray[np.bool_] = self.values >= UNSUPPORTED_THRESHOLD
        return unsupported

    def unsupported(self) -> list[list[str]]:
        """Each sample's unsupported words, in the order in which they occur."""
        chosen = np.flatnonzero(self.is_unsupported)
        owners = self.words.owners[chosen]
        chosen = chosen[np.lexsort((self.firsts[chosen], owners))]
        words = [self.names[word] for word in self.words.values[chosen].tolist()]
        ends = np.cumsum(np.bincount(owners, minlength=len(self.words))).tolist()
        return [words[start:end] for start, end in pairwise([0, *ends])]


def _compute_doubts(samples: Samples) -> Doubts:
    things = samples.candidates.layer(Things)
    names = words_by_id(samples.candidates)
    # Each sample's things once for each of its references, pair by pair, beside that one's words.
    rows = samples.rows[samples.pairs.owners]
    used, other_rows = np.unique(samples.pairs.values, return_inverse=True)
    ids = samples.references.analysis.layer(Tokens).ids.take(used)
    reference_words = unique_words(ids.owners, ids.values, len(ids))
    words_of_reference = reference_words.take(other_rows)
    side = WordSupport.between(
        things.words.take(rows), words_of_reference, names, CaptionSpace.load()
    )
    nearness = side.candidates.support
    places = Ragged(np.arange(len(things.kinds)), things.words.offsets)
    places_in_pairs = places.take(rows)
    unsure = np.flatnonzero(nearness < 1)
    reference_rows = other_rows[places_in_pairs.owners[unsure]]
    nearness[
        unsure[
            _is_mentioned(
                names, things, reference_words, places_in_pairs.values[unsure], reference_rows
            )
        ]
    ] = 1.0
    words = things.words.take(samples.rows)
    targets = _places_in_samples(samples, words, places_in_pairs)
    sums = np.bincount(targets, np.rint(nearness * FIXED_POINT_SCALE), minlength=len(words.values))
    is_mentioned = np.zeros(len(words.values), np.bool_)
    is_mentioned[targets[nearness == 1]] = True
    lengths = np.zeros(len(words.values))
    lengths[targets] = side.candidates.lengths
    at = places.take(samples.rows).values
    support = sums / FIXED_POINT_SCALE / np.maximum(samples.pairs.lengths, 1)[words.owners]
    consensus, centroids = _consensus(samples)
    return Doubts(
        words,
        things.kinds[at],
        things.firsts[at],
        is_mentioned,
        support,
        (1 - support) * _log_reference_words(samples)[words.owners],
        lengths,
        consensus[words.owners],
        consensus_gains(samples, words, names, centroids),
        names,
        [things.lemmas[place] for place in at.tolist()],
    )


def _places_in_samples(samples: Samples, words: Ragged, in_pairs: Ragged) -> IntArray:
    """Return the index among all samples' things of each thing of a pair."""
    pair = in_pairs.owners
    within = np.arange(len(in_pairs.values)) - in_pairs.offsets[pair]
    places: IntArray = words.offsets[samples.pairs.owners[pair]] + within
    return places


def _consensus(samples: Samples) -> tuple[FloatArray, VectorRows]:
    """Return the consensus of each sample, and the centroid of its references."""
    metric, references = Consensus(), samples.references
    prepared = references.get_or_compute(
        ("all centroids", metric), lambda: metric.all_centroids(references)
    )
    consensus: FloatArray = metric.statistics(samples, prepared)[:, 0]
    return consensus, metric.reference_centroids(samples, prepared)


def _log_reference_words(samples: Samples) -> FloatArray:
    """Return the logarithm of the number of words in each sample's references."""
    lengths = samples.references.analysis.layer(Tokens).ids.lengths[samples.pairs.values]
    words = np.bincount(samples.pairs.owners, lengths, minlength=len(samples))
    logarithms: FloatArray = np.log(np.clip(words, 1, MAX_REFERENCE_WORDS))
    return logarithms


def _is_mentioned(
    names: Sequence[str],
    things: Things,
    reference_words: Ragged,
    places: IntArray,
    reference_rows: IntArray,
) -> npt.NDArray[np.bool_]:
    """Return whether the reference of a thing has another form, a synonym or a narrower word.

    `places` are those of things, `reference_rows` those of `reference_words`. A reference that
    has a hyphenated word says its parts, too.
    """
    words_by_meaning: dict[Meaning, set[int]] = defaultdict(set)  # words of references
    for word in np.unique(reference_words.values).tolist():
        for part in _split_at_hyphens(names[word]):
            for meaning in meanings_with_broader(part):
                words_by_meaning[meaning].add(word)
    rows = zip(things.words.values.tolist(), things.kinds.tolist(), things.lemmas, strict=True)
    supporters = [
        _words_with_meanings(words_by_meaning, meanings_of(names[word], *kind_and_lemma))
        for word, *kind_and_lemma in rows
    ]
    sets = [
        frozenset(reference_words.values[start:end].tolist())
        for start, end in pairwise(reference_words.offsets.tolist())
    ]
    pairs = zip(places.tolist(), reference_rows.tolist(), strict=True)
    return np.array([not supporters[a].isdisjoint(sets[b]) for a, b in pairs], np.bool_)


def _words_with_meanings(
    words_by_meaning: dict[Meaning, set[int]], meanings: Iterable[Meaning]
) -> set[int]:
    return set().union(*(words_by_meaning[each] for each in meanings if each in words_by_meaning))


def _split_at_hyphens(word: str) -> set[str]:
    """Return a word and, if it is hyphenated, its parts."""
    return {word, *filter(None, word.split("-"))}


@lru_cache(maxsize=100_000)
def meanings_of(word: str, kind: int, lemma: str) -> frozenset[Meaning]:
    """Return the meanings of a thing: its stems, and the first senses of its lemma.

    Of an attribute, all synsets: adjectives and numbers have few, and none lies above another.
    """
    stems = _stems({word, lemma, *ENGLISH.synonyms.base_forms(word)})
    if kind not in _PART_OF_SPEECH:
        return stems | _synsets(word)
    part = _PART_OF_SPEECH[kind]
    return stems | {(part, sense) for sense in ENGLISH.hypernyms.senses_of(lemma, part)}


@lru_cache(maxsize=100_000)
def meanings_with_broader(word: str) -> frozenset[Meaning]:
    """Return the meanings of a reference's word in any part of speech, and all broader ones."""
    table = ENGLISH.hypernyms
    forms = {word, *ENGLISH.synonyms.base_forms(word)}
    senses = {
        (part, sense)
        for form in forms
        for part in (NOUN, VERB)
        for sense in table.with_hypernyms(form, part)
    }
    return _stems(forms) | _synsets(word) | senses


def _stems(forms: Iterable[str]) -> frozenset[Meaning]:
    return frozenset(("stem", ENGLISH.stem(form)) for form in forms)


def _synsets(word: str) -> frozenset[Meaning]:
    return frozenset(("synset", index) for index in ENGLISH.synonyms.indices(word).tolist())
