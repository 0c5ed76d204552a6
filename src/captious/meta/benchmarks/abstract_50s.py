"""ABSTRACT-50S: which of two captions is closer to what 48 people wrote of a clip-art scene.

People's votes are not distributed, but half of the preferences can be inferred. Each of the 200
scenes has two pairs, which share one caption: in HC that and another caption of the scene, in HI
that and a caption of another scene. The shared one is right, and so the right one of HI.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from captious._internal.checks.arguments import check_choice
from captious.errors import InputError, short_repr
from captious.io.captions import read_references
from captious.io.formats import FORMATS, read_table
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.columns import pairs_of_texts, preferences, texts
from captious.meta.judgements import Preferences
from captious.meta.protocol import ACCURACY
from captious.text.tokenizer.tokenizer import tokenize

FIRST_CAPTIONS, SECOND_CAPTIONS = "abstract_candsB.json", "abstract_candsC.json"
REFERENCES = "abstract48S.json"
VOTES = "abstract_votes"  # a user's own file, of any format
CORRECT, INCORRECT = CATEGORIES = ("HC", "HI")

Pair = tuple[str, str]


def read(files: Files) -> Preferences:
    """Read the 200 pairs of HI, each with the 48 captions of its scene, and pairs with votes.

    Votes are rows of `image_id`, `candidates` (two captions), `preferred` (0 or 1) and `group` (HC
    or HI). Where HI is among them, they count in place of the inferred ones.
    """
    references = read_references(files.find(REFERENCES))
    path = next(filter(None, (files.find_any(f"{VOTES}{ending}") for ending in FORMATS)), None)
    parts = [] if path is None else [_read_votes(path, references)]
    if not any(INCORRECT in part.groups for part in parts):
        parts.append(_infer_preferences(files, references))
    return _join(parts)


def _read_votes(path: Path, references: Mapping[str, list[str]]) -> Preferences:
    """Read votes from a user's file."""
    table = read_table(path)
    images = texts(table, "image_id")
    groups = texts(table, "group")
    for row, (image, group) in enumerate(zip(images, groups, strict=True)):
        if image not in references:
            raise InputError(f"{table.place(row)}: {REFERENCES} has no scene {short_repr(image)}")
        check_choice(f"{table.place(row)}: 'group' cannot be", group, CATEGORIES)
    sets = [references[image] for image in images]
    pairs = pairs_of_texts(table, "candidates")
    return Preferences(pairs, sets, list(images), preferences(table), groups)


def _infer_preferences(files: Files, references: Mapping[str, list[str]]) -> Preferences:
    """Infer which pair of each scene is HI, and its right caption."""
    firsts, seconds = (
        read_references(files.find(name)) for name in (FIRST_CAPTIONS, SECOND_CAPTIONS)
    )
    words = SceneWords.of(references)
    pairs: list[Pair] = []
    preferred: list[int] = []
    for image, captions in firsts.items():
        both = list(zip(captions, seconds.get(image, ()), strict=False))
        shared = set(both[0]).intersection(*both) if both else set()
        different = {caption for pair in both for caption in pair}
        if (len(both), len(shared), len(different)) != (2, 1, 3) or image not in references:
            raise InputError(
                f"{files.find(FIRST_CAPTIONS)}: scene {short_repr(image)} has no two pairs, here "
                f"and in {SECOND_CAPTIONS}, that share one caption, and captions in {REFERENCES}; "
                "download the files again"
            )
        right = shared.pop()
        pair = words.incorrect_pair(image, both, right)
        pairs.append(pair)
        preferred.append(pair.index(right))
    images = list(firsts)
    sets, groups = [references[image] for image in images], [INCORRECT] * len(images)
    return Preferences(pairs, sets, list(images), np.array(preferred, np.int64), groups)


@dataclass(frozen=True, eq=False)
class SceneWords:
    """Word counts: captions of each scene with a word, and its share of all captions."""

    scenes: dict[str, tuple[Counter[str], int]]
    shares: dict[str, float]

    @classmethod
    def of(cls, references: Mapping[str, list[str]]) -> SceneWords:
        """Count the words of all captions."""
        scenes = {
            image: (Counter(word for text in several for word in set(tokenize(text))), len(several))
            for image, several in references.items()
        }
        total: Counter[str] = Counter()
        for counts, _ in scenes.values():
            total.update(counts)
        captions = sum(size for _, size in scenes.values())
        return cls(scenes, {word: count / captions for word, count in total.items()})

    def incorrect_pair(self, image: str, both: Sequence[Pair], right: str) -> Pair:
        """The pair of two that has a caption of another scene beside the right one.

        In HC the shared caption always stands second (no scene has it first in both pairs). Where
        that does not decide, in 94 of 200 scenes, the other caption of HI is the one whose words
        are less typical of the scene; where it does, this says the same in 101 of 106.
        """
        first = [pair for pair in both if pair[0] == right]
        if len(first) == 1:
            return first[0]
        return min(both, key=lambda pair: self.distinctiveness(pair[1 - pair.index(right)], image))

    def distinctiveness(self, caption: str, image: str) -> float:
        """Return how much more frequent a caption's words are in a scene than in all captions."""
        counts, size = self.scenes[image]
        words = sorted(set(tokenize(caption)))
        more = [counts[word] / size - self.shares.get(word, 0.0) for word in words]
        return float(np.mean(more)) if more else 0.0


def _join(parts: Sequence[Preferences]) -> Preferences:
    """Concatenate the pairs of several parts."""
    first, *others = parts
    if not others:
        return first
    return Preferences(
        [pair for part in parts for pair in part.pairs],
        [captions for part in parts for captions in part.references],
        [image for part in parts for image in part.images],
        np.concatenate([part.preferred for part in parts]),
        [group for part in parts for group in part.groups],
    )


ABSTRACT_50S = Benchmark(
    "abstract-50s",
    "ABSTRACT-50S: the better of two captions of a clip-art scene",
    PREFERENCES,
    (REFERENCES, FIRST_CAPTIONS, SECOND_CAPTIONS),
    ("abstract50s", "pascal50s", "ABSTRACT-50S"),
    "the authors of CIDEr, Vedantam, Zitnick and Parikh 2015 (https://vrama91.github.io/cider/)",
    read,
    common_choices={"statistic": ACCURACY, "references": 5},
)
