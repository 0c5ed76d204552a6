"""Learn from human captions how likely a word of a caption is hallucinated.

    python tools/train_hallucination.py [--data FOLDER]

Images are the 3,000 of COCO train2014 that the caption space was not learned from
(tools/caption_space/data.py): none of HAT's, eight of DiscoSG's. One caption is held back, one to
four of the others are its references. Its things are true. Made-up things come from captions of
similar images: one or two words put in place of others with the same tag, or a whole caption,
without what any caption of the image says. What is printed goes into CONSTANT and WEIGHTS of
`captious/metrics/hallucination/doubts.py`; the rest of the images tells how well it foretells, by
itself and as doubts, which are 0 for what a reference says.
The same numbers each time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from caption_space.data import CAPTIONS, read  # noqa: E402
from captious._internal.arrays.ragged import FloatArray, IntArray  # noqa: E402
from captious.corpus import Corpus  # noqa: E402
from captious.metrics.hallucination.doubts import (  # noqa: E402
    WEIGHTS,
    Doubts,
    meanings_of,
    meanings_with_broader,
)
from captious.metrics.hallucination.things import Things  # noqa: E402
from captious.samples import References, Samples  # noqa: E402
from captious.stats.correlation import roc_auc  # noqa: E402
from captious.text.analysis import Analysis  # noqa: E402
from captious.text.parser.parser import Parses  # noqa: E402
from captious.text.tokens import words_by_id  # noqa: E402
from captious.text.vectors.caption_vectors import (  # noqa: E402
    CaptionSpace,
    caption_vectors,
    centroids,
)

SIMILAR = 50  # images from which made-up things come
TRIES = 30  # to find a word that can stand in place of another
PENALTY = 1.0  # on the squares of weights
ROUNDS = 40  # of Newton's method


class ContentWord(NamedTuple):
    """A content word of a caption with its lemma and tag."""

    word: str
    kind: int
    lemma: str
    tag: str

    def is_mentioned_in(self, words: Sequence[str]) -> bool:
        """Whether one of some words is a form of this word, or of a hyponym of it."""
        meanings = meanings_of(self.word, self.kind, self.lemma)
        return any(not meanings.isdisjoint(meanings_with_broader(word)) for word in words)


@dataclass(frozen=True)
class Trial:
    """A caption with references, its hallucinated words, and words with unknown labels."""

    caption: str
    references: list[str]
    made_up: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)


def find_content_words(captions: Sequence[str]) -> dict[str, list[ContentWord]]:
    """Return the content words of each caption."""
    analysis = Analysis(list(dict.fromkeys(captions)))
    things, names = analysis.layer(Things), words_by_id(analysis)
    content_words: dict[str, list[ContentWord]] = {}
    for row, sentences in enumerate(analysis.layer(Parses).sentences):
        tags = {
            word: tag
            for sentence in sentences
            for word, tag in zip(sentence.words, sentence.tags, strict=True)
        }
        content_words[analysis.captions[row]] = [
            ContentWord(
                word := names[things.words.values[at]], int(things.kinds[at]), lemma, tags[word]
            )
            for at in range(things.words.offsets[row], things.words.offsets[row + 1])
            for lemma in [things.lemmas[at]]
        ]
    return content_words


def find_similar_images(images: Sequence[Sequence[str]]) -> IntArray:
    """The nearest other images of each, by the centroids of their captions."""
    analysis = Analysis([caption for captions in images for caption in captions])
    rows = np.arange(len(analysis.captions))
    vectors = caption_vectors(analysis, CaptionSpace.load(), rows)
    places = centroids(vectors, np.arange(0, len(rows) + 1, CAPTIONS))
    cosines = places @ places.T
    np.fill_diagonal(cosines, -1)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :SIMILAR]


def build_trials(images: Sequence[Sequence[str]], seed: int = 0) -> list[Trial]:
    """Of each image: a caption as it is, with words put in, and another image's caption."""
    rng = random.Random(seed)
    things = find_content_words([caption for captions in images for caption in captions])
    trials = []
    for row, similar in enumerate(find_similar_images(images).tolist()):
        captions = list(images[row])
        spoken = [word for caption in captions for word in caption.split()]
        held_out = captions.pop(rng.randrange(len(captions)))
        references = rng.sample(captions, rng.choice((4, 4, 4, 3, 2, 1)))
        words, made_up = held_out.split(), set()
        for _ in range(rng.choice((1, 1, 2))):
            for _ in range(TRIES):
                others = things[rng.choice(images[rng.choice(similar)])]
                words_of_image = [each for each in things[held_out] if each.word in words]
                pairs = [(a, b) for a in words_of_image for b in others if a.tag == b.tag]
                old, new = rng.choice(pairs) if pairs else (None, None)
                if old is not None and new is not None and not new.is_mentioned_in(spoken):
                    words[words.index(old.word)] = new.word
                    made_up.add(new.word)
                    break
        other = rng.choice(images[rng.choice(similar)])
        shared = {each.word for each in things[other] if each.is_mentioned_in(spoken)}
        trials += [
            Trial(held_out, references),
            Trial(" ".join(words), references, made_up),
            Trial(other, references, {each.word for each in things[other]} - shared, shared),
        ]
    return trials


def feature_table(
    trials: Sequence[Trial],
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """The features of every thing of which it is known, whether it is made up, and whether said."""
    corpus = Corpus.of([each.caption for each in trials], [each.references for each in trials])
    samples = Samples(corpus.candidates, corpus.images, References.of(corpus.references))
    doubts = Doubts.of(samples)
    names = [doubts.names[word] for word in doubts.words.values.tolist()]
    owners = [trials[owner] for owner in doubts.words.owners.tolist()]
    pairs = list(zip(names, owners, strict=True))
    known = np.array([name not in owner.unknown for name, owner in pairs])
    labels = np.array([name in owner.made_up for name, owner in pairs], np.float64)
    return doubts.features[known], labels[known], doubts.is_mentioned[known]


def fit_logistic(features: FloatArray, labels: FloatArray) -> FloatArray:
    """A constant and the weights of features, by Newton's method."""
    columns = np.column_stack([np.ones(len(features)), features])
    weights = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-columns @ weights))
        spread = (columns * (chances * (1 - chances))[:, None]).T @ columns
        slope = columns.T @ (labels - chances) - PENALTY * weights
        weights += np.linalg.solve(spread + PENALTY * np.eye(len(weights)), slope)
    return weights


def main() -> None:
    """Make trials, fit, tell how well the other images are foretold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    data = ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=data, help="all captions")
    options = parser.parse_args()
    images = [[" ".join(words) for words in each] for each in read(options.data).held_out["coco"]]
    trials = build_trials(images)
    part = len(trials) // 4 // 3 * 3  # to tell how well it does: three trials an image
    features, labels, _ = feature_table(trials[part:])
    weights = fit_logistic(features, labels)
    constant, *others = (round(float(weight), 2) for weight in weights)
    print("CONSTANT =", constant)
    print("WEIGHTS =", dict(zip(WEIGHTS, others, strict=True)))
    for name, sample in (("fitted", trials[part:]), ("held out", trials[:part])):
        features, labels, is_mentioned = feature_table(sample)
        odds = weights[0] + features @ weights[1:]
        surprise = np.logaddexp(0, np.where(labels > 0, -odds, odds)).mean()
        shown = f"{len(labels):,} things, {labels.mean():.1%} made up, {surprise:.4f} nats"
        areas = [
            roc_auc(each, labels) for each in (odds, np.where(is_mentioned, odds.min() - 1, odds))
        ]
        print(
            f"{name}: {shown}, areas under the ROC curve: logistic function {areas[0]:.3f}, "
            f"doubts {areas[1]:.3f}"
        )


if __name__ == "__main__":
    main()
