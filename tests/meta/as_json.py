"""Results as what reads their JSON gets them."""

from __future__ import annotations

import json
from typing import Any

from captious.io.output_tables import TabularResult


def as_json(result: TabularResult) -> Any:
    """What JSON makes of it; NaN and infinity are not JSON."""
    return json.loads(json.dumps(result.to_dict(), allow_nan=False))
