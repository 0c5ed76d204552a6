"""Expressions over columns give what plain Python gives, row by row."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captious.errors import InputError
from tests.streaming.filtering.columns import evaluate, evaluate_columns, evaluate_numbers

NAMES = {"x": "numbers", "y": "numbers", "odd näme": "numbers", "s": "texts", "t": "texts"}
COMPARE: dict[str, Any] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}
Tree = tuple[Any, ...]


def written(tree: Tree) -> str:
    """A tree as text, everything in brackets."""
    kind, *parts = tree
    if kind == "number":
        return repr(parts[0])
    if kind == "text":
        return "'" + str(parts[0]).replace("'", "''") + "'"
    if kind == "name":
        return f'"{parts[0]}"'
    if kind in ("-", "not"):
        return f"({kind} {written(parts[0])})"
    if kind == "missing":
        return f"({written(parts[0])} IS {parts[1]}NULL)"
    if kind == "like":
        return f"({written(parts[0])} {parts[1]}LIKE {written(parts[2])})"
    if kind == "between":
        return f"({written(parts[0])} BETWEEN {written(parts[1])} AND {written(parts[2])})"
    if kind == "is true":
        return f"({written(parts[0])} IS {parts[1]})"
    if kind in ("abs", "least", "greatest", "length", "lower", "contains"):
        return f"{kind}({', '.join(map(written, parts))})"
    if kind == "in":
        return f"({written(parts[0])} in ({', '.join(map(written, parts[1:]))}))"
    mark, left, right = parts
    return f"({written(left)} {mark} {written(right)})"


def worked_out(tree: Tree, row: dict[str, Any]) -> Any:
    """The same in plain Python; None where something is missing."""
    kind, *parts = tree
    if kind in ("number", "text"):
        return parts[0]
    if kind == "name":
        value = row[parts[0]]
        return None if value != value else value
    if kind == "missing":
        return (worked_out(parts[0], row) is None) is not bool(parts[1])
    if kind == "is true":
        value = worked_out(parts[0], row)
        return (
            value is TRUTHS[parts[1].removeprefix("NOT ")]
            if parts[1][:3] != "NOT"
            else (value is not TRUTHS[parts[1].removeprefix("NOT ")])
        )
    if kind == "like":
        text, pattern = worked_out(parts[0], row), parts[2][1]
        return None if text is None else bool(parts[1]) != is_like(text, pattern)
    if kind == "between":
        first, low, high = parts
        return worked_out(
            ("join", "and", ("compare", ">=", first, low), ("compare", "<=", first, high)), row
        )
    if kind == "join":
        mark, *sides = parts
        values = [worked_out(side, row) for side in sides]
        decisive = mark == "or"
        if decisive in values:
            return decisive
        return None if None in values else not decisive
    if kind == "in":
        first, *others = (worked_out(part, row) for part in parts)
        return None if first is None else first in others
    values = [
        worked_out(part, row) for part in (parts[1:] if kind in ("compare", "calculate") else parts)
    ]
    if None in values:
        return None
    if kind == "compare":
        return COMPARE[parts[0]](*values)
    if kind == "calculate":
        return _calculated(parts[0], *values)
    work: dict[str, Any] = {
        "not": lambda a: not a, "-": lambda a: -a, "abs": abs, "least": min, "greatest": max,
        "length": lambda a: float(len(a)), "lower": str.lower, "contains": lambda a, b: b in a,
    }  # fmt: skip
    return work[kind](*values)


TRUTHS = {"TRUE": True, "FALSE": False}


def is_like(text: str, pattern: str) -> bool:
    """Whether a text matches a pattern of LIKE, by trying every way."""
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(is_like(text[start:], pattern[1:]) for start in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and is_like(text[1:], pattern[1:])


def _calculated(mark: str, left: float, right: float) -> float | None:
    if mark == "/":
        result = left / right if right else None
    else:
        result = {"+": left + right, "-": left - right, "*": left * right}[mark]
    return None if result is None or math.isnan(result) else result


plain_numbers = st.floats(0, 1e6).map(lambda value: round(value, 3))
plain_texts = st.text("aB'\"é ", max_size=3)
numbers = st.recursive(
    st.tuples(st.just("number"), plain_numbers)
    | st.tuples(st.just("name"), st.sampled_from([n for n in NAMES if NAMES[n] == "numbers"])),
    lambda inner: (
        st.tuples(st.just("calculate"), st.sampled_from("+-*/"), inner, inner)
        | st.tuples(st.sampled_from(("-", "abs")), inner)
        | st.tuples(st.sampled_from(("least", "greatest")), inner, inner)
    ),
    max_leaves=4,
)
texts = st.recursive(
    st.tuples(st.just("text"), plain_texts)
    | st.tuples(st.just("name"), st.sampled_from(["s", "t"])),
    lambda inner: st.tuples(st.just("lower"), inner),
    max_leaves=2,
)
lengths = st.tuples(st.just("length"), texts)
compared = (
    st.tuples(st.just("compare"), st.sampled_from(list(COMPARE)), numbers, numbers | lengths)
    # Of two columns a text that is a number is one; so one side is a text that is written out.
    | st.tuples(
        st.just("compare"),
        st.sampled_from(list(COMPARE)),
        texts,
        st.tuples(st.just("text"), plain_texts),
    )
    | st.tuples(st.just("contains"), texts, texts)
    | st.tuples(st.just("missing"), numbers | texts, st.sampled_from(("", "NOT ")))
    | st.tuples(st.just("between"), numbers, numbers, numbers)
    | st.tuples(
        st.just("like"),
        texts,
        st.sampled_from(("", "NOT ")),
        st.tuples(st.just("text"), st.text("aB%_ '", max_size=4)),
    )
    | st.tuples(st.just("in"), texts, *[st.tuples(st.just("text"), plain_texts)] * 2)
)
conditions = st.recursive(
    compared,
    lambda inner: (
        st.tuples(st.just("join"), st.sampled_from(("and", "or")), inner, inner)
        | st.tuples(st.just("not"), inner)
        | st.tuples(
            st.just("is true"), inner, st.sampled_from(("TRUE", "FALSE", "NOT TRUE", "NOT FALSE"))
        )
    ),
    max_leaves=6,
)
rows = st.lists(
    st.fixed_dictionaries(
        {
            name: st.none()
            | ((plain_numbers | st.just(math.nan)) if kind == "numbers" else plain_texts)
            for name, kind in NAMES.items()
        }
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@given(conditions, rows)
def test_an_expression_is_what_plain_python_makes_of_it(
    tree: Tree, some: list[dict[str, Any]]
) -> None:
    columns = {name: [row[name] for row in some] for name in NAMES}
    assert evaluate(written(tree), columns) == [worked_out(tree, row) for row in some]


@pytest.mark.slow
@given(numbers, rows)
def test_numbers_are_what_plain_python_calculates(tree: Tree, some: list[dict[str, Any]]) -> None:
    columns = {name: [row[name] for row in some] for name in NAMES}
    expected = [worked_out(tree, row) for row in some]
    keys = [None if math.isnan(key) else key for key in evaluate_numbers(written(tree), **columns)]
    assert keys == expected


def test_precedence_of_operators() -> None:
    assert evaluate_numbers("2 + 3 * 4 - -1", x=[0]) == [15]
    assert evaluate_numbers("12 / 2 / 3", x=[0]) == [2]
    assert evaluate_numbers("1 / 2", x=[0]) == [0.5]
    assert evaluate_columns("NOT x = 1 OR x = 1 AND x = 2", x=[1, 2]) == [False, True]
    assert evaluate_columns("x NOT IN ('a', 'b')", x=["a", "c", None]) == [False, True, None]
    assert evaluate_columns("x IS NOT NULL", x=[None, 0]) == [False, True]
    assert evaluate_columns("NOT x IS NULL", x=[None, 0]) == [False, True]
    assert evaluate_columns("x BETWEEN 1 AND 2 AND x <> 2", x=[1, 2, 3]) == [True, False, False]
    assert evaluate_columns("x NOT BETWEEN 1 + 1 AND 2 * 2 OR x = 3", x=[1, 2, 3]) == [
        True,
        False,
        True,
    ]
    assert evaluate_columns("x IN (1, -2)", x=[-2, 2]) == [True, False]


def test_what_is_missing_is_neither_so_nor_not() -> None:
    x = [None, float("nan"), 1]
    assert evaluate_columns("x > 0", x=x) == [None, None, True]
    assert evaluate_columns("NOT x > 0", x=x) == [None, None, False]
    assert evaluate_columns("x > 0 OR TRUE", x=x) == [True, True, True]
    assert evaluate_columns("x > 0 AND FALSE", x=x) == [False, False, False]
    assert evaluate_columns("x / 0 IS NULL", x=[1]) == [True]
    assert evaluate_columns("x = ''", x=["", "a"]) == [True, False]
    assert evaluate_columns("x = ''", are_texts=True, x=["", "a"]) == [None, False]
    assert evaluate_columns("x > 1", x=["", "NaN", "n/a", "null", "2"]) == [None] * 4 + [True]


def test_texts_that_are_numbers_compare_as_numbers_with_numbers_alone() -> None:
    x = ["10", "9", " 1e1 ", "+10.0", "-3"]
    assert evaluate_columns("x > 9", x=x) == [True, False, True, True, False]
    assert evaluate_columns("x > '9'", x=["10", "95"]) == [False, True]
    assert evaluate_columns("zip = '00501'", zip=["00501", "501"]) == [True, False]
    assert evaluate_columns("x < y", x=["10", "b"], y=["9", "c"]) == [False, True]
    assert evaluate_columns("x = y", x=[1, True, "1"], y=["1.0", True, 1]) == [True, True, True]


def test_whole_numbers_that_are_too_large_are_never_rounded() -> None:
    large = 2**60 + 1
    assert evaluate_columns(f"x = '{large}'", x=[large, large - 1]) == [True, False]
    assert evaluate_columns("x = y", x=[large, large], y=[large - 1, large]) == [False, True]
    for column in ([large], [str(large)], [10**400]):
        with pytest.raises(InputError, match=r"f: row 1: column 'x': .*too large"):
            evaluate_columns("x > 5", x=column)
    with pytest.raises(InputError, match="too large"):
        evaluate_columns("x < y", x=[large], y=[large])


@pytest.mark.parametrize(
    ("expression", "cell", "said"),
    [
        ("x > 1", "many", "row 2: column 'x': a number is needed here, found str 'many'"),
        ("x > 1", [1], "row 2: column 'x': a number is needed"),
        ("x > 1", True, "row 2: column 'x': a number is needed here, found bool True"),
        ("x > 1", "\u0661", "row 2: column 'x': a number is needed"),
        ("x > 1", "1_000", "row 2: column 'x': a number is needed"),
        ("x = '1'", 1.5, "row 2: column 'x': a text is needed here, found float 1.5"),
        ("length(x) > 1", ["a"], "row 2: column 'x': a text is needed"),
        ("x", "maybe", "row 2: column 'x': true or false is needed"),
        ("x < y", "b", "row 2: column 'x': a number is needed"),
    ],
)
def test_cells_of_another_kind_are_named(expression: str, cell: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate_columns(expression, x=[None, cell], y=[1, 1])


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("5", "character 1: expected a condition"),
        ("x > 1 AND 2", "character 11: expected a condition"),
        ("1 < 'a'", "character 5: expected a number, found a text"),
        ("lower(5) = 'a'", "character 7: expected a text, found a number"),
        ("'a' + 1 > 2", "character 1: expected a number, found a text"),
        ("(x > 1) < TRUE", "TRUE and FALSE have no order"),
        ("abs(true) > 1", "character 5: expected a number, found true or false"),
    ],
)
def test_kinds_that_do_not_go_together_are_refused(expression: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate_columns(expression, x=[1])


def test_functions() -> None:
    assert evaluate_numbers("round(x, 1)", x=[0.25, 1e308, None])[:2] == [0.2, 1e308]
    assert evaluate_numbers("round(x)", x=[2.6]) == [3]
    assert evaluate_numbers("words(s)", s=["A dog, running.", "", None])[:2] == [3, 0]
    assert evaluate_columns("starts_with(s, 'a') AND ends_with(s, 'z')", s=["az", "ab", None]) == [
        True, False, None,
    ]  # fmt: skip
    assert evaluate_numbers("greatest(x, 1, 3)", x=[2, 5]) == [3, 5]


def test_like_matches_whole_texts() -> None:
    texts = ["a dog", "A DOG", "dog\n", "50%", None, ""]
    assert evaluate_columns("s LIKE '%dog'", s=texts) == [True, False, False, False, None, False]
    assert evaluate_columns("s ILIKE '%dog_'", s=texts) == [False, False, True, False, None, False]
    assert evaluate_columns("s NOT LIKE '_%'", s=texts) == [False, False, False, False, None, True]
    assert evaluate_columns("s LIKE 'a%a'", s=["a", "aa"]) == [False, True]


@pytest.mark.parametrize("pattern", ["%a" * 4000 + "%b", "%" + "_" * 4000 + "%b", "%_a" * 3000])
def test_patterns_take_no_time(pattern: str) -> None:
    assert evaluate_columns(f"s LIKE '{pattern}'", s=["a" * 20_000]) in ([False], [True])


COMPLEX = st.sampled_from([
    "x > y", "x + y * 2 - 1.5 <= 3.0", "x / y / 2.0 < x", "s = 'a'", "s <> t", "s IS NULL",
    "t IS NOT NULL", "x BETWEEN y AND 500.0", "x NOT BETWEEN 1.0 AND 9.0", "s IN ('a', 'B')",
    "s NOT IN ('', 'a')", "s LIKE 'a%'", "t NOT LIKE '%B_'", "- x < - y", "abs(x - y) > 10.0",
    "length(s) = 2", "lower(t) = 'b'", "(x > 1.0) IS TRUE", "(s = t) IS NOT FALSE",
    "(x > 1.0 OR s = 'a')",
])  # fmt: skip


@pytest.mark.slow
@given(
    st.lists(st.tuples(COMPLEX, st.sampled_from(("", "NOT ")), st.sampled_from(("AND", "OR")))),
    COMPLEX,
    rows,
)
def test_conditions_without_brackets_are_what_sqlite_makes_of_them(
    parts: list[tuple[str, str, str]], last: str, some: list[dict[str, Any]]
) -> None:
    condition = "".join(f"{no}{part} {word} " for part, no, word in parts) + last
    some = [{name: row[name] for name in "xyst"} for row in some]
    with closing(sqlite3.connect(":memory:")) as database:
        database.create_function("lower", 1, lambda text: None if text is None else text.lower())
        database.execute("PRAGMA case_sensitive_like = ON")
        database.execute("CREATE TABLE rows (x REAL, y REAL, s TEXT, t TEXT)")
        database.executemany("INSERT INTO rows VALUES (:x, :y, :s, :t)", some)
        expected = [row[0] for row in database.execute(f"SELECT {condition} FROM rows")]
    # Of two columns, texts that are numbers are compared as numbers: there are none among these.
    columns = {name: [row[name] for row in some] for name in "xyst"}
    assert evaluate(condition, columns) == [
        None if each is None else bool(each) for each in expected
    ]


def test_truth_nested_in_truth_takes_no_time() -> None:
    assert evaluate_columns("(" * 25 + "(x = 1)" + " = TRUE)" * 25, x=[1, 2]) == [True, False]
