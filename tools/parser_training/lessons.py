"""What the teacher says of many sentences, in one file, and batches of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as functions
from torch import Tensor

from .data import Spellings
from .student import Student
from .teacher import Lessons


class LessonBatch(NamedTuple):
    """Lessons of sentences of one length. Numbers and probabilities are (words, choices).

    Words are in the order of (length, sentences) for tags and labels, of (sentences, length) for
    heads, which is that of the networks' scores.
    """

    spelling: Tensor  # (length, sentences)
    tags: tuple[Tensor, Tensor]
    heads: tuple[Tensor, Tensor]
    labels: tuple[Tensor, Tensor]
    labelled_heads: Tensor  # (length, sentences)


def write_lessons(path: Path, lessons: Iterable[Lessons], words: list[str]) -> None:
    """Write lessons to one file; `words` are the distinct words of their sentences."""
    number = {word: place for place, word in enumerate(words)}
    columns: dict[str, list[np.ndarray]] = {}
    for lesson in lessons:
        spelling = [[number[word] for word in sentence] for sentence in lesson.words]
        arrays = {
            "spelling": np.array(spelling, np.int32).ravel(),
            "lengths": np.full(len(spelling), len(spelling[0]), np.int32),
            "labelled_heads": lesson.labelled_heads,
        }
        for name in ("tags", "heads", "labels"):
            choices = getattr(lesson, name)
            arrays[name] = choices.numbers
            arrays[f"{name}_probabilities"] = choices.probabilities
        for name, array in arrays.items():
            columns.setdefault(name, []).append(array)
    together = {name: np.concatenate(parts) for name, parts in columns.items()}
    together["words"] = np.frombuffer("\n".join(words).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".new.npz")
    np.savez(unfinished, **together)  # type: ignore[arg-type]
    unfinished.replace(path)  # a kill leaves no half-written file


class LessonBook:
    """Lessons from their file, in batches of one length, in another order each time."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as file:
            self._arrays = {name: file[name] for name in file.files}
        self.words = self._arrays.pop("words").tobytes().decode().split("\n")
        self._lengths = self._arrays.pop("lengths")
        self._starts = np.cumsum(self._lengths) - self._lengths
        counts = np.bincount(self._arrays["spelling"], minlength=len(self.words))
        self.counts = dict(zip(self.words, counts.tolist(), strict=True))

    def number_words(self, spellings: Spellings) -> None:
        """Use the numbers that the words have among others."""
        numbers = np.array([spellings.number[word] for word in self.words])
        self._arrays["spelling"] = numbers[self._arrays["spelling"]]

    def order(self, epoch: int, tokens: int) -> list[np.ndarray]:
        """Put the sentences of one length into batches of about so many words, by chance."""
        random = np.random.default_rng(epoch)
        batches = []
        for length in np.unique(self._lengths):
            alike = random.permutation(np.flatnonzero(self._lengths == length))
            step = max(1, tokens // length)
            batches += [alike[start : start + step] for start in range(0, len(alike), step)]
        return [batches[number] for number in random.permutation(len(batches))]

    def batches(self, order: list[np.ndarray]) -> Iterator[LessonBatch]:
        """Yield the lessons of batches of sentences."""
        arrays = self._arrays
        for sentences in order:
            length = int(self._lengths[sentences[0]])
            places = self._starts[sentences][:, None] + np.arange(length)
            by_sentence, by_step = places.ravel(), places.T.ravel()

            def choices(name: str, rows: np.ndarray) -> tuple[Tensor, Tensor]:
                numbers = torch.from_numpy(arrays[name][rows]).long()
                return numbers, torch.from_numpy(arrays[f"{name}_probabilities"][rows]).float()

            shape = length, len(sentences)
            yield LessonBatch(
                torch.from_numpy(arrays["spelling"][by_step]).view(shape),
                choices("tags", by_step),
                choices("heads", by_sentence),
                choices("labels", by_step),
                torch.from_numpy(arrays["labelled_heads"][by_step]).long().view(shape),
            )


def loss_of_student(
    network: Student, batch: LessonBatch, spellings: Spellings, hide: float
) -> Tensor:
    """Sum the cross-entropies of tags, arcs and labels with the teacher's probabilities."""
    answers = network(batch.spelling, spellings, hide, batch.labelled_heads)
    return (
        _cross_entropy(answers.tags, *batch.tags)
        + _cross_entropy(answers.arcs, *batch.heads)
        + _cross_entropy(answers.labels, *batch.labels)
    )


def _cross_entropy(scores: Tensor, numbers: Tensor, probabilities: Tensor) -> Tensor:
    """The mean cross-entropy of words."""
    logarithms = functions.log_softmax(scores.flatten(0, -2), -1).gather(1, numbers)
    return -(logarithms * probabilities).sum(-1).mean()
