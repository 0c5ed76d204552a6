"""Whatever becomes of a file of arrays, its reader returns sound numbers or says why not."""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import CaptiousError
from tests.io.array_file_kinds import KINDS
from tests.io.array_file_mutations import MUTATIONS

HAS_TORCH = importlib.util.find_spec("torch") is not None
EACH = int(os.environ.get("CAPTIOUS_MUTATIONS", "12"))  # mutations of a sort, for each kind


def outcome(read: Callable[..., Any], path: Path) -> str:
    """What becomes of reading a file and using what is in it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = read(path)
    except CaptiousError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000
        return "refused"
    assert np.isfinite(found).all(), "read, and gives what is not a number"
    return "read"


@pytest.mark.parametrize("kind", KINDS)
def test_undamaged_array_files_are_read(kind: str, tmp_path: Path) -> None:
    if "captioner" in kind and not HAS_TORCH:
        pytest.skip("captioners need PyTorch")
    write, read = KINDS[kind]
    write(tmp_path / "sound.npz")
    assert outcome(read, tmp_path / "sound.npz") == "read"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    if "captioner" in kind and not HAS_TORCH:
        pytest.skip("captioners need PyTorch")
    write, read = KINDS[kind]
    write(tmp_path / "sound.npz")
    sound = (tmp_path / "sound.npz").read_bytes()
    outcomes = []
    for sort, mutate in enumerate(MUTATIONS):
        for number in range(EACH):
            chance = np.random.default_rng([list(KINDS).index(kind), sort, number])
            path = tmp_path / f"{mutate.__name__}-{number}.npz"  # readers remember files by name
            path.write_bytes(mutate(sound, chance))
            try:
                outcomes.append(outcome(read, path))
            except BaseException as error:
                raise AssertionError(f"{mutate.__name__}, number {number}") from error
            path.unlink()
    # Damage in what nobody reads is none: it takes both to show that the files were read at all.
    assert kind == "kept results" or set(outcomes) == {"read", "refused"}
