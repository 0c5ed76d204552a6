"""What figures were measured on, without a name that would tell whose it is."""

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


def about_machine() -> dict[str, str]:
    """Cores, memory and versions."""
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
    """How many cores other processes keep busy; 0 where it is not known."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0
    before = _ticks(stat)
    time.sleep(seconds)
    after = _ticks(stat)
    return (after - before) / (os.sysconf("SC_CLK_TCK") * seconds)


def _ticks(stat: Path) -> int:
    """What all cores did so far, without idling and waiting for disks."""
    user, nice, system, _, _, *interrupts = map(int, stat.read_text().split("\n")[0].split()[1:8])
    return user + nice + system + sum(interrupts)


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "a processor without a name"


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
