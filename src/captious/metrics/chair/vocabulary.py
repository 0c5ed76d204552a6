"""Vocabulary of objects: classes by the names that captions have for them, of one word or more."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from captious.errors import InputError, short_repr
from captious.io.inputs import last_written, read_text
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokenizer.tokenizer import tokenize
from captious.text.tokens import Tokens

SHIPPED = RESOURCES / "objects" / "coco.txt"
NO_OBJECT = "-"  # the class of phrases that name no object
NON_PLURAL_ENDINGS = ("ing", "ed", "er", "est")  # inflected forms, but no plurals
MAX_NAME_WORDS = 10
MAX_NAMES = 100_000

Name = tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ObjectVocabulary:
    """Object classes by name; a phrase without a class hides the names in it."""

    class_of: dict[Name, str | None]
    longest: int  # words of a name
    fingerprint: str

    @classmethod
    def load(cls, path: str | Path | None = None) -> ObjectVocabulary:
        """COCO's classes that ship, or a file: a class a line, other names of it after commas."""
        path = SHIPPED if path is None else Path(path)
        return _load(path, last_written(path))

    @property
    def example_classes(self) -> list[str]:
        """The first classes, for errors to name."""
        return sorted({each for each in self.class_of.values() if each is not None})[:3]

    def mentions(self, words: Sequence[str]) -> Iterator[str]:
        """The class of every mention, in order; of names that overlap, the longer and the first."""
        place = 0
        while place < len(words):
            for length in range(min(self.longest, len(words) - place), 0, -1):
                name = self._name(words[place : place + length])
                if name is not None:
                    if (found := self.class_of[name]) is not None:
                        yield found
                    place += length
                    break
            else:
                place += 1

    def classes(self, names: Iterable[str]) -> frozenset[str]:
        """The classes of objects: by their own names, or by those that captions have for them."""
        known = set(self.class_of.values())
        return frozenset(
            each
            for name in names
            for each in ([name] if name in known else self.mentions(tokenize(name)))
        )

    def find_mentions(self, analysis: Analysis) -> list[tuple[str, ...]]:
        """The mentions in each caption of an analysis, found once."""

        def find() -> list[tuple[str, ...]]:
            return [tuple(self.mentions(words)) for words in analysis.layer(Tokens).words]

        return analysis.get_or_compute(("mentions", self.fingerprint), find)

    def _name(self, words: Sequence[str]) -> Name | None:
        """The name that some words are, the last of them perhaps in the plural."""
        *before, last = words
        names = ((*before, form) for form in (last, *singulars(last)))
        return next((name for name in names if name in self.class_of), None)


@lru_cache(maxsize=100_000)
def singulars(word: str) -> tuple[str, ...]:
    """Return the words that this may be the plural of."""
    if word.endswith(NON_PLURAL_ENDINGS):
        return ()
    rule = [word.removesuffix("s")] if word.endswith("s") and not word.endswith("ss") else []
    return tuple(dict.fromkeys([*ENGLISH.synonyms.base_forms(word), *rule]))


@lru_cache(maxsize=8)
def _load(path: Path, written: int) -> ObjectVocabulary:
    text = read_text(path)
    class_of: dict[Name, str | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        object_class, names = _parse_line(line)
        if not object_class:
            raise InputError(f"{path}: line {number}: no class before the first comma")
        new = None if object_class == NO_OBJECT else object_class
        for text_of_name in names:
            name = tuple(tokenize(text_of_name))
            _check_name(f"{path}: line {number}", text_of_name, name)
            if class_of.setdefault(name, new) != new:
                raise InputError(
                    f"{path}: line {number}: {short_repr(text_of_name)} names two classes, "
                    f"{short_repr(class_of[name] or NO_OBJECT)} and "
                    f"{short_repr(new or NO_OBJECT)}; keep one"
                )
    if not any(class_of.values()):
        raise InputError(
            f"{path}: no classes of objects; give one a line, its other names after commas"
        )
    if len(class_of) > MAX_NAMES:
        raise InputError(f"{path}: {len(class_of):,} names of objects; at most {MAX_NAMES:,}")
    hashed = hashlib.sha256(repr(sorted(class_of.items())).encode("utf-8", "surrogatepass"))
    return ObjectVocabulary(class_of, max(map(len, class_of)), hashed.hexdigest()[:8])


def _parse_line(line: str) -> tuple[str, list[str]]:
    """A line's class and names, of which the class is one unless a colon stands behind it."""
    first, *others = (part.strip() for part in line.split(","))
    object_class, colon, name = (part.strip() for part in first.partition(":"))
    return object_class, [name, *others] if colon else [first, *others]


def _check_name(where: str, text: str, name: Name) -> None:
    if not name:
        raise InputError(f"{where}: {short_repr(text)} is no name: it has no word")
    if len(name) > MAX_NAME_WORDS:
        raise InputError(
            f"{where}: {short_repr(text)} has {len(name):,} words, and names have {MAX_NAME_WORDS}"
        )
