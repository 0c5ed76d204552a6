"""A user's own function as a metric, given in Python or named in a file."""

from __future__ import annotations

import hashlib
import math
import sys
import types
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.similar_names import closest_name
from captious.errors import CaptiousError, InputError, short_repr
from captious.io.inputs import read_input
from captious.metrics.base import Metric, mean_statistics
from captious.samples import Samples
from captious.signature import Address, Resource

ScoreFunction = Callable[[str, Sequence[str]], float]


class FunctionMetric(Metric):
    """Any function of a candidate and its references; its corpus score is the mean."""

    bounds = (-math.inf, math.inf)

    def __init__(
        self, function: ScoreFunction, name: str | None = None, file: Resource | None = None
    ) -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__).strip("<>")
        self.columns = (self.name,)
        self.description = (getattr(function, "__doc__", None) or "a function").splitlines()[0]
        self.file = file  # where it was found

    def signature(self) -> Address:
        """The function's name and, where it was found in one, its file."""
        if self.file is None:
            return Address(self.name)
        return Address(self.file.name, (), self.file.hash, self.name)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The function's value for each sample; called once for equal samples."""
        candidates, references = samples.candidates.captions, samples.references.analysis.captions
        rows = samples.pairs.values.tolist()
        cache: dict[tuple[int, ...], float] = {}
        scores = np.empty(len(samples))
        bounds = pairwise(samples.pairs.offsets.tolist())
        for sample, (row, (start, end)) in enumerate(
            zip(samples.rows.tolist(), bounds, strict=True)
        ):
            key = (row, *rows[start:end])
            if key not in cache:
                texts = [references[place] for place in rows[start:end]]
                cache[key] = self._call(candidates[row], texts)
            scores[sample] = cache[key]
        return mean_statistics(scores)

    def _call(self, candidate: str, references: list[str]) -> float:
        try:
            answer: Any = self.function(candidate, references)
        except CaptiousError:
            raise
        except Exception as error:  # a user's own code may fail in any way
            raise InputError(
                f"{self.name}: fails for {candidate[:60]!r} ({type(error).__name__}: {error})"
            ) from error
        try:
            score = float(answer)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if not math.isfinite(score):
            raise InputError(
                f"{self.name}: gave {short_repr(answer)} for {candidate[:60]!r}; a metric gives a "
                "finite number for every candidate"
            )
        return score


def load_function(path: str, name: str, hash: str = "") -> FunctionMetric:
    """Load a function of a candidate and its references from a Python file, which is executed.

    With `hash`, a file of another one is refused before it is run.
    """
    contents = read_input(path)
    file = Resource(Path(path).name, hashlib.sha256(contents).hexdigest()[:12])
    file.check(hash)
    module = types.ModuleType(f"captious_file_{file.hash}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # where its dataclasses look for their types
    path_before = list(sys.path)
    sys.path.insert(0, str(Path(path).resolve().parent))  # where its own imports are looked for
    try:
        exec(compile(contents, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:  # a user's own code may fail in any way
        raise InputError(
            f"{path}: cannot be run ({type(error).__name__}: {error}); fix it and try again"
        ) from error
    finally:
        sys.path[:] = path_before
    function = getattr(module, name, None)
    if not callable(function) or isinstance(function, type):
        known = [key for key, value in vars(module).items() if isinstance(value, FunctionType)]
        near = closest_name(name, known)
        hint = f"did you mean {near!r}?" if near else f"it has: {', '.join(known) or 'none'}"
        raise InputError(f"{path}: no function {short_repr(name)}; {hint}")
    return FunctionMetric(function, name, file)
