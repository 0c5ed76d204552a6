"""Ragged arrays, and matrix products whose rows do not depend on their batch."""
