"""The command `captious`, and `python -m captious`: whenever it is stopped, it stops quietly."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

STOPPING = ("SIGTERM", "SIGHUP")


class Stopped(BaseException):
    """The process is asked to end: what it was writing is cleaned up on the way out."""

    def __init__(self, number: int) -> None:
        self.number = number


def main() -> int:
    """Run the command that the process was started with."""
    # NumPy's threads otherwise wait for their first work at full speed, longer than many commands
    # take: this lets them sleep at once. Must be set before NumPy is imported.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    try:
        for name in STOPPING:
            number = getattr(signal, name, None)  # not every system has all
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _stop)
        # Not above: importing takes longer than many commands, and may be interrupted as well.
        from captious.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130  # as shells have it: 128 and the number of the signal
    except Stopped as stopped:
        # The sender learns that the signal was handled: the process ends by it.
        signal.signal(stopped.number, signal.SIG_DFL)
        os.kill(os.getpid(), stopped.number)
        raise
    finally:
        gc.freeze()  # what is left goes with the process, and need not be searched for cycles
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback out of a closing process


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise Stopped(number)


if __name__ == "__main__":
    sys.exit(main())
