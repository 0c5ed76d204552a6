"""The benchmarks by name."""

from __future__ import annotations

from captious.errors import InputError, short_repr
from captious.meta.benchmarks.abstract_50s import ABSTRACT_50S
from captious.meta.benchmarks.audio_captions import AUDIOCAPS_EVAL, CLOTHO_EVAL
from captious.meta.benchmarks.benchmark import Benchmark
from captious.meta.benchmarks.coco import COCO_2015
from captious.meta.benchmarks.composite import COMPOSITE
from captious.meta.benchmarks.custom import CUSTOM
from captious.meta.benchmarks.flickr8k import FLICKR8K_CF, FLICKR8K_EXPERT
from captious.meta.benchmarks.forced_choice import FOIL, SUGARCREPE
from captious.meta.benchmarks.hallucinations import DISCOURSE_FOIL, HAT
from captious.meta.benchmarks.pascal_50s import PASCAL_50S
from captious.meta.benchmarks.wmt16_daseg import WMT16_DASEG

# In the order in which they are listed and surveyed.
BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        *(FLICKR8K_EXPERT, FLICKR8K_CF, COMPOSITE, PASCAL_50S, ABSTRACT_50S, COCO_2015),
        *(WMT16_DASEG, SUGARCREPE, FOIL, HAT, DISCOURSE_FOIL, AUDIOCAPS_EVAL, CLOTHO_EVAL, CUSTOM),
    )
}


def find_benchmark(name: str) -> Benchmark:
    """Return a benchmark, or raise an error that lists them."""
    if name not in BENCHMARKS:
        raise InputError(f"no benchmark {short_repr(name)}; there are: {', '.join(BENCHMARKS)}")
    return BENCHMARKS[name]
