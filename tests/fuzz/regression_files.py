"""Failures kept as small files: each is tried again by the tests, and must pass."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from tests.fuzz.kind import Case

FOLDER = Path(__file__).parent / "regressions"
MAX_BYTES = 20_000  # characters of a file: what is larger is had again by its number


def to_json(case: Case) -> str:
    """An input as JSON, bytes in base 64."""
    return json.dumps(_plain(case), indent=1)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: _plain(inside) for name, inside in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inside) for inside in value]
    return value


def from_json(text: str) -> Case:
    """What `written` wrote."""
    found: Case = json.loads(text, object_hook=_with_bytes)
    return found


def _with_bytes(value: dict[str, Any]) -> Any:
    return base64.b64decode(value["base64"]) if set(value) == {"base64"} else value


def keep(folder: Path, kind: str, signature: str, case: Case) -> Path | None:
    """Write a failure, unless it is too large to be kept; its name is the same for the same one."""
    text = to_json({"kind": kind, "failed": signature, "input": case})
    if len(text) > MAX_BYTES:
        return None
    digest = hashlib.sha256(f"{kind}{signature}".encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{digest}.json"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def cases(folder: Path = FOLDER) -> dict[str, Case]:
    """All kept failures by name."""
    return {
        path.stem: from_json(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.json"))
    }
