"""Streams from and to other file systems: the bytes that they have here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import main
from captious.comparison.score_files import read_scores
from captious.errors import InputError
from captious.io.inputs import read_input
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.io.remote_files import RemotePath, as_path
from captious.streaming.parts import Parts
from captious.streaming.process_engine import ProcessEngine
from captious.streaming.score_stream import score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources
from tests.remote import bucket, elsewhere
from tests.streaming.here import no_processes
from tests.streaming.rows import captions_of, write_rows

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
SCORING = Scoring("bleu,cider_d")
COUNT = 60
FILTERS = (
    ("--where", "words > 7"),  # rows alone
    ("--where", "words > 7", "--dedup", "text", "--top", "11", "--by", "rouge_l"),
)


@pytest.fixture
def uri(tmp_path: Path) -> Iterator[str]:
    with elsewhere(tmp_path / "elsewhere"), no_processes():
        yield "mem://box/{}?region=here"


def streamed(sources: list[str], output: Any, **how: Any) -> None:
    usual: dict[str, Any] = {"resamples": 10, "seed": 0, "engine": ProcessEngine(2), "rows": 20}
    score_stream(resolve_sources(sources), SCORING, output=output, **usual | how)


def contents(folder: Any) -> dict[str, bytes]:
    return {each.name: read_input(each) for each in folder.iterdir()}


def stream_remotely_and_locally(
    uri: str, tmp_path: Path, ending: str
) -> tuple[list[str], dict[str, bytes]]:
    """Rows there, and what comes of the same rows here."""
    columns = captions_of(COUNT)
    here = tmp_path / "rows"
    here.mkdir()
    halves = ([*range(30)], [*range(30, COUNT)])
    for number, rows in enumerate(halves):
        write_rows(here / f"{number}.{ending}", columns, rows)
        remote = RemotePath(uri.format(f"rows/{number}.{ending}"))
        with (here / f"{number}.{ending}").open("rb") as stream:
            remote.upload(stream)
    streamed([str(here)], tmp_path / "out", ending=ending.removesuffix(".gz"))
    return [uri.format(f"rows/*.{ending}")], contents(tmp_path / "out")


def resumed_and_refused(sources: list[str], folder: Any, expected: dict[str, bytes]) -> None:
    """Stopped after a part, it goes on; and what has changed is noticed."""
    with pytest.MonkeyPatch.context() as patched:
        usual = Parts.add

        def stop(parts: Parts, part: Any, sums: Any) -> None:
            if parts.done:
                raise KeyboardInterrupt
            usual(parts, part, sums)

        patched.setattr(Parts, "add", stop)
        with pytest.raises(KeyboardInterrupt):
            streamed(sources, folder)
    with pytest.raises(InputError, match="not finished; run the command"):
        read_scores(str(folder))
    assert (folder / UNFINISHED).is_dir() and not (folder / MANIFEST).is_file()
    streamed(sources, folder)
    assert contents(folder) == expected
    with pytest.raises(InputError, match="was begun with rows of a chunk 20, now it is 7"):
        streamed(sources, folder, rows=7)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "jsonl.gz"])
def test_remote_output_equals_local_output(uri: str, tmp_path: Path, ending: str) -> None:
    sources, expected = stream_remotely_and_locally(uri, tmp_path, ending)
    folder = as_path(uri.format("out"))
    streamed(sources, folder, ending=ending.removesuffix(".gz"))
    assert contents(folder) == expected
    assert read_scores(str(folder)).n == COUNT


def test_interrupted_remote_stream_resumes(uri: str, tmp_path: Path) -> None:
    sources, expected = stream_remotely_and_locally(uri, tmp_path, "jsonl")
    resumed_and_refused(sources, as_path(uri.format("out")), expected)


@pytest.mark.slow
def test_commands_take_uris(uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source,), _ = stream_remotely_and_locally(uri, tmp_path, "jsonl")
    how = ["--stream", "--metrics", "rouge_l", "--resamples", "5", "--chunk", "20"]
    assert main(["score", source, *how, "--output", uri.format("ours")]) == 0
    for name in ("theirs.parquet", "others.csv"):
        assert main(["score", source, *how, "--output", uri.format(name)]) == 0
    systems = [uri.format(name) for name in ("ours", "theirs.parquet", "others.csv")]
    capsys.readouterr()
    assert main(["compare", *systems, "--resamples", "10", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"] == ["ours", "theirs", "others"]
    first = uri.format("rows/0.jsonl")
    assert main(["score", first, *how, "--output", first]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    as_file = (tmp_path / "rows" / "0.jsonl").as_uri()
    assert main(["score", as_file, *how, "--output", (tmp_path / "local").as_uri()]) == 0
    assert (tmp_path / "local" / MANIFEST).is_file()


@pytest.mark.slow
def test_s3_server_is_written_by_worker_processes(tmp_path: Path) -> None:
    with bucket() as uri:
        sources, expected = stream_remotely_and_locally(uri, tmp_path, "jsonl")
        resumed_and_refused(sources, as_path(uri.format("out")), expected)
        how = ["filter", *sources, *FILTERS[1], "--chunk", "20", "--jobs", "2"]
        assert main([*how, "--output", str(tmp_path / "kept")]) == 0
        assert main([*how, "--output", uri.format("kept")]) == 0
        assert contents(as_path(uri.format("kept"))) == contents(tmp_path / "kept")
        assert main([*how, "--output", uri.format("kept.jsonl")]) == 0
        assert len(read_input(uri.format("kept.jsonl")).splitlines()) == 11
        with pytest.raises(InputError, match="no files named"):
            resolve_sources([uri.replace("//bucket", "//nobody").format("x/*.jsonl")])


@pytest.mark.slow
@pytest.mark.parametrize("options", FILTERS)
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_remote_filter_writes_the_same_bytes_as_local(
    uri: str, tmp_path: Path, ending: str, options: tuple[str, ...]
) -> None:
    (source,), _ = stream_remotely_and_locally(uri, tmp_path, ending)
    how = ["filter", source, *options, "--chunk", "20"]
    assert main([*how, "--output", str(tmp_path / "kept")]) == 0
    assert main([*how, "--output", uri.format("kept/")]) == 0
    there = as_path(uri.format("kept"))
    assert contents(there) == contents(tmp_path / "kept")
    assert main([*how, "--output", uri.format("kept")]) == 0  # once more: it is finished
    file = f"kept.{ending}"
    assert main([*how, "--output", str(tmp_path / file)]) == 0
    assert main([*how, "--output", uri.format(file)]) == 0
    assert main([*how, "--output", (tmp_path / f"again.{ending}").as_uri()]) == 0
    expected = (tmp_path / file).read_bytes()
    assert read_input(uri.format(file)) == expected
    assert (tmp_path / f"again.{ending}").read_bytes() == expected
    left = {each.name for each in as_path(uri.format("")).iterdir()}
    assert left == {"rows", "kept", file}


@pytest.mark.slow
def test_interrupted_remote_filter_resumes(
    uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,), _ = stream_remotely_and_locally(uri, tmp_path, "jsonl")
    how = ["filter", source, *FILTERS[1], "--chunk", "20"]
    assert main([*how, "--output", str(tmp_path / "kept")]) == 0
    with pytest.MonkeyPatch.context() as patched:
        usual = Parts.add

        def stop(parts: Parts, part: Any, sums: Any) -> None:
            if parts.done:
                raise KeyboardInterrupt
            usual(parts, part, sums)

        patched.setattr(Parts, "add", stop)
        assert main([*how, "--output", uri.format("kept")]) == 130
    there = as_path(uri.format("kept"))
    noted = [each.name for each in (there / UNFINISHED).glob("noted-*")]
    assert noted == ["noted-000000.json"]
    assert main([*how, "--seed", "3", "--output", uri.format("kept")]) == 2
    assert "was begun with" in capsys.readouterr().err
    assert main([*how, "--output", uri.format("kept")]) == 0
    assert contents(there) == contents(tmp_path / "kept")
    first = uri.format("rows/0.jsonl")
    assert main(["filter", first, "--where", "true", "--output", first]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert main([*how, "--output", uri.format("kept.csv")]) == 2
    assert "name it .jsonl, or name a folder" in capsys.readouterr().err
