"""The same work on a Ray cluster of two nodes: the same bytes, also when a node is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from captious.engine.on_ray import OnRay
from captious.engine.processes import InProcesses
from captious.engine.score_stream import score_stream
from captious.engine.scoring import Scoring
from captious.engine.sources import sources_of
from captious.errors import InputError
from tests.engine.rows import captions_of, write_rows

ray = pytest.importorskip("ray")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def parts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*.*")}


def test_a_cluster_writes_the_bytes_of_one_process_and_may_lose_a_node(
    cluster: Any, tmp_path: Path
) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(400))
    how: dict[str, Any] = {"resamples": 20, "seed": 0, "rows": 20}
    scoring = Scoring("rouge_l,cider_d")  # of which the second counts n-grams first
    score_stream(
        sources_of([str(path)]), scoring, engine=InProcesses(1), output=tmp_path / "here", **how
    )
    expected = parts_of(tmp_path / "here")
    lost = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    folder = tmp_path / "there"

    def lose_a_node() -> None:
        while len(list(folder.glob("part-*"))) < 3:
            time.sleep(0.02)
        cluster.remove_node(lost, allow_graceful=False)

    losing = threading.Thread(target=lose_a_node)
    losing.start()
    score_stream(sources_of([str(path)]), scoring, engine=OnRay(), output=folder, **how)
    losing.join()
    assert parts_of(folder) == expected


def test_an_error_of_a_node_is_raised_here(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "candidate": "a", "references": ["a"]}\n{"id": 2}\n')
    with pytest.raises(InputError, match="line 2"):
        score_stream(
            sources_of([str(path)]), Scoring("rouge_l"), resamples=2, seed=0, engine=OnRay()
        )
