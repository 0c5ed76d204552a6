"""Why a caption scores as it does: part by part, word by word, reference by reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.corpus import Corpus
from captious.errors import InputError, short_repr
from captious.io.output_tables import OutputTable, TabularResult
from captious.metrics.consensus.sentence_matching import LongSamples
from captious.metrics.consensus.word_support import WordsInOrder
from captious.metrics.hallucination.doubts import Doubts
from captious.metrics.learned.captious import Captious
from captious.metrics.learned.weights import LearnedModel
from captious.registry import select
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.domain import load_space
from captious.text.vectors.caption_vectors import (
    CaptionSpace,
    all_caption_vectors,
    caption_vectors,
    normalize,
)


@dataclass(frozen=True)
class ExplainedPart:
    """A feature: its value, what captions written for an image usually have, and its pull.

    `pull` is by how many nats the difference moves the odds: below 0 it pulls the score down.
    """

    feature: str
    value: float
    usual: float
    pull: float


@dataclass(frozen=True)
class ExplainedWord:
    """A word: how much it weighs, and how near the nearest word of the other side is.

    `weight` is its share of the lengths of all words' vectors on its side, `support` the highest
    cosine with a word of the other side (0 where all are opposite), `by` that word. A word of the
    candidate stands alone if it names a thing that is likely made up: `doubt` says how likely, as
    in the metric `hallucination`. A word of the references stands alone if it weighs at least the
    average and the candidate does not say it.
    """

    word: str
    weight: float
    support: float
    by: str
    alone: bool
    doubt: float = 0.0  # of a thing that the candidate says


@dataclass(frozen=True)
class ExplainedSentence:
    """A sentence of a candidate of several, or of one beside references of several.

    `chance` is what it would have as a caption of its own beside the nearest sentence of each
    reference, which are `beside` it.
    """

    sentence: str
    chance: float
    beside: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Explanation(TabularResult):
    """Why a candidate scores as it does against its references."""

    score: float  # chance times form
    chance: float  # that it was written for this image and not for another
    form: float  # 1 unless words are shuffled, repeated or missing at the end
    parts: tuple[ExplainedPart, ...]  # what makes the chance; the strongest pull down first
    similarities: tuple[float, ...]  # the cosine to each reference
    nearest: int  # the reference with the highest one
    words: tuple[ExplainedWord, ...]  # the different ones of the candidate
    reference_words: tuple[ExplainedWord, ...]  # the different ones of all references
    references: tuple[str, ...] = ()
    sentences: tuple[ExplainedSentence, ...] = ()  # where one side has several

    @property
    def unsupported(self) -> list[str]:
        """The candidate's words for things that the references do not support."""
        return [each.word for each in self.words if each.alone]

    @property
    def missing(self) -> list[str]:
        """The references' words of at least average weight that the candidate leaves out.

        The heaviest come first.
        """
        heaviest_first = sorted(self.reference_words, key=lambda each: -each.weight)
        return [each.word for each in heaviest_first if each.alone]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "score": self.score,
            "chance": self.chance,
            "form": self.form,
            "parts": [vars(part) for part in self.parts],
            "similarities": list(self.similarities),
            "nearest": self.nearest,
            "words": [vars(word) for word in self.words],
            "reference_words": [vars(word) for word in self.reference_words],
            "unsupported": self.unsupported,
            "missing": self.missing,
            "sentences": [vars(sentence) for sentence in self.sentences],
        }

    def as_tables(self) -> list[OutputTable]:
        """The score, what pulled it up or down, and the words of one side alone."""
        nearest = self.references[self.nearest] if self.references else str(self.nearest + 1)
        written_for = "that it was written for this image, not for another"
        rows = [
            ("score", "chance times form", f"{self.score:.3f}"),
            ("chance", written_for, f"{self.chance:.3f}"),
            ("form", "1 unless words are shuffled, repeated or cut off", f"{self.form:.3f}"),
            *(
                (part.feature, f"usual {part.usual:.3f}: {_pulled(part.pull)}", f"{part.value:.3f}")
                for part in self.parts
            ),
            ("nearest", _in_one_line(nearest), f"{self.similarities[self.nearest]:.3f}"),
            ("unsupported", ", ".join(self.unsupported), str(len(self.unsupported))),
            ("missing", ", ".join(self.missing), str(len(self.missing))),
        ]
        sentences = [
            (
                " ".join(each.sentence.split()),
                " ".join(each.beside[0].split()),
                f"{each.chance:.3f}",
            )
            for each in self.sentences
        ]
        beside = ("sentence", "beside", "chance")
        return [
            OutputTable(("what", "why", "value"), rows, 2),
            *([OutputTable(beside, sentences, 2)] if sentences else []),
        ]

    def brief(self) -> list[str]:
        """The score and the words that made it."""
        words = {"unsupported": self.unsupported, "missing": self.missing}
        return [
            f"score {self.score:.3f}, chance {self.chance:.3f}, form {self.form:.3f}",
            *(f"{name}: {', '.join(alone)}" for name, alone in words.items() if alone),
        ]

    def records(self) -> list[dict[str, Any]]:
        """One row a part of the chance."""
        return [vars(part) for part in self.parts]


@check_arguments
def explain(
    candidate: str, references: Sequence[str], metric: str | Captious = "captious"
) -> Explanation:
    """Explain the score that `captious` (or `captious_full`) gives a candidate."""
    chosen, *others = select([metric]).metrics
    if others:
        raise InputError(f"one metric is explained at a time, not {short_repr(metric)}")
    if not isinstance(chosen, Captious):
        raise InputError(f"{chosen.name} cannot be explained; use captious or captious_full")
    model = chosen.model()
    if "usual" not in model.notes or len(model.network.weights) > 1:
        raise InputError(f"{chosen.weights}: these weights cannot be explained part by part")
    corpus = Corpus.of([candidate], [references])
    captions = corpus.references.captions
    analysed = References.of(corpus.references)
    samples = Samples([candidate], np.array([0]), analysed)
    features = model.feature_set.read(samples, chosen.prepare(analysed))
    chance = float(model.scores(features)[0])
    form = float(chosen.form().statistics(samples, None)[0, 0])
    space = load_space(chosen.domain_source())
    analysis = Analysis([candidate, *captions])
    placed = caption_vectors(analysis, space, np.arange(len(analysis.captions)))
    similarities = (placed[1:] @ placed[0]).tolist()
    mine, theirs = WordsInOrder.of(samples, space)
    return Explanation(
        chance * form,
        chance,
        form,
        _parts(model, features[0]),
        tuple(similarities),
        int(np.argmax(similarities)),
        _with_doubts(_words(space, mine, theirs), Doubts.of(samples)),
        _words(space, theirs, mine),
        tuple(captions),
        *split_into_sentences(model, samples, space),
    )


def split_into_sentences(
    model: LearnedModel, samples: Samples, space: CaptionSpace
) -> list[tuple[ExplainedSentence, ...]]:
    """Each sample's sentences beside the nearest one of every reference, best match first.

    None where candidate and references are one sentence each.
    """
    found: list[tuple[ExplainedSentence, ...]] = [()] * len(samples)
    long = LongSamples.find(samples, space)
    if long is None:
        return found
    said, owners = long.precision_side.samples, long.indices[long.precision_side.owners].tolist()
    features = model.feature_set.read(said, model.feature_set.prepare(said.references))
    vectors, mine = (
        all_caption_vectors(each, space) for each in (said.references.analysis, said.candidates)
    )
    texts = said.references.analysis.captions
    for place, chance in enumerate(model.scores(features).tolist()):
        rows = said.pairs.values[said.pairs.offsets[place] : said.pairs.offsets[place + 1]]
        nearest_first = rows[np.argsort(-(vectors[rows] @ mine[said.rows[place]]), kind="stable")]
        beside = tuple(texts[row] for row in nearest_first.tolist())
        sentence = said.candidates.captions[said.rows[place]]
        found[owners[place]] += (ExplainedSentence(sentence, chance, beside),)
    return found


def _parts(model: LearnedModel, values: FloatArray) -> tuple[ExplainedPart, ...]:
    usual = np.array(model.notes["usual"])
    weights = model.network.weights[0][:, 1] * model.scaling.factor
    rows = zip(model.feature_set.columns, values, usual, weights * (values - usual), strict=True)
    parts = [ExplainedPart(name, *map(float, numbers)) for name, *numbers in rows]
    return tuple(sorted(parts, key=lambda part: part.pull))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _pulled(nats: float) -> str:
    return f"{'down' if nats < 0 else 'up'} by {abs(nats):.2f}"


def _words(
    space: CaptionSpace, mine: WordsInOrder, theirs: WordsInOrder
) -> tuple[ExplainedWord, ...]:
    words, others = mine.words(), theirs.words()
    vectors, other_vectors = (normalize(space.of_words(some)) for some in (words, others))
    nearest = (vectors @ other_vectors.T).argmax(axis=1) if others else []
    by = [others[place] for place in nearest] or [""] * len(words)
    # A word that stands on the other side is supported by itself, whether it has a vector or not.
    by = [word if word in others else other for word, other in zip(words, by, strict=True)]
    side = mine.side
    numbers = (values[mine.places].tolist() for values in (side.weights, side.support))
    rows = zip(words, *numbers, by, side.is_unsupported[mine.places].tolist(), strict=True)
    return tuple(ExplainedWord(*row) for row in rows)


def _with_doubts(words: Sequence[ExplainedWord], doubts: Doubts) -> tuple[ExplainedWord, ...]:
    """One candidate's words with the doubts of its things, which say what stands alone."""
    names = [doubts.names[word] for word in doubts.words.values.tolist()]
    doubt_of = dict(zip(names, doubts.values.tolist(), strict=True))
    alone = set(doubts.unsupported()[0])
    return tuple(
        replace(each, alone=each.word in alone, doubt=doubt_of.get(each.word, 0.0))
        for each in words
    )
