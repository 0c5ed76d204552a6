"""Addresses and signatures: metrics with all that scores depend on, as text that can be parsed.

    cider_d(df=coco-val2014@c957b942,n=4,sigma=6)       a metric, its parameters, a file's hash
    mine.npz@3b78198cae79(features=bleu+rouge_l)        a file of weights
    mine.py@0f3a5c11d2e4:overlap                        a function in a file

Parsing such a text opens and imports nothing: it may come from a score file of unknown origin.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from captious.errors import InputError, short_repr
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.version import __version__

Item = TypeVar("Item")

__all__ = ["Address", "Resource", "Signature"]

MAX_DEPTH = 20  # of metrics within metrics
MAX_CHARS = 100_000  # characters of a signature
_PLAIN = r'[^\s"(),=|+@]+'  # needs no quotes
_TOKEN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[(),=+])|(?P<plain>[^"(),=+]+))\s*', re.DOTALL
)
_FILE = r"(?P<name>.*?)(?:@(?P<hash>[0-9a-f]{6,64}))?"
_FUNCTION_IN_FILE = re.compile(rf"{_FILE}:(?P<function>[A-Za-z_]\w*)", re.DOTALL)
_ANY_FILE = re.compile(_FILE, re.DOTALL)


@dataclass(frozen=True)
class Resource:
    """File or table that scores depend on: its name, and a hash of its contents."""

    name: str
    hash: str

    @classmethod
    def of(cls, given: str | Path | None, shipped: str, hash: str) -> Resource:
        """The file that a parameter names; the shipped one if it names none."""
        return cls(shipped if given is None else Path(given).name, hash)

    def check(self, hash: str) -> None:
        """Raise an error for another hash than this one's, unless it is empty."""
        if hash not in ("", self.hash):
            raise InputError(
                f"{self.name}: its hash is {self.hash}, not {hash}: another file than the one that "
                "was named; leave the hash out to take this one"
            )

    def __str__(self) -> str:
        return f"{_quote(self.name)}@{self.hash}"


@dataclass(frozen=True)
class Address:
    """A metric, a column, a group or a file, with arguments by name."""

    name: str
    arguments: tuple[tuple[str, Argument], ...] = ()
    hash: str = ""  # of the file
    function: str = ""  # in the file

    @classmethod
    def of(
        cls, name: str, arguments: Mapping[str, Any], hash: str = "", function: str = ""
    ) -> Address:
        """Build an address from plain values, in their order, without those that are None."""
        kept = {key: _to_argument(value) for key, value in arguments.items() if value is not None}
        return cls(name, tuple(kept.items()), hash, function)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse the address in a text."""
        addresses = list(parse_addresses(text))
        if len(addresses) != 1:
            raise InputError(f"{short_repr(text)}: one metric, such as cider_d(sigma=4)")
        return addresses[0]

    @property
    def column(self) -> str:
        """The usual column of a metric of this address."""
        named = dict(self.arguments).get("column", self.function)
        return str(named) or Path(self.name).name.removesuffix(".npz")

    def __str__(self) -> str:
        hash, function = self.hash and f"@{self.hash}", self.function and f":{self.function}"
        return f"{_quote(self.name)}{hash}{function}{_format_arguments(self.arguments)}"


Argument = str | Resource | Address | tuple["Address | str", ...]


def parse_addresses(text: str) -> Iterator[Address]:
    """Parse the addresses in a text, separated by commas."""
    return _parse_list(text, _Reader.address)


def parse_weighted_addresses(text: str) -> Iterator[tuple[Address, float]]:
    """Parse addresses with weights (`cider_d=1,captious=.5`); 1 where none is given."""
    return _parse_list(text, lambda reader: (reader.address(), reader.weight()))


def _parse_list(text: str, read: Callable[[_Reader], Item]) -> Iterator[Item]:
    reader = _Reader(text)
    while not reader.is_at_end:
        if not reader.accept(","):
            yield read(reader)
            if not reader.is_at_end and not reader.accept(","):
                raise reader.error()


class _Reader:
    """Parser of addresses: splits a text into words and marks, and reads them one by one."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"metrics are named by a text, not {short_repr(text)}")
        if len(text) > MAX_CHARS:
            raise InputError(f"{short_repr(text)}: too long to be metrics")
        self._text = text
        self._tokens = list(self._cut())
        self._position = 0

    def _cut(self) -> Iterator[tuple[str, str]]:
        position = 0
        text = self._text.strip()
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None or token.end() == position:
                raise self.error()
            kind = str(token.lastgroup)
            yield kind, token[kind]
            position = token.end()

    @property
    def is_at_end(self) -> bool:
        return self._position == len(self._tokens)

    def error(self) -> InputError:
        return InputError(
            f"{short_repr(self._text)}: not a metric; write name(parameter=value,...), with "
            "values that "
            "contain , or ( in double quotes"
        )

    def accept(self, mark: str) -> bool:
        if not self.is_at_end and self._tokens[self._position] == ("mark", mark):
            self._position += 1
            return True
        return False

    def address(self, depth: int = 0) -> Address:
        name, hash, function = self._name()
        arguments: list[tuple[str, Argument]] = []
        if self.accept("("):
            if depth == MAX_DEPTH:
                raise self.error()
            while not self.accept(")"):
                arguments.append(self._argument(depth))
                if not self.accept(","):
                    if not self.accept(")"):
                        raise self.error()
                    break
        return Address(name, tuple(arguments), hash, function)

    def weight(self) -> float:
        """Read the number after `=`; 1 if there is none."""
        if not self.accept("="):
            return 1.0
        group, text = ("mark", "") if self.is_at_end else self._tokens[self._position]
        self._position += 1
        try:
            number = float(text) if group == "plain" else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"{short_repr(self._text)}: a weight is a number, as in captious=.5")
        return number

    def _argument(self, depth: int) -> tuple[str, Argument]:
        value = self._value(depth)
        if isinstance(value, str) and self.accept("="):
            return value, self._value(depth)
        return "", value

    def _value(self, depth: int) -> Argument:
        parts = [self._simple(depth)]
        while self.accept("+"):
            parts.append(self._simple(depth))
        if len(parts) == 1:
            return parts[0]
        if any(isinstance(part, Resource) for part in parts):
            raise self.error()
        return tuple(part for part in parts if not isinstance(part, Resource))

    def _simple(self, depth: int) -> str | Resource | Address:
        address = self.address(depth + 1)
        if address.arguments or address.function:
            return address
        return Resource(address.name, address.hash) if address.hash else address.name

    def _name(self) -> tuple[str, str, str]:
        """Read a name, with quotes or without, a hash and a function."""
        if self.is_at_end or self._tokens[self._position][0] == "mark":
            raise self.error()
        group, text = self._tokens[self._position]
        self._position += 1
        name = ""
        if group == "quoted":
            try:
                name = json.loads(text)
            except ValueError:
                raise self.error() from None
            text = ""
            if not self.is_at_end and self._tokens[self._position][0] == "plain":
                text = self._tokens[self._position][1]
                if text[0] not in "@:":
                    raise self.error()
                self._position += 1
        split = _FUNCTION_IN_FILE.fullmatch(text.strip())
        # Only a file of Python has functions: a drive's letter ends in a colon, too.
        if split is None or not (name or split["name"]).endswith(".py"):
            split = _ANY_FILE.fullmatch(text.strip())
        if split is None or (name and split["name"]):
            raise self.error()
        parts = split.groupdict(default="")
        return name or parts["name"], parts["hash"], parts.get("function", "")


def _to_argument(value: Any) -> Argument:
    """Convert a value to an argument: addresses and files stay, all else becomes text."""
    if isinstance(value, Address):
        return value if value.arguments or value.hash or value.function else value.name
    if isinstance(value, list | tuple):
        parts = tuple(_to_argument(part) for part in value)
        return parts[0] if len(parts) == 1 else parts  # type: ignore[return-value]
    if isinstance(value, Resource):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _format_number(value)
    return str(value)


def _format_number(value: float) -> str:
    """Format a number as the shortest text that parses to the same number."""
    short = f"{value:g}"
    return (short if float(short) == value else repr(value)).replace("e+", "e")


def _format_arguments(arguments: tuple[tuple[str, Argument], ...]) -> str:
    parts = (
        f"{key}={format_argument(value)}" if key else format_argument(value)
        for key, value in arguments
    )
    return f"({','.join(parts)})" if arguments else ""


def format_argument(value: Argument) -> str:
    """Format an argument as addresses write it."""
    if isinstance(value, tuple):
        return "+".join(map(format_argument, value))
    return _quote(value) if isinstance(value, str) else str(value)


def _quote(text: str) -> str:
    """Quote a text for an address, unless it reads the same without quotes."""
    if re.fullmatch(_PLAIN, text) and not (".py" in text and ":" in text):
        return text
    return json.dumps(text).replace("|", "\\u007c")


@dataclass(frozen=True)
class Signature:
    """Everything that scores depend on, as one line to paste into a paper."""

    tokenizer: str
    metrics: tuple[Address, ...]
    images: int | None = None  # not counted in streams, nor the references
    references: int | None = None
    samples: int | None = None
    documents: int | None = None  # that n-grams are counted in, where these are not the images
    pool: str | None = None  # over scores against one reference at a time
    protocol: str | None = None  # by which scores are compared with judgements
    bootstrap: str = f"{RESAMPLES},seed={SEED}"
    version: str = __version__
    language: str | None = None  # where it is not English

    def __str__(self) -> str:
        after = {name: getattr(self, name) for name in _AFTER}
        return "|".join(
            [
                f"captious:{self.version}",
                f"tokenizer:{self.tokenizer}",
                *([] if self.language is None else [f"language:{self.language}"]),
                *map(str, self.metrics),
                *(f"{name}:{value}" for name, value in after.items() if value is not None),
            ]
        )

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Parse the signature in a text."""
        values: dict[str, Any] = {}
        metrics = []
        for part in text.split("|"):
            name, colon, value = part.partition(":")
            name = "version" if name == "captious" else name
            if colon and name in _NAMES and name not in values:
                is_count = name in _COUNTS and re.fullmatch(r"[0-9]{1,18}", value)
                values[name] = int(value) if is_count else value
            else:
                metrics.append(Address.parse(part))
        if "version" not in values or "tokenizer" not in values:
            raise InputError(f"{short_repr(text)}: not a signature")
        return cls(metrics=tuple(metrics), **values)

    def metric(self, name: str) -> Address | None:
        """The address of the metric with this column; None without one."""
        return next((address for address in self.metrics if address.column == name), None)


def state_bootstrap(
    resamples: int, seed: int, method: str | None = None, randomisations: int | None = None
) -> str:
    """Format how intervals and tests were computed, as signatures state it.

    The number of randomisations is stated if it differs from that of resamples, and the method of
    intervals unless it is the default, which `None` stands for.
    """
    stated = [f"{resamples},seed={seed}"]
    if randomisations not in (None, resamples):
        stated.append(f"randomisations={randomisations}")
    if method is not None:
        stated.append(f"interval={method}")
    return ",".join(stated)


def restate_bootstrap(
    signature: str,
    resamples: int,
    seed: int,
    method: str | None = None,
    randomisations: int | None = None,
    **others: Any,
) -> str:
    """Return a signature with another bootstrap, and with `others` of its fields.

    A text that is no signature of ours is returned unchanged.
    """
    try:
        parsed = Signature.parse(signature)
    except InputError:
        return signature
    stated = state_bootstrap(resamples, seed, method, randomisations)
    return str(replace(parsed, bootstrap=stated, **others))


_NAMES = tuple(each.name for each in fields(Signature) if each.name != "metrics")
_COUNTS = ("images", "documents", "references", "samples")
_AFTER = ("bootstrap", "images", "documents", "references", "pool", "samples", "protocol")
