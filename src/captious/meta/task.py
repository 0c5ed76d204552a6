"""Tasks: judgements that were read once, under the protocol by which metrics are put to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.meta.benchmarks import find_benchmark
from captious.meta.benchmarks.benchmark import Benchmark
from captious.meta.judgements import Judgements, Preferences, Ratings, check_judgements
from captious.meta.presets import STANDARD, preset
from captious.meta.protocol import ACCURACY, PAIRWISE, Protocol
from captious.meta.references import equal_to_candidates

CUSTOM = "custom"


@dataclass(frozen=True, eq=False)
class Task:
    """Judgements, and the protocol by which they are compared with scores."""

    name: str
    protocol: Protocol
    as_read: Judgements = field(repr=False)
    kind: str = ""
    is_mean: bool = False  # over groups, each by itself

    @cached_property
    def judgements(self) -> Judgements:
        """What the protocol leaves, in the order in which scores are given."""
        return self.protocol.apply(self.as_read)

    @cached_property
    def own_references(self) -> int:
        """How many rows have a candidate that is one of its own references."""
        return sum(map(bool, equal_to_candidates(self.judgements, self.protocol.equality)))

    def under(self, protocol: str | Protocol) -> Task:
        """The same files under another protocol, without reading them again."""
        chosen = _preset(protocol, self.name)
        if chosen.reading != self.protocol.reading:
            raise InputError(
                f"{self.name}: read otherwise than protocol {chosen.name!r} asks for "
                f"({_describe_reading(self.protocol)}, not {_describe_reading(chosen)}); "
                "read it again"
            )
        return replace(self, protocol=_complete_protocol(chosen, self.as_read))


Source = str | Benchmark | Judgements | Task  # what a task is made from


@check_arguments
def read_task(
    benchmark: Source,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol | None = None,
    **options: Any,
) -> Task:
    """Find a benchmark and read its files, or take judgements as they are.

    `data` is the folder of a benchmark's files (for `custom`, the file), `options` are the
    benchmark's own (`votes`, `systems`). The protocol is `standard` unless another is named; what
    is a task already keeps its own, or is put under the one that is named.
    """
    if isinstance(benchmark, Task):
        return benchmark if protocol is None else benchmark.under(protocol)
    protocol = STANDARD if protocol is None else protocol
    if isinstance(benchmark, Ratings | Preferences):
        check_judgements(benchmark)
        return Task(CUSTOM, _complete_protocol(_preset(protocol, CUSTOM), benchmark), benchmark)
    if isinstance(benchmark, str):
        benchmark = find_benchmark(benchmark)
    chosen = _preset(protocol, benchmark.name)
    if data is None:
        raise InputError(
            f"{benchmark.name}: name the folder of its files (data); they come from "
            f"{benchmark.source}"
        )
    read = benchmark.load(data, **{**options, **chosen.reading})
    return Task(
        benchmark.name, _complete_protocol(chosen, read), read, benchmark.kind, benchmark.is_mean
    )


def split_options(
    benchmark: Source, options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a benchmark's files, and all others."""
    source = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    names = source.options if isinstance(source, Benchmark) else ()
    of_files = {name: value for name, value in options.items() if name in names}
    return of_files, {name: value for name, value in options.items() if name not in names}


def _preset(protocol: str | Protocol, benchmark: str) -> Protocol:
    return preset(protocol, benchmark) if isinstance(protocol, str) else protocol


def _describe_reading(protocol: Protocol) -> str:
    """What a protocol asks of a benchmark's reader, in words."""
    return ", ".join(f"{name}: {value}" for name, value in protocol.reading.items()) or "as usual"


def _complete_protocol(protocol: Protocol, judgements: Judgements) -> Protocol:
    """Return the protocol as printed: preferences have accuracy, whatever correlation it names.

    Pairs of captions are compared by one rating each.
    """
    if isinstance(judgements, Preferences):
        return replace(protocol, statistic=ACCURACY)
    if protocol.statistic in PAIRWISE and protocol.raters == "flattened":
        return replace(protocol, raters="mean")
    return protocol
