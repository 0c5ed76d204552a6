"""Expressions are read as they are meant, and refused in one line that says where."""

from __future__ import annotations

import pickle
import re
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.errors import InputError
from captious.streaming.filtering.expression import Expression
from captious.streaming.filtering.sql_parser import MAX_CHARS as LONGEST
from captious.streaming.filtering.sql_parser import MAX_NESTING as DEEPEST
from tests.streaming.filtering.columns import evaluate_columns

WORDS = [
    "captious", '"odd name"', "ñandú", ".5", "1e-3", "7", "'web'", "'it''s'", "AND", "or", "NOT",
    "IN", "is", "missing", "NULL", "true", "(", ")", ",", "<", "<=", "=", "==", "<>", "!=", "+",
    "-", "*", "/", "abs", "min", "contains", "words", "length", "(", ")", '"', "`", "\\", "&&",
    "٣", "\u2028", "", "BETWEEN", "LIKE", "ILIKE", "SELECT", "FROM", "CASE", "WHEN", "CAST", "AS",
    "EXISTS", "INTERVAL", "date", "ALL", "ANY", "ESCAPE", "DISTINCT", "OVER", "COLLATE", "UNNEST",
    "--", "/*", "*/", "::", "||", "->", "[", "]", "{", "}", "?", "@", "$1", ":", ";", ".", "%",
]  # fmt: skip
VALUE = "expected a number, a text in single quotes, a name or a bracket, found"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty expression"),
        (" \n", "an empty expression"),
        ("captious >> .5", f"character 11: {VALUE} '>'"),
        ("captious >", f"character 11: {VALUE} the end"),
        ("(captious > .5", "character 15: expected \\), found the end"),
        ("captious > .5)", "character 14: expected AND, OR, a comparison or the end, found '\\)'"),
        ("captious .5", "character 10: expected AND, OR"),
        ("a ; b", "character 3: ';' means nothing here"),
        ("a = 'b", "character 5: the quote ' is never closed"),
        ("a = \"b' c", 'character 5: the quote " is never closed'),
        ('"" > 1', "character 1: a name in double quotes is empty"),
        ("5dogs > 1", "character 1: neither a number nor a name"),
        ("1.2.3 > 1", "character 1: neither a number nor a name"),
        ("mine.npz > 1", 'character 5: neither a number nor a name; .* "mine.npz"'),
        ("x = 9007199254740993", "character 5: .* too large; compare it as a text"),
        ("x = 1e999", "character 5: .* too large"),
        ("x = " + "9" * 5000, "character 5: .* too large"),
        ("x IN ()", "character 1: expected a list of values in brackets"),
        ("x IN (y)", "character 7: expected a number or a text"),
        ('x IN ("a\nb")', r"character 7: .* single quotes: 'a\\nb'"),
        ("x IN 'a'", "character 1: expected a list"),
        ("x IS 5", "character 6: expected NULL"),
        ("x = NULL", "character 1: nothing compares with NULL; write IS NULL"),
        ("x NOT 5", "character 3: expected AND, OR"),
        ("x BETWEEN 1", "character 12: expected AND"),
        ("x = y IS NULL", "character 7: two conditions with neither AND nor OR"),
        ("x LIKE y", "character 8: expected a pattern in single quotes, as in: LIKE 'y'"),
        ("x LIKE 'a' ESCAPE 'b'", "character 12: expected AND, OR"),
        ("x > 1 -- 2", "character 7: a comment"),
        ("--", "character 1: a comment"),
        ("/* x", "character 1: a comment is never closed"),
        ("x || y = 'a'", "character 3: '\\|\\|' means nothing here"),
        ("abs()", "character 1: abs takes one number, not 0"),
        ("least(x) > 1", "character 1: least takes two numbers or more, not 1"),
        ("contains(x) AND y", "character 1: contains takes two texts, not 1"),
        ("cider_d(sigma=4) > 1", "no function 'cider_d'.*\"cider_d\\(sigma=4\\)\""),
        ("(" * (DEEPEST + 1) + "x", f"nested more than {DEEPEST} deep"),
        ("NOT " * (DEEPEST + 1) + "x", f"nested more than {DEEPEST} deep"),
        ("- " * 5000, "nested more than"),
        ("x" * (LONGEST + 1), "10,001 characters"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        Expression.parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('source = "web"', "character 10: \"web\" in double quotes is a column .* write 'web'"),
        ('lower(source) = "web"', "character 17: .* write 'web'"),
        ('lang IN ("de", "fr")', "character 10: .* single quotes: 'de'"),
        ('source LIKE "web%"', "character 13: .* LIKE 'web%'"),
        ("source is missing", "character 11: missing is no SQL; write IS NULL"),
        ("source is not missing", "character 15: missing is no SQL; write IS NULL, or IS NOT NULL"),
        ("4 < words < 30", "write 4 < words AND words < 30"),
        ("1 <= a + b <= 2 and x", "write 1 <= a \\+ b AND a \\+ b <= 2"),
        ("a = b = c", "comparisons in a chain; put AND"),
        ("x == 1", "character 3: '==' means nothing here; write ="),
        ("captious > .5 && words < 3", "character 15: '&&' means nothing here; write AND"),
        ("x | y", "character 3: '|' means nothing here; write OR".replace("|", "\\|")),
        ("!x", "character 1: '!' means nothing here; write NOT"),
        ("`odd name` > 1", "character 1: '`' means nothing here; .*\"odd name\""),
        ("min(x, y) > 1", "character 1: MIN is of many rows in SQL; write LEAST"),
        ("max(x, y) > 1", "character 1: MAX is of many rows in SQL; write GREATEST"),
    ],
)
def test_former_forms_and_those_of_other_languages_are_answered_with_sql(
    text: str, said: str
) -> None:
    with pytest.raises(InputError, match=said) as refused:
        Expression.parse(text)
    assert "\n" not in str(refused.value)


def test_double_quotes_stay_names_where_texts_cannot_be_meant() -> None:
    for text in ("\"source\" <> 'web'", '"a" = "b"', 'x > "cider_d(sigma=4)"', '"in" = x'):
        assert Expression.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(SELECT 1) = 1", "EXISTS (SELECT 1)", "x IN (SELECT x FROM t)", "x; DROP TABLE t",
        "SELECT * FROM t", "read_csv('/etc/passwd') = 1", "getenv('HOME') = 'a'", "pg_sleep(10)",
        "read_text('f') = ''", "current_setting('a') = 'b'", "__import__('os')", "now() > 1",
        "random() < .5", "repeat('x', 1000000000) = 'x'", "regexp_matches(x, '(a+)+$')",
        "COPY t TO 'f'", "PRAGMA x", "SET x = 1", "x IN (FROM t)", "x > ALL (1)", "t.x > 1",
        "CASE WHEN x THEN 1 END", "CAST(x AS INT) > 1", "x::INT > 1", "$1 > x", "? > x", "@x > 1",
        "count(*) > 1", "sum(x) OVER () > 1", "x[1] = 1", "{x: 1}", "x -> 'a'", "'a' 'b' = x",
        "INTERVAL '1' DAY > x", "DATE '2020-01-01' > x", "(x, y) = (1, 2)", "N'a' = x", "() = x",
    ],
)  # fmt: skip
def test_whatever_is_not_an_expression_over_one_row_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"character \d+: ") as refused:
        Expression.parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["date", "text", "order", "select", "case", "if", "set", "end"])
def test_words_of_sql_that_have_no_meaning_here_are_names(name: str) -> None:
    assert list(Expression.parse(f"{name} > 1").names) == [name]


def test_expressions_are_sent_to_processes_as_text() -> None:
    expression = Expression.parse("x > 1 AND y < 2").clauses[1]
    again = pickle.loads(pickle.dumps(expression))
    assert (again, again.source, list(again.names)) == (expression, "y < 2", ["y"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "x IS NULL ", "x BETWEEN ", "x LIKE ", "x NOT ", "INTERVAL ", "CASE ", "EXISTS ", "x IN (",
        "1, ", "x = ", "x.", "x::", "'a' ", "((", "abs(", "x = 1 AND ", "x = 1 OR NOT ", "1 + ",
        "- x ", "x IN (1) OR ", "1 * ", "1", "1.", "'", "''", '"', "/*", "1e",
    ],
)  # fmt: skip
def test_repeated_parts_take_no_time(part: str) -> None:
    start = time.process_time()
    with suppress(InputError):
        evaluate_columns(part * (9_990 // len(part)) + "x = 1", x=[1])
    assert time.process_time() - start < 5


def test_names_and_clauses_are_told() -> None:
    expression = Expression.parse(
        "captious > .5 and (words < 40 or \"a b\" = 1) and NOT contains(source, 'x') AND "
        "captious < 1 AND x BETWEEN 1 AND 2"
    )
    assert list(expression.names) == ["captious", "words", "a b", "source", "x"]
    assert expression.names["words"] == expression.text.index("words")
    assert [clause.source for clause in expression.clauses] == [
        "captious > .5", '(words < 40 or "a b" = 1)', "NOT contains(source, 'x')", "captious < 1",
        "x BETWEEN 1 AND 2",
    ]  # fmt: skip


def test_brackets_belong_to_what_they_enclose() -> None:
    assert Expression.parse("(a + b) * c > (d)").clauses[0].source == "(a + b) * c > (d)"


def test_long_sums_and_conditions_are_no_depth() -> None:
    for text in (" + ".join(["1"] * 2000) + " > x", " and ".join(["x > 1"] * 900)):
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
