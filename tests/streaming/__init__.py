"""Tests of streams: chunks, sums, processes, parts."""
