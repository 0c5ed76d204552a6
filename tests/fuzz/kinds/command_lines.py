"""Command lines: every command and option that the parser declares, with odd values."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import captious.cli.main as command
from captious.metrics.declarations import GROUPS, METRICS
from tests.fuzz import odd_values
from tests.fuzz.console import judge
from tests.fuzz.kind import Case, Kind, shorter_lists
from tests.fuzz.kinds import (
    captions_in_files,
    judgements_in_files,
    models_in_files,
    pregen_files,
    vectors_in_files,
)

# What trains or repeats a paper is met with files that are none of its own: refusing those is what
# is tried here, and training itself is the kill test's.
HEAVY = (
    *("train", "experiment", "critic train", "critic judge", "captioner train", "captioner tune"),
)
WRITTEN = ("output", "plot", "plots", "scatter", "samples", "checkpoint", "keep_epochs", "report")
ENDINGS = (".json", ".jsonl", ".csv", ".parquet", ".npz", ".svg", ".png", ".txt", ".html", "")
FILE = "@"  # before the name of a sound file
# Metrics with parameters, files and hashes, as they should be and not.
ADDRESSES = [
    *("cider_d(sigma=4)", "cider_d(sgma=4)", "bleu(", "hwcm_2(variant=released)", "wmd(pool=a+b)"),
    *("absent.npz", "absent.npz@123456", "absent.py:overlap", 'cider_d(df="a,(b")', "x@123456"),
    *("cider_d=1,captious=.5", "cider_d=", "bleu_4=x", "rouge_l=-1"),
]


class CommandLines(Kind):
    """A command with some of its options."""

    name = "command-lines"
    share = 8.0

    def make(self, random: Random) -> Case:
        """A command, what it must have, and some of what it may have."""
        words, parser = random.choice(_commands())
        line = list(words)
        options = [action for action in parser._actions if action.option_strings]
        chosen = [
            action
            for action in options
            if action.required or random.random() < min(0.3, 2 / len(options))
        ]
        for action in chosen:
            if isinstance(action, argparse._HelpAction) and random.random() < 0.95:
                continue
            line.append(random.choice(action.option_strings))
            line += _values(action, " ".join(words), random)
        for action in parser._actions:
            if not action.option_strings:
                line += _values(action, " ".join(words), random)
        if random.random() < 0.1:
            line.insert(random.randint(0, len(line)), odd_values.text(random))
        return {"line": line}

    def run(self, case: Case, folder: Path) -> str:
        """Write the sound files that are named, and run it."""
        line = []
        for word in case["line"]:
            name = word.removeprefix(FILE)
            if word.startswith(FILE) and name in _files():
                (folder / name).write_bytes(_files()[name])
                word = str(folder / name)
            line.append(word)
        return judge(line, folder, None)

    def smaller(self, case: Case) -> Iterable[Case]:
        """With fewer words."""
        for line in shorter_lists(case["line"]):
            yield {"line": line}


class Metrics(CommandLines):
    """Captions on the command line, where no file can be wrong."""

    name = "captions-as-arguments"
    share = 1.0

    def make(self, random: Random) -> Case:
        """A caption or a few, to be explained or drawn."""
        captions = [odd_values.text(random) for _ in range(random.randint(1, 4))]
        line = random.choice(
            (
                ["graph", *captions],
                ["graph", *captions, "--output", "g.svg"],
                ["graph", "--format", "json", "--", *captions],
                ["explain", *captions],
                ["explain", "--format", "json", "--", *captions],
            )
        )
        return {"line": line}


@cache
def _commands() -> list[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    return list(_walk(command.make_parser(*command.COMMANDS), ()))


def _walk(
    parser: argparse.ArgumentParser, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every command with all of its words, however deep."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        yield words, parser
    for action in below:
        for name, inner in action.choices.items():
            yield from _walk(inner, (*words, name))


def _values(action: argparse.Action, words: str, random: Random) -> list[str]:
    """As many values as an option or argument takes."""
    if action.nargs == 0:
        return []
    number = 1
    if action.nargs in ("+", "*"):
        number = random.randint(action.nargs == "+", 3)
    elif isinstance(action.nargs, int):
        number = action.nargs
    return [_value(action, words, random) for _ in range(number)]


def _value(action: argparse.Action, words: str, random: Random) -> str:
    chance = random.random()
    if chance < 0.12:
        return odd_values.text(random)
    if action.choices is not None:
        return str(random.choice(list(action.choices)))
    if action.type in (int, float):
        return str(odd_values.number(random) if chance < 0.6 else random.randint(0, 5))
    if action.dest in WRITTEN:
        return f"{random.choice(('out', 'é', 'a b', 'no/out', 'a.b'))}{random.choice(ENDINGS)}"
    if action.dest in ("metrics", "metric", "versus", "post", "names", "reward"):
        known = [
            *METRICS,
            *GROUPS,
            "bleu_4",
            "perplexity",
            "mean_*_prefix0",
            "correlation",
            *ADDRESSES,
        ]
        return ",".join(random.choices(known, k=random.choice((1, 1, 2))))
    if action.dest in ("captions", "candidate") and words in ("graph", "explain"):
        return odd_values.text(random)
    if chance < 0.3:
        return random.choice((".", "..", "/", "nothing.json", "nothing.npz", "~", "a" * 300))
    if words in HEAVY:
        return random.choice(("@rows.csv", "@p.npz", "nneval", "lexical+semantic", "nothing.toml"))
    return FILE + random.choice(sorted(_files()))


@cache
def _files() -> dict[str, bytes]:
    """Sound files of every kind, by names that say what they are."""
    found: dict[str, bytes] = {}
    for ending in (".json", ".jsonl", ".csv"):
        found[f"rows{ending}"] = captions_in_files.format_rows(captions_in_files.ROWS, ending)
        found[f"scores{ending}"] = captions_in_files.format_rows(captions_in_files.SCORES, ending)
        found[f"rated{ending}"] = captions_in_files.format_rows(judgements_in_files.RATED, ending)
    for kind in (*vectors_in_files.KINDS, *pregen_files.KINDS, *models_in_files.KINDS):
        if "torch" not in kind.needs and "pyarrow" not in kind.needs:
            found |= {name: content for name, content in kind.sound.items() if "/" not in name}
    return found


KINDS: list[Kind] = [CommandLines(), Metrics()]
