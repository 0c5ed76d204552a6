"""The part of SQL that conditions are written in: sqlglot's parser, cut down to one expression.

Imported when an expression is parsed, since sqlglot takes a tenth of a second. Words of SQL that
expressions do not need (`select`, `date`, `case`) are ordinary names here, and every function is
one of ours: nothing can be named that reads files, other tables, the clock or the environment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.parser import Parser as _SqlParser
from sqlglot.tokens import Token, TokenType
from sqlglot.tokens import Tokenizer as _SqlTokenizer

from captious.errors import InputError, short_repr
from captious.streaming.filtering.values import NUMBER, is_exact
from captious.streaming.filtering.where_rules import KEYWORDS, NAME, VALUE, Fault, check_tree

MAX_NESTING = 30  # brackets, signs and NOTs within each other
MAX_CHARS = 10_000
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_WORDS = {word: TokenType[word] for word in KEYWORDS}
_MARKS = {
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    ",": TokenType.COMMA,
    "=": TokenType.EQ,
    "+": TokenType.PLUS,
    "-": TokenType.DASH,
    "*": TokenType.STAR,
    "/": TokenType.SLASH,
    "<": TokenType.LT,
    ">": TokenType.GT,
    ".": TokenType.DOT,
}
_LONG_MARKS = {
    "<=": TokenType.LTE,
    ">=": TokenType.GTE,
    "<>": TokenType.NEQ,
    "!=": TokenType.NEQ,
}
_KINDS = {
    *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING),
    *_WORDS.values(),
    *_MARKS.values(),
    *_LONG_MARKS.values(),
}
_COMPARING = {_MARKS[mark] for mark in "<>="} | set(_LONG_MARKS.values())
_TESTING = {_WORDS[word] for word in ("IS", "IN", "BETWEEN", "LIKE", "ILIKE")}
# What other languages have, told apart from a sound expression, and its form in SQL.
_ELSEWHERE = {
    "==": "=",
    "&&": "AND",
    "&": "AND",
    "||": "OR",
    "|": "OR",
    "!": "NOT",
    "`": 'a name with odd characters in double quotes: "odd name"',
    "[": 'a name in "quotes"',
}
_MARK_TYPES = dict.fromkeys(_ELSEWHERE, TokenType.UNKNOWN)
_STATEMENTS = {"SELECT", "EXISTS", "CASE", "CAST", "WHERE", "FROM", "ORDER", "LIMIT", "UNION"}


_ENDS = {
    *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER),
    *(TokenType.R_PAREN, TokenType.NULL, TokenType.TRUE, TokenType.FALSE),
}
_STARTS = _ENDS - {TokenType.R_PAREN} | {TokenType.NOT}


def _literal(token: Any) -> exp.Expression:
    """A value that is written out, with its place, which not every sqlglot notes."""
    if token.token_type in (TokenType.TRUE, TokenType.FALSE):
        node = exp.Boolean(this=token.token_type is TokenType.TRUE)
    else:
        node = exp.Literal(this=token.text, is_string=token.token_type is TokenType.STRING)
    node.meta["start"] = token.start
    return node


class _Where(Dialect):  # type: ignore[misc]
    class Tokenizer(_SqlTokenizer):  # type: ignore[misc]
        KEYWORDS: ClassVar[Any] = {**_WORDS, **_LONG_MARKS, **_MARK_TYPES}
        SINGLE_TOKENS: ClassVar[Any] = {
            **_MARKS,
            **{mark: kind for mark, kind in _MARK_TYPES.items() if len(mark) == 1},
            **dict.fromkeys(("'", '"'), TokenType.UNKNOWN),  # where words end
        }
        COMMENTS: ClassVar[Any] = ["--", ("/*", "*/")]

    class Parser(_SqlParser):  # type: ignore[misc]
        FUNCTIONS: ClassVar[Any] = {}
        FUNCTION_PARSERS: ClassVar[Any] = {}
        NO_PAREN_FUNCTIONS: ClassVar[Any] = {}
        NO_PAREN_FUNCTION_PARSERS: ClassVar[Any] = {}
        PRIMARY_PARSERS: ClassVar[dict[Any, Any]] = {
            kind: lambda parser, token: _literal(token)
            for kind in (TokenType.STRING, TokenType.NUMBER, TokenType.TRUE, TokenType.FALSE)
        } | {TokenType.NULL: _SqlParser.PRIMARY_PARSERS[TokenType.NULL]}
        RANGE_PARSERS: ClassVar[Any] = {
            kind: _SqlParser.RANGE_PARSERS[kind]
            for kind in (
                *(TokenType.BETWEEN, TokenType.IN, TokenType.IS),
                *(TokenType.LIKE, TokenType.ILIKE),
            )
        }

        def raise_error(self, message: str, token: Any = None) -> None:
            """Note where parsing stopped, before sqlglot words it."""
            self.stopped_at = token or self._curr
            super().raise_error(message, token or self._curr or self._prev)


def tokenize(text: str, fault: Fault) -> list[Token]:
    """The words of an expression, all of which may stand in one."""
    try:
        tokens = list(_Where().tokenize(text))
    except TokenError:
        rest = _QUOTED.sub(lambda match: " " * len(match[0]), text)
        place = next((n for n, letter in enumerate(rest) if letter in "\"'"), 0)
        what = f"the quote {rest[place]} is never closed"
        if rest[place] not in "\"'":
            what = "a comment is never closed; expressions have none"
        raise fault(place, what) from None
    if not tokens:
        raise fault(0, "a comment alone; expressions have none")
    depth = run = 0
    tokens = _join_fractions(tokens)
    for token in tokens:
        _check_token(text, token, fault)
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        run = run + 1 if token.token_type in (TokenType.NOT, TokenType.DASH) else 0
        if depth < 0:
            raise fault(token.start, "expected AND, OR, a comparison or the end, found ')'")
        if depth + run > MAX_NESTING:
            raise fault(token.start, f"nested more than {MAX_NESTING} deep; make it simpler")
    _check_conditions(tokens, fault)
    return tokens


def _check_conditions(tokens: Sequence[Token], fault: Fault) -> None:
    """Refuse `x = y IS NULL`, which databases read in two ways, and marks without a value."""
    seen: list[TokenType | None] = [None]
    betweens = [0]
    before: Token | None = None
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        kind = token.token_type
        last = before.token_type if before else None
        is_negated = kind is TokenType.NOT and following and following.token_type in _TESTING
        if before and last in _ENDS and kind in _STARTS and not is_negated:
            raise _unexpected(before, short_repr(token.text), token.start, fault)
        if kind in _COMPARING and last in _COMPARING:  # sqlglot reads >> as a shift of bits
            raise fault(token.start, f"expected {VALUE}, found {short_repr(token.text)}")
        before = token
        if kind is TokenType.L_PAREN:
            seen.append(None)
            betweens.append(0)
        elif kind is TokenType.R_PAREN and len(seen) > 1:
            del seen[-1], betweens[-1]
        elif kind is TokenType.AND and betweens[-1]:
            betweens[-1] -= 1
        elif kind in (TokenType.AND, TokenType.OR, TokenType.COMMA):
            seen[-1] = None
        elif kind in _COMPARING or kind in _TESTING:
            if seen[-1] is not None and (kind in _TESTING or seen[-1] in _TESTING):
                raise fault(
                    token.start, "two conditions with neither AND nor OR between; use brackets"
                )
            seen[-1] = kind
            betweens[-1] += kind is TokenType.BETWEEN


def _check_token(text: str, token: Token, fault: Fault) -> None:
    kind, word, place = token.token_type, text[token.start : token.end + 1], token.start
    if token.comments:
        raise fault(place, "a comment stands by it (-- or /*); expressions have none")
    if kind is TokenType.UNKNOWN:
        raise fault(place, f"{short_repr(word)} means nothing here; write {_ELSEWHERE[word]}")
    if kind is TokenType.VAR and not NAME.fullmatch(word):
        raise fault(place, f"{short_repr(word)} means nothing here")
    if kind is TokenType.IDENTIFIER and not token.text:
        raise fault(place, "a name in double quotes is empty; a text stands in single quotes: ''")
    if kind in (TokenType.NUMBER, TokenType.DOT):
        number = NUMBER.match(text, place)
        if (
            number is None
            or number.end() != token.end + 1
            or re.match(r"[\w.]", text[token.end + 1 :])
            or re.match(r"[\w.\"']", text[place - 1 : place])
        ):
            raise fault(
                place,
                "neither a number nor a name; a name with odd characters stands in double "
                'quotes, as in "mine.npz"',
            )
        if not is_exact(number[0]):
            shown = short_repr(number[0])
            raise fault(place, f"{shown} is too large; compare it as a text, in single quotes")
    elif kind not in _KINDS:
        raise fault(place, f"{short_repr(word)} means nothing here")


def _join_fractions(tokens: Sequence[Token]) -> list[Token]:
    """Numbers such as .5, which sqlglot cuts in two, in one piece."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if (
            last is not None
            and (last.token_type, token.token_type) == (TokenType.DOT, TokenType.NUMBER)
            and last.end + 1 == token.start
        ):
            joined[-1] = Token(
                TokenType.NUMBER,
                f".{token.text}",
                token.line,
                token.col,
                last.start,
                token.end,
                [*last.comments, *token.comments],
            )
        else:
            joined.append(token)
    return joined


def split_conditions(tokens: Sequence[Token]) -> list[list[Token]]:
    """The conditions between which AND stands outermost; one, where OR stands there."""
    tokens = list(tokens)
    while _is_bracketed(tokens):
        tokens = tokens[1:-1]
    parts: list[list[Token]] = [[]]
    depth, betweens = 0, 0
    for token in tokens:
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if depth == 0 and token.token_type is TokenType.OR:
            return [list(tokens)]
        if depth == 0 and token.token_type is TokenType.BETWEEN:
            betweens += 1
        if depth == 0 and token.token_type is TokenType.AND:
            if not betweens:
                parts.append([])
                continue
            betweens -= 1
        parts[-1].append(token)
    return parts


def _is_bracketed(tokens: Sequence[Token]) -> bool:
    if len(tokens) < 3 or tokens[0].token_type is not TokenType.L_PAREN:
        return False
    depth = 0
    for number, token in enumerate(tokens):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if depth == 0:
            return number == len(tokens) - 1
    return False


def parse_tokens(text: str, tokens: Sequence[Token], fault: Fault) -> exp.Expression:
    """The tree of a sound expression."""
    parser = _Where().parser()
    try:
        (tree,) = parser.parse_into(exp.Condition, list(tokens), text)
    except ParseError as error:
        raise _syntax_fault(text, tokens, parser, error, fault) from None
    if tree is None:
        raise fault(len(text), f"expected {VALUE}")
    check_tree(tree, fault)
    return tree


def _syntax_fault(
    text: str, tokens: Sequence[Token], parser: Any, error: ParseError, fault: Fault
) -> InputError:
    token = getattr(parser, "stopped_at", None)
    place = token.start if token else len(text.rstrip())
    found = short_repr(text[place : token.end + 1]) if token else "the end"
    before = next((each for each in reversed(tokens) if each.end < place), None)
    if before is None or before.token_type not in _ENDS:
        return fault(place, f"expected {VALUE}, found {found}")
    if "xpecting )" in str(error.errors[0]["description"]):
        return fault(place, f"expected ), found {found}")
    return _unexpected(before, found, place, fault)


def _unexpected(before: Token, found: str, place: int, fault: Fault) -> InputError:
    word = before.text.upper()
    if before.token_type is TokenType.VAR and word in _STATEMENTS:
        return fault(
            before.start,
            f"{word} is not possible here: an expression reads one row and no tables; a column of "
            "this name stands in double quotes",
        )
    return fault(place, f"expected AND, OR, a comparison or the end, found {found}")
