"""The command `captious`: finds the subcommand, and turns errors into one line."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from textwrap import fill
from types import ModuleType
from typing import NoReturn

from captious.cli.inputs_kept import check_inputs_are_kept
from captious.cli.terminal import forget, prepare_streams, say, show
from captious.errors import CaptiousError, CaptiousWarning
from captious.shown import shown
from captious.version import __version__

# Every command and what it does. Each is a module of its name here, imported when it is called:
# DESCRIPTION and EXAMPLES for its help, `declare` for its arguments and `run`, or these as PARTS.
COMMANDS = {
    "score": "score candidates against references",
    "check": "say what moves a score: lengths, language, markup, ids",
    "explain": "say why a caption scores as it does",
    "compare": "test whether two systems differ",
    "meta": "say which metric agrees with people",
    "robustness": "put metrics before captions made worse on purpose",
    "graph": "show a caption's objects, attributes and relations",
    "metrics": "list the metrics, or one's parameters",
    "doctor": "say what is installed and what is missing",
    "df": "collect document frequencies for CIDEr",
    "vectors": "make word vectors of your own ready for wmd and mowe",
    "train": "train a learned metric",
    "reproduce": "every table and figure of a paper, ours beside published",
    "captioner": "train a captioner, or use one",
    "critic": "train a critic (LEIC), or judge a system by critics",
    "pregen": "judge a captioner before it writes a word",
    "cache": "show or empty the cache of analyses",
}
USER_ERROR = 2
HELP_WIDTH = 78  # of descriptions, as argparse has it in 80 columns


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and say where help is."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments."""
        say(f"error: {message} (see {self.prog} --help)", self.prog)
        self.exit(USER_ERROR)


def make_parser(*called: str) -> argparse.ArgumentParser:
    """The parser of the commands that are called; of the others it has the names."""
    parser = OneLineParser(prog="captious", description="A critic of image captions.")
    parser.add_argument("--version", action="version", version=f"captious {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, what in COMMANDS.items():
        command = commands.add_parser(name, help=what)
        if name in called:
            _declare(command, import_module(f"captious.cli.{name}"))
    return parser


def _declare(parser: argparse.ArgumentParser, command: ModuleType) -> None:
    from captious.cli.options import complete  # takes longer than all that is imported above

    parser.description = fill(command.DESCRIPTION, HELP_WIDTH)
    parser.epilog = command.EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    complete(parser, command)


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
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = make_parser(*(argument for argument in arguments[:1] if argument in COMMANDS))
    try:
        for argument in arguments:
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


def _show_warning(message: Warning | str, *place: object, **stream: object) -> None:
    say(f"warning: {message}")
