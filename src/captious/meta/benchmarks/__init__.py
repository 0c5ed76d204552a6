"""The benchmarks by name."""

from __future__ import annotations

from captious.errors import InputError, short_repr
from captious.meta.benchmarks import (
    abstract_50s,
    coco_2015,
    composite,
    custom,
    pascal_50s,
    wmt16_daseg,
)
from captious.meta.benchmarks.audio_captions import AUDIOCAPS_EVAL, CLOTHO_EVAL
from captious.meta.benchmarks.benchmark import Benchmark
from captious.meta.benchmarks.flickr8k import CF, EXPERT
from captious.meta.benchmarks.forced_choice import FOIL, SUGARCREPE
from captious.meta.benchmarks.hallucinations import DISCOURSE_FOIL, HAT

BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        *(EXPERT, CF, composite.BENCHMARK, pascal_50s.BENCHMARK, abstract_50s.BENCHMARK),
        *(coco_2015.BENCHMARK, wmt16_daseg.BENCHMARK, SUGARCREPE, FOIL),
        *(HAT, DISCOURSE_FOIL, AUDIOCAPS_EVAL, CLOTHO_EVAL, custom.BENCHMARK),
    )
}


def benchmark_named(name: str) -> Benchmark:
    """A benchmark, or an error that lists them."""
    if name not in BENCHMARKS:
        raise InputError(f"no benchmark {short_repr(name)}; there are: {', '.join(BENCHMARKS)}")
    return BENCHMARKS[name]
