"""Parameters of metrics: declared once, then checked, listed, read from addresses and formatted."""

from __future__ import annotations

import dataclasses
import types
import typing
from abc import ABC
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, TypeVar

from captious._internal.checks.arguments import Kind, check_choice, check_kind, kind_of
from captious._internal.checks.bounds import Bounds, normalize_number
from captious._internal.similar_names import closest_name
from captious.errors import InputError, short_repr
from captious.signature import Address, Argument, Resource, format_argument

_KEY = "parameter"
_BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
NONE_TEXT = "none"
VARIANT = "variant"  # the name of the parameter
PAPER, RELEASED = VARIANTS = ("paper", "released")
PUBLISHED = "published"  # where a paper's figures follow neither from its text nor from its code
_FOLLOWED = {
    PAPER: "the paper",
    RELEASED: "the code that its authors released",
    PUBLISHED: "what fits its figures",
}


def parameter(
    default: Any = MISSING,
    what: str = "",
    *,
    bounds: Bounds | None = None,
    choices: tuple[str, ...] = (),
    words: Mapping[str, Any] | None = None,
) -> Any:
    """Declare a field of a metric: its default, description and allowed values.

    `words` are texts that stand for other values, such as `references` for None.
    """
    declared = {"what": what, "bounds": bounds, "choices": choices, "words": words or {}}
    return dataclasses.field(default=default, metadata={_KEY: declared})


@dataclass(frozen=True)
class Parameter:
    """One parameter of a metric."""

    name: str
    default: Any  # MISSING where it must be given
    types: tuple[Any, ...]
    kind: Kind | None
    what: str = ""
    bounds: Bounds | None = None
    choices: tuple[str, ...] = ()
    words: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """Description of the allowed values."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.bounds is not None:
            return f"{self.bounds} or None" if types.NoneType in self.types else str(self.bounds)
        return "anything" if self.kind is None else str(self.kind)

    def read(self, text: str) -> Any:
        """Parse a value; an invalid one stays text, which `check` refuses."""
        if text in self.words:
            return self.words[text]
        if text.lower() == NONE_TEXT and types.NoneType in self.types:
            return None
        if bool in self.types:
            return _BOOLEANS.get(text.lower(), text)
        for kind in (int, float):
            if kind in self.types:
                try:
                    return kind(text)
                except ValueError:
                    return text
        return text

    def check(self, metric: Any) -> None:
        """Raise an error for an invalid value."""
        value, what = getattr(metric, self.name), f"{metric.name}: {self.name}"
        if self.bounds is not None and not (value is None and types.NoneType in self.types):
            normalize_number(metric, self.name, self.bounds, what)
        elif self.kind is not None:
            check_kind(what, value, self.kind)
            if isinstance(value, str) and not value:
                raise InputError(f"{what}: {self.kind}, not {short_repr(value)}")
        if self.choices:
            check_choice(f"{metric.name}: unknown {self.name}", value, self.choices)


@cache
def parameters_of(metric: type[Any]) -> dict[str, Parameter]:
    """The parameters of a metric by name: the fields of its dataclass."""
    if not dataclasses.is_dataclass(metric):
        return {}
    hints = typing.get_type_hints(metric, include_extras=True)
    return {
        field.name: Parameter(
            field.name,
            field.default,
            typing.get_args(hints[field.name]) or (hints[field.name],),
            kind_of(hints[field.name]),
            **field.metadata.get(_KEY, {}),
        )
        for field in dataclasses.fields(metric)
    }


def unknown_parameter_error(metric: str, name: str, known: Mapping[str, Parameter]) -> InputError:
    """Return the error for an unknown parameter, with the closest known name."""
    near = closest_name(name, known)
    if near:
        hint = f"did you mean {near!r}?"
    else:
        hint = f"it has: {', '.join(known)}" if known else "it has none"
    return InputError(
        f"{metric}: no parameter {short_repr(name)}; {hint} (`captious metrics {metric}` "
        "lists them)"
    )


class Parameterized(ABC):
    """Base of what an address such as `cider_d(sigma=4)` names: a frozen dataclass."""

    name: str

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return the parameters by name."""
        return parameters_of(cls)

    def __post_init__(self) -> None:
        for parameter in self.parameters().values():
            parameter.check(self)

    def depends_on(self) -> dict[str, Any]:
        """Return what scores depend on beside captions and parameters: versions, tables, metrics.

        A parameter that names a file, or leaves a choice to the metric, is resolved here: the
        file with its hash, the choice that was made.
        """
        return {}

    def unused_reason(self, parameter: str) -> str:
        """Return why a parameter has no effect with the others as they are; "" where it has one."""
        return ""

    def signature(self) -> Address:
        """Return the name and everything that scores depend on beside the captions."""
        given = {name: getattr(self, name) for name in self.parameters()}
        return Address.of(self.name, {**given, **self.depends_on()})


ParameterizedType = TypeVar("ParameterizedType", bound=Parameterized)


def make_metric(
    kind: type[ParameterizedType], address: Address, defaults: Mapping[str, Any] | None = None
) -> ParameterizedType:
    """Create the metric of an address, with `defaults` for parameters that it leaves open.

    An address may come from a signature: what it states beyond parameters must hold here, too.
    """
    values, facts = read_arguments(kind, address)
    used_defaults = {
        name: value for name, value in (defaults or {}).items() if name in kind.parameters()
    }
    metric = kind(**{**used_defaults, **values})
    for name in values:
        if reason := metric.unused_reason(name):
            raise InputError(f"{address.name}: {name} {reason}")
    if facts:
        _check_facts(metric, address.name, facts)
    return metric


def read_arguments(
    kind: type[Parameterized], address: Address
) -> tuple[dict[str, Any], dict[str, Argument]]:
    """Return the parameters that an address gives, and what else it states of the metric."""
    parameters = kind.parameters()
    values: dict[str, Any] = {}
    facts: dict[str, Argument] = {}
    for name, argument in address.arguments:
        if name in values or name in facts:
            raise InputError(f"{address.name}: {name} is given twice; give it once")
        if name in parameters:
            text = argument.name if isinstance(argument, Resource) else argument
            values[name] = parameters[name].read(text) if isinstance(text, str) else text
        if name not in parameters or isinstance(argument, Resource):
            facts[name] = argument
    return values, facts


def _check_facts(metric: Parameterized, name: str, facts: Mapping[str, Argument]) -> None:
    """Raise an error where a signature states something else than this metric."""
    actual = metric.signature()
    actual_arguments = dict(actual.arguments)
    for key, value in facts.items():
        if key not in actual_arguments:
            raise unknown_parameter_error(name, key, metric.parameters())
        if actual_arguments[key] != value:
            raise InputError(
                f"{name}: {key}={format_argument(value)} was asked for, but here it is "
                f"{format_argument(actual_arguments[key])}; scores would differ: take the same "
                "file or version, or leave it out"
            )


def variant_parameter(variants: tuple[str, ...] = VARIANTS) -> Any:
    """Return the parameter `variant`: what to follow where a paper, its code and figures differ."""
    *first, last = (_FOLLOWED[variant] for variant in variants)
    return parameter(variants[0], f"follow {', '.join(first)}, or {last}", choices=variants)
