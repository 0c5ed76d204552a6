"""python -m tests.kills: kill every command that writes, many times, at moments by chance."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections import Counter
from random import Random

from tabulate import tabulate

from tests.kills.commands import COMMANDS
from tests.kills.killing import BrokenPromise, Trial


def main() -> int:
    """Kill so many times; 1 if anything broke."""
    parser = argparse.ArgumentParser("python -m tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (default: 0)")
    parser.add_argument(
        "--command", action="append", choices=sorted(COMMANDS), help="only this one"
    )
    options = parser.parse_args()
    names = options.command or list(COMMANDS)
    absent = [
        name
        for name in names
        if any(importlib.util.find_spec(package) is None for package in COMMANDS[name].needs)
    ]
    if absent:
        print(f"left out, for want of a package: {', '.join(absent)}")
    trials = [Trial(COMMANDS[name]) for name in names if name not in absent]
    outcomes = {trial.command.name: Counter[str]() for trial in trials}
    broken = 0
    for number in range(options.kills):
        trial = trials[number % len(trials)]
        try:
            kill = trial.draw(Random(f"{options.seed}/{number}"))
            outcomes[trial.command.name][trial.survive(kill)] += 1
        except BrokenPromise as error:
            broken += 1
            outcomes[trial.command.name]["broken"] += 1
            print(f"BROKEN {number}: {error}", flush=True)
    columns = ("killed", "was done already", "broken")
    rows = [(name, *(counted[each] for each in columns)) for name, counted in outcomes.items()]
    print(tabulate(rows, ("command", *columns)))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
