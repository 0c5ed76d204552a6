"""Expressions are read as they are meant, and refused in one line that says where."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.errors import InputError
from captious.streaming.filtering.expression import DEEPEST, Expression
from captious.streaming.filtering.words import LONGEST

WORDS = [
    "captious", "`odd name`", "ñandú", ".5", "1e-3", "7", '"web"', "'it''s'", "and", "or", "not",
    "in", "is", "missing", "true", "(", ")", ",", "<", "<=", "=", "==", "!=", "+", "-", "*", "/",
    "abs", "min", "contains", "words", "length", "(", ")", '"', "`", "\\", "&&", "٣", "\u2028", "",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty expression"),
        (" \n", "an empty expression"),
        ("captious >> .5", "character 11: expected a number, a text in quotes, a name"),
        ("captious >", "character 11: .* found the end"),
        ("(captious > .5", "character 15: expected \\), found the end"),
        ("captious > .5)", "character 14: expected and, or, a comparison or the end, found '\\)'"),
        ("captious .5", "character 10: expected and, or"),
        ("captious > .5 && words < 3", "character 15: '&&' means nothing here; write and"),
        ("a ; b", "character 3: ';' means nothing here"),
        ('a = "b', 'character 5: the quote " is never closed'),
        ("`` > 1", "character 1: a name in backquotes is empty"),
        ("5dogs > 1", "character 1: neither a number nor a name"),
        ("1.2.3 > 1", "character 1: neither a number nor a name"),
        ("x = 9007199254740993", "character 5: .* too large; compare it as a text"),
        ("x = 1e999", "character 5: .* too large"),
        ("x = " + "9" * 5000, "character 5: .* too large"),
        ("x in ()", "character 7: expected a number or a text"),
        ("x in (y)", "character 7: expected a number or a text"),
        ('x in "a"', "character 6: expected a list"),
        ("x is 5", "character 6: expected missing"),
        ("x not 5", "character 3: expected and, or"),
        ("abs()", "character 1: abs takes one number, not 0"),
        ("min(x) > 1", "character 1: min takes two numbers or more, not 1"),
        ("contains(x) and y", "character 1: contains takes two texts, not 1"),
        ("__import__('os')", "character 1: no function '__import__'"),
        ("cider_d(sigma=4) > 1", "character 1: no function 'cider_d'.*`cider_d\\(sigma=4\\)`"),
        ("(" * (DEEPEST + 1) + "x", f"nested more than {DEEPEST} deep"),
        ("not " * (DEEPEST + 1) + "x", f"nested more than {DEEPEST} deep"),
        ("-" * 10_000, "nested more than"),
        ("x" * (LONGEST + 1), "10,001 characters"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        Expression.parse(text)
    assert "\n" not in str(refused.value)


def test_names_and_clauses_are_told() -> None:
    expression = Expression.parse(
        'captious > .5 and (words < 40 or `a b` = 1) and not contains(source, "x") AND captious < 1'
    )
    assert list(expression.names) == ["captious", "words", "a b", "source"]
    assert expression.names["words"] == expression.text.index("words")
    assert [clause.written for clause in expression.clauses] == [
        "captious > .5", "(words < 40 or `a b` = 1)", 'not contains(source, "x")', "captious < 1",
    ]  # fmt: skip


def test_brackets_belong_to_what_they_enclose() -> None:
    assert Expression.parse("(a + b) * c > (d)").clauses[0].written == "(a + b) * c > (d)"


def test_long_sums_and_conditions_are_no_depth() -> None:
    for text in (" + ".join(["1"] * 2000) + " > x", " and ".join(["x > 1"] * 1000)):
        assert "x" in Expression.parse(text).names


@pytest.mark.slow
@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    try:
        expression = Expression.parse(text)
    except InputError as refused:
        assert re.match(r".*(character \d+|an empty expression)", str(refused))
        assert "\n" not in str(refused)
    else:
        assert expression.clauses
