"""Odd values of every option of every command: one line and exit code 2, or success."""

from __future__ import annotations

import argparse
import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import COMMANDS as ALL
from captious.cli.main import main, make_parser

HUGE = "9" * 5000
NUMBERS = ["", "x", "-1", "nan", "inf", "-inf", "1e400", "1e12", HUGE, "0x10", "1" * 400]
TEXTS = [
    *("", " ", ",", "\0", "\x1b[2J", "\ud800", "\udcff", "a" * 20_000),
    *("/", ".", "no/where.xyz", "-"),
]


def _parsers(
    parser: ArgumentParser, names: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ArgumentParser]]:
    """Every command that runs, with the words that name it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, part in action.choices.items():
                yield from _parsers(part, (*names, name))
            return
    yield names, parser


PARSER = make_parser(*ALL)  # made once: a hundredth of a second each time adds up
COMMANDS = dict(_parsers(PARSER))
OPTIONS = [
    pytest.param(names, action, id=" ".join((*names, action.option_strings[-1])))
    for names, parser in COMMANDS.items()
    for action in parser._actions
    if action.option_strings and action.nargs is None and action.dest != "help"
]


@pytest.fixture
def run_without_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Run a command where there are no files: it ends well, or with 2 and one line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("captious.cli.main.make_parser", lambda *called: PARSER)

    def run(*arguments: str) -> tuple[int, Any]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert code in (0, 2), arguments
        if code == 2:
            assert captured.err.count("\n") == 1, captured.err[:500]
            assert len(captured.err) < 2500 and captured.err.strip().isprintable()
            assert list(tmp_path.iterdir()) == [], "nothing is left behind"
        return code, captured

    return run


def _least(names: tuple[str, ...], but: Any = None) -> list[str]:
    """What a command cannot be started without, but for one option; no file is there."""
    arguments = list(names)
    for action in COMMANDS[names]._actions:
        if not action.option_strings:
            choice = next(iter(action.choices), "") if action.choices else "absent.npz"
            arguments += [choice] * (2 if action.nargs == "+" else action.nargs != "*")
        elif action.required and action is not but:
            arguments += [action.option_strings[-1], "absent.npz"]
    return arguments


@pytest.mark.parametrize(("names", "action"), OPTIONS)
def test_every_option_given_anything(
    names: tuple[str, ...], action: Any, run_without_files: Callable[..., Any]
) -> None:
    option = action.option_strings[-1]
    for value in TEXTS if action.type is None else NUMBERS:
        code, captured = run_without_files(*_least(names, action), f"{option}={value}")
        if action.type is not None or action.choices:
            assert code == 2 and (option in captured.err or action.dest in captured.err), value


@pytest.mark.slow
@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_every_argument_given_anything(
    names: tuple[str, ...], run_without_files: Callable[..., Any]
) -> None:
    places = [action for action in COMMANDS[names]._actions if not action.option_strings]
    options = _least(names)[len(names) :]
    for value in TEXTS if places else ():
        run_without_files(
            *names, "--", *[value] * sum(1 + (place.nargs == "+") for place in places)
        )
        given = [value if one == "absent.npz" else one for one in options]
        if value != "-":
            run_without_files(*names, *given)


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_commands_without_arguments_or_with_unknown_ones(
    names: tuple[str, ...], run_without_files: Callable[..., Any]
) -> None:
    run_without_files(*names)
    assert run_without_files(*names, "--nonsense")[0] == 2
    assert run_without_files(*_least(names), "--format", "yaml")[0] == 2
    assert run_without_files(*_least(names), "--format", "")[0] == 2
    run_without_files(*_least(names), "--quiet", "--quiet", "--format", "json", "--format", "text")


def test_errors_state_the_bounds_of_number_options(run_without_files: Callable[..., Any]) -> None:
    for value, captured in (("0", "from 1 up to 1,000,000"), ("1000000000000", "up to 1,000,000")):
        assert (
            captured in run_without_files("compare", "a.csv", "b.csv", "--resamples", value)[1].err
        )
    assert "from 0" in run_without_files("compare", "a.csv", "b.csv", "--seed=-1")[1].err


@pytest.fixture
def scores(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("scores")
    for name in "ab":
        rows = [{"id": n, "mine": n / 7} for n in range(9)]
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return [str(folder / f"{name}.json") for name in "ab"]


def test_the_ends_of_bounds_work(run_without_files: Callable[..., Any], scores: list[str]) -> None:
    for option in ("--resamples=1", f"--seed={2**63 - 1}"):
        code, captured = run_without_files("compare", *scores, option, "--format", "json")
        assert code == 0 and json.loads(captured.out, parse_constant=pytest.fail)


@pytest.mark.parametrize("kind", ["itself", "link", "hard link"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "IN.json", "--output", "OUT.json"],
        ["score", "a.json", "--references", "IN.json", "--output", "OUT.json"],
        ["meta", "custom", "--judgements", "IN.json", "--output", "OUT.json"],
        ["meta", "custom", "--judgements", "a.csv", "--scores", "IN.json", "--samples", "OUT.json"],
        ["df", "a.json", "IN.npz", "--output", "OUT.npz"],
        ["train", "nneval", "--data", ".", "--human", "a", "--machine", "IN.npz",
         "--output", "OUT.npz"],
        ["captioner", "train", "--captions", "a", "--validation", "a", "--features", "IN.npz",
         "--output", "OUT.npz"],
        ["captioner", "generate", "a.npz", "--features", "IN.json", "--output", "OUT.json"],
        ["captioner", "probabilities", "IN.npz", "--captions", "a", "--features", "a",
         "--output", "OUT.npz"],
        ["critic", "train", "--captions", "a", "--validation", "a", "--checkpoint", "IN.npz",
         "--output", "OUT.npz"],
        ["critic", "judge", "IN.json", "--references", "a", "--output", "OUT.json"],
        ["pregen", "search", "IN.csv", "--output", "OUT.csv"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_input_files_are_never_overwritten(
    arguments: list[str],
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (name,) = [one for one in arguments if one.startswith("IN")]
    given = tmp_path / name
    given.write_text("precious")
    if kind == "link":
        (tmp_path / name.replace("IN", "OUT")).symlink_to(given)
    elif kind == "hard link":
        (tmp_path / name.replace("IN", "OUT")).hardlink_to(given)
    else:
        arguments = [one.replace("OUT", "IN") for one in arguments]
    assert main(arguments) == 2
    captured = capsys.readouterr().err
    assert captured.count("\n") == 1 and "would be overwritten" in captured
    assert given.read_text() == "precious"


def test_numbers_in_options_are_not_taken_for_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()  # only what exists can be the same file
    places = ["--data", str(tmp_path), "--output", str(pages)]
    assert main(["reproduce", "leic", "--figure", "5", *places]) == 2
    captured = capsys.readouterr().err
    assert captured.count("\n") == 1 and "leave out --table, --figure and --section" in captured
