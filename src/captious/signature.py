"""Addresses and signatures: metrics with all that their scores depend on, as text that reads back.

    cider_d(df=coco-val2014@c957b942,n=4,sigma=6)       a metric, its parameters, a file's hash
    mine.npz@3b78198cae79(features=bleu+rouge_l)        a file of weights
    mine.py@0f3a5c11d2e4:overlap                        a function in a file

Reading such a text opens and imports nothing: it may come from anybody's file of scores.
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

DEEPEST = 20  # of metrics within metrics
LONGEST = 100_000  # characters of a signature
_PLAIN = r'[^\s"(),=|+@]+'  # what stands in an address without quotes
_TOKEN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[(),=+])|(?P<plain>[^"(),=+]+))\s*', re.DOTALL
)
_FILE = r"(?P<name>.*?)(?:@(?P<hash>[0-9a-f]{6,64}))?"
_FUNCTION_IN_FILE = re.compile(rf"{_FILE}:(?P<function>[A-Za-z_]\w*)", re.DOTALL)
_ANY_FILE = re.compile(_FILE, re.DOTALL)


@dataclass(frozen=True)
class Resource:
    """A file or a table that scores depend on: its name, and a hash of what it holds."""

    name: str
    hash: str

    @classmethod
    def of(cls, given: str | Path | None, shipped: str, hash: str) -> Resource:
        """What a parameter named, or what ships where it named nothing."""
        return cls(shipped if given is None else Path(given).name, hash)

    def check(self, hash: str) -> None:
        """Refuse another hash than this one's; none at all is none to refuse."""
        if hash not in ("", self.hash):
            raise InputError(
                f"{self.name}: its hash is {self.hash}, not {hash}: another file than the one that "
                "was named; leave the hash out to take this one"
            )

    def __str__(self) -> str:
        return f"{_quoted(self.name)}@{self.hash}"


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
        """An address from plain values, in their order; what is undefined is left out."""
        kept = {key: _argument(value) for key, value in arguments.items() if value is not None}
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
        """The column that a metric of this address has, unless it says otherwise."""
        named = dict(self.arguments).get("column", self.function)
        return str(named) or Path(self.name).name.removesuffix(".npz")

    def __str__(self) -> str:
        hash, function = self.hash and f"@{self.hash}", self.function and f":{self.function}"
        return f"{_quoted(self.name)}{hash}{function}{_in_brackets(self.arguments)}"


Argument = str | Resource | Address | tuple["Address | str", ...]


def parse_addresses(text: str) -> Iterator[Address]:
    """The addresses in a text, with commas between."""
    return _listed(text, _Reader.address)


def parse_weighted(text: str) -> Iterator[tuple[Address, float]]:
    """The same, each with the weight that stands after it (`cider_d=1,captious=.5`), or 1."""
    return _listed(text, lambda reader: (reader.address(), reader.weight()))


def _listed(text: str, read: Callable[[_Reader], Item]) -> Iterator[Item]:
    reader = _Reader(text)
    while not reader.ended:
        if not reader.takes(","):
            yield read(reader)
            if not reader.ended and not reader.takes(","):
                raise reader.fault()


class _Reader:
    """A text cut into words and marks, and what they mean."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"metrics are named by a text, not {short_repr(text)}")
        if len(text) > LONGEST:
            raise InputError(f"{short_repr(text)}: too long to be metrics")
        self._text = text
        self._tokens = list(self._cut())
        self._place = 0

    def _cut(self) -> Iterator[tuple[str, str]]:
        place = 0
        text = self._text.strip()
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None or token.end() == place:
                raise self.fault()
            kind = str(token.lastgroup)
            yield kind, token[kind]
            place = token.end()

    @property
    def ended(self) -> bool:
        return self._place == len(self._tokens)

    def fault(self) -> InputError:
        return InputError(
            f"{short_repr(self._text)}: not a metric; write name(parameter=value,...), with "
            "values that "
            "contain , or ( in double quotes"
        )

    def takes(self, mark: str) -> bool:
        if not self.ended and self._tokens[self._place] == ("mark", mark):
            self._place += 1
            return True
        return False

    def address(self, depth: int = 0) -> Address:
        name, hash, function = self._name()
        arguments: list[tuple[str, Argument]] = []
        if self.takes("("):
            if depth == DEEPEST:
                raise self.fault()
            while not self.takes(")"):
                arguments.append(self._argument(depth))
                if not self.takes(","):
                    if not self.takes(")"):
                        raise self.fault()
                    break
        return Address(name, tuple(arguments), hash, function)

    def weight(self) -> float:
        """The number after `=`, or 1 where none is given."""
        if not self.takes("="):
            return 1.0
        group, text = ("mark", "") if self.ended else self._tokens[self._place]
        self._place += 1
        try:
            number = float(text) if group == "plain" else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"{short_repr(self._text)}: a weight is a number, as in captious=.5")
        return number

    def _argument(self, depth: int) -> tuple[str, Argument]:
        value = self._value(depth)
        if isinstance(value, str) and self.takes("="):
            return value, self._value(depth)
        return "", value

    def _value(self, depth: int) -> Argument:
        parts = [self._simple(depth)]
        while self.takes("+"):
            parts.append(self._simple(depth))
        if len(parts) == 1:
            return parts[0]
        if any(isinstance(part, Resource) for part in parts):
            raise self.fault()
        return tuple(part for part in parts if not isinstance(part, Resource))

    def _simple(self, depth: int) -> str | Resource | Address:
        address = self.address(depth + 1)
        if address.arguments or address.function:
            return address
        return Resource(address.name, address.hash) if address.hash else address.name

    def _name(self) -> tuple[str, str, str]:
        """A name, with quotes or without, a hash and a function."""
        if self.ended or self._tokens[self._place][0] == "mark":
            raise self.fault()
        group, text = self._tokens[self._place]
        self._place += 1
        name = ""
        if group == "quoted":
            try:
                name = json.loads(text)
            except ValueError:
                raise self.fault() from None
            text = ""
            if not self.ended and self._tokens[self._place][0] == "plain":
                text = self._tokens[self._place][1]
                if text[0] not in "@:":
                    raise self.fault()
                self._place += 1
        split = _FUNCTION_IN_FILE.fullmatch(text.strip())
        # Only a file of Python has functions: a drive's letter ends in a colon, too.
        if split is None or not (name or split["name"]).endswith(".py"):
            split = _ANY_FILE.fullmatch(text.strip())
        if split is None or (name and split["name"]):
            raise self.fault()
        parts = split.groupdict(default="")
        return name or parts["name"], parts["hash"], parts.get("function", "")


def _argument(value: Any) -> Argument:
    """A value as an address holds it: addresses, files with their hashes, all else as text."""
    if isinstance(value, Address):
        return value if value.arguments or value.hash or value.function else value.name
    if isinstance(value, list | tuple):
        parts = tuple(_argument(part) for part in value)
        return parts[0] if len(parts) == 1 else parts  # type: ignore[return-value]
    if isinstance(value, Resource):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value)
    return str(value)


def _number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    short = f"{value:g}"
    return (short if float(short) == value else repr(value)).replace("e+", "e")


def _in_brackets(arguments: tuple[tuple[str, Argument], ...]) -> str:
    parts = (f"{key}={written(value)}" if key else written(value) for key, value in arguments)
    return f"({','.join(parts)})" if arguments else ""


def written(value: Argument) -> str:
    """An argument as it stands in an address."""
    if isinstance(value, tuple):
        return "+".join(map(written, value))
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """A text as an address holds it: in quotes where it could be read otherwise."""
    if re.fullmatch(_PLAIN, text) and not (".py" in text and ":" in text):
        return text
    return json.dumps(text).replace("|", "\\u007c")


@dataclass(frozen=True)
class Signature:
    """Everything that scores depend on, in one line to paste into a paper."""

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
        """What it says of the metric of this name."""
        return next((address for address in self.metrics if address.column == name), None)


def state_bootstrap(
    resamples: int, seed: int, method: str | None = None, randomisations: int | None = None
) -> str:
    """How intervals and tests were made, as signatures have it.

    How often the test of differences throws coins is stated where that is not as often as images
    are drawn, and the method of intervals unless it is the default, which `None` stands for.
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
    """A signature that says how intervals were made, and `others` of its fields.

    One that is not ours stays as it is.
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
