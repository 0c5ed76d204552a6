"""Correlation with people, with intervals and tests of differences."""
