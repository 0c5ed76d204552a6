"""The command `captious`: finds the subcommand, and turns errors into one line."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from textwrap import fill
from typing import Any, NoReturn

from captious.cli.terminal import discard_output, log_to_stderr, prepare_streams, say, show
from captious.errors import CaptiousError, CaptiousWarning, short_repr
from captious.version import __version__

# Every command and what it does, as the help shows them. Each is a module of its name here,
# imported when it is called: DESCRIPTION and EXAMPLES for its help, `add_arguments` and `run`, or
# these for each of its SUBCOMMANDS.
GROUPS = {
    "score and compare": {
        "score": "score candidates against references",
        "compare": "compare systems in one table, with significance tests",
        "report": "write an HTML report about systems",
        "filter": "select captions by scores, lengths and your own columns",
    },
    "understand": {
        "check": "find what distorts scores: lengths, language, markup, ids",
        "explain": "explain the score of a caption",
        "graph": "show a caption's objects, attributes and relations",
        "metrics": "list all metrics or those of a group, or describe one",
    },
    "train": {
        "train": "train a learned metric",
        "captioner": "train a captioner, or use one",
        "critic": "train a critic (LEIC), or judge a system with critics",
    },
    "research": {
        "meta": "measure how well metrics agree with human judgements",
        "robustness": "test metrics on captions made worse on purpose",
        "pregen": "evaluate a captioner from word probabilities, without generating",
        "reproduce": "reproduce the tables and figures of a paper",
    },
    "housekeeping": {
        "doctor": "show what is installed and what is missing",
        "df": "collect document frequencies for CIDEr",
        "vectors": "convert your own word vectors for wmd and mowe",
        "cache": "show or empty the cache of analyses",
        "completion": "print a completion script for your shell",
        "help": "show this, or the help of a command",
    },
}
COMMANDS = {name: what for commands in GROUPS.values() for name, what in commands.items()}
USER_ERROR = 2
HELP_WIDTH = 78  # of descriptions, as argparse has it in 80 columns


class OneLineParser(argparse.ArgumentParser):
    """Argument parser whose errors are one line with the nearest valid name and where help is."""

    def error(self, message: str) -> NoReturn:
        """Print the error in one line, and exit."""
        say(f"{message} (see {self.prog} --help)", "error", self.prog)
        self.exit(USER_ERROR)

    def print_help(self, file: Any = None) -> None:
        """Print the help as results are printed."""
        show(self.format_help(), end="")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject a value that is not among the choices, and name the nearest."""
        if action.choices is None or value in action.choices:
            return
        near = find_nearest(value, action.choices)
        hint = f"there are: {', '.join(map(str, action.choices))}"
        hint = hint if near is None else f"did you mean {near}?"
        if isinstance(action, argparse._SubParsersAction):
            self.error(f"unknown command {short_repr(value)}; {hint}")
        raise argparse.ArgumentError(action, f"invalid choice: {short_repr(value)}; {hint}")

    def reject_unknown(self, unknown: Sequence[str]) -> NoReturn:
        """Reject an unknown argument, and name the nearest option."""
        first = unknown[0]
        if not first.startswith("-"):
            self.error(f"unexpected argument {short_repr(first)}")
        name = first.partition("=")[0]
        near = find_nearest(name, self.option_strings())
        hint = "" if near is None else f"; did you mean {near}?"
        self.error(f"unknown option {short_repr(name)}{hint}")

    def option_strings(self) -> list[str]:
        """List all option strings."""
        return [string for action in self._actions for string in action.option_strings]


class TopLevelParser(OneLineParser):
    """Parser of `captious` itself, whose help lists the commands in groups."""

    def format_help(self) -> str:
        """Return the help: every command with a line about it."""
        width = max(map(len, COMMANDS))
        lines = [f"usage: {self.prog} COMMAND ...", "", f"{self.description}"]
        for group, commands in GROUPS.items():
            lines += ["", f"{group}:"]
            lines += [f"  {name:<{width}}  {what}" for name, what in commands.items()]
        lines += ["", "options:", "  -h, --help  show this", "  --version   show the version"]
        return "\n".join([*lines, "", f"{self.prog} help COMMAND shows a command's options.", ""])


def find_nearest(given: Any, known: Iterable[Any]) -> str | None:
    """Return the known name that is most similar, or None."""
    from captious._internal.similar_names import closest_name  # for mistakes alone

    return closest_name(str(given), map(str, known))


def make_parser(*called: str) -> OneLineParser:
    """Make a parser with the arguments of the called commands and the names of all others."""
    parser = TopLevelParser(prog="captious", description="A critic of image captions.")
    parser.add_argument("--version", action="version", version=f"captious {__version__}")
    # Without its class, argparse would take that of the parser above.
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=OneLineParser)
    for name, what in COMMANDS.items():
        command = commands.add_parser(name, help=what)
        if name in called:
            _add_command(command, name)
    return parser


def _add_command(parser: argparse.ArgumentParser, name: str) -> None:
    # Imported here: `captious --help` needs none of it.
    from captious._internal.garbage_collection import pause_garbage_collection

    with pause_garbage_collection():  # all that is imported stays
        from captious.cli.options import add_command_arguments

        command = import_module(f"captious.cli.{name}")
    parser.description = fill(command.DESCRIPTION, HELP_WIDTH)
    parser.epilog = command.EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_command_arguments(parser, command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0 for success, 2 for an error of the user's, 130 if interrupted."""
    try:
        prepare_streams()
        options = _parse(arguments)
        warnings.showwarning = _make_warning_printer()
        warnings.simplefilter("ignore" if options.quiet else "always", CaptiousWarning)
        from captious.cli.output import check_inputs_not_overwritten

        check_inputs_not_overwritten(options)
        with log_to_stderr(options.verbose):
            options.run(options)
    except SystemExit as stopped:  # argparse has said all
        return int(stopped.code or 0)
    except BrokenPipeError:
        discard_output(sys.stdout)  # the reader closed the pipe
    except CaptiousError as error:
        return _report_error(str(error))
    except MemoryError as error:
        reason = f" ({error})" if str(error) else ""
        return _report_error(
            f"not enough memory{reason}; use less data at once, or a machine with more memory"
        )
    except RecursionError:
        return _report_error("something in the input is nested too deeply")
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        return _report_error(f"{name}{error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    arguments = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    parser = make_parser(*(argument for argument in arguments[:1] if argument in COMMANDS))
    try:
        for argument in arguments:
            if not _is_valid_argument(argument):
                parser.error(f"{short_repr(argument)} is not valid as a command-line argument")
        if arguments[0].startswith("-") and arguments[0] not in parser.option_strings():
            parser.reject_unknown(arguments)
        options, unknown = parser.parse_known_args(arguments)
        if unknown:
            options.parser.reject_unknown(unknown)
        options.typed = tuple(arguments)  # for what says how it was made
        if options.quiet and options.verbose:
            options.parser.error("--quiet and --verbose contradict each other; give one")
        return options
    except SystemExit:
        show("", end="")  # what was printed before, as help is, must have reached its reader
        raise


def _is_valid_argument(argument: str) -> bool:
    """Return whether a process can have this argument; `main` may be called with any text."""
    try:
        return b"\0" not in os.fsencode(argument)
    except UnicodeEncodeError:
        return False


def _report_error(reason: str) -> int:
    say(reason, "error")
    return USER_ERROR


def _make_warning_printer() -> Callable[..., None]:
    """Return a replacement of `warnings.showwarning` that prints each warning once."""
    printed: set[str] = set()

    def show_warning(message: Warning | str, *place: object, **stream: object) -> None:
        if str(message) not in printed:
            printed.add(str(message))
            say(str(message), "warning")

    return show_warning
