from __future__ import annotations

import sys
import threading

import pytest

from captious.streaming.ray_engine import StdoutWithoutRay


@pytest.mark.parametrize("name", ["ray_listen_error_messages", "mine"])
def test_output_of_ray_threads_goes_to_standard_error(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = StdoutWithoutRay(sys.stdout)
    print("kept: 3", file=printed, flush=True)
    thread = threading.Thread(target=print, args=("said",), kwargs={"file": printed}, name=name)
    thread.start()
    thread.join()
    told, noted = capsys.readouterr()
    assert (told, noted) == (("kept: 3\n", "said\n") if name != "mine" else ("kept: 3\nsaid\n", ""))
    assert printed.encoding == sys.stdout.encoding
