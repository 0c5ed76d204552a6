"""captious completion: a script by which a shell completes commands, options and metrics."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from captious.cli.main import COMMANDS, make_parser
from captious.cli.terminal import show
from captious.errors import MissingDependencyError
from captious.metrics.declarations import GROUPS, METRICS

DESCRIPTION = """Print a completion script for a shell: commands, options, their values and names of
metrics. The script runs no Python; print it again after an update."""
EXAMPLES = """examples:
  captious completion bash > ~/.local/share/bash-completion/completions/captious
  captious completion zsh > ~/.zfunc/_captious      # with fpath+=~/.zfunc before compinit
  captious completion fish > ~/.config/fish/completions/captious.fish
"""
PRINTS_TABLES = False
SHELLS = ("bash", "zsh", "fish")
# What is neither a file nor one of some choices: captions, names of columns, lists of numbers.
NO_FILES = {"CAPTION", "REFERENCE", "NAMES", "A,B", "N,N...", "KIND=SHARE,...", "COMMAND"}
METRIC_NAMES = "_captious_metrics"
# Several names with commas between: the last is completed, those before it stay.
SEVERAL = {
    "bash": """{function}() {{
  local before="" last="$1"
  if [[ "$1" == *,* ]]; then before="${{1%,*}},"; last="${{1##*,}}"; fi
  compgen -P "$before" -W "{names}" -- "$last"
}}
""",
    "zsh": """{function}() {{
  _values -s , metric {names}
}}
""",
    "fish": """function {function}
  set -l before (string match -r '.*,' -- (commandline -ct))
  for name in {names}
    printf '%s%s\\n' "$before" $name
  end
end
""",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    try:
        import shtab
    except ImportError:
        raise MissingDependencyError(
            "completion needs shtab: pip install 'captious[completion]'"
        ) from None
    parser = make_parser(*COMMANDS)
    for action in _iterate_actions(parser):
        _set_completion(action, shtab)
    show(shtab.complete(parser, options.shell), end="")


def _iterate_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments and options of all commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _iterate_actions(part)
        else:
            yield action


def _set_completion(action: Any, shtab: Any) -> None:
    """Tell shtab how to complete the value of an option."""
    if action.dest in ("metrics", "metric") and not action.choices:
        action.complete = _metric_completion()
    elif action.metavar == "NAME":
        action.choices = _list_metric_names()
    elif action.metavar == "COMMAND":
        action.choices = list(COMMANDS)
    elif action.metavar == "DIR":
        action.complete = shtab.DIRECTORY
    elif not (action.choices or action.type or action.nargs == 0 or action.metavar in NO_FILES):
        action.complete = shtab.FILE


def _metric_completion() -> dict[str, Any]:
    scripts = {
        shell: script.format(function=METRIC_NAMES, names=" ".join(_list_metric_names()))
        for shell, script in SEVERAL.items()
    }
    calls = {"bash": METRIC_NAMES, "zsh": METRIC_NAMES, "fish": f"({METRIC_NAMES})"}
    return {**calls, "preamble": scripts}


def _list_metric_names() -> list[str]:
    """List the names of groups, metrics and columns."""
    columns = (column for each in METRICS.declarations for column in each.columns)
    return list(dict.fromkeys([*GROUPS, *METRICS, *columns]))
