"""Wrong captions of three kinds: of any image, of a similar image, with one word replaced."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.parser.parser import Parses, Sentence
from captious.text.tokens import Tokens

POOL = 10_000  # images among which the nearest is looked for
SEED = 2
MAX_WORDS = 3000  # the most frequent words, by which images are compared
OPEN_CLASS_TAGS = ("NN", "VB", "JJ")  # tags of nouns, verbs and adjectives begin so
KINDS = ("other", "near", "replaced")


@dataclass(frozen=True)
class Trial:
    """Images with four references each, a caption that fits and three that do not."""

    references: list[list[str]]
    right: list[str]
    wrong: dict[str, list[str]]

    @property
    def captions(self) -> list[str]:
        """All captions, to be encoded."""
        references = [caption for captions in self.references for caption in captions]
        return [
            *references,
            *self.right,
            *(caption for captions in self.wrong.values() for caption in captions),
        ]


def read_pool(path: Path) -> list[list[str]]:
    """Five captions of each of some images, drawn with a fixed seed."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        annotations = json.load(stream)["annotations"]
    images: dict[int, list[str]] = {}
    for annotation in annotations:
        images.setdefault(annotation["image_id"], []).append(annotation["caption"])
    usable = [images[image][:5] for image in sorted(images) if len(images[image]) >= 5]
    drawn = np.random.default_rng(SEED).permutation(len(usable))[:POOL]
    return [usable[image] for image in drawn.tolist()]


def build_trial(pool: list[list[str]], count: int) -> Trial:
    """The first images of a pool, each with a caption of its own and three wrong ones.

    `other` is the first caption of the next image, `near` that of the image whose captions share
    most with these, `replaced` the right caption with one word replaced.
    """
    images = pool[:count]
    replaced = _replace_words(images)
    # An image whose caption has no word that another caption confirms has no such wrong caption.
    usable = [place for place, caption in enumerate(replaced) if caption is not None]
    nearest = _find_nearest(pool, count)
    # Words only, so that no full stop gives away which caption is right.
    plain = [" ".join(words) for words in _words([image[0] for image in pool])]
    return Trial(
        [images[place][1:] for place in usable],
        [plain[place] for place in usable],
        {
            "other": [plain[(place + 1) % count] for place in usable],
            "near": [plain[nearest[place]] for place in usable],
            "replaced": [replaced[place] or "" for place in usable],
        },
    )


def _find_nearest(pool: list[list[str]], count: int) -> NDArray[np.int64]:
    """For each of the first images, the other one whose captions share most with its captions.

    By the cosine of counts of content words, rare ones weighing more (tf-idf).
    """
    words = _words([" ".join(image) for image in pool])
    content = [Counter(word for word in row if word not in ENGLISH.stop_words) for row in words]
    spread = Counter(word for row in content for word in row)
    column = {word: place for place, (word, _) in enumerate(spread.most_common(MAX_WORDS))}
    weight = np.log(len(pool) / np.array([spread[word] for word in column]))
    table = np.zeros((len(pool), len(column)), np.float32)
    for row, counts in enumerate(content):
        known = [word for word in counts if word in column]
        table[row, [column[word] for word in known]] = [counts[word] for word in known]
    table *= weight
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    similarities = table[:count] @ table.T
    similarities[np.arange(count), np.arange(count)] = -1
    nearest: NDArray[np.int64] = similarities.argmax(axis=1)
    return nearest


def _replace_words(images: list[list[str]]) -> list[str | None]:
    """Each first caption with one word replaced by another of its kind, as often used as it is.

    The word stands in another caption of the image, too, so that references tell that it is right;
    what replaces it stands in none. None where there is no such word.
    """
    firsts = Analysis([image[0] for image in images])
    tagged = [_tag_words(sentences) for sentences in firsts.layer(Parses).sentences]
    by_tag: dict[str, Counter[str]] = {}
    for row in tagged:
        for word, tag in row:
            if tag.startswith(OPEN_CLASS_TAGS) and word not in ENGLISH.stop_words:
                by_tag.setdefault(tag, Counter())[word] += 1
    draw = np.random.default_rng(SEED)
    captions: list[str | None] = []
    for row, image in zip(tagged, images, strict=True):
        confirmed_words = {word for words in _words(image[1:]) for word in words}
        words = [word for word, _ in row]
        places = [
            place
            for place, (word, tag) in enumerate(row)
            if word in confirmed_words and word in by_tag.get(tag, ())
        ]
        if not places:
            captions.append(None)
            continue
        place = int(draw.choice(places))
        present = confirmed_words.union(words)
        others = {
            word: n for word, n in sorted(by_tag[row[place][1]].items()) if word not in present
        }
        shares = np.array(list(others.values())) / sum(others.values())
        words[place] = str(draw.choice(list(others), p=shares))
        captions.append(" ".join(words))
    return captions


def _tag_words(sentences: tuple[Sentence, ...]) -> list[tuple[str, str]]:
    """The words of a caption's sentences with their tags."""
    return [
        pair for sentence in sentences for pair in zip(sentence.words, sentence.tags, strict=True)
    ]


def _words(captions: list[str]) -> Sequence[Sequence[str]]:
    return Analysis(captions).layer(Tokens).words
