"""What of SQL has a meaning in an expression, and what is said of the rest."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from captious.errors import InputError, short_repr
from captious.streaming.filtering.functions import FUNCTIONS

Fault = Callable[[int, str], InputError]
VALUE = "a number, a text in single quotes, a name or a bracket"
NAME = re.compile(r"[^\W\d]\w*")
KEYWORDS = ("AND OR NOT IN IS NULL BETWEEN LIKE ILIKE TRUE FALSE").split()
_AGGREGATES = {"min": "LEAST", "max": "GREATEST"}
# The parts of expressions that have a meaning here, and what they are made of, in the order in
# which it is written. A node of another kind, or with anything else in it, is refused.
PARTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("and", "or", "add", "sub", "mul", "div"), ("this", "expression")),
    **dict.fromkeys(("eq", "neq", "lt", "lte", "gt", "gte", "is"), ("this", "expression")),
    **dict.fromkeys(("like", "ilike"), ("this", "expression")),
    **dict.fromkeys(("not", "neg", "paren"), ("this",)),
    "between": ("this", "low", "high"),
    "in": ("this", "expressions"),
    "anonymous": ("expressions",),
    **dict.fromkeys(("column", "literal", "boolean", "null"), ()),
}
# What nodes hold besides their parts.
_PLAIN = {
    "anonymous": {"this"},
    "column": {"this"},
    "literal": {"this", "is_string"},
    "boolean": {"this"},
    "like": {"negate"},
    "ilike": {"negate"},
    # SQL's integer division does not exist here: 1 / 2 is .5.
    "div": {"typed", "safe"},
}
COMPARISONS = ("eq", "neq", "lt", "lte", "gt", "gte")
PREDICATES = (*COMPARISONS, "is", "in", "between", "like", "ilike", "not")


def parts_of(node: exp.Expression) -> list[exp.Expression]:
    """The parts of a node in the order in which they are written."""
    parts: list[exp.Expression] = []
    for name in PARTS[node.key]:
        value = node.args.get(name)
        parts.extend(value if isinstance(value, list) else [value])
    return parts


def start_of(node: exp.Expression) -> int | None:
    """The character at which a part of an expression begins, or the first of its parts known."""
    starts = [each.meta["start"] for each in node.walk() if "start" in each.meta]
    return min(starts) if starts else None


def check_tree(tree: exp.Expression, fault: Fault) -> None:
    """Refuse a tree that holds anything without a meaning."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        _check_node(node, fault)
        waiting.extend(parts_of(node))


def _check_node(node: exp.Expression, fault: Fault) -> None:
    def refuse(what: str, part: exp.Expression = node) -> InputError:
        return fault(start_of(part) or start_of(node) or 0, what)

    key = node.key
    allowed = {*PARTS.get(key, ()), *_PLAIN.get(key, ())}
    if key not in PARTS or any(
        value for name, value in node.args.items() if name not in allowed and value
    ):
        if key == "in":
            raise refuse("expected a list of values in brackets, as in: IN ('de', 'fr')")
        if key == "column":
            raise refuse('a name with a point stands in double quotes, as in "mine.npz"')
        if key == "tuple":
            raise refuse(f"expected {VALUE} in brackets")
        raise refuse("this has no meaning in an expression; docs/filter.md lists what has")
    if any(part is None for part in parts_of(node)):
        raise refuse(f"expected {VALUE}")
    if key == "anonymous":
        _check_call(node, refuse)
    if key in PREDICATES and key != "not":
        _check_predicate(node, refuse)


def _check_call(node: exp.Expression, refuse: Callable[..., InputError]) -> None:
    name, count = str(node.this).lower(), len(node.expressions)
    if name in _AGGREGATES:
        raise refuse(f"{name.upper()} is of many rows in SQL; write {_AGGREGATES[name]}(x, y)")
    function = FUNCTIONS.get(name)
    if function is None:
        raise refuse(
            f"no function {short_repr(str(node.this))}; there are: {', '.join(FUNCTIONS)}; a "
            'metric with parameters stands in double quotes, as in "cider_d(sigma=4)"'
        )
    if not function.takes(count):
        raise refuse(f"{name} takes {function.expected}, not {count}")


def _check_predicate(node: exp.Expression, refuse: Callable[..., InputError]) -> None:
    key, (left, *others) = node.key, parts_of(node)
    right = others[0] if others else None
    if key == "is":
        assert right is not None
        if right.key == "column" and right.name.lower() == "missing":
            raise refuse("missing is no SQL; write IS NULL, or IS NOT NULL", right)
        if right.key not in ("null", "boolean"):
            raise refuse("expected NULL behind IS, as in: IS NULL, IS NOT NULL", right)
    for part in (left, *others):
        if part.key in COMPARISONS and key in COMPARISONS:
            raise refuse(_unchained(node))
        if part.key in PREDICATES:
            raise refuse("two conditions with neither AND nor OR between them; use brackets")
        if part.key == "null" and key != "is":
            raise refuse("nothing compares with NULL; write IS NULL, or IS NOT NULL")
    if key == "in":
        if not others:
            raise refuse("expected a list of values in brackets, as in: IN ('de', 'fr')")
        for part in others:
            _check_listed(part, refuse)
    if key in ("like", "ilike") and right is not None and not right.is_string:
        hint = f"'{right.name}'" if right.key == "column" else "'%dog%'"
        raise refuse(f"expected a pattern in single quotes, as in: LIKE {hint}", right)
    if key in COMPARISONS and right is not None:
        _check_quotes(left, right, refuse)


def _check_listed(part: exp.Expression, refuse: Callable[..., InputError]) -> None:
    value = part.this if part.key == "neg" else part
    if value.key == "column" and value.this.quoted:
        raise refuse(
            f"expected values in IN (…); a text stands in single quotes: '{value.name}'", part
        )
    if value.key not in ("literal", "boolean") or (part.key == "neg" and value.is_string):
        raise refuse("expected a number or a text in single quotes in IN (…)", part)


def _unchained(node: exp.Expression) -> str:
    left, right = parts_of(node)
    marks = {"eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
    order = ("lt", "lte", "gt", "gte")
    if left.key not in order or node.key not in order or parts_of(left)[0].key in COMPARISONS:
        return "comparisons in a chain; put AND between two of them, or brackets around one"
    pair = f"{left.sql()} AND {parts_of(left)[1].sql()} {marks[node.key]} {right.sql()}"
    return f"comparisons in a chain; write {pair[:200]}"


def _check_quotes(
    left: exp.Expression, right: exp.Expression, refuse: Callable[..., InputError]
) -> None:
    """Refuse `source = "web"`: in SQL that is a column, but few who write it mean one."""
    for side, other in ((right, left), (left, right)):
        if side.key != "column" or not side.this.quoted or not NAME.fullmatch(side.name):
            continue
        if side.name.upper() in KEYWORDS:
            continue
        columns = [each for each in other.walk() if each.key == "identifier"]
        if columns and not any(each.quoted for each in columns):
            raise refuse(
                f"\"{side.name}\" in double quotes is a column in SQL; write '{side.name}' for "
                f"the text, or {side.name} without quotes for the column",
                side,
            )
