"""Expressions over the columns of captions, parsed: `captious > .5 and not source = "web"`.

From the loosest to the tightest: `or`, `and`, `not`, comparison (`< <= > >= = != in is`), `+ -`,
`* /`, a sign, and then numbers, texts, names, functions and brackets. Nothing is ever executed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.streaming.filtering.functions import FUNCTIONS
from captious.streaming.filtering.tree import (
    All,
    Any,
    Calculation,
    Call,
    Comparison,
    Membership,
    Missing,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Text,
    Truth,
)
from captious.streaming.filtering.words import Sort, Word, fault, words_of

DEEPEST = 30  # brackets, signs and denials within each other
MISSING = "missing"
_VALUE = "expected a number, a text in quotes, a name or a bracket"


@dataclass(frozen=True)
class Expression:
    """An expression as it was written, and what it says."""

    text: str
    root: Node

    @classmethod
    @check_arguments
    def parse(cls, text: str) -> Expression:
        """The expression that a text is."""
        if not text.strip():
            raise InputError("an empty expression; write one such as captious > .5")
        return cls(text, _Parser(text).whole())

    @cached_property
    def names(self) -> dict[str, int]:
        """The names that it needs, in order, each with the character at which it first stands."""
        found: dict[str, int] = {}
        for node in self.root.walk():
            if isinstance(node, Name):
                found.setdefault(node.name, node.start)
        return found

    @cached_property
    def clauses(self) -> tuple[Expression, ...]:
        """The conditions of which all must hold: those between which `and` stands outermost."""
        parts = self.root.conditions if isinstance(self.root, All) else (self.root,)
        return tuple(Expression(self.text, part) for part in parts)

    @property
    def written(self) -> str:
        """This part of the text."""
        return self.text[self.root.start : self.root.end]

    def fault(self, node: Node, what: str) -> InputError:
        """What is wrong with a part of it."""
        return self.fault_at(node.start, what)

    def fault_at(self, place: int, what: str) -> InputError:
        """What is wrong with it, from a character on."""
        return fault(self.text, place, what)


class _Parser:
    """Words read one after another by a function for each tightness."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = words_of(text)
        self._place = 0
        self._depth = 0

    def whole(self) -> Node:
        """All of the text."""
        root = self._any()
        if self._word.sort is not Sort.END:
            raise self._fault("expected and, or, a comparison or the end")
        return root

    @property
    def _word(self) -> Word:
        return self._words[self._place]

    def _takes(self, *texts: str) -> str:
        """The next word, if it is one of these keywords or marks."""
        word = self._word
        if word.sort in (Sort.KEYWORD, Sort.MARK) and word.text in texts:
            self._place += 1
            return word.text
        return ""

    def _takes_missing(self) -> bool:
        word = self._word
        if word.sort is Sort.NAME and word.text.lower() == MISSING:
            self._place += 1
            return True
        return False

    def _fault(self, expected: str) -> InputError:
        return fault(self._text, self._word.start, f"{expected}, found {self._word}")

    def _end(self) -> int:
        """Where the word before this one ends."""
        return self._words[self._place - 1].end

    def _deeper(self, read: Callable[[], Node]) -> Node:
        """What is read within something else; only so deep that no stack runs over."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise fault(
                self._text, self._word.start, f"nested more than {DEEPEST} deep; make it simpler"
            )
        node = read()
        self._depth -= 1
        return node

    def _any(self) -> Node:
        return self._joined("or", self._all, Any)

    def _all(self) -> Node:
        return self._joined("and", self._not, All)

    def _joined(self, word: str, read: Callable[[], Node], kind: type[All | Any]) -> Node:
        parts = [read()]
        while self._takes(word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        return kind(parts[0].start, self._end(), tuple(parts))

    def _not(self) -> Node:
        start = self._word.start
        if self._takes("not"):
            denied = self._deeper(self._not)
            return Not(start, self._end(), denied)
        return self._comparison()

    def _comparison(self) -> Node:
        first = self._sum()
        operands, marks = [first], []
        while mark := self._takes("<", "<=", ">", ">=", "=", "==", "!="):
            marks.append("=" if mark == "==" else mark)
            operands.append(self._sum())
        if marks:
            return Comparison(first.start, self._end(), tuple(operands), tuple(marks))
        if self._takes("is"):
            is_denied = bool(self._takes("not"))
            if not self._takes_missing():
                raise self._fault("expected missing, as in: is missing, is not missing")
            missing = Missing(first.start, self._end(), first)
            return Not(first.start, self._end(), missing) if is_denied else missing
        is_denied = self._word.text == "not" and self._words[self._place + 1].text == "in"
        if is_denied:
            self._takes("not")
        if self._takes("in"):
            values = self._list()
            among = Membership(first.start, self._end(), first, values)
            return Not(first.start, self._end(), among) if is_denied else among
        return first

    def _list(self) -> tuple[Node, ...]:
        """Values that are written out, in brackets."""
        if not self._takes("("):
            raise self._fault('expected a list, as in: in ("de", "fr")')
        values: list[Node] = []
        while not values or self._takes(","):
            values.append(self._literal())
        if not self._takes(")"):
            raise self._fault("expected , or )")
        return tuple(values)

    def _literal(self) -> Node:
        start = self._word.start
        is_negative = bool(self._takes("-"))
        word = self._word
        if word.sort is Sort.NUMBER:
            self._place += 1
            value = float(word.text)
            return Number(start, word.end, -value if is_negative else value)
        if word.sort is Sort.TEXT and not is_negative:
            self._place += 1
            return Text(start, word.end, word.text)
        raise self._fault("expected a number or a text in quotes")

    def _sum(self) -> Node:
        return self._calculation(self._product, "+", "-")

    def _product(self) -> Node:
        return self._calculation(self._signed, "*", "/")

    def _calculation(self, read: Callable[[], Node], *marks: str) -> Node:
        first = read()
        operands, between = [first], []
        while mark := self._takes(*marks):
            between.append(mark)
            operands.append(read())
        if not between:
            return first
        return Calculation(first.start, self._end(), tuple(operands), tuple(between))

    def _signed(self) -> Node:
        start = self._word.start
        if self._takes("-"):
            of = self._deeper(self._signed)
            return Negative(start, self._end(), of)
        return self._value()

    def _value(self) -> Node:
        word = self._word
        if self._takes("("):
            inner = self._deeper(self._any)
            if not self._takes(")"):
                raise self._fault("expected )")
            return replace(inner, start=word.start, end=self._end())
        if truth := self._takes("true", "false"):
            return Truth(word.start, word.end, truth == "true")
        if word.sort in (Sort.KEYWORD, Sort.MARK, Sort.END):
            raise self._fault(_VALUE)
        self._place += 1
        if word.sort is Sort.NUMBER:
            return Number(word.start, word.end, float(word.text))
        if word.sort is Sort.TEXT:
            return Text(word.start, word.end, word.text)
        if word.sort is Sort.NAME and self._word.text == "(" and self._word.sort is Sort.MARK:
            return self._call(word)
        return Name(word.start, word.end, word.text)

    def _call(self, name: Word) -> Node:
        function = FUNCTIONS.get(name.text)
        if function is None:
            raise fault(
                self._text,
                name.start,
                f"no function {short_repr(name.text)}; there are: {', '.join(FUNCTIONS)}; a "
                "metric with "
                f"parameters stands in backquotes, as in `cider_d(sigma=4)`",
            )
        self._takes("(")
        arguments: list[Node] = []
        if not self._takes(")"):
            while not arguments or self._takes(","):
                arguments.append(self._deeper(self._any))
            if not self._takes(")"):
                raise self._fault("expected , or )")
        if not function.takes(len(arguments)):
            raise fault(
                self._text,
                name.start,
                f"{name.text} takes {function.expected}, not {len(arguments)}",
            )
        return Call(name.start, self._end(), name.text, tuple(arguments))
