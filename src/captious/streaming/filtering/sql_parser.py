"""Parser of SQL conditions: what can stand after WHERE, for one row.

From the loosest to the tightest: OR, AND, NOT, one test (= <> < <= > >= IS IN BETWEEN LIKE), + and
-, * and /, a sign, and then numbers, texts, names, calls and brackets. Nothing else has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from captious.errors import InputError, escape_control_chars, short_repr
from captious.streaming.filtering.functions import FUNCTIONS
from captious.streaming.filtering.values import NUMBER, is_exact

MAX_NESTING = 30  # brackets, signs and NOTs within each other
MAX_CHARS = 10_000
_ORDER = ("<", "<=", ">", ">=")
COMPARISONS = ("=", "<>", "!=", *_ORDER)
_RANGE_TESTS = ("IN", "BETWEEN", "LIKE", "ILIKE")  # perhaps with NOT before them
_TESTS = (*COMPARISONS, "IS", *_RANGE_TESTS)
_LEVELS = (("OR",), ("AND",), _TESTS, ("+", "-"), ("*", "/"))  # from the loosest to the tightest
_TEST_LEVEL = 2  # and that of NOT
_KEYWORDS = ("AND", "OR", "NOT", "IS", *_RANGE_TESTS, "TRUE", "FALSE", "NULL")
_STATEMENTS = ("SELECT", "EXISTS", "CASE", "CAST", "WHERE", "FROM", "ORDER", "LIMIT", "UNION")
_AGGREGATES = {"min": "LEAST", "max": "GREATEST"}
_FOREIGN = {  # what other languages have, and its form in SQL
    "==": "=",
    "&&": "AND",
    "&": "AND",
    "||": "OR",
    "|": "OR",
    "!": "NOT",
    "`": 'a name with odd characters in double quotes: "odd name"',
    "[": 'a name in "quotes"',
}
_NAME = re.compile(r"[^\W\d]\w*")
_TOKEN = re.compile(  # groups named in _TOKEN_ERRORS are none
    rf"""(?P<space>\s+)
    | (?P<open_comment>/\*(?!.*\*/)) | (?P<comment>--|/\*)
    | (?P<number>(?<![\w"'])(?:{NUMBER.pattern})(?![\w.])) | (?P<no_number>[0-9.])
    | (?P<name>{_NAME.pattern})
    | (?P<text>'[^']*(?:''[^']*)*')
    | (?P<no_name>""(?!")) | (?P<quoted>"[^"]*(?:""[^"]*)*") | (?P<open_quote>['"])
    | (?P<foreign>==|&&?|\|\|?|!(?!=)|`|\[)
    | (?P<mark><=|>=|<>|!=|[-+*/()<>=,])
    | (?P<unknown>.)""",
    re.VERBOSE | re.DOTALL,
)
_TOKEN_ERRORS = {
    "open_comment": "a comment is never closed; expressions have none",
    "comment": "a comment (-- or /*); expressions have none",
    "no_number": "neither a number nor a name; a name with odd characters stands in double "
    'quotes, as in "mine.npz"',
    "no_name": "a name in double quotes is empty; a text stands in single quotes: ''",
    "open_quote": "the quote {word} is never closed",
    "foreign": "{word!r} means nothing here; write {sql}",
    "unknown": "{word!r} means nothing here",
    "large": "{short} is too large; compare it as a text, in single quotes",
}
_VALUE = "a number, a text in single quotes, a name or a bracket"
_ERRORS = {
    "statement": "{word} is not possible here: an expression reads one row and no tables; a column "
    "of this name stands in double quotes",
    "nesting": f"nested more than {MAX_NESTING} deep; make it simpler",
    "two tests": "two conditions with neither AND nor OR between them; use brackets",
    "chain": "comparisons in a chain; put AND between two of them, or brackets around one",
    "range": "comparisons in a chain; write {pair}",
    "column": "\"{word}\" in double quotes is a column in SQL; write '{word}' for the text, or "
    "{word} without quotes for the column",
    "missing": "missing is no SQL; write IS NULL, or IS NOT NULL",
    "null": "nothing compares with NULL; write IS NULL, or IS NOT NULL",
    "list": "expected a list of values in brackets, as in: IN ('de', 'fr')",
    "listed": "expected values in IN (…); a text stands in single quotes: '{word}'",
    "aggregate": "{word} is of many rows in SQL; write {sql}(x, y)",
    "function": f"no function {{word}}; there are: {', '.join(FUNCTIONS)}; a metric with "
    'parameters stands in double quotes, as in "cider_d(sigma=4)"',
    "arguments": "{word} takes {expected}, not {count}",
}


@dataclass(frozen=True)
class Node:
    """A part of an expression, from one character to before another."""

    start: int
    end: int

    def walk(self) -> Iterator[Node]:
        """Yield this part and all within it, in the order in which they are written."""
        yield self
        for operand in getattr(self, "operands", ()):
            yield from operand.walk()


@dataclass(frozen=True)
class Literal(Node):
    """A number, a text, TRUE or FALSE."""

    value: float | str | bool


@dataclass(frozen=True)
class Name(Node):
    """A column of the input, a fact of the caption, or a score."""

    name: str
    is_quoted: bool


@dataclass(frozen=True)
class Operation(Node):
    """A sign, NOT, a test or a function (`-`, `NOT`, `IS NULL`, `IN`, `abs`) of its operands."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True)
class Chain(Node):
    """Values with AND, with OR, with + and -, or with * and / between them, from left to right."""

    operators: tuple[str, ...]
    operands: tuple[Node, ...]  # one more


class Token(NamedTuple):
    """A word of an expression; `text` is without quotes, a keyword's in upper case."""

    kind: str
    text: str
    start: int
    end: int


def sql_error(text: str, place: int, what: str) -> InputError:
    """Return the error that stands at a character of an expression."""
    return InputError(f"{short_repr(text)}: character {place + 1}: {escape_control_chars(what)}")


def parse_sql(text: str) -> Node:
    """Return what an expression says, or raise an error that says where it says nothing."""
    if not text.strip():
        raise InputError("an empty expression; write one such as captious > .5")
    if len(text) > MAX_CHARS:
        raise InputError(
            f"an expression of {len(text):,} characters: {MAX_CHARS:,} are read; put what it "
            "says into a column of the input"
        )
    return _Parser(text).parse()


def _tokenize(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        kind, word = str(match.lastgroup), match[0]
        if kind == "number" and not is_exact(word):
            kind = "large"
        if kind in _TOKEN_ERRORS:
            what = _TOKEN_ERRORS[kind].format(
                word=word, short=short_repr(word), sql=_FOREIGN.get(word)
            )
            raise sql_error(text, match.start(), what)
        if kind in ("text", "quoted"):
            word = word[1:-1].replace(word[0] * 2, word[0])
        elif kind == "name" and word.isascii() and word.upper() in _KEYWORDS:
            kind, word = "keyword", word.upper()
        if kind != "space":
            yield Token(kind, word, match.start(), match.end())
    yield Token("end", "", len(text.rstrip()), len(text))


class _Parser:
    """Precedence climbing over the tokens of an expression."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokenize(text))
        self._index = self._depth = self._test_start = 0

    def parse(self) -> Node:
        """Return all of the text as one node."""
        root = self._level()
        if self._token.kind != "end":
            raise self._expected("AND, OR, a comparison or the end")
        return root

    @property
    def _token(self) -> Token:
        return self._tokens[self._index]

    @property
    def _end(self) -> int:
        """Where the last token that was taken ends."""
        return self._tokens[self._index - 1].end

    def _at(self, *words: str, ahead: int = 0) -> bool:
        """Return whether a token is one of these keywords or marks."""
        token = self._tokens[min(self._index + ahead, len(self._tokens) - 1)]
        return token.kind in ("keyword", "mark") and token.text in words

    def _take(self, *words: str) -> str:
        """Return the next token and go on, if it is one of these keywords or marks."""
        if not self._at(*words):
            return ""
        self._index += 1
        return self._tokens[self._index - 1].text

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise self._expected(word)

    def _expected(self, what: str) -> InputError:
        """Return the error of the next token, which is not what can stand here."""
        token = self._token
        for each in self._tokens[max(self._index - 1, 0) : self._index + 1]:
            if each.kind == "name" and each.text.upper() in _STATEMENTS:
                return self._error("statement", each.start, word=each.text.upper())
        found = short_repr(self._text[token.start : token.end])
        found = "the end" if token.kind == "end" else found
        return sql_error(self._text, token.start, f"expected {what}, found {found}")

    def _error(self, key: str, place: int, **facts: object) -> InputError:
        return sql_error(self._text, place, _ERRORS[key].format(**facts))

    def _nest(self, parse: Callable[[], Node]) -> Node:
        """Parse what stands within something else, only so deep that no stack runs over."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self._error("nesting", self._tokens[self._index - 1].start)
        node = parse()
        self._depth -= 1
        return node

    def _level(self, level: int = 0) -> Node:
        """Return values with operators of one level, from left to right, or of a tighter one."""
        if level == _TEST_LEVEL:
            return self._not()
        if level == len(_LEVELS):
            return self._signed()
        operands, operators = [self._level(level + 1)], []
        while word := self._take(*_LEVELS[level]):
            operators.append(word)
            operands.append(self._level(level + 1))
        if not operators:
            return operands[0]
        return Chain(operands[0].start, self._end, tuple(operators), tuple(operands))

    def _not(self) -> Node:
        start = self._test_start = self._token.start
        if self._take("NOT"):
            operand = self._nest(self._not)
            return Operation(start, self._end, "NOT", (operand,))
        operand = self._sum()
        node = self._test(operand)
        if node is not operand and (self._at(*_TESTS) or self._at_negated_test()):
            raise self._second_test(node)
        return node

    def _sum(self) -> Node:
        return self._level(_TEST_LEVEL + 1)

    def _at_negated_test(self) -> bool:
        return self._at("NOT") and self._at(*_RANGE_TESTS, ahead=1)

    def _test(self, operand: Node) -> Node:
        """Return the test that stands behind a value, or the value."""
        others: tuple[Node, ...] = ()
        is_negated = self._at_negated_test() and bool(self._take("NOT"))
        word = self._take(*_TESTS)
        if not word:
            return operand
        if word == "IS":
            is_negated = bool(self._take("NOT"))
            word = f"IS {self._null_or_truth()}"
        elif word == "IN":
            others = self._list(operand.start)
        elif word == "BETWEEN":
            low = self._sum()
            self._expect("AND")
            others = (low, self._sum())
        elif word in ("LIKE", "ILIKE"):
            others = (self._pattern(),)
        else:
            others = (self._sum(),)
            self._check_quotes(operand, *others)
        node = Operation(operand.start, self._end, word, (operand, *others))
        return Operation(node.start, node.end, "NOT", (node,)) if is_negated else node

    def _second_test(self, node: Node) -> InputError:
        """Return the error of `x = y IS NULL`, which databases read in two ways, or a chain's."""
        place, mark = self._token.start, self._take(*COMPARISONS)
        if not mark or not isinstance(node, Operation) or node.operator not in COMPARISONS:
            return self._error("two tests", place)
        last = self._sum()
        if not {mark, node.operator} <= {*_ORDER} or self._at(*COMPARISONS):
            return self._error("chain", node.start)
        parts = (self._text[each.start : each.end] for each in (node, node.operands[1], last))
        pair = "{} AND {} {mark} {}".format(*parts, mark=mark)[:200]
        return self._error("range", node.start, pair=pair)

    def _check_quotes(self, left: Node, right: Node) -> None:
        """Refuse `source = "web"`: in SQL that is a column, but few who write it mean one."""
        for side, other in ((right, left), (left, right)):
            if isinstance(side, Name) and side.is_quoted and _NAME.fullmatch(side.name):
                names = [each for each in other.walk() if isinstance(each, Name)]
                is_keyword = side.name.upper() in _KEYWORDS
                if names and not is_keyword and not any(each.is_quoted for each in names):
                    raise self._error("column", side.start, word=side.name)

    def _null_or_truth(self) -> str:
        token = self._token
        if token.kind == "name" and token.text.lower() == "missing":
            raise self._error("missing", token.start)
        word = self._take("NULL", "TRUE", "FALSE")
        if not word:
            raise self._expected("NULL behind IS, as in: IS NULL, IS NOT NULL")
        return word

    def _pattern(self) -> Node:
        token = self._token
        if token.kind == "text":
            return self._value()
        hint = token.text if token.kind in ("name", "quoted") else "%dog%"
        raise self._expected(f"a pattern in single quotes, as in: LIKE '{hint}'")

    def _separated(self, parse: Callable[[], Node]) -> tuple[Node, ...]:
        """Return values with commas between them, up to the bracket that ends them."""
        values = [parse()]
        while self._take(","):
            values.append(parse())
        self._expect(")")
        return tuple(values)

    def _list(self, start: int) -> tuple[Node, ...]:
        """Return values that are written out, in brackets."""
        if not self._take("(") or self._at(")"):
            raise self._error("list", start)
        return self._separated(self._listed_value)

    def _listed_value(self) -> Node:
        token, is_negative = self._token, self._at("-")
        kinds = ("number",) if is_negative else ("number", "text")
        if self._tokens[self._index + is_negative].kind in kinds or self._at("TRUE", "FALSE"):
            return self._signed()
        if token.kind == "quoted":
            raise self._error("listed", token.start, word=token.text)
        raise self._expected("a number or a text in single quotes in IN (…)")

    def _signed(self) -> Node:
        start = self._token.start
        if self._take("-"):
            operand = self._nest(self._signed)
            return Operation(start, self._end, "-", (operand,))
        return self._value()

    def _value(self) -> Node:
        token = self._token
        if self._take("("):
            inner = self._nest(self._level)
            self._expect(")")
            return replace(inner, start=token.start, end=self._end)
        if word := self._take("TRUE", "FALSE"):
            return Literal(token.start, token.end, word == "TRUE")
        if self._at("NULL"):
            raise self._error("null", self._test_start)
        if token.kind in ("keyword", "mark", "end"):
            raise self._expected(_VALUE)
        self._index += 1
        if token.kind == "name" and self._take("("):
            return self._call(token)
        if token.kind in ("name", "quoted"):
            return Name(token.start, token.end, token.text, token.kind == "quoted")
        value = float(token.text) if token.kind == "number" else token.text
        return Literal(token.start, token.end, value)

    def _call(self, token: Token) -> Node:
        name, upper = token.text.lower(), token.text.upper()
        if upper in _STATEMENTS:
            raise self._error("statement", token.start, word=upper)
        if name in _AGGREGATES:
            raise self._error("aggregate", token.start, word=upper, sql=_AGGREGATES[name])
        if name not in FUNCTIONS:
            raise self._error("function", token.start, word=short_repr(token.text))
        function = FUNCTIONS[name]
        arguments = () if self._take(")") else self._separated(lambda: self._nest(self._level))
        count, expected = len(arguments), function.expected
        if not function.takes(count):
            raise self._error("arguments", token.start, word=name, expected=expected, count=count)
        return Operation(token.start, self._end, name, arguments)
