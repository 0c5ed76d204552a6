"""Measure what is declared: scores, features and networks, each computed once and stored."""
