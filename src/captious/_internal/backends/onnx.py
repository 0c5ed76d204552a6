"""ONNX Runtime sessions: weights verified by hash, one thread, errors in one line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from captious._internal.logs import logger
from captious.errors import CaptiousError, MissingDependencyError


def read_weights(path: Path, what: str, expected: str | None, how: str) -> tuple[bytes, str]:
    """Return a file's bytes and their hash, which must be the expected one.

    Damage that ONNX Runtime does not notice would change vectors and scores.
    """
    try:
        content = path.read_bytes()
        logger.info("reads %s (%s bytes)", path, f"{len(content):,}")
    except OSError as error:
        raise CaptiousError(
            f"{path}: the {what}'s weights can't be read ({error.strerror}); {how}"
        ) from None
    digest = hashlib.sha256(content).hexdigest()
    if expected is not None and digest != expected:
        raise CaptiousError(
            f"{path}: not the {what}'s weights (sha256 {digest[:12]}…, not {expected[:12]}…); {how}"
        )
    return content, digest


def create_session(read: Callable[[], bytes], path: Path, what: str, extra: str, how: str) -> Any:
    """Create a session for a graph, read after the runtime (of the `extra`) is imported."""
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as runtime
    except ImportError:
        raise MissingDependencyError(
            f"the {what} needs ONNX Runtime: pip install 'captious[{extra}]'"
        ) from None
    # The runtime's own errors have no common base class.
    errors: list[type[Exception]] = [ValueError, RuntimeError]
    errors += [each for each in vars(runtime).values() if _is_error(each)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # batches run in threads
    options.log_severity_level = 4  # the exception has the reason
    graph = read()
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except tuple(errors) as error:
        reason = " ".join(str(error).split())[:120]
        raise CaptiousError(f"{path}: not the {what}'s weights ({reason}); {how}") from None


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)
