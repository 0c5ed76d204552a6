"""Describe the machine of the measurements, without names that identify its owner."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from importlib import metadata
from pathlib import Path

PACKAGES = (
    "captious numpy onnxruntime pycocoevalcap aac-metrics bert-score POT torch transformers"
).split()


def describe_machine() -> dict[str, str]:
    """Return cores, memory and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{memory / 2**30:.0f} GiB",
        "system": f"{platform.system()}, {platform.machine()}",
        "Python": platform.python_version(),
        "Java": _java(),
        **{name: _version(name) for name in PACKAGES},
    }


def busy_cores(seconds: float = 5.0) -> float:
    """Measure how many cores other processes keep busy; 0 where the system does not tell."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0
    before = _busy_ticks(stat)
    time.sleep(seconds)
    after = _busy_ticks(stat)
    return (after - before) / (os.sysconf("SC_CLK_TCK") * seconds)


def _busy_ticks(stat: Path) -> int:
    """Return the clock ticks of all cores so far, without idling and waiting for disks."""
    user, nice, system, _, _, *interrupts = map(int, stat.read_text().split("\n")[0].split()[1:8])
    return user + nice + system + sum(interrupts)


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "a processor without a name"


def _java() -> str:
    try:
        done = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return done.stderr.splitlines()[0]


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
