"""The names that the package has for its users."""

from __future__ import annotations

import re

import pytest

import captious
from tests.places import ROOT


@pytest.mark.parametrize("name", captious.__all__)
def test_every_name_is_found_where_it_lives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "__version__":
        monkeypatch.delitem(vars(captious), name, raising=False)  # as before the first access
    assert getattr(captious, name) is not None


def test_names_and_parameters_are_those_that_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others call them: docs/public_api.md says what may change, and when."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from list_public_api import LISTING, list_lines

    kept, now = LISTING.read_text(encoding="utf-8").splitlines(), list_lines()
    added, removed = sort_changes(kept, now)
    assert not removed, f"removed or changed, which breaks code that uses it: {removed}"
    assert now == kept, f"added: run python tools/list_public_api.py; {added or 'another order'}"


def sort_changes(kept: list[str], now: list[str]) -> tuple[list[str], list[str]]:
    """The lines that only add to what was kept, and the kept ones of which something is gone."""
    new = {*now} - {*kept}
    line_of = {name_in(line): line for line in new}
    removed = [
        line
        for line in kept
        if line not in now and not only_adds(line, line_of.get(name_in(line), ""))
    ]
    changed = {name_in(line) for line in removed}
    return sorted(line for line in new if name_in(line) not in changed), removed


def name_in(line: str) -> str:
    """What a line of the listing is about: the text before its parameters or members."""
    return re.split(r"[(:]", line, maxsplit=1)[0]


def only_adds(old: str, new: str) -> bool:
    """Whether every call and choice of the old line still holds with the new one."""
    if old.startswith(("group ", "metric ", "command ")):  # sets of members, parameters, options
        parts = zip(re.split(r"\(|:", old), re.split(r"\(|:", new), strict=True)
        has_all = all(words_in(before) <= words_in(after) for before, after in parts)
        return has_all and arguments_in(old) == arguments_in(new)
    before, after = (positional_and_named(line) for line in (old, new))
    if bool(before) != bool(after):
        return False
    (first, named), (last, now_named) = before or ([], set()), after or ([], set())
    extra = [*last[len(first) :], *(now_named - named)]
    return (
        first == last[: len(first)]
        and named <= now_named
        and all(name.endswith("=") or name.startswith("*") for name in extra)
    )


def words_in(text: str) -> set[str]:
    """The names of members, parameters, columns or options in a part of a line."""
    return set(re.findall(r"[^\s(),]+", text))


def arguments_in(line: str) -> list[str]:
    """The arguments of a command that are not options: each of them is required."""
    if not line.startswith("command "):
        return []
    return [word for word in line.partition(": ")[2].split(", ") if not word.startswith("-")]


def positional_and_named(line: str) -> tuple[list[str], set[str]] | None:
    """The parameters of a line in order, and those that are given by name; None without any."""
    _, bracket, rest = line.partition("(")
    if not bracket:
        return None
    words = [word for word in rest.rstrip(")").split(", ") if word]
    star = next((place for place, word in enumerate(words) if word.startswith("*")), len(words))
    return words[:star], set(words[star:]) - {"*"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("group coco: bleu_1 meteor", "group coco: bleu_1 rouge_l meteor"),
        ("metric cider(df, n): cider", "metric cider(df, n, sigma): cider cider_2"),
        ("command captious score: --df, FILE", "command captious score: --by, --df, FILE"),
        ("captious.f(a, b=)", "captious.f(a, b=, c=)"),
        ("captious.f(a, *, b=)", "captious.f(a, *, b=, c=)"),
        ("captious.f(a)", "captious.f(a, *, c=)"),
    ],
)
def test_additions_are_called_so(old: str, new: str) -> None:
    assert sort_changes([old], [new, "captious.g"]) == (sorted([new, "captious.g"]), [])
    assert sort_changes([new], [old]) == ([], [new])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("captious.f(a, b=)", "captious.f(a, b)"),
        ("captious.f(a, b=)", "captious.f(a, c=, b=)"),
        ("captious.f(a)", "captious.f(a, b)"),
        ("captious.f(a)", "captious.f"),
        ("captious.f(a, *, b=)", "captious.f(a, *, b=, c)"),
        ("captious.f(a)", "captious.g(a)"),
        ("group coco: bleu_1 meteor", "group coco: bleu_1 rouge_l"),
        ("command captious score: --df", "command captious score: --df, FILE"),
        ("metric spider(spider): spider", "metric spider(): spider"),
    ],
)
def test_removals_and_new_duties_are_not_additions(old: str, new: str) -> None:
    assert sort_changes([old], [new])[1] == [old]
