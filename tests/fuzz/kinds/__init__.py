"""Kinds of fuzzed inputs, one family per file."""
