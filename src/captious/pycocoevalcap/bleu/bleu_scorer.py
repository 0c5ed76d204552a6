"""BLEU from captions added one by one: the toolkit's counts, our formula."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Bounds
from captious.errors import InputError, short_repr
from captious.metrics.bleu import SMALL, TINY, Bleu
from captious.pycocoevalcap.console import print_line
from captious.text.ngrams import MAX_ORDER

Ngram = tuple[str, ...]
CookedReferences = tuple[Any, dict[Ngram, int]]  # lengths, or one length; the highest counts
CookedTest = dict[str, Any]  # testlen, reflen, guess, correct
LENGTHS = ("shortest", "average", "closest")
ORDERS = Bounds(1, MAX_ORDER, whole=True, with_most=True)
LENGTH = Bounds(0, 1e9)


@check_arguments
def precook(
    s: str, n: Annotated[int, ORDERS] = 4, out: bool = False
) -> tuple[int, dict[Ngram, int]]:
    """The number of a caption's words, and how often each of its n-grams occurs."""
    if not isinstance(s, str):
        raise InputError(f"a caption is text, not {short_repr(s)}")
    words = s.split()
    counts: dict[Ngram, int] = defaultdict(int)
    for order in range(1, n + 1):
        for start in range(len(words) - order + 1):
            counts[tuple(words[start : start + order])] += 1
    return len(words), counts


@check_arguments
def cook_refs(
    refs: Sequence[str], eff: str | None = None, n: Annotated[int, ORDERS] = 4
) -> CookedReferences:
    """What BLEU needs to know of a caption's references."""
    if not len(refs):
        raise InputError("no references; give at least one")
    cooked = [precook(reference, n) for reference in refs]
    highest: dict[Ngram, int] = {}
    for _, counts in cooked:
        for ngram, count in counts.items():
            highest[ngram] = max(highest.get(ngram, 0), count)
    lengths: Any = [length for length, _ in cooked]
    return reference_length(lengths, eff) if eff in LENGTHS[:2] else lengths, highest


def cook_test(
    test: str, refs: CookedReferences, eff: str | None = None, n: Annotated[int, ORDERS] = 4
) -> CookedTest:
    """What BLEU needs to know of a candidate beside its references."""
    lengths, highest = refs
    length, counts = precook(test, n)
    correct = [0] * n
    for ngram, count in counts.items():
        correct[len(ngram) - 1] += min(highest.get(ngram, 0), count)
    return {
        "reflen": reference_length(lengths, eff, length) if eff == "closest" else lengths,
        "testlen": length,
        "guess": [max(0, length - order) for order in range(n)],
        "correct": correct,
    }


def reference_length(lengths: Sequence[int], option: str | None, length: int = 0) -> float:
    """One length for several references: the shortest, their mean, or the closest."""
    if option == "shortest":
        return min(lengths)
    if option == "average":
        return float(sum(lengths)) / len(lengths)
    if option == "closest":
        return min((abs(each - length), each) for each in lengths)[1]
    raise InputError(f"option: one of {', '.join(LENGTHS)}, not {short_repr(option)}")


class BleuScorer:
    """Captions added by `+= (candidate, references)`, then scored together."""

    __slots__ = (
        "_ratio", "_reflen", "_score", "_testlen", "crefs", "ctest", "n", "special_reflen",
    )  # fmt: skip

    @check_arguments
    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: Annotated[int, ORDERS] = 4,
        special_reflen: Annotated[float, LENGTH] | None = None,
    ) -> None:
        self.n = n
        self.crefs: list[CookedReferences] = []
        self.ctest: list[CookedTest | None] = []
        self.special_reflen = special_reflen  # in place of the references' lengths
        self._score: list[float] | None = None
        self._ratio = self._testlen = self._reflen = 0.0
        self.cook_append(test, refs)

    def copy(self) -> BleuScorer:
        """Another scorer of the same captions."""
        new = BleuScorer(n=self.n)
        new.ctest, new.crefs = copy.copy(self.ctest), copy.copy(self.crefs)
        return new

    @check_arguments
    def cook_append(self, test: str | None, refs: Sequence[str] | None) -> None:
        """Add a candidate, which may follow later by `retest`, and its references."""
        if refs is not None:
            self.crefs.append(cook_refs(refs))
            self.ctest.append(None if test is None else cook_test(test, self.crefs[-1]))
        self._score = None

    def __iadd__(self, other: tuple[str | None, Sequence[str]] | BleuScorer) -> BleuScorer:
        if isinstance(other, tuple) and len(other) == 2:
            self.cook_append(*other)
        else:
            if isinstance(other, tuple) or not self.compatible(other):
                raise InputError(
                    "what is added is (candidate, references), or a BleuScorer of the same n, "
                    f"not {short_repr(other)}"
                )
            self.ctest.extend(other.ctest)
            self.crefs.extend(other.crefs)
            self._score = None
        return self

    def compatible(self, other: object) -> bool:
        """Whether another can be added."""
        return isinstance(other, BleuScorer) and self.n == other.n

    def size(self) -> int:
        """The number of captions."""
        if len(self.crefs) != len(self.ctest):
            raise InputError(f"{len(self.crefs)} sets of references, {len(self.ctest)} candidates")
        return len(self.crefs)

    @check_arguments
    def retest(self, new_test: str | Sequence[str]) -> BleuScorer:
        """Other candidates in place of these."""
        tests = [new_test] if isinstance(new_test, str) else new_test
        if len(tests) != len(self.crefs):
            raise InputError(f"{len(tests)} candidates for {len(self.crefs)} sets of references")
        self.ctest = [
            cook_test(test, references) for test, references in zip(tests, self.crefs, strict=True)
        ]
        self._score = None
        return self

    def rescore(self, new_test: str | Sequence[str]) -> Any:
        """The score of other candidates in place of these."""
        return self.retest(new_test).compute_score()

    def recompute_score(self, option: str | None = None, verbose: int = 0) -> Any:
        """The score, computed even if it is known."""
        self._score = None
        return self.compute_score(option, verbose)

    @check_arguments
    def compute_score(self, option: str | None = None, verbose: int = 0) -> Any:
        """The corpus score of each order, and each order's scores of all captions.

        `option` says which reference length counts: the closest, or the mean if there is but one
        caption. A second call gives the corpus scores alone, as the toolkit's does; to have both,
        call `recompute_score`.
        """
        if self._score is not None:
            return self._score
        if option is None:
            option = "average" if len(self.crefs) == 1 else "closest"
        rows = [self._statistics(test, option, verbose) for test in self.ctest]
        statistics = np.array(rows, np.float64).reshape(-1, 2 * MAX_ORDER + 2)
        total = statistics.sum(axis=0)
        self._testlen, self._reflen = (_to_number(length) for length in total[-2:])
        if verbose > 0:
            print_totals(total, self.n)
        self._ratio = length_ratio(total)
        self._score = Bleu().scores(total)[: self.n].tolist()
        return self._score, Bleu().scores(statistics).T[: self.n].tolist()

    def _statistics(self, test: CookedTest | None, option: str, verbose: int) -> list[float]:
        """A caption's counts and lengths in the order in which our BLEU has them."""
        if test is None:
            raise InputError("references without a candidate; give one by retest or with +=")
        length = self.special_reflen
        if length is None:
            length = reference_length(test["reflen"], option, test["testlen"])
        if verbose > 1:
            print_line(test, length)
        missing = [0] * (MAX_ORDER - len(test["correct"]))
        return [*test["correct"], *missing, *test["guess"], *missing, test["testlen"], length]

    def ratio(self, option: str | None = None) -> float:
        """The candidates' length over the references'."""
        self.compute_score(option=option)
        return self._ratio

    def score_ratio(self, option: str | None = None) -> tuple[float, float]:
        """The corpus score of the highest order, and the ratio of lengths."""
        scores = self.recompute_score(option)[0]
        return scores[-1], self._ratio

    def score_ratio_str(self, option: str | None = None) -> str:
        """Score and ratio as text."""
        score, ratio = self.score_ratio(option)
        return f"{score:.4f} ({ratio:.2f})"

    def reflen(self, option: str | None = None) -> float:
        """The references' length."""
        self.compute_score(option=option)
        return self._reflen

    def testlen(self, option: str | None = None) -> float:
        """The candidates' length."""
        self.compute_score(option=option)
        return self._testlen

    def single_reflen(self, option: str = "average") -> float:
        """The reference length of the first caption."""
        return reference_length(self.crefs[0][0], option)


def print_totals(total: FloatArray, n: int) -> None:
    """The two lines that the toolkit prints of summed counts and lengths."""
    numbers = [_to_number(number) for number in total.tolist()]
    counts = {
        "testlen": numbers[-2],
        "reflen": numbers[-1],
        "guess": numbers[MAX_ORDER : MAX_ORDER + n],
        "correct": numbers[:n],
    }
    print_line(counts)
    print_line("ratio:", length_ratio(total))


def length_ratio(total: FloatArray) -> float:
    """The candidates' length over the references', defined even for none."""
    return float((total[-2] + TINY) / (total[-1] + SMALL))


def _to_number(number: float) -> float:
    return int(number) if number == int(number) else float(number)
