"""Registry: metrics by address: names, columns, groups, parameters, weights, functions in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, UnknownMetricError, short_repr, warn
from captious.metrics.base import Metric
from captious.metrics.declarations import (
    GROUPS,
    METRICS,
    WEIGHTS_FILE_METRICS,
    MetricDeclaration,
    import_metric,
)
from captious.metrics.function import FunctionMetric, ScoreFunction, load_function
from captious.metrics.names import (
    AMBIGUOUS_NAMES,
    normalize_name,
    resolve_alias,
    suggest_alternative,
)
from captious.metrics.parameters import make_metric, unknown_parameter_error
from captious.signature import Address, Resource, parse_addresses
from captious.text.languages import ENGLISH, language_code

DEFAULT = ("coco", "captious")


class UnusedOptionError(InputError):
    """An option that no metric has that was chosen by name."""

    def __init__(self, option: str, chosen: Iterable[str]) -> None:
        self.option = option
        super().__init__(
            f"no metric chosen by name has the option {short_repr(option)} "
            f"(chosen by name: {', '.join(chosen) or 'none'})"
        )


@dataclass(frozen=True)
class Selection:
    """The metrics that were asked for, the columns to show, and what a group had to leave out.

    `notes` tell the user how names were resolved, where that may surprise.
    """

    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # not installed
    notes: tuple[str, ...] = ()
    english_only: tuple[str, ...] = ()  # left out, too: the captions are in another language

    def without_english_only(self) -> Selection:
        """Return the selection without metrics that only score English."""
        kept = tuple(metric for metric in self.metrics if not metric.english_part())
        columns = {column for metric in kept for column in metric.columns}
        english_only = tuple(column for column in self.columns if column not in columns)
        if not kept:
            raise _none_left_error(english_only)
        return replace(
            self,
            metrics=kept,
            columns=tuple(column for column in self.columns if column in columns),
            english_only=(*self.english_only, *english_only),
        )

    @property
    def columns_needing_references(self) -> tuple[str, ...]:
        """The columns that cannot be scored without references."""
        without = {column for metric in self.metrics for column in metric.reference_free_columns}
        return tuple(column for column in self.columns if column not in without)


# What metrics are asked for: addresses, metrics, functions, several of them, or a selection.
Names = Iterable[str | Metric | ScoreFunction] | str | Metric | ScoreFunction | Selection | None


def select(
    names: Names = None, options: Mapping[str, Any] | None = None, language: str = ENGLISH
) -> Selection:
    """Select metrics by addresses (`bleu`, `bleu_4`, `coco`, `cider_d(sigma=4)`, `mine.npz`,
    `mine.py:overlap`), metrics themselves, and functions of a candidate and its references.

    `options` are parameters (`df`) for every metric named without parameters of that name. In
    another `language` than English a group leaves out what is English only; a name is an error.
    """
    language = language_code(language)
    if isinstance(names, Selection):
        if options:
            raise InputError("metric objects take no further options")
        _check_language(names.metrics, language)
        return names
    if isinstance(names, str | Metric) or callable(names):
        names = [names]
    if names is not None and not isinstance(names, Iterable):
        raise InputError(f"metrics are names, metrics or functions, not {short_repr(names)}")
    chosen = _SelectionBuilder(options or {}, language)
    if names is None:
        chosen.add_members(DEFAULT)
    else:
        for name in names:
            chosen.add(name)
    return chosen.selection()


def select_and_warn(
    names: Names = None, options: Mapping[str, Any] | None = None, language: str = ENGLISH
) -> Selection:
    """Select metrics, and warn of names that mean something else than they may seem to."""
    selection = select(names, options, language)
    if not isinstance(names, Selection):  # whose notes were shown when it was built
        for note in selection.notes:
            warn(note)
    return selection


class _SelectionBuilder:
    """Builder of a selection: adds metrics one by one, creating each once."""

    def __init__(self, options: Mapping[str, Any], language: str) -> None:
        self._options = options
        self._language = language
        self._metrics: dict[str, Metric] = {}
        self._addresses: dict[str, Address] = {}  # of metrics that were named
        self._columns: dict[str, str] = {}  # with the name of each one's metric
        self._left_out: dict[str, None] = {}
        self._english_only: dict[str, None] = {}
        self._notes: dict[str, None] = {}

    def add(self, name: object) -> None:
        """Add a metric, a function, or the metrics of an address."""
        if isinstance(name, Metric):
            self._add_metric(name)
        elif isinstance(name, str):
            for address in tuple(parse_addresses(name)):
                self._add_address(self._resolve(address))
        elif callable(name) and not isinstance(name, type):
            self._add_metric(FunctionMetric(name))
        else:
            raise InputError(f"a metric is a name, a metric or a function, not {short_repr(name)}")

    def selection(self) -> Selection:
        """Return the selection of all that was added."""
        if not self._metrics and self._english_only:
            raise _none_left_error(self._english_only)
        if not self._metrics:
            raise InputError("no metrics: name at least one")
        _check_language(self._metrics.values(), self._language)
        for option in self._options:
            if not any(_uses(self._metrics[name], option) for name in self._addresses):
                raise UnusedOptionError(option, self._addresses)
        return Selection(
            tuple(self._metrics.values()),
            tuple(self._columns),
            tuple(self._left_out),
            tuple(self._notes),
            tuple(self._english_only),
        )

    def _resolve(self, address: Address) -> Address:
        """Return the address with our name of the metric, whatever its spelling."""
        if _is_in_file(address):
            return address
        name, note = resolve_name(address.name)
        if note:
            self._notes[f"{address.name} {note}"] = None
        return replace(address, name=name)

    def _add_address(self, address: Address) -> None:
        if _is_in_file(address):
            metric = load_metric(address, self._options)
            self._add_metric(metric)
            self._addresses[metric.name] = address
        elif address.name in GROUPS:
            if address.arguments:
                raise InputError(
                    f"{address.name}: a group takes no parameters; name the metric that has them"
                )
            self.add_members(GROUPS[address.name])
        else:
            declared = _find_declaration(address)
            if address.hash:
                raise InputError(
                    f"{address.name}@{address.hash}: a file has a hash, a metric has none"
                )
            columns = declared.columns if address.name in METRICS else (address.name,)
            named = replace(address, name=declared.name)
            # A group stores a plain address for its metrics; a metric object has none.
            if declared.name in self._metrics and self._addresses.get(declared.name) != named:
                raise self._duplicate_error(declared.name, declared.kind)
            self._add_declared(declared, named, columns)

    def add_members(self, names: Iterable[str]) -> None:
        """Add members of groups that are installed and read the language."""
        for name in names:
            if name in GROUPS:
                self.add_members(GROUPS[name])
                continue
            declared = METRICS.find(name)
            assert declared is not None
            if not declared.is_installed:
                self._left_out[name] = None
            elif not self._reads_language(declared):
                self._english_only[name] = None
            else:
                columns = (name,) if name in declared.columns else declared.columns
                self._add_declared(declared, Address(declared.name), columns)

    def _reads_language(self, declared: MetricDeclaration) -> bool:
        if self._language == ENGLISH:
            return True
        metric = self._metrics.get(declared.name)
        if metric is None:
            metric = make_metric(declared.kind, Address(declared.name), self._options)
        return not metric.english_part()

    def _add_declared(
        self, declared: MetricDeclaration, address: Address, columns: tuple[str, ...]
    ) -> None:
        if declared.name not in self._metrics:
            self._metrics[declared.name] = make_metric(declared.kind, address, self._options)
            self._addresses[declared.name] = address
        elif type(self._metrics[declared.name]) is not declared.kind:
            raise self._duplicate_error(declared.name, declared.kind)
        self._add_columns(declared.name, columns)

    def _add_metric(self, metric: Metric) -> None:
        if metric.name in self._metrics:
            raise self._duplicate_error(metric.name, type(metric))
        self._metrics[metric.name] = metric
        self._add_columns(metric.name, metric.columns)

    def _add_columns(self, metric: str, columns: tuple[str, ...]) -> None:
        for column in columns:
            if self._columns.setdefault(column, metric) != metric:
                raise _clash_error(column)

    def _duplicate_error(self, name: str, kind: type[Metric]) -> InputError:
        """Return the error for a second metric of this name, of the same class or another."""
        if type(self._metrics[name]) is kind:
            return InputError(f"{name}: asked for twice; score twice to compare settings")
        return _clash_error(name)


def _uses(metric: Metric, option: str) -> bool:
    return option in metric.parameters() and not metric.unused_reason(option)


def _clash_error(column: str) -> InputError:
    return InputError(
        f"{column}: two metrics have this column; rename the function, or give the weights another "
        "column as in mine.npz(column=NAME)"
    )


def find_metric(address: Address) -> Metric | type[Metric]:
    """Return a metric in a file, or the class of a declared one, which may need arguments."""
    return load_metric(address) if _is_in_file(address) else _find_declaration(address).kind


def _find_declaration(address: Address) -> MetricDeclaration:
    """Return the metric that an address names by its name or a column, in any spelling."""
    declared = METRICS.find(resolve_name(address.name)[0])
    if declared is None:
        raise unknown_metric_error(address.name)
    return declared


def names_file(text: str) -> bool:
    """Return whether an address is of a metric in a file: weights, or a function."""
    try:
        return _is_in_file(Address.parse(text))
    except InputError:
        return False


def _is_in_file(address: Address) -> bool:
    return bool(address.function) or address.name.endswith(".npz")


def _check_language(metrics: Iterable[Metric], language: str) -> None:
    """Raise an error for a metric that was named and does not read the language."""
    for metric in metrics:
        if (learned := metric.domain_language()) not in (None, language):
            raise InputError(
                f"{metric.name}: learned from captions in the language {learned}, and the language "
                f"is {language}; give --language {learned} (language= in Python), or another metric"
            )
        if language != ENGLISH and (part := metric.english_part()):
            raise InputError(
                f"{metric.name}: English only ({part}), and the language is {language}; "
                f"{_describe_other_languages()}"
            )


def _none_left_error(english_only: Iterable[str]) -> InputError:
    left_out = ", ".join(english_only)
    return InputError(f"no metric is left: {left_out}: English only; {_describe_other_languages()}")


def _describe_other_languages() -> str:
    """List the metrics that score any language, and those that do with a parameter."""
    kinds = [kind for kind in METRICS.values() if not kind.needs_images]
    free = [kind.name for kind in kinds if not kind.english]
    given: dict[str, list[str]] = {}
    for kind in kinds:
        if needed := kind.language_free_arguments():
            given.setdefault(needed, []).append(kind.name)
    others = (f"with {needed} {', '.join(names)}" for needed, names in given.items())
    return f"any language can be scored by {', '.join(free)}; {'; '.join(others)}"


def load_metric(address: Address, options: Mapping[str, Any] | None = None) -> Metric:
    """Load a metric from a file of weights, or a function from a Python file."""
    if address.function:
        if address.arguments:
            raise unknown_parameter_error(address.function, address.arguments[0][0], {})
        return load_function(address.name, address.function, address.hash)
    from captious.io.array_files import ArrayFile

    remedy = "make it with `captious train` or `captious critic train`"
    with ArrayFile("a file of weights", remedy).open(address.name) as file:
        file_metric = next(m for m in WEIGHTS_FILE_METRICS if m.array in ("", *file.names))
    given = {file_metric.parameter: address.name, "column": address.column}
    kind = import_metric(file_metric.class_path)
    metric = make_metric(kind, address, {**(options or {}), **given})
    weights: Resource = metric.depends_on()[file_metric.parameter]
    weights.check(address.hash)
    return metric


def resolve_name(name: str) -> tuple[str, str]:
    """Return our name of a metric, a column or a group, and a note where that may surprise.

    Our names mean what they say. Any other spelling means what papers mean by it; an unknown name
    is returned unchanged.
    """
    if _is_known(name):
        return name, AMBIGUOUS_NAMES.get(name, "")
    alias = resolve_alias(name)
    if alias is not None:
        return alias
    plain = normalize_name(name)
    return (plain if _is_known(plain) else name), ""


def _is_known(name: str) -> bool:
    return name in GROUPS or METRICS.find(name) is not None


def unknown_metric_error(name: str) -> UnknownMetricError:
    """Return the error for an unknown name, with a suggestion."""
    if name.rstrip(":").endswith(".py"):
        return UnknownMetricError(
            f"{short_repr(name)}: name a function in this file, as in mine.py:overlap"
        )
    nearest = suggest_alternative(name)
    if nearest is not None:
        return UnknownMetricError(
            f"{short_repr(name)} is not one of our metrics; {nearest} (`captious metrics` "
            "lists them)"
        )
    near = METRICS.closest_name(name, *GROUPS)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(METRICS)}"
    return UnknownMetricError(
        f"unknown metric {short_repr(name)}; {hint} (`captious metrics` lists them)"
    )


def metric_of_column(column: str) -> type[Metric] | None:
    """The metric that a column of scores belongs to."""
    declared = METRICS.find_by_column(column)
    return None if declared is None else declared.kind


def orient_scores(column: str, scores: FloatArray) -> FloatArray:
    """Return scores of a column turned so that higher is better, within the same bounds.

    Only columns of which lower is better change. A user's own columns are better higher.
    """
    metric = metric_of_column(column)
    if metric is None or not metric.lower_is_better:
        return scores
    oriented: FloatArray = sum(metric.bounds_of(column)) - scores
    return oriented
