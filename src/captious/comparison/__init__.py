"""Comparisons of systems: two of them, leaderboards of many, and files of scores."""
