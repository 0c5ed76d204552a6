"""What the documentation says of ranges, options, defaults and output is what the code does."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import operator
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.cli.main import COMMANDS, make_parser
from captious.metrics.declarations import GROUPS, METRICS
from captious.registry import DEFAULT
from captious.resources import RESOURCES
from tests.places import DOCS, ROOT

METRIC_PAGES = sorted(path for path in (DOCS / "metrics").glob("*.md") if path.stem != "README")
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

NUMBER = r"(\N{MINUS SIGN}?\d+(?:\.\d+)?)"
RANGE = f"{NUMBER} to {NUMBER}"
Bounds = tuple[float, float]


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def nearly(stated: Bounds, real: Bounds) -> bool:
    """Whether bounds are the same, as far as two decimals show them."""
    return all(abs(a - b) < 0.0051 for a, b in zip(stated, real, strict=True))


def table_rows() -> dict[str, tuple[list[str], Bounds, str]]:
    """The overview's rows by page: columns, range, and how the corpus score is made."""
    rows = {}
    for line in (DOCS / "metrics" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found = re.fullmatch(rf"{RANGE}(; see page)?", cells[2]) if len(cells) == 5 else None
        if found:
            page = re.search(r"\((\w+\.md)\)", cells[4])
            assert page is not None, line
            bounds = (number(found[1]), number(found[2]))
            rows[page[1]] = (spelled_out(cells[1]), bounds, cells[3])
    return rows


def spelled_out(cell: str) -> list[str]:
    """The columns that a cell names, `a_1` ... `a_4` being all that lie between."""
    columns = [column for metric in METRICS.values() for column in metric.columns]
    named: list[str] = []
    for first, last in re.findall(r"`(\w+)`(?: \.\.\. `(\w+)`)?", cell):
        end = columns.index(last or first)
        named += columns[columns.index(first) : end + 1]
    return named


def metrics_of(page: str) -> list[Any]:
    """The metrics that a page speaks of: those whose columns the overview lists with it."""
    columns, _, _ = table_rows()[page]
    return [metric for metric in METRICS.values() if set(metric.columns) <= set(columns)]


def paragraph(page: Path, head: str) -> str:
    found = re.search(rf"\*\*{head}\.\*\*(.*?)(?=\n\n|\Z)", page.read_text("utf-8"), re.DOTALL)
    assert found, f"{page.name} has no paragraph {head!r}"
    return " ".join(found[1].split())


def test_the_overview_has_every_metric_with_its_columns_and_range() -> None:
    rows = table_rows()
    assert sorted(rows) == [page.name for page in METRIC_PAGES]
    listed = [column for columns, _, _ in rows.values() for column in columns]
    there = [column for metric in METRICS.values() for column in metric.columns]
    assert sorted(listed) == sorted(there), (
        f"the table of docs/metrics/README.md lacks {sorted({*there} - {*listed})}"
    )
    for page, (_, bounds, _) in rows.items():
        for metric in metrics_of(page):
            assert nearly(bounds, metric.bounds), page


@pytest.mark.slow
def test_the_overview_says_how_the_corpus_score_is_made() -> None:
    blind = [page for page in table_rows() if not any(m.needs_images for m in metrics_of(page))]
    first = {page: metrics_of(page)[0].columns[0] for page in blind}
    candidates = ["a dog runs on the beach", "two men", "a small cat sleeps on a couch"]
    references = [["a brown dog runs"], ["two men ride a horse"], ["a cat lies down", "a cat"]]
    result = captious.score(candidates, references, list(first.values()), df="coco-val2014")
    for page, column in first.items():
        is_mean = result.corpus[column] == pytest.approx(result.samples[column].mean())
        assert (table_rows()[page][2] == "mean") == is_mean, page


@pytest.mark.parametrize("page", METRIC_PAGES, ids=lambda page: page.stem)
def test_a_page_says_the_range_of_every_column(page: Path) -> None:
    text = paragraph(page, "Range").split(". ")[0]
    usual = re.match(RANGE, text)
    stated: dict[str, Bounds] = {}
    for part in text.split(";"):
        bounds = re.search(rf"` {RANGE}", part)
        if bounds:
            for column in re.findall(r"`(\w+)`", part):
                stated[column] = (number(bounds[1]), number(bounds[2]))
    for metric in metrics_of(page.name):
        for column in metric.columns:
            said = stated.get(column) or (usual and (number(usual[1]), number(usual[2])))
            assert said, f"{page.name}: no range of {column}"
            assert nearly(said, metric.bounds_of(column)), column


def format_default(default: object) -> str:
    """A default as the pages write it."""
    if isinstance(default, Path) and default.is_relative_to(RESOURCES):
        return "shipped"
    if isinstance(default, str):
        return f'"{default}"'
    return f"{default:g}" if isinstance(default, float) else str(default)


@pytest.mark.parametrize("page", METRIC_PAGES, ids=lambda page: page.stem)
def test_a_page_has_every_option_with_its_default(page: Path) -> None:
    stated = set(re.findall(r"`(\w+=[^`]+)`", paragraph(page, "Options")))
    real = {
        f"{field.name}={format_default(field.default)}"
        for metric in metrics_of(page.name)
        for field in dataclasses.fields(metric)
    }
    assert stated == real


def test_groups_are_as_the_overview_lists_them() -> None:
    text = (DOCS / "metrics" / "README.md").read_text(encoding="utf-8")
    for group in GROUPS:
        assert f"`{group}`" in text
    assert f"Without `--metrics`: the group `{DEFAULT[0]}` and `{DEFAULT[1]}`." in text


def command_parsers(
    parser: argparse.ArgumentParser, names: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every command and subcommand with its parser."""
    yield names, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from command_parsers(child, (*names, name))


PARSERS = dict(command_parsers(make_parser(*COMMANDS)))
NAMED = {names for names in PARSERS if names}


def option_strings(parser: argparse.ArgumentParser) -> set[str]:
    return {string for action in parser._actions for string in action.option_strings}


def shown_commands(page: Path) -> Iterator[str]:
    """The commands in blocks and between backticks, with lines that go on joined."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:sh|bash|console|text)?\n(.*?)```", text, re.DOTALL)
    for block in blocks:
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            if re.match(r"(\$ )?captious [a-z]", line):
                yield line.removeprefix("$ ")
    for code in re.findall(r"`(captious [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        yield " ".join(code.split())


# Where mistakes are shown, whose test is their output.
TRANSCRIPT = DOCS / "command_line.md"


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page != TRANSCRIPT],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_commands_have_the_options_that_pages_give_them(page: Path) -> None:
    for line in shown_commands(page):
        words = shlex.split(line.replace("…", " "), comments=True)[1:]
        names = tuple(words[:2]) if tuple(words[:2]) in NAMED else tuple(words[:1])
        if not words or words[0].startswith(("-", "[", "COMMAND")):
            continue
        for name in names[0].split("|"):  # a page may speak of several at once
            path = (name, *names[1:])
            assert path in NAMED, line
            known = option_strings(PARSERS[path])
            several = [parser for path, parser in PARSERS.items() if path[:1] == (name,)]
            if len(words) > 1 and "|" in words[1]:
                known |= set().union(*map(option_strings, several))
            for word in words:
                option = re.match(r"\[?(--[a-z-]+)", word)
                assert not option or option[1] in known, f"{line}: {option[1]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_that_pages_speak_of_exist(page: Path) -> None:
    """Options of our tools and of other programs are named together with them."""
    known = set().union(*map(option_strings, PARSERS.values()))
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for option in re.findall(r"`(--[a-z-]+)", text):
        assert option in known, option


def test_help_says_every_default_that_is_not_nothing() -> None:
    for names, parser in PARSERS.items():
        for action in parser._actions:
            if action.default in (None, False, argparse.SUPPRESS, []) or action.choices:
                continue
            if action.option_strings:
                assert "default" in (action.help or ""), (names, action.option_strings)


def promises() -> str:
    return (DOCS / "promises.md").read_text(encoding="utf-8")


def test_every_promise_is_held_by_a_test_that_exists() -> None:
    rows = re.findall(r"^\| (?!promise|---)[^|]+ \| ([^|]*) \|$", promises(), re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert len(rows) > 20
    for holders in rows:
        named = re.findall(r"`([^`]+)`", holders)
        assert named, holders
        for holder in named:
            if holder.startswith("make "):
                assert re.search(rf"^{holder.removeprefix('make ')}:", makefile, re.MULTILINE)
            else:
                assert (ROOT / holder).is_file(), holder


def test_limits_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| (`captious\.[^|]+) \|$", promises(), re.MULTILINE)
    assert len(rows) > 10
    for limits, places in rows:
        stated = [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*(?:e\d+)?", limits)]
        real = []
        for place in re.findall(r"`([\w.]+)`", places):
            parts = re.fullmatch(r"(captious(?:\.[a-z_\d]+)*)\.([A-Z_]+(?:\.\w+)*)", place)
            assert parts is not None, place
            module, name = parts.groups()
            real.append(float(operator.attrgetter(name)(importlib.import_module(module))))
        assert set(stated) == set(real), limits
