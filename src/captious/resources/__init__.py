"""Data shipped with the package; PROVENANCE.md says where each file comes from."""

from pathlib import Path

RESOURCES = Path(__file__).parent
