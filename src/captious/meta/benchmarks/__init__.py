"""The benchmarks by name."""

from __future__ import annotations

from captious.errors import InputError
from captious.meta.benchmarks import (
    abstract_50s,
    coco_2015,
    composite,
    custom,
    flickr8k_cf,
    flickr8k_expert,
    foil,
    pascal_50s,
    sugarcrepe,
    wmt16_daseg,
)
from captious.meta.benchmarks.benchmark import Benchmark
from captious.shown import shown

BENCHMARKS: dict[str, Benchmark] = {
    module.BENCHMARK.name: module.BENCHMARK
    for module in (
        flickr8k_expert,
        flickr8k_cf,
        composite,
        pascal_50s,
        abstract_50s,
        coco_2015,
        wmt16_daseg,
        sugarcrepe,
        foil,
        custom,
    )
}


def benchmark_named(name: str) -> Benchmark:
    """A benchmark, or an error that lists them."""
    if name not in BENCHMARKS:
        raise InputError(f"no benchmark {shown(name)}; there are: {', '.join(BENCHMARKS)}")
    return BENCHMARKS[name]
