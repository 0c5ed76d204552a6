"""What the small parser learns, and that it runs in NumPy as it was trained in PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.text.parser.network import decode_heads
from captious.text.parser.parser import Parser
from tests.places import ROOT

torch = pytest.importorskip("torch")

SENTENCES = [
    ("a", "man", "rides", "a", "wave"),
    ("two", "dogs", "play", "in", "parks"),
    ("surfing", "unheardof", "waves", "a", "b"),
]
KNOWN = ("a", "dog", "chases", "cats")
WORDS = sorted({word for sentence in (*SENTENCES, KNOWN) for word in sentence})
TAGS, LABELS = ["DT", "NN", "VBZ"], ["det", "dobj", "nsubj", "root"]


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    for name in [name for name in sys.modules if name.startswith("parser_training")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def vocabulary() -> Any:
    from parser_training.data import Vocabulary

    counts = {word: 10 for word in WORDS if word != "unheardof"}
    return Vocabulary(sorted(counts), TAGS, LABELS, 64, counts)


@pytest.fixture
def student(vocabulary: Any) -> Any:
    from parser_training.student import Student, StudentSizes

    torch.manual_seed(3)
    network = Student(StudentSizes(8, 4, 6, 5, 7, 4, 6), vocabulary, dropout=0.5)
    with torch.no_grad():
        for weight in network.parameters():  # larger than at first: no two scores are alike
            weight.copy_((2 * weight + 0.3 * torch.randn(weight.shape)).half().float())
    return network.eval()


def test_numpy_gives_what_pytorch_gives(vocabulary: Any, student: Any, tmp_path: Path) -> None:
    from parser_training.data import Spellings
    from parser_training.export import pack_weights, weights_of_student
    from parser_training.network import forbid_root

    path = tmp_path / "small.npz"
    np.savez(path, **pack_weights(weights_of_student(student), vocabulary, ["dogs\tn\tdog"]))
    parsed = Parser.load(path).parse_all(SENTENCES)
    spellings = Spellings(WORDS, vocabulary)
    spelling = torch.tensor([[spellings.number[word] for word in each] for each in SENTENCES]).T
    with torch.no_grad():
        heads = decode_heads(student(spelling, spellings, 0.0, None).arcs.numpy())
        answers = student(spelling, spellings, 0.0, torch.from_numpy(heads).T)
    labels = forbid_root(answers.labels, answers.heads, LABELS.index("root")).argmax(-1).T
    for row, [sentence] in enumerate(parsed):
        assert sentence.heads == tuple(heads[row])
        assert sentence.tags == tuple(TAGS[tag] for tag in answers.tags.argmax(-1).T[row])
        assert sentence.labels == tuple(LABELS[label] for label in labels[row])
    assert len({sentence.heads for [sentence] in parsed}) > 1  # the weights say something


def test_gradients_of_the_recurrence_are_right() -> None:
    from parser_training.student import _Recurrence

    torch.manual_seed(0)
    keep, added = (torch.rand(4, 2, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(_Recurrence.apply, (keep, added))


def test_lessons_weigh_known_trees_and_survive_their_file(tmp_path: Path) -> None:
    from parser_training.data import Spellings, Tree
    from parser_training.lessons import LessonBook, write_lessons
    from parser_training.teacher import Teacher

    teacher = Teacher(ROOT / "tools" / "parser_training" / "teacher.npz")
    [[parsed]] = teacher.parse_all([KNOWN])
    assert parsed.heads == (2, 3, 0, 3)
    assert parsed.labels == ("det", "nsubj", "root", "dobj")
    # A tree that the teacher does not believe in.
    wrong = Tree(list(KNOWN), ["FW"] * 4, list(KNOWN), [0, 1, 2, 1], ["dep"] * 4)
    sentences = [*SENTENCES, KNOWN]
    spellings = Spellings(WORDS, teacher.vocabulary)
    lessons = list(teacher.teach(sentences, spellings, {KNOWN: wrong}))
    assert sum(len(lesson.words) for lesson in lessons) == len(sentences)
    path = tmp_path / "lessons.npz"
    write_lessons(path, lessons, WORDS)
    book = LessonBook(path)
    book.number_words(spellings)
    batches = list(book.batches(book.order(epoch=0, tokens=5)))
    assert len(batches) == len(sentences)
    number = [spellings.number[word] for word in KNOWN]
    [batch] = [batch for batch in batches if batch.spelling[:, 0].tolist() == number]
    assert batch.labelled_heads[:, 0].tolist() == wrong.heads
    numbers, probabilities = batch.heads
    given = {int(n): float(p) for n, p in zip(numbers[1], probabilities[1], strict=True)}
    assert given[1] == pytest.approx(0.5, abs=0.05)  # the tree's
    assert given[3] == pytest.approx(0.5, abs=0.05)  # the teacher's
