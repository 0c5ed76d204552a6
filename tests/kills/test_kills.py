"""Kills at the moments where a file is made, filled and named; more: `python -m tests.kills`."""

from __future__ import annotations

import signal

import pytest

from tests.kills.commands import COMMANDS
from tests.kills.killing import Kill, Trial

pytestmark = pytest.mark.slow

# The last moments of a run are those of its output: opened beside the target, then renamed.
KILLS = [
    ("score.csv", -1, signal.SIGKILL),
    ("score.csv", -2, signal.SIGTERM),
    ("score.csv.gz", -2, signal.SIGINT),
    ("df", -1, signal.SIGKILL),
    ("vectors", -3, signal.SIGKILL),
    ("graph", -1, signal.SIGINT),
    ("report", -1, signal.SIGKILL),
    ("report", -2, signal.SIGTERM),
    ("pregen-search", -2, signal.SIGKILL),
    ("meta-report", -1, signal.SIGKILL),
    ("meta-samples", -1, signal.SIGTERM),
    ("cache", 2, signal.SIGKILL),
    ("cache", 4, signal.SIGKILL),
]


@pytest.fixture(scope="module")
def trials() -> dict[str, Trial]:
    """Each command is run undisturbed once."""
    return {name: Trial(COMMANDS[name]) for name in dict.fromkeys(name for name, _, _ in KILLS)}


@pytest.mark.parametrize(("name", "moment", "what"), KILLS)
def test_a_killed_command_leaves_nothing_half_done(
    trials: dict[str, Trial], name: str, moment: int, what: signal.Signals
) -> None:
    trial = trials[name]
    last = trial.undisturbed.moments
    assert trial.survive(Kill(what, moment % (last + 1), 0, had_earlier=True)) == "killed"
