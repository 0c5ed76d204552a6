"""Every shipped file is what its record says, and all of them are small enough."""

import hashlib
import re
from pathlib import Path

import captious

RESOURCES = Path(captious.__file__).parent / "resources"
SHIPPED = [
    path
    for path in sorted(RESOURCES.rglob("*"))
    if path.is_file() and path.suffix not in (".py", ".pyc", ".md")
]


def test_every_file_has_a_row_with_its_hash():
    record = (RESOURCES / "PROVENANCE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(.+?)` \| .+ \| `([0-9a-f]{64})` \|$", record, re.MULTILINE))
    found = {
        path.relative_to(RESOURCES).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in SHIPPED
    }
    assert rows == found


def test_meteor_takes_no_more_than_25_megabytes():
    assert sum(path.stat().st_size for path in SHIPPED if "meteor" in path.parts) <= 25e6
