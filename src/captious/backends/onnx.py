"""ONNX Runtime where it is needed: a session for a graph, one thread, errors in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from captious.errors import CaptiousError, MissingDependencyError


def session_of(read: Callable[[], bytes], path: Path, what: str, extra: str, how: str) -> Any:
    """A session for the graph of a file, read once the runtime is there, which `extra` brings."""
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as runtime
    except ImportError:
        raise MissingDependencyError(
            f"the {what} needs ONNX Runtime: pip install 'captious[{extra}]'"
        ) from None
    # The runtime's own errors have no base in common.
    errors: list[type[Exception]] = [ValueError, RuntimeError]
    errors += [each for each in vars(runtime).values() if _is_error(each)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # batches are the threads
    options.log_severity_level = 4  # what is wrong is said by the error
    graph = read()
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except tuple(errors) as error:
        reason = " ".join(str(error).split())[:120]
        raise CaptiousError(f"{path}: not the {what}'s weights ({reason}); {how}") from None


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)
