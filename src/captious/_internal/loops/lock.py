"""The interpreter's lock, as compiled loops give it back and take it; plain Python keeps it."""

from __future__ import annotations

from contextlib import nullcontext

nogil = gil = nullcontext()
