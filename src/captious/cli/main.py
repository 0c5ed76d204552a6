"""The command `captious`: finds the subcommand, and turns errors into one line."""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

from captious.cli import (
    cache,
    captioner,
    compare,
    critic,
    df,
    doctor,
    experiment,
    explain,
    graph,
    meta,
    metrics,
    pregen,
    robustness,
    score,
    train,
    vectors,
)
from captious.errors import CaptiousError, CaptiousWarning
from captious.version import __version__

COMMANDS = (
    score,
    explain,
    compare,
    meta,
    robustness,
    graph,
    metrics,
    doctor,
    df,
    vectors,
    train,
    experiment,
    captioner,
    critic,
    pregen,
    cache,
)
USER_ERROR = 2


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and say where help is."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments."""
        self.exit(USER_ERROR, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = OneLineParser(prog="captious", description="A critic of image captions.")
    parser.add_argument("--version", action="version", version=f"captious {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if it worked, 2 if the user can mend what went wrong."""
    options = make_parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a letter is no error
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    if options.quiet:
        warnings.simplefilter("ignore", CaptiousWarning)
    try:
        options.run(options)
        sys.stdout.flush()
    except CaptiousError as error:
        print(f"captious: error: {' '.join(str(error).split())}", file=sys.stderr)
        return USER_ERROR
    except BrokenPipeError:
        _forget_output()  # whoever read it has seen enough
        return 0
    except OSError as error:
        _forget_output()
        print(f"captious: error: the output cannot be written ({error})", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt:
        return 130
    return 0


def _forget_output() -> None:
    """Drop what is still to be written: the interpreter would complain of it when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> Any:
    print(f"captious: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
