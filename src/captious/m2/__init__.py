"""The evaluation package of the meshed-memory transformer, under its names."""
