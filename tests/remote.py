"""Other file systems for tests: a folder of this machine in pyarrow's clothes, and a real S3."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote

import pytest

from captious.io import remote_files

KEYS = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@contextmanager
def elsewhere(folder: Path) -> Iterator[None]:
    """A block within which `mem://...` names files that lie in a folder, for this process alone."""
    fs = pytest.importorskip("pyarrow.fs")
    usual = remote_files._file_system

    def found(uri: str) -> tuple[Any, str]:
        if not uri.startswith("mem://"):
            return usual(uri)
        name = unquote(uri.partition("?")[0].removeprefix("mem://"))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        return fs.SubTreeFileSystem(str(folder), fs.LocalFileSystem()), name

    with mock.patch.object(remote_files, "_file_system", found):
        yield


@contextmanager
def bucket() -> Iterator[str]:
    """The URIs of an S3 that runs here: a name is put in place of `{}`."""
    fs = pytest.importorskip("pyarrow.fs")
    pytest.importorskip("moto", "5", reason="no S3 of its own: pip install 'moto[server]>=5'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)],
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | KEYS,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    uri = f"s3://bucket/{{}}?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
    try:
        with mock.patch.dict(os.environ, KEYS):
            _wait_for(port)
            made = uri.format("") + "&allow_bucket_creation=true"
            fs.FileSystem.from_uri(made)[0].create_dir("bucket")
            yield uri
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    for _ in range(300):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the S3 of the test does not answer")
