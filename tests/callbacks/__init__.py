"""Models watched while they are trained."""
