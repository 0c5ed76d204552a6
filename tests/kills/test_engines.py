"""A driver, a worker and an actor, each killed once; more: `python -m tests.kills.engines`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kills.engines import ACTOR, DRIVER, LOCAL, RAY, WORKER, Kill, Trials, local_cluster

pytestmark = pytest.mark.slow


def test_streams_survive_the_death_of_drivers_and_workers(tmp_path: Path) -> None:
    trials = Trials(tmp_path)
    assert trials.survive(Kill("filter, chosen", LOCAL, DRIVER, 0.7)) == "killed"
    assert trials.survive(Kill("score", LOCAL, WORKER, 0.5)) == "killed"


def test_a_cluster_survives_the_death_of_an_actor(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with local_cluster() as cluster:
        trials = Trials(tmp_path, cluster)
        assert trials.survive(Kill("filter, near", RAY, ACTOR, 0.1)) == "killed"
