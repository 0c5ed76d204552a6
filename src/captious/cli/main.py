"""The command `captious`: finds the subcommand, and turns errors into one line."""

from __future__ import annotations

import argparse
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
from captious.cli.output import check_inputs_are_kept
from captious.cli.terminal import forget, prepare_streams, say, show
from captious.errors import CaptiousError, CaptiousWarning
from captious.shown import shown
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
        say(f"error: {message} (see {self.prog} --help)", self.prog)
        self.exit(USER_ERROR)


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = OneLineParser(prog="captious", description="A critic of image captions.")
    parser.add_argument("--version", action="version", version=f"captious {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if it worked, 2 if the user can mend what went wrong, 130 if interrupted."""
    try:
        prepare_streams()
        options = _parsed(arguments)
        warnings.showwarning = _show_warning
        if options.quiet:
            warnings.simplefilter("ignore", CaptiousWarning)
        check_inputs_are_kept(options)
        options.run(options)
    except SystemExit as stopped:  # argparse has said all
        return int(stopped.code or 0)
    except BrokenPipeError:
        forget(sys.stdout)  # whoever read it has seen enough
    except CaptiousError as error:
        return _refused(str(error))
    except MemoryError as error:
        reason = f" ({error})" if str(error) else ""
        return _refused(f"not enough memory{reason}; give it less at once, or a larger machine")
    except RecursionError:
        return _refused("something in the input is nested too deeply")
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        return _refused(f"{name}{error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    return 0


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser()
    try:
        for argument in arguments or ():
            if not _can_be_given(argument):
                parser.error(f"{shown(argument)} is not text that a command can be given")
        return parser.parse_args(arguments)
    except SystemExit:
        show("", end="")  # what was printed before, as help is, must have reached its reader
        raise


def _can_be_given(argument: str) -> bool:
    """Whether a process can be started with it; `main` may be called with anything."""
    try:
        return b"\0" not in os.fsencode(argument)
    except UnicodeEncodeError:
        return False


def _refused(reason: str) -> int:
    say(f"error: {reason}")
    return USER_ERROR


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> Any:
    say(f"warning: {message}")
