"""Scoring opens no connection: everything that it needs is in the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCORE = """
import socket

def refuse(*arguments, **named):
    raise AssertionError("a connection was opened")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import captious

result = captious.score(["a dog runs"], [["a dog", "the dog runs"]], "all", cache=False)
assert not result.left_out and len(result.columns) > 30
"""


@pytest.mark.slow
def test_every_metric_without_a_connection() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", SCORE], check=True, timeout=300)
