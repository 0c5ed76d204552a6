"""A user's own feature set from a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from captious.errors import InputError, MissingDependencyError, short_repr
from captious.io.inputs import read_text
from captious.metrics.learned.features import MIN_MAX, Feature, FeatureSet, option_pairs

_SET_KEYS = ("name", "scaling", "pool", "most_references", "feature", "training")
MAX_NAME_CHARS = 200  # it stands in files' names and signatures
_NUMBER_KEYS = ("shift", "divisor")
_FEATURE_KEYS = ("column", "options", "pool", *_NUMBER_KEYS)


def read_toml(path: str | Path) -> dict[str, Any]:
    """The contents of a TOML file."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError:
            raise MissingDependencyError(
                "TOML files need the package tomli before Python 3.11; "
                "install it with: pip install 'captious[train]'"
            ) from None
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{path}: TOML nested too deeply to be a recipe") from None
    except ValueError as error:  # malformed, or a number of thousands of digits
        raise InputError(f"{path}: not a TOML file ({error})") from None


def read_feature_set(path: str | Path) -> FeatureSet:
    """A feature set from a file with `name`, `scaling`, `pool` and one [[feature]] a column."""
    return parse_feature_set(read_toml(path), str(path))


def parse_feature_set(table: Mapping[str, Any], where: str) -> FeatureSet:
    """A feature set from what a TOML file or a weights file says of it."""
    _check_keys(table, _SET_KEYS, where)
    listed = table.get("feature", [])
    if not isinstance(listed, list) or not all(isinstance(each, str | dict) for each in listed):
        raise InputError(f"{where}: `feature` is a list of columns or of tables [[feature]]")
    pool = table.get("pool", "max")
    try:
        features = tuple(_parse_feature(each, pool) for each in listed)
        name, scaling = table.get("name", Path(where).stem), table.get("scaling", MIN_MAX)
        if not isinstance(name, str) or len(name) > MAX_NAME_CHARS:
            raise InputError(
                f"`name` is a text of up to {MAX_NAME_CHARS} letters, not {short_repr(name)}"
            )
        return FeatureSet(name, features, scaling, table.get("most_references"))
    except (LookupError, TypeError, ValueError) as error:  # a list, or a huge number, as an option
        raise InputError(f"{where}: {error.args[0]}") from None


def _parse_feature(given: str | dict[str, Any], pool: str) -> Feature:
    table: dict[str, Any] = {"column": given} if isinstance(given, str) else given
    _check_keys(table, _FEATURE_KEYS, "feature")
    if not isinstance(table.get("column"), str):
        raise InputError("a feature needs the name of its `column`")
    options = table.get("options", {})
    numbers: dict[str, Any] = {name: table[name] for name in _NUMBER_KEYS if name in table}
    if not isinstance(options, dict):
        raise InputError(f"{table['column']}: options are a table, such as {{ df = '...' }}")
    if not all(isinstance(number, int | float) for number in numbers.values()):
        raise InputError(f"{table['column']}: shift and divisor are numbers")
    choices: dict[str, Any] = {"pool": table.get("pool", pool), **numbers}
    if options:
        return Feature(table["column"], option_pairs(options), **choices)
    return Feature.of(table["column"], **choices)  # which may have parameters: cider_d(sigma=4)


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = [name for name in table if name not in known]
    if unknown:
        raise InputError(
            f"{where}: unknown entry {short_repr(unknown[0])}; known are: {', '.join(known)}"
        )
