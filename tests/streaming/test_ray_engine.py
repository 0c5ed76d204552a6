"""The same work on a Ray cluster of two nodes: the same bytes, also when a node is lost."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from captious.cli.main import main
from captious.errors import InputError
from captious.io.inputs import read_input
from captious.io.remote_files import RemotePath
from captious.streaming.chunks import iter_chunks
from captious.streaming.filtering.filtered_parts import FilteredParts
from captious.streaming.filtering.planning import FilterRequest, peek_columns, plan_filter
from captious.streaming.filtering.selection import Sample, SelectionRules
from captious.streaming.folder_lock import lock_folder
from captious.streaming.process_engine import ProcessEngine
from captious.streaming.ray_engine import RayEngine
from captious.streaming.score_stream import score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources, unpack_sources
from captious.streaming.tasks import Engine
from tests.kills.descendants import ACTOR, find_children
from tests.remote import KEYS, bucket
from tests.streaming.rows import captions_of, write_rows
from tests.streaming.same_figures import figures, rows_in

ray = pytest.importorskip("ray")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with mock.patch.dict(os.environ, KEYS):  # which actors have from their node
        made = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
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
        resolve_sources([str(path)]),
        scoring,
        engine=ProcessEngine(1),
        output=tmp_path / "here",
        **how,
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
    score_stream(resolve_sources([str(path)]), scoring, engine=RayEngine(), output=folder, **how)
    losing.join()
    assert parts_of(folder) == expected


def test_one_node_and_two_have_the_figures_of_one_process(cluster: Any, tmp_path: Path) -> None:
    rows, shuffled = rows_in(tmp_path), rows_in(tmp_path, shuffled=True)
    expected = figures(rows, tmp_path / "here", ProcessEngine(1), 25)
    assert figures(rows, tmp_path / "one", RayEngine(), 13) == expected
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    assert figures(shuffled, tmp_path / "two", RayEngine(), 8) == expected
    cluster.remove_node(second)


FILTERS = {
    "single rows": FilterRequest(where="form > .1 and words < 9"),
    "the best": FilterRequest(
        by="rouge_l", wanted=SelectionRules(per_image=1, top=150), duplicates="text"
    ),
    "near ones": FilterRequest(
        where="words > 2", duplicates=0.9, wanted=SelectionRules(sample=Sample(count=100))
    ),
}


def filtered(asked: FilterRequest, path: Path, folder: Path, engine: Engine) -> dict[str, Any]:
    columns, chunks = peek_columns(iter_chunks(resolve_sources([str(path)]), 20))
    plan = plan_filter(asked, columns)
    with lock_folder(folder):
        parts = FilteredParts(folder, "jsonl", plan.filter, plan.settings)
        return parts.run(chunks, engine).to_dict()


@pytest.mark.parametrize("mishap", ["none", "an actor is killed", "a node is lost"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_cluster_keeps_the_rows_that_one_process_keeps(
    cluster: Any, tmp_path: Path, name: str, mishap: str
) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(400))
    here, there = tmp_path / "here", tmp_path / "there"
    counts = filtered(FILTERS[name], path, here, ProcessEngine(1))
    if mishap == "a node is lost":
        lost = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()

    def do_harm() -> None:
        while len([*there.glob("part-*"), *there.glob("unfinished/sifted-*")]) < 3:
            time.sleep(0.01)
        if mishap == "a node is lost":
            cluster.remove_node(lost, allow_graceful=False)
        else:
            actors = find_children(ACTOR)
            assert actors
            for actor in actors:
                os.kill(actor, signal.SIGKILL)

    harm = threading.Thread(target=do_harm)
    if mishap != "none":
        harm.start()
    assert filtered(FILTERS[name], path, there, RayEngine()) == counts
    if mishap != "none":
        harm.join()
    assert parts_of(there) == parts_of(here)


def test_images_without_references_on_a_cluster_from_another_folder(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    from tests.made_up.toy_images import noise, saved

    monkeypatch.chdir(tmp_path)  # paths mean to actors what they mean here
    Path("photos").mkdir()
    for name in range(3):
        (Path("photos") / f"{name}.png").write_bytes(saved(noise(seed=name), "PNG"))
    rows = [{"id": n, "candidate": f"a dog runs {n}", "image": str(n % 3)} for n in range(9)]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    line = ["filter", "rows.jsonl", "--where", "captious_image_alone > .001 and form > .2",
            "--images", "photos", "--chunk", "4", "--no-cache", "--quiet"]  # fmt: skip
    assert main([*line, "--output", "here.jsonl", "--jobs", "1"]) == 0
    assert main([*line, "--output", "there.jsonl", "--engine", "ray"]) == 0
    assert Path("there.jsonl").read_bytes() == Path("here.jsonl").read_bytes()
    kept = [json.loads(line) for line in Path("here.jsonl").read_text().splitlines()]
    assert kept and len({row["captious_image_alone"] for row in kept}) > 1


def test_error_on_a_node_is_raised_by_the_driver(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "candidate": "a", "references": ["a"]}\n{"id": 2}\n')
    with pytest.raises(InputError, match="line 2"):
        score_stream(
            resolve_sources([str(path)]),
            Scoring("rouge_l"),
            resamples=2,
            seed=0,
            engine=RayEngine(),
        )


def test_packed_files_and_other_file_systems(cluster: Any, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl.gz", captions_of(100))
    how: dict[str, Any] = {"resamples": 20, "seed": 0, "rows": 20}
    scoring = Scoring("rouge_l")
    sources = resolve_sources([str(path)])
    score_stream(sources, scoring, engine=ProcessEngine(1), output=tmp_path / "here", **how)
    expected = parts_of(tmp_path / "here")
    with unpack_sources(sources, tmp_path / "there") as readable:
        score_stream(readable, scoring, engine=RayEngine(), output=tmp_path / "there", **how)
    assert parts_of(tmp_path / "there") == expected
    with bucket() as uri:
        RemotePath(uri.format("rows.jsonl")).upload(io.BytesIO(gzip.decompress(path.read_bytes())))
        folder = RemotePath(uri.format("out"))
        given = resolve_sources([uri.format("rows.jsonl")])
        score_stream(given, scoring, engine=RayEngine(), output=folder, **how)
        assert {each.name: read_input(each) for each in folder.iterdir()} == expected


def test_filters_take_packed_files_and_write_to_other_file_systems(
    cluster: Any, tmp_path: Path
) -> None:
    path = write_rows(tmp_path / "rows.jsonl.gz", captions_of(100))
    line = ["filter", str(path), "--where", "words > 6", "--dedup", "text", "--chunk", "20"]
    line += ["--per-image", "1", "--by", "rouge_l", "--quiet"]
    assert main([*line, "--output", str(tmp_path / "here"), "--jobs", "1"]) == 0
    expected = parts_of(tmp_path / "here")
    assert main([*line, "--output", str(tmp_path / "there"), "--engine", "ray"]) == 0
    assert parts_of(tmp_path / "there") == expected
    assert {each.name for each in tmp_path.iterdir()} == {path.name, "here", "there"}
    with bucket() as uri:
        folder = RemotePath(uri.format("kept"))
        assert main([*line, "--output", str(folder), "--engine", "ray"]) == 0
        assert {each.name: read_input(each) for each in folder.iterdir()} == expected


def test_ray_prints_no_deduplicated_messages_at_exit() -> None:
    code = (
        "from captious.streaming.ray_engine import _import_ray\n"
        "_import_ray()\n"
        "from ray._private.worker import stdout_deduplicator as kept\n"
        "lost = {'lines': ['a node was lost'], 'pid': 'raylet', 'is_err': False}\n"
        "assert [kept.deduplicate(dict(lost, pid=pid)) for pid in (1, 2, 3)]\n"
        "assert not kept.flush()\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "RAY_DEDUP_LOGS"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_documented_autoscaler_file_is_valid() -> None:
    yaml = pytest.importorskip("yaml")
    from ray.autoscaler._private.util import prepare_config, validate_config

    page = (Path(__file__).parents[2] / "docs" / "streams.md").read_text()
    (file,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    validate_config(prepare_config(yaml.safe_load(file)))
    with pytest.raises(Exception, match="Additional properties are not allowed"):
        validate_config(prepare_config({**yaml.safe_load(file), "workers": 20}))
