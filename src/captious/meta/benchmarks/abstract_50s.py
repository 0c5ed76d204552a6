"""ABSTRACT-50S: which of two captions is closer to what people wrote of a clip-art scene."""

from __future__ import annotations

from captious.io.captions import read_references
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.matlab import read_voted_pairs
from captious.meta.judgements import Preferences

PAIRS = "pair_abstract.mat"
REFERENCES = "abstract48S.json"


def read(files: Files) -> Preferences:
    """200 pairs each of HC and HI, each beside the 48 captions of its scene.

    The votes are read in the form of PASCAL-50S's: `new_input`, `category`, `result`. The
    captions of the pairs are also distributed without votes (`abstract_candsB.json` and
    `abstract_candsC.json`), which is not enough.
    """
    return read_voted_pairs(files.find(PAIRS), read_references(files.find(REFERENCES)))


BENCHMARK = Benchmark(
    "abstract-50s",
    "ABSTRACT-50S: the better of two captions of a clip-art scene",
    PREFERENCES,
    (PAIRS, REFERENCES),
    ("abstract50s", "pascal50s", "ABSTRACT-50S"),
    "the authors of CIDEr, Vedantam, Zitnick and Parikh 2015 (https://vrama91.github.io/cider/); "
    "the votes are to be asked for",
    read,
)
